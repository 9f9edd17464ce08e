"""Disclosure: the only ways in which something becomes known to more than those who know it.

Game code and staff call these; no tool of a model does. Each leaves an entry in the audit log.
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

from ai_assistant.api.handlers import save, store_of
from ai_assistant.api.overview import running
from ai_assistant.core.contracts import AuditRecord, Commit, MemoryRow
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.readers import OPEN
from ai_assistant.core.text import clean
from ai_assistant.game.identity import unstyled
from ai_assistant.game.validation import check_telling
from ai_assistant.memory.importance import ANNOUNCED

MOST_FOUND = 10
"""So many private memories are shown at once."""


def publish(character: Any, row_id: int, *, by: str) -> MemoryRow:
    """Make an open copy of one of an assistant's memories; the private one stays as it is.

    `by` says who decided so, for the audit log. Raises `AssistantError` where there is no such row,
    it is open already, or a private turn's tool asks, and `StoreError`.
    """
    check_telling()
    found = store_of(character).rows.by_ids([row_id])
    if not found:
        raise AssistantError(f"{character.key} has no memory number {row_id}.")
    row = found[0]
    if row.readers == OPEN:
        raise AssistantError("Everybody may know of that already.")
    copy = replace(row, id=0, readers=OPEN, parents=(row.id,), meta={"published": row.id})
    return _write(character, copy, "Published", {"row": row.id, "by": by})


def private_memories(character: Any, query: str) -> list[MemoryRow]:
    """Return private memories of a running assistant that share words with `query`, for staff."""
    resident = running(character)
    now = resident.mind.clock.now()
    index = resident.mind.recall.index
    hits = index.search(query, MOST_FOUND, now=now, allow=lambda readers: readers != OPEN)
    return store_of(character).rows.by_ids([hit.id for hit in hits if hit.relevance > 0])


def inform(character: Any, text: str, *, by: str = "game") -> MemoryRow:
    """Tell one assistant a fact that everybody may know of; `blocks.announce` tells all of them.

    Raises `AssistantError` for an empty text and in a tool that runs for a private turn, and
    `StoreError` when the database refuses.
    """
    check_telling()
    fact = clean(unstyled(text))
    if not fact:
        raise AssistantError("There is nothing in that to announce.")
    row = MemoryRow(
        content=fact,
        kind="announcement",
        author_name="the world",
        importance=ANNOUNCED,
        learned_at=time.time(),
    )
    return _write(character, row, "Announced", {"fact": fact, "by": by})


def _write(character: Any, row: MemoryRow, type: str, data: dict[str, Any]) -> MemoryRow:
    at = time.time()
    audit = [AuditRecord(type, data, row.readers, at=at)]
    return save(character, Commit(at=at, rows=[row], audit=audit))[0]
