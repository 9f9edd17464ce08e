"""The mark of what was only played: it goes wherever the words go, and makes no facts."""

from __future__ import annotations

from dataclasses import replace

from ai_assistant.contracts import Event, Json, MemoryRow
from ai_assistant.memory.hearsay import FICTION
from ai_assistant.roleplay.world_agent import KEY


def is_fiction(row: MemoryRow) -> bool:
    """Does a memory bear the mark? Whoever looks for facts leaves it out."""
    return bool(row.meta.get(FICTION))


def is_played(event: Event) -> bool:
    """Is it part of a play, or told from one? Whoever answers it plays along."""
    decision = event.metadata.get(KEY) or {}
    return bool(event.metadata.get(FICTION) or decision.get(FICTION))


def mark(fiction: object) -> Json:
    """Return the mark as metadata, where there is to be one."""
    return {FICTION: True} if fiction else {}


def marked(row: MemoryRow, fiction: object) -> MemoryRow:
    """Return a row with the mark, where there is to be one."""
    return replace(row, meta={**row.meta, **mark(fiction)}) if fiction else row
