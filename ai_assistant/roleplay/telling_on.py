"""Telling on: knowledge goes from one container to another on purpose, and is believed less."""

from __future__ import annotations

from dataclasses import replace

from ai_assistant.core.contracts import Entity, MemoryRow
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.readers import NOBODY, may_read
from ai_assistant.roleplay.play import is_fiction, mark

KIND = "gossip"
RETOLD = 0.8
"""The share of its trust that a memory keeps at each hop."""
LEAST_TRUST = 0.1


def pass_on(row: MemoryRow, teller: Entity, hearer: str, *, day: int, at: float) -> MemoryRow:
    """Return what the hearer keeps of a memory that the teller tells.

    Its label stays, so whoever hears it may tell it no further than the teller might, and so does
    the mark of what was only played. Raises `AssistantError` where the hearer may not know of it,
    or is who it came from.
    """
    if row.readers == NOBODY or not may_read(hearer, row.readers):
        raise AssistantError("That one may not know of it.")
    chain = [*row.meta.get("chain", ()), teller.id]
    if hearer in (row.author, *chain):
        raise AssistantError("That one knows it already.")
    return replace(
        row,
        id=0,
        kind=KIND,
        container=hearer,
        game_day=day,
        learned_at=at,
        trust=max(LEAST_TRUST, round(row.trust * RETOLD, 4)),
        parents=(),
        meta={
            "type": KIND,
            "told_by": teller.id,
            "told_by_name": teller.name,
            "chain": chain,
            "hops": len(chain),
            "origin": row.meta.get("origin") or row.meta.get("event") or f"#{row.id}",
            "happened_day": row.meta.get("happened_day", row.game_day),
            **mark(is_fiction(row)),
        },
    )
