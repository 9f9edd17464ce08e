"""The watch on the models' servers: log and staff are told when a profile fails, and of its end."""

from __future__ import annotations

from collections import Counter

from ai_assistant import conf
from ai_assistant.core.errors import ModelError
from ai_assistant.core.ports import Clock
from ai_assistant.core.times import iso, lasting
from ai_assistant.game.log import surviving, tell_staff
from ai_assistant.llm.breaker import CallEnding, Unavailable
from ai_assistant.llm.model_profiles import Profile
from ai_assistant.llm.next_steps import cause_of
from ai_assistant.llm.outages import Outage, Outages


class OutageWatch:
    """One per service; all of its methods belong on the reactor thread, and none of them raises."""

    def __init__(self, clock: Clock, profiles: dict[str, Profile]) -> None:
        """Only calls of these profiles count: others are on trial."""
        self._clock = clock
        self._profiles = profiles
        self._outages = Outages(clock.now)
        self.failed = Counter[tuple[str, str]]()
        """How many calls failed since the start, by profile and cause."""
        for profile in profiles.values():
            if profile.problem:
                self.note(profile, misconfigured(profile))

    def note(self, profile: Profile, error: ModelError | None, *, is_sure: bool = False) -> None:
        """Take in how a call ended: with an answer, or with this error, which `is_sure` to stay."""
        if self._profiles.get(profile.name) != profile:
            return
        with surviving("the watch on the models"):
            if error is None:
                if ended := self._outages.answered(profile):
                    lasted = lasting(self._clock.now() - ended.since)
                    tell_staff(
                        f"The model profile {ended.profile!r} answers again, after {lasted}."
                    )
                return
            self.failed[profile.name, cause_of(error)] += 1
            if begun := self._outages.failed(profile, error, is_sure=is_sure):
                offline = conf.settings.FALLBACK and " The offline model stands in."
                tell_staff(f"The model profile {begun.profile!r} fails. {_why(begun)}{offline}")

    def replaced(self, before: dict[str, Profile]) -> None:
        """Forget the outages of profiles that are others than they were `before`, or are gone."""
        for name, profile in before.items():
            if self._profiles.get(name) != profile:
                self._outages.forget(name)

    def cause(self, name: str) -> str:
        """Return why a profile fails; empty where nobody knows that it does."""
        outage = self._outages.present.get(name)
        return outage.cause if outage else ""

    def banners(self) -> dict[str, str]:
        """Return, by profile, since when it fails, why in the first place, and what to do."""
        return {
            name: f"The model profile {name!r} fails since {iso(outage.since)[11:16]} UTC, for "
            f"{lasting(self._clock.now() - outage.since)}. {_why(outage)}"
            for name, outage in self._outages.present.items()
        }


def misconfigured(profile: Profile) -> Unavailable:
    """Return the error of a call of a profile that the settings hold wrongly."""
    return Unavailable(CallEnding.SETTINGS, profile.problem, cause="settings")


def _why(outage: Outage) -> str:
    return f"{outage.cause} Next: {outage.step}"
