"""What is findable beside the rows: each item of journal, session memory, notebook and profiles."""

from __future__ import annotations

import marshal
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from ai_assistant.core.contracts import Json, MemoryRow
from ai_assistant.memory import labelled
from ai_assistant.memory.inner import journal
from ai_assistant.memory.people.profiles import observation_as_row
from ai_assistant.memory.people.traits import trait_as_row

LISTS = {
    "j": ("journal", "entries"),
    "f": ("session", "key_facts"),
    "p": ("session", "learned_patterns"),
    "n": ("notebook", "lines"),
    "o": ("profile", "observations"),
    "t": ("profile", "attributes"),
}
"""What can be found, by the letter under which people refer to it: (part, list)."""
PARTS = frozenset(part for part, _ in LISTS.values())
AT_HAND = ("journal", "session", "notebook")
"""The parts of which there is one each; there is a profile for every person."""
_KINDS = {"f": "session_fact", "p": "session_pattern", "n": "note"}


@dataclass(frozen=True, slots=True)
class SearchableItem:
    """An item of a part that a search can find."""

    ref: str
    """The name by which people refer to it, such as `n3`."""
    mark: int
    """What tells its content from any other's, as long as the process lives."""
    make: Callable[[], MemoryRow]
    """Returns it as a row: with the entry's number below zero for the journal, else without id."""


def searchable_items(part: str, key: str, state: Json) -> Iterator[SearchableItem]:
    """Yield what can be found of the state of a part, one of `PARTS`."""
    whose, name = f"@{key}" if key else "", state.get("name", "")
    for letter, (home, held) in LISTS.items():
        for place, item in enumerate(state[held] if home == part else (), 1):
            ref = f"{letter}{item['id'] if letter == 'j' else place}{whose}"
            mark = hash(marshal.dumps((letter, name, item), 2))
            yield SearchableItem(ref, mark, partial(_row, letter, key, name, item))


def _row(letter: str, key: str, name: str, item: Json) -> MemoryRow:
    if letter == "j":
        return journal.entry_as_row(item)
    if letter == "o":
        return observation_as_row(key, name, item)
    return (
        trait_as_row(key, name, item)
        if letter == "t"
        else labelled.item_as_row(item, _KINDS[letter])
    )
