"""The audit log of one assistant: records appended under one sequence of numbers."""

from __future__ import annotations

from collections.abc import Iterable

from django.db import connection

from ai_assistant.contracts import AuditRecord
from ai_assistant.models import AssistantEvent

_LAST = "SELECT MAX(seq) FROM ai_assistant_event WHERE assistant = %s"


def append(assistant: str, records: Iterable[AuditRecord], *, at: float, turn_id: str) -> None:
    """Append records in their order, part of the caller's transaction.

    A record without a time or a turn gets `at` and `turn_id`.
    """
    records = list(records)
    if not records:
        return
    with connection.cursor() as cursor:
        cursor.execute(_LAST, [assistant])
        last = cursor.fetchone()[0]
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
