"""Editing a block by its words: what a model may replace, and where it may put something."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ai_assistant.core.contracts import Json
from ai_assistant.core.errors import BlockRefused
from ai_assistant.memory import labelled


@dataclass(frozen=True, slots=True)
class Replacement:
    """The whole words of one item before and after."""

    item: Json
    new: str


def replacement(
    items: Sequence[Json], readers: str, old: str, new: str, field: str = "content"
) -> Replacement:
    """Return the one item with exactly this label that holds `old`, with `new` in its place.

    Raises `BlockRefused` where `old` stands nowhere or more than once: only what is meant without
    a doubt is changed. What others may read as well is never looked at.
    """
    if not old.strip():
        raise BlockRefused("Say which words are to be replaced.")
    mine = labelled.under(items, readers)
    found = [entry for entry in mine if old in entry[field]]
    times = sum(entry[field].count(old) for entry in found)
    if not times:
        raise BlockRefused("These words are not there, or not yours to change in this company.")
    if times > 1:
        raise BlockRefused(f"These words stand there {times} times: give more of the line.")
    return Replacement(found[0], " ".join(found[0][field].replace(old, new).split()))


def line_before(items: Sequence[Json], readers: str, line: int) -> str:
    """Return the words before line `line` (from 1) of this label; raises `BlockRefused`."""
    mine = labelled.under(items, readers)
    if not 1 <= line <= len(mine) + 1:
        raise BlockRefused(f"There are {len(mine)} lines; give a line from 1 to {len(mine) + 1}.")
    return str(mine[line - 2]["content"]) if line > 1 else ""
