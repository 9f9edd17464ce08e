"""Outages: which profiles fail just now, since when, and why in the first place."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ai_assistant.core.errors import ModelError
from ai_assistant.llm.breaker import CallEnding, kind_of
from ai_assistant.llm.model_profiles import Profile
from ai_assistant.llm.next_steps import next_step

AGAIN = 600.0
"""Seconds after an outage for which it takes `SEVERAL` failures in a row to make another: a
server that fails now and then is told of seldom."""
SEVERAL = 3


@dataclass(frozen=True, slots=True)
class Outage:
    """A profile that fails, as it began."""

    profile: str
    """Its name."""
    since: float
    """When it failed first, in epoch seconds."""
    cause: str
    """Why, in words."""
    step: str
    """What the owner may do about it."""


class Outages:
    """What the calls of all profiles came to. Times are those of the clock that it is given."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self.present: dict[str, Outage] = {}
        """The outages of now, by profile."""
        self._failures: dict[str, tuple[int, Outage]] = {}
        self._ended: dict[str, float] = {}

    def failed(
        self, profile: Profile, error: ModelError, *, is_sure: bool = False
    ) -> Outage | None:
        """Note a call that failed; returns the outage that begins by it.

        What may pass is asked once more at once, so it takes two of those, unless `is_sure`. That
        a server is left alone, or that nobody waits any longer, is no failure of its own.
        """
        if kind_of(error) in (CallEnding.RESTING, CallEnding.CANCELLED):
            return None
        name, now = profile.name, self._now()
        count, outage = self._failures.get(name, (0, None))
        outage = outage or Outage(name, now, str(error), next_step(error, profile))
        self._failures[name] = (count + 1, outage)
        needed = 2 if error.passing else 1
        if now - self._ended.get(name, float("-inf")) < AGAIN:
            needed = SEVERAL
        if is_sure:
            needed = 1
        if name in self.present or count + 1 < needed:
            return None
        self.present[name] = outage
        return outage

    def answered(self, profile: Profile) -> Outage | None:
        """Note a call that was answered; returns the outage that ends by it."""
        self._failures.pop(profile.name, None)
        ended = self.present.pop(profile.name, None)
        if ended:
            self._ended[profile.name] = self._now()
        return ended

    def forget(self, name: str) -> None:
        """Know nothing any more of a profile that is gone, or another one from now on."""
        for kept in (self._failures, self.present, self._ended):
            kept.pop(name, None)
