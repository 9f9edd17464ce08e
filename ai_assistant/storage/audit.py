"""The audit log of one assistant: records appended under one sequence of numbers."""

from __future__ import annotations

import json
from collections.abc import Iterable

from django.db import connection

from ai_assistant.contracts import AuditRecord
from ai_assistant.models import AssistantEvent

_LAST = "SELECT MAX(seq) FROM ai_assistant_event WHERE assistant = %s"
_APPEND = """
    INSERT INTO ai_assistant_event (assistant, seq, type, at, turn_id, readers, data)
    VALUES (%s, %s, %s, %s, %s, %s, %s)
"""


def of_turn(assistant: str, turn_id: str) -> list[AuditRecord]:
    """Return the records under this turn's id, oldest first."""
    found = AssistantEvent.objects.filter(assistant=assistant, turn_id=turn_id).order_by("seq")
    names = ("type", "data", "readers", "turn_id", "at")
    return [AuditRecord(*values) for values in found.values_list(*names)]


def append(assistant: str, records: Iterable[AuditRecord], *, at: float, turn_id: str) -> None:
    """Append records in their order, part of the caller's transaction.

    A record without a time or a turn gets `at` and `turn_id`.
    """
    records = list(records)
    if not records:
        return
    with connection.cursor() as cursor:
        cursor.execute(_LAST, [assistant])
        last = cursor.fetchone()[0] or 0
        rows = [
            (one.type, one.at or at, one.turn_id or turn_id, one.readers, json.dumps(one.data))
            for one in records
        ]
        numbered = enumerate(rows, start=last + 1)
        cursor.executemany(_APPEND, [(assistant, seq, *row) for seq, row in numbered])
