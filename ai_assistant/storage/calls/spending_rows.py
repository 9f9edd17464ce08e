"""What model calls took, added up by day as they are written: it stays when the calls are gone."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable

from django.db.models import F, Sum

from ai_assistant.core.times import iso
from ai_assistant.models import ModelCall, ModelSpending
from ai_assistant.storage.statements import refusals

COUNTED = ("calls", "tokens", "price", "unpriced")
KEYS = ("day", "assistant", "payer", "job", "profile")
"""By what it can be told."""
Spent = tuple[str, int, int, float, int]
"""One of `KEYS`, and what is `COUNTED` of it."""


def add_spending(calls: Iterable[tuple[ModelCall, str]]) -> None:
    """Add calls, each with its payer, to their days; part of the caller's transaction."""
    sums: defaultdict[tuple[str, ...], Counter[str]] = defaultdict(Counter)
    for call, payer in calls:
        known = call.price is not None
        tokens = call.prompt_tokens + call.completion_tokens
        took = {
            "calls": 1,
            "tokens": tokens,
            "price": call.price or 0.0,
            "unpriced": int(not known),
        }
        sums[iso(call.at)[:10], call.assistant, payer, call.job, call.profile].update(took)
    for key, took in sums.items():
        row = dict(zip(KEYS, key, strict=True))
        there = ModelSpending.objects.filter(**row)
        if not there.update(**{name: F(name) + took[name] for name in COUNTED}):
            ModelSpending.objects.create(**row, **{name: took[name] for name in COUNTED})


def spending_by(key: str, since: str) -> list[Spent]:
    """Return what was spent since a day by one of `KEYS`, most tokens first; or `StoreError`."""
    with refusals():
        found = ModelSpending.objects.filter(day__gte=since).values(key)
        summed = found.annotate(**{f"all_{name}": Sum(name) for name in COUNTED})
        columns = (key, *(f"all_{name}" for name in COUNTED))
        return list(summed.order_by("-all_tokens", key).values_list(*columns))
