"""What is findable beside the rows: each item of journal, session memory, notebook and profiles."""

from __future__ import annotations

import marshal
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from ai_assistant.core.contracts import Json, MemoryRow
from ai_assistant.memory import labelled
from ai_assistant.memory.inner import journal, session
from ai_assistant.memory.people.profiles import observation_as_row
from ai_assistant.memory.people.traits import trait_as_row

AsRow = Callable[[Json], MemoryRow]


@dataclass(frozen=True, slots=True)
class Findable:
    """An item of a part that a search can find."""

    ref: str
    """The name by which people refer to it, such as `n3`."""
    mark: int
    """What tells its content from any other's, as long as the process lives."""
    make: Callable[[], MemoryRow]
    """Returns it as a row: with the entry's number below zero for the journal, else without id."""


def findable(part: str, key: str, state: Json) -> Iterator[Findable]:
    """Yield what can be found of the state of a part, of which `PARTS` has the names."""
    for ref, item, as_row in PARTS[part](key, state):
        known = (ref[0], state.get("name", ""), item)
        yield Findable(ref, hash(marshal.dumps(known, 2)), partial(as_row, item))


def _of_journal(key: str, state: Json) -> Iterator[tuple[str, Json, AsRow]]:
    for entry in state["entries"]:
        yield f"j{entry['id']}", entry, journal.as_row


def _of_session(key: str, state: Json) -> Iterator[tuple[str, Json, AsRow]]:
    for kind, name in session.LISTS.items():
        as_row = partial(labelled.as_row, kind=f"session_{kind}")
        for place, item in enumerate(state[name], 1):
            yield f"{kind[0]}{place}", item, as_row


def _of_notebook(key: str, state: Json) -> Iterator[tuple[str, Json, AsRow]]:
    as_row = partial(labelled.as_row, kind="note")
    for place, line in enumerate(state["lines"], 1):
        yield f"n{place}", line, as_row


def _of_profile(key: str, state: Json) -> Iterator[tuple[str, Json, AsRow]]:
    for place, observation in enumerate(state["observations"], 1):
        yield f"o{place}@{key}", observation, partial(observation_as_row, key, state["name"])
    for place, trait in enumerate(state["attributes"], 1):
        yield f"t{place}@{key}", trait, partial(trait_as_row, key, state["name"])


PARTS: dict[str, Callable[[str, Json], Iterator[tuple[str, Json, AsRow]]]] = {
    "journal": _of_journal,
    "session": _of_session,
    "notebook": _of_notebook,
    "profile": _of_profile,
}
AT_HAND = ("journal", "session", "notebook")
"""The parts of which there is one each; there is a profile for every person."""
