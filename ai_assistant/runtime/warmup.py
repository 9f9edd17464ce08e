"""Warm-up: a starting assistant's memories are read and indexed in slices, newest first.

The game goes on between two slices, each of which takes some milliseconds. Turns begin once the
newest are known; the older ones, however many there are, follow while the assistant already lives.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from ai_assistant.core.contracts import MemoryRow
from ai_assistant.game.log import report
from ai_assistant.memory.search.searchable_parts import AT_HAND
from ai_assistant.runtime.resident import Resident

SLICE = 100
PEOPLE = 20
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

    def begin(self) -> None:
        """Index what the character keeps at hand, then its rows, then what it knows of people."""
        for part in AT_HAND:
            self._learn(part)
        self._rows()

    def _rows(self, before: int = 0) -> None:
        """Index one slice of rows older than the id `before`, and put off the next."""
        if not self._goes_on():
            return
        mind = self._resident.mind
        rows: list[MemoryRow] = []
        with self._reported():
            rows = mind.store.rows.newest(SLICE, before)
            mind.recall.learn_stored(rows)
        more = len(rows) == SLICE
        self._resident.warming = True
        if not self._told and (not more or len(mind.recall) >= ENOUGH):
            self._told = True
            self._ready()
        if more:
            self._later(0, lambda: self._rows(rows[-1].id))
            return
        people: Sequence[str] = ()
        with self._reported():
            people = mind.store.keys("profile")
        self._people(people)

    def _people(self, keys: Sequence[str]) -> None:
        """Index what is known of the first of these, and put off the others."""
        if not self._goes_on():
            return
        for key in keys[:PEOPLE]:
            self._learn("profile", key)
        self._resident.warming = len(keys) > PEOPLE
        if self._resident.warming:
            self._later(0, lambda: self._people(keys[PEOPLE:]))

    def _learn(self, part: str, key: str = "") -> None:
        with self._reported():
            self._resident.mind.recall.learn_part(part, key)

    @contextmanager
    def _reported(self) -> Iterator[None]:
        """Go on after an error: better to answer with a part of its memory than not at all."""
        try:
            yield
        except Exception as error:
            report("warm-up", error)
