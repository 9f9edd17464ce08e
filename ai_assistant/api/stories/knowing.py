"""Who knows a line, or what one remembers: since when, from whom, and who only overheard it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from itertools import chain
from typing import Any

from ai_assistant.api.editing import find_item
from ai_assistant.core.contracts import MemoryRow
from ai_assistant.roleplay.day_summaries import can_be_corrected
from ai_assistant.storage.distributing import company_of
from ai_assistant.storage.history import row_evidence
from ai_assistant.storage.scene_rows import everybodys_rows

MOST_ROWS = 500
"""Rows that one look reads at most: of what was heard, and of what was drawn from that."""


@dataclass(frozen=True, slots=True)
class WhoKnows:
    """Who has anything of one line, or of one thing that is remembered."""

    words: str
    """What it says; empty for a line of which nobody keeps anything."""
    held: dict[str, list[MemoryRow]]
    """What each has of it, by ids; first who learnt of it first, and of each the oldest first."""
    took_part: list[str]
    """The ids of others who took part in it: of players outside of scenes nothing is kept."""
    overheard: list[str]
    """The ids of those who only could hear it, and keep nothing of it."""
    is_whole: bool
    """False where there is more than one look reads."""


def who_knows_of(character: Any, ref: str) -> WhoKnows:
    """Return who knows what a reference stands for: of `editing.find_item`, or the id of a line.

    What rests on no line is the character's alone: it has words, and nobody else holds it. Raises
    `AssistantError` where there is no such thing.
    """
    if company_of([ref]):
        return _who_knows([ref], [])
    item = find_item(character, ref)
    numbers = [item.number] if item.number > 0 else item.value.get("evidence", ())
    rows = [id for id in numbers if id > 0]
    if not rows:
        return WhoKnows(item.words, {}, [], [], is_whole=True)
    topics = (row_evidence.topics_of(row.meta) for row in everybodys_rows(rows))
    return _who_knows({*chain.from_iterable(topics)}, rows)


def _who_knows(topics: Collection[str], rows: Collection[int]) -> WhoKnows:
    """Return who has a row of any of these topics, or one of these rows, or what was made of it."""
    asked = {*topics, *map(row_evidence.row_ref, rows)}
    first = {*rows, *row_evidence.rows_about(asked, MOST_ROWS)}
    then = row_evidence.rows_about([*map(row_evidence.row_ref, first)], MOST_ROWS)
    held: dict[str, list[MemoryRow]] = {}
    found = filter(can_be_corrected, everybodys_rows({*first, *then}))
    for row in sorted(found, key=lambda row: (row.learned_at, row.id)):
        held.setdefault(row.container, []).append(row)
    company = company_of(topics)
    took_part = {who for ids, _ in company for who in ids} - held.keys()
    heard = {who for _, ids in company for who in ids} - held.keys() - took_part
    return WhoKnows(
        next((own[0].content for own in held.values()), ""),
        held,
        sorted(took_part),
        sorted(heard),
        max(len(first), len(then)) < MOST_ROWS,
    )
