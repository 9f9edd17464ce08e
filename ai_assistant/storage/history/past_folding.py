"""Folding: of what is older than the game keeps, one whole record of each state stays."""

from __future__ import annotations

import json

from django.db import transaction
from django.db.models import Count, Max, Sum

from ai_assistant import conf
from ai_assistant.memory.moments.deltas import merged_delta
from ai_assistant.models import StateChange
from ai_assistant.storage.history import past
from ai_assistant.storage.history.state_log import AMENDED, ROWS, Address
from ai_assistant.storage.statements import refusals

PAGE = 20
"""Ids that one slice covers: some milliseconds of work."""


WEIGHED = 10_000
"""Ids whose sizes are added up in one slice: some milliseconds of work."""
OF_EACH = 300
"""Bytes that a record takes beside what it tells, in table and index."""


class PastWeight:
    """Weighs the log of states from its newest record on, and knows from where on it is too much.

    A pass adds up a slice at a time, so nothing ever reads the whole table at once.
    """

    def __init__(self) -> None:
        self._bytes = 0
        self.too_old = 0.0
        """What is older than this, in seconds since the epoch, is to be folded; 0: nothing is."""

    def weigh(self, after: int, before: float) -> int:
        """Weigh the ids below one, or with 0 begin at the newest; returns how far that is, 0 where
        all is weighed or it is known what is too much. Raises `StoreError`.
        """
        with refusals():
            if not after:
                top = StateChange.objects.aggregate(top=Max("pk"))["top"] or 0
                self._bytes, after = 0, top + 1
            first = max(0, after - WEIGHED)
            page = StateChange.objects.filter(pk__gte=first, pk__lt=after)
            found = page.aggregate(newest=Max("at"), bytes=Sum("size"), count=Count("pk"))
        self._bytes += (found["bytes"] or 0) + OF_EACH * found["count"]
        if self._bytes > conf.settings.STATE_MEGABYTES * 2**20:
            self.too_old = found["newest"]
            return 0
        if not first:
            self.too_old = 0.0
        return first


PAST_WEIGHT = PastWeight()


def fold_page(after: int, before: float) -> int:
    """Fold the states that stand on the page that follows an id and are older than a time.

    What a moment on record leads to stays, however old it is. Returns the last id of the page, 0
    where no page is left that may hold anything so old. Raises `StoreError`.
    """
    with refusals(), transaction.atomic():
        page = StateChange.objects.filter(pk__gt=after).order_by("pk")
        found = list(page.values_list("pk", "at", "sequence", "part", "key")[:PAGE])
        old = {(sequence, (part, key)) for _, at, sequence, part, key in found if at < before}
        until = {sequence: past.oldest_moment(sequence) for sequence, _ in old}
        for sequence, address in old:
            _fold(sequence, address, until[sequence])
        return found[-1][0] if old and len(found) == PAGE else 0


def _fold(sequence: str, address: Address, until: int) -> None:
    """Make one whole record of all that one state was before a moment."""
    part, key = address
    told = StateChange.objects.filter(sequence=sequence, part=part, key=key, seq__lt=until)
    last = told.aggregate(seq=Max("seq"))["seq"]
    if address == (ROWS, AMENDED) and last is not None:  # rows tell themselves what they are now,
        told.filter(seq=last).update(data={"set": {"rows": {}}}, size=0)  # and this, since when
        told.filter(seq__lt=last).delete()
        return
    begins = told.filter(since=0).aggregate(seq=Max("seq"))["seq"]
    if last is None or begins is None:
        return
    deltas = told.filter(seq__gte=begins).order_by("seq").values_list("data", flat=True)
    if len(deltas) > 1:
        whole = merged_delta(deltas)
        told.filter(seq=last).update(data=whole, since=0, size=len(json.dumps(whole)))
    told.filter(seq__lt=last).delete()
