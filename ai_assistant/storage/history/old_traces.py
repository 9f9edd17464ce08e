"""Old traces: what the audit log tells of turns goes after some days, all else stays."""

from __future__ import annotations

from collections import defaultdict

from django.db import connection, transaction

from ai_assistant.models import AssistantEvent
from ai_assistant.storage import ledgers
from ai_assistant.storage.statements import marks, refusals

PAGE = 200
"""Records that one slice looks at."""
OF_TURNS = frozenset(
    "TurnCompleted TickCompleted ToolExecuted SpeechHeld CallsDropped AsideFailed Assessed Planned "
    "Directed EventClosed".split()
)
"""The types that go; what staff did, nights and moments of states stay."""


def prune_traces(after: int, before: float) -> int:
    """Let go of what the page that follows an id tells of turns older than a time.

    The last record of a sequence stays, whatever it tells. Returns the last id of the page, 0 where
    no page is left that may hold anything so old. Raises `StoreError`.
    """
    with refusals(), transaction.atomic():
        page = AssistantEvent.objects.filter(pk__gt=after).order_by("pk")
        found = list(page.values_list("pk", "assistant", "seq", "type", "at")[:PAGE])
        old = defaultdict(dict[int, int])
        for pk, assistant, seq, type, at in found:
            if at < before and type in OF_TURNS:
                old[assistant][seq] = pk
        gone = []
        for assistant, by_seq in old.items():
            by_seq.pop(ledgers.newest(assistant), None)
            gone += by_seq.values()
        if gone:  # by one statement: Evennia listens to all deletions
            with connection.cursor() as cursor:
                statement = f"DELETE FROM ai_assistant_event WHERE id IN ({marks(gone)})"  # noqa: S608
                cursor.execute(statement, gone)
        more = len(found) == PAGE and any(at < before for *_, at in found)
        return found[-1][0] if more else 0
