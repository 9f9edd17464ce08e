"""Upkeep: what found no room is settled by rule, awake as well as asleep, and without any model."""

from __future__ import annotations

from collections.abc import Collection

from ai_assistant.agent.mind import Mind
from ai_assistant.contracts import AuditRecord, Commit
from ai_assistant.sleep.blocks import settle_by_rule
from ai_assistant.sleep.tidying import next_full_list
from ai_assistant.sleep.work import Work

RECORD = "Upkeep"
"""The type of the audit records that tell of it."""


def next_piece(mind: Mind, skipped: Collection[str]) -> Work | None:
    """Return the next piece, of those that are not skipped: a list that is full, or a block."""
    return next_full_list(mind, skipped) or settle_by_rule(mind, skipped)


def keep_up(mind: Mind, work: Work) -> None:
    """Write a piece. Raises `StoreError`."""
    at = mind.clock.now()
    told = AuditRecord(RECORD, {"stage": work.stage, **work.told}, work.readers, at=at)
    mind.save(Commit(at=at, changes=work.changes, audit=[told]))
