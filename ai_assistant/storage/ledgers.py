"""Ledgers: the audit log of one assistant, and the day's spending.

What runs in every turn is written out: Django would take ten times as long to put it together as
the database takes to run it.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from django.db import connection, transaction

from ai_assistant import conf
from ai_assistant.core.contracts import AuditRecord
from ai_assistant.models import AssistantEvent, Usage
from ai_assistant.storage.statements import fetch, from_json, marks, refusals

_RECORD = ("type", "data", "readers", "turn_id", "at")
_LAST = "(SELECT MAX(seq) FROM ai_assistant_event WHERE assistant = %s)"
STATE_CHANGED = "StateChanged"
"""The record of a commit that changed any state. Those stay as long as the states themselves."""
OF_TURNS = frozenset(
    "TurnCompleted TickCompleted ToolExecuted SpeechHeld CallsDropped AsideFailed Assessed Planned "
    "Directed EventClosed".split()
)
"""The types that go when there are many, or they are old; what staff did and nights stay."""
PRUNED_EVERY = 100
"""So many records may be on disk beyond those that are kept."""
MOST_PRUNED = 2000
"""Numbers below those that are kept that are looked at: moments stand between them for months."""
_LOGS = """
    WITH RECURSIVE logs(assistant) AS (
        SELECT MIN(assistant) FROM ai_assistant_event WHERE assistant > 'e' AND assistant < 'f'
        UNION ALL
        SELECT (
            SELECT MIN(assistant) FROM ai_assistant_event
            WHERE assistant > logs.assistant AND assistant < 'f'
        ) FROM logs WHERE assistant IS NOT NULL
    ) SELECT logs.assistant, record.data FROM logs LEFT JOIN ai_assistant_event AS record
        ON record.assistant = logs.assistant AND record.type = 'AssistantArchived'
        AND record.seq > -20 + (
            SELECT MAX(seq) FROM ai_assistant_event WHERE assistant = logs.assistant
        )
"""
"""From log to log along the index, and the end of each: DISTINCT would read a million records."""
_PRUNE = """
    DELETE FROM ai_assistant_event WHERE assistant = %s AND seq > %s AND seq <= %s AND type IN
"""
_APPEND = """
    INSERT INTO ai_assistant_event (assistant, seq, type, at, turn_id, readers, data)
    VALUES (%s, %s, %s, %s, %s, %s, %s)
"""


def of_turn(assistant: str, turn_id: str) -> list[AuditRecord]:
    """Return the records under this turn's id, oldest first."""
    found = AssistantEvent.objects.filter(assistant=assistant, turn_id=turn_id).order_by("seq")
    return [AuditRecord(*values) for values in found.values_list(*_RECORD)]


def last(assistant: str, type: str, count: int) -> list[AuditRecord]:
    """Return an assistant's last records of a type, newest first."""
    found = AssistantEvent.objects.filter(assistant=assistant, type=type).order_by("-seq")
    return [AuditRecord(*values) for values in found.values_list(*_RECORD)[:count]]


def newest(assistants: Collection[str]) -> dict[str, int]:
    """Return the number of each one's last record, 0 for none; the last is never deleted."""
    if not assistants:
        return {}
    found = fetch(f"SELECT {', '.join([_LAST] * len(assistants))}", [*assistants])
    return {assistant: last or 0 for assistant, last in zip(assistants, found[0], strict=True)}


def names_of_gone(there: Collection[str]) -> dict[str, str]:
    """Return who has a log and is not among these, by lasting id, with the name that it had last.

    The name is empty of whoever was not deleted: only then it is put on record.
    """
    with refusals():
        told = {key: data for key, data in fetch(_LOGS, []) if key and key not in there}
        return {key: from_json(data).get("name", "") if data else "" for key, data in told.items()}


