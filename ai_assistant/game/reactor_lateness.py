"""Reactor lateness: a probe on a steady beat, which is late by whatever holds up the game.

What stops it longest are full rounds of Python's garbage collector, so those are made rare.
"""

from __future__ import annotations

import gc
from collections import deque
from typing import Any

from twisted.internet import reactor
from twisted.internet.task import LoopingCall

BEAT = 0.5
"""Seconds between two looks."""
KEPT = 600
"""Looks that are kept: those of five minutes."""
FULL_ROUND_AFTER = 100
"""Smaller rounds of the garbage collector before a full one, ten times as many as Python's own."""
Lateness = tuple[float, float]
"""Seconds: half of the looks were no later than the first, and 99 in 100 than the second."""


def spare_full_rounds() -> None:
    """Let the garbage collector's full rounds skip what is there by now, and come less often.

    What they find is little, and is found all the same, later; a game's own limits may be higher.
    """
    first, second, third = gc.get_threshold()
    gc.set_threshold(first, second, max(third, FULL_ROUND_AFTER))
    gc.freeze()


class ReactorProbe:
    """Measures how late a steady beat comes, while it runs. Use it on the reactor thread only."""

    def __init__(self, clock: Any = reactor) -> None:
        self._late: deque[float] = deque(maxlen=KEPT)
        self._last = 0.0
        self._loop = LoopingCall(self._look)
        self._loop.clock = clock

    def start(self) -> None:
        """Begin to measure; earlier measurements are dropped."""
        self.stop()
        self._late.clear()
        self._last = self._loop.clock.seconds()
        self._loop.start(BEAT, now=False)

    def stop(self) -> None:
        """End measuring. Safe to call twice."""
        if self._loop.running:
            self._loop.stop()

    def lateness(self) -> Lateness:
        """Return how late the beats of the last five minutes were; nothing without any."""
        ordered = sorted(self._late) or [0.0]
        return ordered[len(ordered) // 2], ordered[len(ordered) * 99 // 100]

    def _look(self) -> None:
        now = self._loop.clock.seconds()
        self._late.append(max(0.0, now - self._last - BEAT))
        self._last = now


PROBE = ReactorProbe()
