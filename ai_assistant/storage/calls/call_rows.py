"""The rows of model calls: written in batches, read by assistant or turn, and let go by age."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction
from django.db.models import Q, Sum

from ai_assistant.agent.attention.budget import STAFF
from ai_assistant.core.model_records import ModelReply, ModelRequest
from ai_assistant.models import CallText, ModelCall
from ai_assistant.storage.calls.packing import searchable_words, unpack
from ai_assistant.storage.calls.spending_rows import add_spending
from ai_assistant.storage.statements import id_pages, refusals

SLICE = 100
"""Rows that one step of pruning lets go, and one page has that is gone through."""
EXPIRED = "expired"
_BULKY = ("body", "sources")
"""Columns that no list of figures needs."""


@dataclass(slots=True)
class NewCall:
    """One call that is to be stored."""

    row: ModelCall
    """Its figures, and its body where it has one."""
    texts: dict[str, bytes] = field(default_factory=dict)
    """What it shares with others, by digest."""
    payer: str = ""
    """The player for whom it was made; empty for nobody."""


def insert_calls(calls: Sequence[NewCall], *, keep: bool = True) -> None:
    """Write calls, all or none of them, in one transaction. Raises `StoreError`.

    Unless they are to be kept, only what they took is added to the day's spending; so it is of
    what staff tried out.
    """
    with refusals(), transaction.atomic():
        add_spending((call.row, call.payer) for call in calls)
        if kept := [call for call in calls if keep and call.row.assistant != STAFF]:
            _insert(kept)


def _insert(calls: Sequence[NewCall]) -> None:
    texts = {digest: text for call in calls for digest, text in call.texts.items()}
    there = set(CallText.objects.filter(digest__in=texts).values_list("digest", flat=True))
    new = [CallText(digest=it, packed=text) for it, text in texts.items() if it not in there]
    CallText.objects.bulk_create(new, ignore_conflicts=True)
    ModelCall.objects.bulk_create([call.row for call in calls])


def newest_calls(assistant: str, count: int, before: int = 0) -> list[ModelCall]:
    """Return the figures of an assistant's last calls, newest first, without their bodies.

    They are those `before` the call of a number, if one is given.
    """
    with refusals():
        found = ModelCall.objects.filter(assistant=assistant)
        found = found.filter(id__lt=before) if before else found
        return list(found.order_by("-id").defer(*_BULKY)[:count])


def calls_of_turn(assistant: str, turn_id: str) -> list[ModelCall]:
    """Return the figures of all calls of a turn, in order, without their bodies."""
    with refusals():
        found = ModelCall.objects.filter(assistant=assistant, turn_id=turn_id)
        return list(found.order_by("id").defer(*_BULKY))


def call_by_number(assistant: str, number: int) -> ModelCall | None:
    """Return one call of an assistant by the number of its row; None where there is none."""
    with refusals():
        return ModelCall.objects.filter(assistant=assistant, pk=number).first()


def call_after(call: ModelCall) -> ModelCall | None:
    """Return the next call of the same turn for the same job; None where there is none."""
    with refusals():
        found = ModelCall.objects.filter(turn_id=call.turn_id, job=call.job, pk__gt=call.pk)
        return found.filter(assistant=call.assistant).order_by("pk").first()


def unpacked_call(call: ModelCall) -> tuple[ModelRequest, ModelReply | None] | None:
    """Return what was sent and answered; None where that was not kept."""
    if not call.body:
        return None
    with refusals():
        texts = CallText.objects.filter(digest__in={call.lead, call.tools} - {""})
        packed = dict(texts.values_list("digest", "packed"))
    lead, tools = packed.get(call.lead, b""), packed.get(call.tools, b"")
    request, reply = unpack(bytes(call.body), bytes(lead), bytes(tools))
    return request, reply


# -- letting go


def prune_calls(*, bodies_before: float, calls_before: float, most_bytes: int) -> bool:
    """Let go of one slice of what is too old or too much; says whether there may be more.

    Bodies go before their calls.
    """
    with refusals(), transaction.atomic():
        calls = ModelCall.objects.filter(at__lt=calls_before)
        old = list(calls.values_list("key", flat=True)[:SLICE])
        delete_calls(old)
        held = ModelCall.objects.filter(size__gt=0)
        stale = list(held.filter(at__lt=bodies_before).values_list("pk", flat=True)[:SLICE])
        if not stale:
            total = held.aggregate(total=Sum("size"))["total"] or 0
            stale = list(_oldest_of(held, total - most_bytes))
        gone = {"body": None, "size": 0, "lead": "", "tools": "", "without": EXPIRED}
        ModelCall.objects.filter(pk__in=stale).update(**gone)
        if stale or old:
            drop_unused_texts()
    return max(len(old), len(stale)) >= SLICE


def _oldest_of(held: Any, excess: int) -> Iterator[int]:
    """Yield the oldest bodies that together have so many bytes, at most a slice of them."""
    for pk, size in held.order_by("id").values_list("pk", "size")[:SLICE]:
        if excess <= 0:
            return
        excess -= size
        yield pk


def delete_calls(keys: Iterable[str]) -> None:
    """Delete calls and what they drew on, in one transaction."""
    keys = list(keys)
    with refusals(), transaction.atomic():
        ModelCall.objects.filter(key__in=keys).delete()


def drop_unused_texts() -> None:
    """Delete the beginnings and lists of tools that no stored body needs any more."""
    held = ModelCall.objects.filter(size__gt=0)
    needed = Q(digest__in=held.values("lead")) | Q(digest__in=held.values("tools"))
    with refusals():
        CallText.objects.exclude(needed).delete()


# -- for forgetting


@dataclass(frozen=True, slots=True)
class StoredCall:
    """One call as forgetting looks at it."""

    key: str
    """By which it is found and shown."""
    assistant: str
    """The id of the one that asked."""
    turn_id: str
    """The turn that it belongs to; empty for none."""
    sources: frozenset[str]
    """References to what stood in its prompt."""
    body: bytes
    """What was sent and answered, packed."""
    problem: str
    """Why it failed; empty where it did not."""

    def words(self) -> Any:
        """Return all words of people that it may hold, as JSON."""
        return [self.problem, searchable_words(self.body) if self.body else ""]


def every_call() -> Iterator[list[StoredCall]]:
    """Yield all calls on disk, some at a time, whoever they belong to. Raises `StoreError`."""
    fields = ("key", "assistant", "turn_id", "problem")
    for page in id_pages(ModelCall.objects.values("id", "sources", "body", *fields), SLICE // 10):
        yield [
            StoredCall(
                sources=frozenset(call["sources"]),
                body=bytes(call["body"] or b""),
                **{name: call[name] for name in fields},
            )
            for call in page
        ]
