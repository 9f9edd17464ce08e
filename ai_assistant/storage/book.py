"""The day's spending, one row per day and owner.

Both statements are written out: they run twice for every model call, and Django would take ten
times as long to put them together as the database takes to run them.
"""

from __future__ import annotations

from collections.abc import Sequence

from django.db import connection, transaction

from ai_assistant.models import Usage
from ai_assistant.storage.refusal import refusals

_READ = "SELECT calls, tokens FROM ai_assistant_usage WHERE day = %s AND owner = %s"
_ADD = """
    UPDATE ai_assistant_usage SET calls = calls + %s, tokens = tokens + %s
    WHERE day = %s AND owner = %s
"""


class RowBook:
    """The `Book` on disk. Amounts are added by the database, so no writer undoes another's."""

    def spent(self, day: str, owner: str) -> tuple[int, int]:
        """Return (calls, tokens) of that owner on that day (``2026-11-21``)."""
        with refusals(), connection.cursor() as cursor:
            cursor.execute(_READ, [day, owner])
            return cursor.fetchone() or (0, 0)

    def spend(self, day: str, owners: Sequence[str], calls: int, tokens: int) -> None:
        """Add to all these owners or to none; negative amounts take back what was reserved."""
        with refusals(), transaction.atomic(), connection.cursor() as cursor:
            for owner in owners:
                cursor.execute(_ADD, [calls, tokens, day, owner])
                if not cursor.rowcount:
                    Usage.objects.get_or_create(day=day, owner=owner)
                    cursor.execute(_ADD, [calls, tokens, day, owner])
