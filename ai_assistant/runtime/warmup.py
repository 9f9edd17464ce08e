"""Warm-up: a starting assistant's memories are read and indexed in slices, newest first.

The game goes on between two slices, each of which takes some milliseconds. Turns begin once the
newest are known; the older ones, however many there are, follow while the assistant already lives.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from ai_assistant.core.contracts import MemoryRow
from ai_assistant.core.errors import StoreUnavailable
from ai_assistant.game.log import report
from ai_assistant.game.reactor_steps import Later
from ai_assistant.memory.search.searchable_parts import AT_HAND
from ai_assistant.runtime.resident import Resident

SLICE = 20
"""Rows of a step: each of their words may be one that nobody used before."""
PAUSE = 1.0
"""Seconds until a slice is tried again that the database refused."""
PEOPLE = 20
ENOUGH = 2000
"""With so many of its newest memories indexed an assistant may take turns."""


def warm_up(
    resident: Resident, later: Later, ready: Callable[[], None], goes_on: Callable[[], bool]
) -> None:
    """Index what the character keeps at hand, its rows, newest first, then what it knows of people.

    `ready()` is called once, when it may take turns. It ends once `goes_on()` is no longer true.
    """
    slices = _slices(resident, ready)

    def next_slice() -> None:
        pause = next(slices, None) if goes_on() else None
        resident.warming = pause is not None
        if pause is not None:
            later(pause, next_slice)

    resident.warming = True
    later(0.0, next_slice)


def _slices(resident: Resident, ready: Callable[[], None]) -> Iterator[float]:
    """Index a slice at each step; yields the seconds until the next one."""
    mind, is_ready, refused = resident.mind, False, False
    rows: list[MemoryRow] = []

    for part in AT_HAND:
        _try(partial(mind.recall.learn_part, part))

    def learn() -> None:
        nonlocal refused
        try:
            rows[:] = mind.store.rows.newest(SLICE, rows[-1].id if rows else 0)
            refused = False
        except StoreUnavailable:
            refused = True
            return
        mind.recall.learn_stored(rows)

    more = True
    while more:
        more = _try(learn) and (refused or len(rows) == SLICE)
        if not is_ready and (not more or len(mind.recall) >= ENOUGH):
            is_ready = True
            ready()
        yield PAUSE if refused else 0.0
    people: list[str] = []
    _try(lambda: people.extend(mind.store.keys("profile")))
    for start in range(0, len(people), PEOPLE):
        for person in people[start : start + PEOPLE]:
            _try(partial(mind.recall.learn_part, "profile", person))
        yield 0.0


def _try(task: Callable[[], None]) -> bool:
    """Go on after an error: better to answer with a part of its memory than not at all."""
    try:
        task()
    except Exception as error:
        report("warm-up", error)
        return False
    return True
