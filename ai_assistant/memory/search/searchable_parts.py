"""What is findable beside the rows: each item of journal, session memory, notebook and profiles."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ai_assistant.core.contracts import Json, MemoryRow
from ai_assistant.memory import labelled
from ai_assistant.memory.inner import journal, session
from ai_assistant.memory.people.profiles import observation_as_row
from ai_assistant.memory.people.traits import trait_as_row

Findable = tuple[str, MemoryRow]
"""The reference by which people name an item, and the item as a row: without an id of its own
where it has none, and with the entry's number below zero in the journal."""


def findable(part: str, key: str, state: Json) -> Iterator[Findable]:
    """Yield what can be found of the state of a part, of which `PARTS` has the names."""
    return PARTS[part](key, state)


def _of_journal(key: str, state: Json) -> Iterator[Findable]:
    for entry in state["entries"]:
        yield f"j{entry['id']}", journal.as_row(entry)


def _of_session(key: str, state: Json) -> Iterator[Findable]:
    for kind, name in session.LISTS.items():
        for place, one in enumerate(state[name], 1):
            yield f"{kind[0]}{place}", labelled.as_row(one, f"session_{kind}")


def _of_notebook(key: str, state: Json) -> Iterator[Findable]:
    for place, one in enumerate(state["lines"], 1):
        yield f"n{place}", labelled.as_row(one, "note")


def _of_profile(key: str, state: Json) -> Iterator[Findable]:
    for place, one in enumerate(state["observations"], 1):
        yield f"o{place}@{key}", observation_as_row(key, state["name"], one)
    for place, one in enumerate(state["attributes"], 1):
        yield f"t{place}@{key}", trait_as_row(key, state["name"], one)


PARTS: dict[str, Callable[[str, Json], Iterator[Findable]]] = {
    "journal": _of_journal,
    "session": _of_session,
    "notebook": _of_notebook,
    "profile": _of_profile,
}
AT_HAND = ("journal", "session", "notebook")
"""The parts of which there is one each; there is a profile for every person."""
