"""The mark of what was only played: it goes wherever the words go, and makes no facts."""

from __future__ import annotations

from ai_assistant.contracts import Json, MemoryRow
from ai_assistant.memory.hearsay import FICTION


def is_fiction(row: MemoryRow) -> bool:
    """Does a memory bear the mark? Whoever looks for facts leaves it out."""
    return bool(row.meta.get(FICTION))


def mark(fiction: object) -> Json:
    """Return the mark as metadata, where there is to be one."""
    return {FICTION: True} if fiction else {}
