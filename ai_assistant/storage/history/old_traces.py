"""Old traces: what the audit log tells of turns and moments goes after some days, all else not."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection

from django.db import connection, transaction

from ai_assistant.core.times import iso
from ai_assistant.models import AssistantEvent, Usage
from ai_assistant.storage import ledgers
from ai_assistant.storage.history import past
from ai_assistant.storage.statements import marks, refusals

PAGE = 200
"""Records that one slice looks at."""
MOMENTS = frozenset({ledgers.STATE_CHANGED})


def prune_traces(after: int, before: float) -> int:
    """Let go of what the page that follows an id tells of turns older than a time.

    The last record of a sequence stays, whatever it tells. Returns the last id of the page, 0 where
    no page is left that may hold anything so old. Raises `StoreError`.
    """
    return _prune(ledgers.OF_TURNS, lambda of: ledgers.newest([of])[of], after, before)


def prune_moments(after: int, before: float) -> int:
    """Let go of the page's moments older than a time, but for the last of each sequence.

    Takes, returns and raises what `prune_traces` does.
    """

    def newest(sequence: str) -> int:
        return next((moment.seq for moment in past.moments(sequence, 1)), 0)

    return _prune(MOMENTS, newest, after, before)


def prune_usage(after: int, before: float) -> int:
    """Let go of what was booked on days before a time, at once. Returns 0; raises `StoreError`."""
    with refusals():
        Usage.objects.filter(day__lt=iso(before)[: len("2026-11-21")]).delete()
    return 0


def _prune(types: Collection[str], last_of: Callable[[str], int], after: int, before: float) -> int:
    with refusals(), transaction.atomic():
        page = AssistantEvent.objects.filter(pk__gt=after).order_by("pk")
        found = list(page.values_list("pk", "assistant", "seq", "type", "at")[:PAGE])
        old = defaultdict(dict[int, int])
        for pk, assistant, seq, type, at in found:
            if at < before and type in types:
                old[assistant][seq] = pk
        gone = []
        for assistant, by_seq in old.items():
            by_seq.pop(last_of(assistant), None)
            gone += by_seq.values()
        if gone:  # by one statement: Evennia listens to all deletions
            with connection.cursor() as cursor:
                statement = f"DELETE FROM ai_assistant_event WHERE id IN ({marks(gone)})"  # noqa: S608
                cursor.execute(statement, gone)
        more = len(found) == PAGE and any(at < before for *_, at in found)
        return found[-1][0] if more else 0
