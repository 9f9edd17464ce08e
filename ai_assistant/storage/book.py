"""The day's spending, one row per day and owner.

Both statements are written out: they run twice for every model call, and Django would take ten
times as long to put them together as the database takes to run them.
"""

from __future__ import annotations

from collections.abc import Sequence

from django.db import connection, transaction

from ai_assistant.models import Usage
from ai_assistant.storage.refusal import refusals
from ai_assistant.storage.statements import fetch, marks

_READ = "SELECT owner, calls, tokens FROM ai_assistant_usage WHERE day = %s AND owner IN"
_ADD = """
    UPDATE ai_assistant_usage SET calls = calls + %s, tokens = tokens + %s
    WHERE day = %s AND owner IN
"""


class RowBook:
    """The `Book` on disk. Amounts are added by the database, so no writer undoes another's."""

    def spent(self, day: str, *owners: str) -> list[tuple[int, int]]:
        """Return (calls, tokens) of each of these owners on that day (``2026-11-21``)."""
        with refusals():
            found = fetch(f"{_READ} ({marks(owners)})", [day, *owners])
        known = {owner: (calls, tokens) for owner, calls, tokens in found}
        return [known.get(owner, (0, 0)) for owner in owners]

    def spend(self, day: str, owners: Sequence[str], calls: int, tokens: int) -> None:
        """Add to all these owners or to none; negative amounts take back what was reserved."""
        with refusals(), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(f"{_ADD} ({marks(owners)})", [calls, tokens, day, *owners])
            if cursor.rowcount < len(owners):  # some have not spent anything today
                new = {"calls": calls, "tokens": tokens}
                for owner in owners:
                    Usage.objects.get_or_create(day=day, owner=owner, defaults=new)
