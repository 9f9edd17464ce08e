"""Folding: of what is older than the game keeps, one whole record of each state stays."""

from __future__ import annotations

import json

from django.db import transaction
from django.db.models import Max

from ai_assistant.memory.moments.deltas import merged_delta
from ai_assistant.models import StateChange
from ai_assistant.storage.history.state_log import AMENDED, ROWS, Address
from ai_assistant.storage.statements import refusals

PAGE = 20
"""Ids that one slice covers: some milliseconds of work."""


def fold_page(after: int, before: float) -> int:
    """Fold what stands on the page that follows an id and is older than a time.

    Returns the last id of the page, 0 where no page is left that may hold anything so old. Raises
    `StoreError`.
    """
    with refusals(), transaction.atomic():
        old = StateChange.objects.filter(at__lt=before)
        page = old.filter(pk__gt=after).order_by("pk")
        found = list(page.values_list("pk", "sequence", "part", "key")[:PAGE])
        for sequence, address in {(row[1], (row[2], row[3])) for row in found}:
            _fold(sequence, address, before)
        return found[-1][0] if len(found) == PAGE else 0


def _fold(sequence: str, address: Address, before: float) -> None:
    """Make one whole record of all that one state was up to a time."""
    part, key = address
    told = StateChange.objects.filter(sequence=sequence, part=part, key=key, at__lt=before)
    if address == (ROWS, AMENDED):
        told.delete()  # rows tell themselves what they are now
        return
    last = told.aggregate(seq=Max("seq"))["seq"]
    begins = told.filter(since=0).aggregate(seq=Max("seq"))["seq"]
    if last is None or begins is None:
        return
    deltas = told.filter(seq__gte=begins).order_by("seq").values_list("data", flat=True)
    if len(deltas) > 1:
        whole = merged_delta(deltas)
        told.filter(seq=last).update(data=whole, since=0, size=len(json.dumps(whole)))
    told.filter(seq__lt=last).delete()
