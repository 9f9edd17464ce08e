"""What model calls took, added up by day as they are written: it stays when the calls are gone."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db.models import Case, Count, F, Q, Sum, Value, When

from ai_assistant.core.times import iso
from ai_assistant.models import ModelCall, ModelSpending
from ai_assistant.storage.statements import refusals

COUNTED = ("calls", "tokens", "price", "unpriced")
KEYS = ("day", "assistant", "payer", "job", "profile")
"""By what it can be told."""
SpendingSum = tuple[str, int, int, float, int]
"""One of `KEYS`, and what is `COUNTED` of it."""


@dataclass(frozen=True, slots=True)
class TurnSums:
    """What the turns of some time took, of whose model calls the figures are kept."""

    turns: int = 0
    """Turns of which any figures are kept."""
    tokens: int = 0
    """Sent and answered."""
    price: float | None = 0.0
    """In dollars; None where that of a call is unknown."""
    failed: int = 0
    """Model calls that failed."""


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


def spending_by(key: str, since: str) -> list[SpendingSum]:
    """Return what was spent since a day by one of `KEYS`, most tokens first; or `StoreError`."""
    with refusals():
        found = ModelSpending.objects.filter(day__gte=since).values(key)
        summed = found.annotate(**{f"all_{name}": Sum(name) for name in COUNTED})
        columns = (key, *(f"all_{name}" for name in COUNTED))
        return list(summed.order_by("-all_tokens", key).values_list(*columns))


def turns_since(assistant: str, starts: Sequence[float]) -> list[TurnSums]:
    """Return what an assistant's turns took from each of these times, in order, until the next."""
    if not starts:
        return []
    spans = [When(at__gte=start, then=Value(place)) for place, start in enumerate(starts)][::-1]
    with refusals():
        found = ModelCall.objects.filter(assistant=assistant, job="chat", at__gte=starts[0])
        spanned = found.exclude(turn_id="").annotate(span=Case(*spans)).values("span")
        summed = spanned.annotate(
            turns=Count("turn_id", distinct=True),
            tokens=Sum(F("prompt_tokens") + F("completion_tokens")),
            cost=Sum("price"),
            unpriced=Count("id", filter=Q(price=None)),
            failed=Count("id", filter=~Q(problem="")),
        )
        rows = summed.values_list("span", "turns", "tokens", "cost", "unpriced", "failed")
        sums = {
            span: TurnSums(turns, tokens, None if unpriced else cost, failed)
            for span, turns, tokens, cost, unpriced, failed in rows
        }
    return [sums.get(place, TurnSums()) for place in range(len(starts))]


def prices_of_turns(turns: Iterable[str]) -> dict[str, tuple[float | None, int]]:
    """Return what the model calls of each of these turns cost, and how many there were.

    In dollars, None where unknown; those that failed count too.
    """
    found = ModelCall.objects.filter(turn_id__in=[*turns]).values("turn_id")
    summed = found.annotate(cost=Sum("price"), priced=Count("price"), made=Count("id"))
    with refusals():
        rows = list(summed.values_list("turn_id", "cost", "priced", "made"))
    return {turn: (cost if priced == made else None, made) for turn, cost, priced, made in rows}
