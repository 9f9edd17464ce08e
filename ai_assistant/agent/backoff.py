"""Back-off: what came to nothing waits before it is tried again, each time twice as long."""

from __future__ import annotations

from dataclasses import dataclass, field

MOST_KEYS = 256
"""Things that are remembered; beyond it the one that was tried longest ago may go again."""


@dataclass(slots=True)
class Backoff:
    """What was tried, by a key, and from when on (steady clock, seconds) it may be tried again.

    The first wait is `first` seconds, none is longer than `longest`. Whatever was then left alone
    for as long again begins anew.
    """

    first: float
    longest: float
    _waits: dict[str, tuple[float, float]] = field(default_factory=dict)

    def waiting(self, now: float) -> frozenset[str]:
        """Return all that may not be tried now."""
        return frozenset(key for key, (until, _) in self._waits.items() if now < until)

    def tried(self, key: str, now: float) -> None:
        """Note that it is tried now; where it comes to something, `done` is to be called."""
        until, wait = self._waits.pop(key, (now, 0.0))
        wait = self.first if now > until + wait else min(max(self.first, 2 * wait), self.longest)
        self._waits[key] = (now + wait, wait)
        while len(self._waits) > MOST_KEYS:
            del self._waits[next(iter(self._waits))]

    def done(self, key: str) -> None:
        """Note that it came to something: the next time it need not wait."""
        self._waits.pop(key, None)