def append(entries: Collection[tuple[str, int, Sequence[AuditRecord], float, str]]) -> None:
    """Append records to logs in their order, part of the caller's transaction.

    Each entry is (assistant, the number that `newest` told of it, records, at, turn id); a record
    without a time or a turn gets those. Now and then the oldest of turns go, where there are more
    than the game keeps, and moments where it keeps none.
    """
    rows = [
        (
            assistant,
            seq,
            new.type,
            new.at or at,
            new.turn_id or turn_id,
            new.readers,
            json.dumps(new.data),
        )
        for assistant, before, records, at, turn_id in entries
        for seq, new in enumerate(records, start=before + 1)
    ]
    if not rows:
        return
    kept, go = conf.settings.AUDIT_KEPT, [*OF_TURNS]
    go += [] if conf.settings.STATE_DAYS else [STATE_CHANGED]
    with connection.cursor() as cursor:
        cursor.executemany(_APPEND, rows)
        for assistant, before, records, *_ in entries:
            last = before + len(records)
            if kept and last // PRUNED_EVERY > before // PRUNED_EVERY:
                edge = last - kept
                whose = [assistant, edge - MOST_PRUNED, edge]
                cursor.execute(f"{_PRUNE} ({marks(go)})", [*whose, *go])


def all_spent(day: str) -> dict[str, tuple[int, int]]:
    """Return {owner: (calls, tokens)} of a day, without what is counted for a share or a purpose.

    Raises `StoreError`.
    """
    with refusals():
        found = Usage.objects.filter(day=day).exclude(owner__contains="+")
        return {owner: (calls, tokens) for owner, calls, tokens in found.values_list(*_SPENT)}


_SPENT = ("owner", "calls", "tokens")
_READ = "SELECT owner, calls, tokens FROM ai_assistant_usage WHERE day = %s AND owner IN"
_ADD = """
    UPDATE ai_assistant_usage SET calls = calls + %s, tokens = tokens + %s
    WHERE day = %s AND owner IN ({owners}) AND %s = (SELECT there FROM (
        SELECT COUNT(*) AS there FROM ai_assistant_usage WHERE day = %s AND ({each})
    ) AS counted)
"""
"""To all or to none by itself, so it needs no transaction; MySQL wants the inner query."""
_HAS_ROOM = "owner = %s AND calls < %s AND tokens <= %s"


class RowBook:
    """The `SpendingBook` on disk. The database adds, so no writer undoes another's."""

    def spent(self, day: str, *owners: str) -> list[tuple[int, int]]:
        """Return (calls, tokens) of each of these owners on that day (``2026-11-21``)."""
        with refusals():
            found = fetch(f"{_READ} ({marks(owners)})", [day, *owners])
        known = {owner: (calls, tokens) for owner, calls, tokens in found}
        return [known.get(owner, (0, 0)) for owner in owners]

    def reserve(self, day: str, caps: Mapping[str, tuple[int, int]], tokens: int) -> bool:
        """Add a call of so many tokens to all these owners, or to none if it passes a cap of one.

        The caps, of the day, are (calls, tokens).
        """
        each = " OR ".join([_HAS_ROOM] * len(caps))
        room = [
            value for who, (calls, most) in caps.items() for value in (who, calls, most - tokens)
        ]
        with refusals():
            return _add(day, [*caps], (1, tokens), each, room)

    def spend(self, day: str, owners: Sequence[str], calls: int, tokens: int) -> None:
        """Add to all these owners or to none; negative amounts take back what was reserved."""
        with refusals():
            _add(day, owners, (calls, tokens), f"owner IN ({marks(owners)})", owners)


def _add(
    day: str, owners: Sequence[str], amounts: tuple[int, int], each: str, values: Sequence[Any]
) -> bool:
    """Add to all owners' rows, if `each` of them holds that; False where not."""
    statement = _ADD.format(owners=marks(owners), each=each)
    asked = [*amounts, day, *owners, len(owners), day, *values]
    with connection.cursor() as cursor:
        cursor.execute(statement, asked)
        if cursor.rowcount:
            return True
        there = {owner for owner, *_ in fetch(f"{_READ} ({marks(owners)})", [day, *owners])}
        new = [Usage(day=day, owner=owner) for owner in owners if owner not in there]
        if not new:
            return False
        with transaction.atomic():  # they have not spent anything today
            Usage.objects.bulk_create(new, ignore_conflicts=True)
            cursor.execute(statement, asked)
            return bool(cursor.rowcount)
