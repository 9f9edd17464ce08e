"""The audit log of one assistant: records appended under one sequence of numbers."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import Max

from ai_assistant.contracts import AuditRecord
from ai_assistant.models import AssistantEvent


def append(assistant: str, records: Iterable[AuditRecord], *, at: float, turn_id: str) -> None:
    """Append records in their order, part of the caller's transaction.

    A record without a time or a turn gets `at` and `turn_id`.
    """
    records = list(records)
    if not records:
        return
    last = AssistantEvent.objects.filter(assistant=assistant).aggregate(last=Max("seq"))["last"]
    AssistantEvent.objects.bulk_create(
        AssistantEvent(
            assistant=assistant,
            seq=seq,
            type=record.type,
            at=record.at or at,
            turn_id=record.turn_id or turn_id,
            readers=record.readers,
            data=record.data,
        )
        for seq, record in enumerate(records, start=(last or 0) + 1)
    )
