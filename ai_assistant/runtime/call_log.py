"""The log of model calls: noted while turns run, packed in a thread, and written after them.

Nothing waits for it, and nothing fails with it: what cannot be written is reported once, and lost.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any
from uuid import uuid4

from twisted.internet.defer import Deferred

from ai_assistant import conf
from ai_assistant.core.errors import StoreError
from ai_assistant.core.model_records import ModelReply, ModelRequest
from ai_assistant.core.ports import CallLog, Clock
from ai_assistant.core.readers import OPEN
from ai_assistant.core.text import clean
from ai_assistant.core.times import DAY
from ai_assistant.game.log import report, surviving
from ai_assistant.game.spans import Spans
from ai_assistant.llm.model_list import price_of
from ai_assistant.llm.model_profiles import Profile
from ai_assistant.models import ModelCall
from ai_assistant.storage.calls.call_rows import NewCall, insert_calls, prune_calls
from ai_assistant.storage.calls.packing import pack

MOST_WAITING = 500
"""Calls that may wait to be written; of more the oldest are lost."""
AT_ONCE = 5
"""Calls that one transaction writes."""
MEGABYTE = 1_000_000
PRUNED_EVERY = 600.0
"""Seconds between two looks for what is too old, unless there was more than a slice of it."""


@dataclass(frozen=True, slots=True)
class Noted:
    """One call that is over."""

    request: ModelRequest
    """What was asked."""
    reply: ModelReply | None
    """What was answered; None where nothing was."""
    at: float
    """When it was over, in epoch seconds."""
    seconds: float
    """How long it took."""
    problem: str
    """Why it failed, in words; empty where it did not."""
    profile: Profile
    """The profile that was asked."""


class WrittenCalls(CallLog):
    """Keeps calls until the next heartbeat, then writes them. All methods are the reactor's."""

    def __init__(
        self,
        clock: Clock,
        profile_for: Callable[[str, str], Profile],
        beside: Callable[..., Deferred[Any]],
        spans: Spans | None = None,
    ) -> None:
        """`profile_for(job, chosen)` is the profile that answers; `beside` runs work in a thread;
        `spans` hears of each call, too.
        """
        self.clock = clock
        self._profile_for = profile_for
        self._beside = beside
        self.spans = spans
        self._waiting: deque[Noted] = deque(maxlen=MOST_WAITING)
        self._packing: Sequence[Noted] = ()
        self._awaited: list[Deferred[None]] = []
        self._next_prune = 0.0

    def note(
        self, request: ModelRequest, reply: ModelReply | None, seconds: float, problem: str = ""
    ) -> None:
        """Keep a call until the next heartbeat."""
        now, profile = self.clock.now(), self._profile_for(request.job, request.profile)
        self._waiting.append(Noted(request, reply, now, seconds, problem, profile))
        if self.spans:
            self.spans.called(request, reply, seconds, profile)

    def write(self) -> Deferred[None]:
        """Write what waits, and let go of what is too old; fires when that is done. Never fails.

        What the database refuses waits on.
        """
        if not self._waiting:
            self._prune()
        done: Deferred[None] = Deferred()
        self._awaited.append(done)
        self._go_on()
        return done

    def _go_on(self) -> None:
        if self._packing:
            return  # it goes on by itself
        if not self._waiting:
            self._end()
            return
        packing = self._packing = self._some()

        def packed(calls: list[NewCall]) -> None:
            if self._packing is packing:  # nobody wrote them meanwhile
                self._packing = ()
                self._insert(packing, calls)

        def failed(failure: Any) -> None:
            self._packing = () if self._packing is packing else self._packing
            report("record of model calls", failure.value)
            self._end()

        done = self._beside(_packed, packing, _BodyLimits())
        done.addCallback(packed).addCallbacks(lambda _: self._go_on(), failed)

    def _some(self) -> Sequence[Noted]:
        return [self._waiting.popleft() for _ in range(min(AT_ONCE, len(self._waiting)))]

    def _end(self) -> None:
        """Tell all who wait that what could be written is."""
        awaited, self._awaited = self._awaited, []
        for done in awaited:
            done.callback(None)

    def write_aside(self) -> Iterator[Callable[[], object]]:
        """Write all that waits: it is to be forgotten. Yields what packs some of it in a thread.

        Raises `StoreError`.
        """
        while self._packing or self._waiting:
            packing = self._packing = self._packing or self._some()
            calls = list[NewCall]()
            yield partial(_pack_into, calls, packing, _BodyLimits())
            if self._packing is packing:
                self._packing = ()
                self._insert(packing, calls)
        self._end()

    def close(self) -> None:
        """Write all that waits before the server stops. Never raises."""
        with surviving("record of model calls"):
            for pack_some in self.write_aside():
                pack_some()

    def _insert(self, noted: Sequence[Noted], calls: Sequence[NewCall]) -> None:
        """Insert calls; what was noted of them waits on where the database refuses them."""
        try:
            insert_calls(calls, keep=conf.settings.CALL_DAYS > 0)
        except StoreError:
            self._waiting.extendleft(reversed(noted))
            raise

    def _prune(self) -> None:
        now = self.clock.now()
        if now < self._next_prune:
            return
        try:
            more = prune_calls(
                bodies_before=now - DAY * conf.settings.CALL_BODY_DAYS,
                calls_before=now - DAY * conf.settings.CALL_DAYS,
                most_bytes=MEGABYTE * conf.settings.CALL_BODY_MEGABYTES,
            )
        except StoreError as error:
            report("old model calls", error)
            more = False
        self._next_prune = now if more else now + PRUNED_EVERY


