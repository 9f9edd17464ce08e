"""Renumbering: a mind's own ids, and the numbers of its rows, as they stand in a file and back."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from ai_assistant.core.readers import canonical, members
from ai_assistant.memory.evidence import REPLACED_BY
from ai_assistant.memory.wipe import LINKS

ITSELF = "e" + "0" * 32
"""The id that stands in a file for the mind's own."""
_LISTS = LINKS | {"again"}
_SINGLE = frozenset({REPLACED_BY, "corrects", "published", "supersedes"})
_MARKS = frozenset({"after", "ahead", "gathered"})
"""Fields of the night that say how far it has read; no row need have that number."""
_LABEL = re.compile(r"\b\w{33}(?:,\w{33})+\b")


@dataclass(frozen=True, slots=True)
class Numbers:
    """How the numbers of rows are changed."""

    row: Callable[[int], int | None]
    """The new number of a row; None where there is no such row."""
    mark: Callable[[int], int]
    """The new number up to which something was read."""

    def renumbered(self, value: Any, *, night: bool = False) -> Any:
        """Return a JSON value with new numbers of rows; `night`: it is the state of the sleep."""
        if isinstance(value, list):
            return [self.renumbered(part, night=night) for part in value]
        if not isinstance(value, dict):
            return value
        return {name: self._field(name, part, night) for name, part in value.items()}

    def _field(self, name: str, part: Any, night: bool) -> Any:
        if name in _LISTS and isinstance(part, list):
            return [new for old in part if (new := self._single(old)) is not None]
        if name in _SINGLE and type(part) is int:
            return self._single(part) or 0
        if night and name in _MARKS:
            return self.mark(part)
        if night and name == "folded":
            return {session: self.mark(last) for session, last in part.items()}
        return self.renumbered(part, night=night)

    def _single(self, old: Any) -> Any:
        return self.row(old) if type(old) is int and old > 0 else old


def into_file(ids: Sequence[int]) -> Numbers:
    """Return the change from rows' ids, in order, to their places in a file, from 1."""
    places = {id: place for place, id in enumerate(ids, start=1)}
    return Numbers(places.get, lambda last: bisect_right(ids, last))


def out_of_file(ids: Sequence[int]) -> Numbers:
    """Return the change from places in a file to the ids that its rows have now."""
    known = dict(enumerate(ids, start=1))
    return Numbers(known.get, lambda place: known.get(min(place, len(ids)), 0))


def with_id_changed(text: str, old: str, new: str) -> str:
    """Return JSON text in which the id `new` stands for `old`, and labels are in order again."""
    return _LABEL.sub(lambda label: canonical(members(label[0])), text.replace(old, new))
