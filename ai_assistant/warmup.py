"""Warm-up: a starting assistant's memories are read and indexed in slices, newest first.

The game goes on between two slices, each of which takes some milliseconds. Turns begin once the
newest are known; the older ones, however many there are, follow while the assistant already lives.
"""

from __future__ import annotations

from collections.abc import Callable

from ai_assistant.log import report
from ai_assistant.resident import Resident

SLICE = 100
ENOUGH = 2000
"""With so many of its newest memories indexed an assistant may take turns."""
Later = Callable[[float, Callable[[], None]], object]


class WarmUp:
    """Fills the index of one resident. `ready()` is called once, when it may take turns.

    It ends by itself when `goes_on()` is no longer true.
    """

    def __init__(
        self,
        resident: Resident,
        *,
        later: Later,
        ready: Callable[[], None],
        goes_on: Callable[[], bool],
    ) -> None:
        self._resident = resident
        self._later = later
        self._ready = ready
        self._goes_on = goes_on
        self._told = False

    def step(self, before: int = 0) -> None:
        """Index one slice of rows older than the id `before`, and put off the next."""
        if not self._goes_on():
            return
        mind = self._resident.mind
        try:
            rows = mind.store.newest_rows(SLICE, before)
            mind.recall.learn_stored(rows)
        except Exception as error:  # better to answer with a part of its memory than not at all
            report("warm-up", error)
            rows = []
        more = len(rows) == SLICE
        self._resident.warming = more
        if not self._told and (not more or len(mind.recall) >= ENOUGH):
            self._told = True
            self._ready()
        if more:
            self._later(0, lambda: self.step(rows[-1].id))
