"""As of a day: what was known then, by the story's days and by when it was learnt.

A row counts from the day and the moment on which its owner learnt it, also after its day was
folded: the summary only stands for it, and counts as nothing known. A correction ends the row that
it corrects, on the day of the correction; until then that one was what was known.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from ai_assistant.contracts import Json, MemoryRow
from ai_assistant.roleplay.days import SUMMARY

RETIRED_DAY, RETIRED_AT = "retired_day", "retired_at"
HAPPENED, CORRECTS = "happened_day", "corrects"
WITHDRAWN: Json = {"withdrawn": True}
"""Noted on a row that counts as never known: staff put other words in its place, or the night that
made it was taken back, or its owner turned out to have taken no part."""


def known_as_of(
    rows: Iterable[MemoryRow],
    *,
    day: int | None = None,
    at: float | None = None,
    about: int | None = None,
) -> Iterator[MemoryRow]:
    """Yield the rows that were known, in their order.

    Args:
        rows: All rows of a container, archived ones included.
        day: By the end of this day of the story; None for any.
        at: By this moment, in seconds since the epoch; None for any.
        about: Only what happened on this day or before; what was told late may be of long ago.
    """
    return (row for row in rows if _known(row, day, at, about))


def _known(row: MemoryRow, day: int | None, at: float | None, about: int | None) -> bool:
    meta = row.meta
    if row.kind == SUMMARY or meta.keys() & WITHDRAWN.keys():
        return False
    if day is not None and not row.game_day <= day < meta.get(RETIRED_DAY, day + 1):
        return False
    if at is not None and not row.learned_at <= at < meta.get(RETIRED_AT, at + 1):
        return False
    return about is None or meta.get(HAPPENED, row.game_day) <= about


def correction(old: MemoryRow, content: str, *, day: int, at: float) -> tuple[MemoryRow, Json]:
    """Return the row that corrects one, and what is noted on the corrected one.

    It is of the day on which it was learnt, about the day that the corrected one was about. Raises
    `ValueError` for a day before the one on which the corrected row itself was learnt: nobody can
    know better what they do not know yet.
    """
    if day < old.game_day:
        raise ValueError(
            f"Memory #{old.id} was learnt on day {old.game_day}: correct it from that day on."
        )
    about = old.meta.get(HAPPENED, old.game_day)
    meta = {**old.meta, CORRECTS: old.id, HAPPENED: about}
    new = replace(old, id=0, content=content, game_day=day, learned_at=at, parents=(), meta=meta)
    return new, {RETIRED_DAY: day, RETIRED_AT: at}


def can_be_corrected(row: MemoryRow) -> bool:
    """Does a row still stand, at hand or behind a summary, so that it can be corrected?"""
    return row.kind != SUMMARY and not row.meta.keys() & {RETIRED_AT, *WITHDRAWN}
