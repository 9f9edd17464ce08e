"""The pace of one profile: as many requests as its server takes, found out by being refused."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from ai_assistant.core.times import MINUTE

FEWEST = 6
"""Requests a minute that are tried in any case, once the server has had its rest."""
CLIMB = 0.1
"""What a limit gains in a minute without a refusal, as a share of what was refused."""


@dataclass(slots=True)
class Climbing:
    """A limit that a refusal halves, and that climbs back by a tenth of what was too much.

    `most` is the owner's own; where there is none (`inf`), it is gone once twice as much as was
    refused went well. It never falls below `least`.
    """

    most: float = math.inf
    """The owner's own limit."""
    least: int = 1
    """What is always let through."""
    refused: float = math.inf
    """What was too much when it was refused last."""
    since: float = 0.0
    """When that was, in seconds of the steady clock."""

    def at(self, now: float) -> float:
        """Return how much is allowed now."""
        if self.refused == math.inf:
            return self.most
        step = max(1.0, self.refused * CLIMB)
        found = max(self.least, self.refused // 2) + step * (now - self.since) // MINUTE
        if found >= max(2 * self.refused, 2 * self.least):
            self.refused = math.inf
        return min(self.most, math.floor(found))

    def halve(self, seen: float, now: float) -> None:
        """Take half of what there was when the server refused."""
        self.refused, self.since = max(1.0, seen), now


class Pace:
    """When the next request may go: not too many in any minute, nor at the same time.

    Not thread-safe; times are seconds of the clock that it is given.
    """

    def __init__(self, now: Callable[[], float], *, most: float = math.inf) -> None:
        """`most` requests a minute, as the owner has it."""
        self._now = now
        self._rate = Climbing(most, FEWEST)
        self._room = Climbing()
        self._begun: deque[float] = deque()
        self._flying = 0
        self._rests_until = -math.inf

    @property
    def wait(self) -> float:
        """Seconds until a request may begin; `inf` until one of those under way has ended."""
        now = self._now()
        while self._begun and self._begun[0] <= now - MINUTE:
            self._begun.popleft()
        if self._flying >= self._room.at(now):
            return math.inf
        rate, until = self._rate.at(now), self._rests_until
        if len(self._begun) >= rate:
            until = max(until, self._begun[-int(rate)] + MINUTE)
        return max(0.0, until - now)

    def begin(self) -> float:
        """Note that a request goes, and return when."""
        self._begun.append(self._now())
        self._flying += 1
        return self._begun[-1]

    def end(self) -> None:
        """Note that a request is over."""
        self._flying -= 1

    def refuse(self, begun: float, wait: float) -> None:
        """Slow down: the server had too many, and wants `wait` seconds of rest.

        Requests that began before it slowed down are part of what was too much already.
        """
        now = self._now()
        self._rests_until = max(self._rests_until, now + wait)
        if begun > self._rate.since or self._rate.refused == math.inf:
            self._rate.halve(len(self._begun), now)
            self._room.halve(self._flying, now)