class _BodyLimits:
    """What the settings say of bodies, read on the reactor's thread for use in another."""

    def __init__(self) -> None:
        self.keeps = min(conf.settings.CALL_BODY_DAYS, conf.settings.CALL_DAYS) > 0
        self.keeps_private = conf.settings.CALL_PRIVATE_BODIES
        self.most = conf.settings.CALL_BODY_BYTES


def _packed(calls: Sequence[Noted], limits: _BodyLimits) -> list[NewCall]:
    return [_packed_call(call, limits) for call in calls]


def _pack_into(packed: list[NewCall], calls: Sequence[Noted], limits: _BodyLimits) -> None:
    packed.extend(_packed(calls, limits))


def _packed_call(call: Noted, limits: _BodyLimits) -> NewCall:
    request, reply = call.request, call.reply
    usage = reply.usage if reply else None
    offline = call.profile.offline or bool(reply and reply.instead)
    row = ModelCall(
        key=uuid4().hex,
        assistant=request.assistant,
        turn_id=request.origin.turn,
        at=call.at,
        job=request.job,
        context_type=request.context_type,
        profile="offline" if offline else call.profile.name,
        model=reply.model[:200] if reply else call.profile.model[:200],
        readers=request.origin.readers,
        sources=sorted(request.origin.sources),
        milliseconds=round(call.seconds * 1000),
        problem=clean(call.problem or (reply.instead if reply else ""), 300),
        prompt_tokens=usage.prompt_tokens if usage else 0,
        completion_tokens=usage.completion_tokens if usage else 0,
        price=0.0 if offline else price_of(call.profile, usage) if usage else None,
    )
    texts: Mapping[str, bytes] = {}
    row.without = _why_without(call, limits)
    if not row.without:
        packed = pack(request, reply)
        if len(packed.body) > limits.most:
            row.without = "too large"
        else:
            row.body, row.size = packed.body, len(packed.body)
            row.lead, row.tools, texts = packed.lead, packed.tools, packed.texts
    return NewCall(row, dict(texts), request.payer)


def _why_without(call: Noted, limits: _BodyLimits) -> str:
    if not limits.keeps:
        return "switched off"
    is_private = call.request.origin.readers != OPEN
    return "private" if is_private and not limits.keeps_private else ""
