"""The day's spending, one row per day and owner."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction
from django.db.models import F

from ai_assistant.models import Usage
from ai_assistant.storage.refusal import refusals


class RowBook:
    """The `Book` on disk. Amounts are added by the database, so no writer undoes another's."""

    def spent(self, day: str, owner: str) -> tuple[int, int]:
        """Return (calls, tokens) of that owner on that day (``2026-11-21``)."""
        with refusals():
            row = Usage.objects.filter(day=day, owner=owner).values_list("calls", "tokens").first()
        return row or (0, 0)

    def spend(self, day: str, owners: Sequence[str], calls: int, tokens: int) -> None:
        """Add to all these owners or to none; negative amounts take back what was reserved."""
        with refusals(), transaction.atomic():
            for owner in owners:
                row, _ = Usage.objects.get_or_create(day=day, owner=owner)
                Usage.objects.filter(pk=row.pk).update(
                    calls=F("calls") + calls, tokens=F("tokens") + tokens
                )
