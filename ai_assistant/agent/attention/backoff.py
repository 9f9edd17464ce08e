"""Back-off: what failed or came to nothing waits before it is tried again, longer each time."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

from ai_assistant.core.ports import Clock
from ai_assistant.core.times import HOUR

MOST_KEYS = 256
"""Things that are remembered; beyond it the one that was tried longest ago may go again."""


@dataclass(slots=True)
class Backoff:
    """What was tried, by a key, and from when on (steady clock, seconds) it may be tried again.

    The first wait is `first` seconds, none is longer than `longest`. Whatever was then left alone
    for as long again begins anew.
    """

    first: float
    """Seconds of the first wait."""
    longest: float
    """Seconds that no wait exceeds."""
    _waits: dict[str, tuple[float, float]] = field(default_factory=dict)

    def waiting(self, now: float) -> frozenset[str]:
        """Return all that may not be tried now."""
        return frozenset(key for key, (until, _) in self._waits.items() if now < until)

    def tried(self, key: str, now: float) -> None:
        """Note that it is tried now; call `done` if it succeeds."""
        until, wait = self._waits.pop(key, (now, 0.0))
        wait = self.first if now > until + wait else min(max(self.first, 2 * wait), self.longest)
        self._waits[key] = (now + wait, wait)
        while len(self._waits) > MOST_KEYS:
            del self._waits[next(iter(self._waits))]

    def done(self, key: str) -> None:
        """Note that it succeeded: the next time it need not wait."""
        self._waits.pop(key, None)


FAULTS = 5
WITHIN = 600.0
FIRST_REST = 60.0
LONGEST_REST = HOUR


class TurnBackoff:
    """Five faults within ten minutes mean a rest of one minute, doubled each time up to an hour.

    A turn that goes well ends the doubling, though not the counting: what fails half of the time
    is still worth a rest. Times are seconds of the steady clock.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._faults: deque[float] = deque(maxlen=FAULTS)
        self._until = float("-inf")
        self._length = FIRST_REST

    def fault(self) -> None:
        """Count a failed turn."""
        now = self._clock.monotonic()
        self._faults.append(now)
        if len(self._faults) == FAULTS and now - self._faults[0] <= WITHIN:
            self._until = now + self._length
            self._length = min(LONGEST_REST, self._length * 2)
            self._faults.clear()

    def success(self) -> None:
        """Count a turn that went well: the next rest is a short one again."""
        self._length = FIRST_REST

    @property
    def resting(self) -> bool:
        """Is it resting now?"""
        return self._clock.monotonic() < self._until
