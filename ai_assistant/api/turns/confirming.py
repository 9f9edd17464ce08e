"""Confirming: staff let a character do what they asked for and it proposed, see `docs/tools.md`."""

from __future__ import annotations

import json
from functools import partial
from typing import Any
from uuid import uuid4

from twisted.internet.defer import Deferred, maybeDeferred
from twisted.python.failure import Failure

from ai_assistant.agent.attention.confirm import USE
from ai_assistant.agent.attention.confirmed import make_confirmed
from ai_assistant.api.handlers import record_audit
from ai_assistant.core.errors import AssistantError, ToolError
from ai_assistant.core.model_records import ToolCall
from ai_assistant.game import staff_acts
from ai_assistant.game.identity import entity_id, find, name_of
from ai_assistant.game.proposals import PROPOSALS, StaffProposal
from ai_assistant.runtime.database_watch import NOT_NOW
from ai_assistant.runtime.resident import Resident
from ai_assistant.runtime.service import SERVICE


def confirm(word: str, asker: Any, session: Any) -> Deferred[str]:
    """Let a character do what waits under a word; the Deferred fires with what came of it.

    It stands on record before it is done, and once more where it was not done, with the reason.
    Raises `AssistantError` where that is not `asker`'s to confirm, here, now and from this session;
    so does the Deferred, where it may not be done any more.
    """
    if not SERVICE.watch.may_begin:
        raise AssistantError(f"Not now: {NOT_NOW}.")
    found = PROPOSALS.take(word, asker, session)
    me = find(found.character)
    facts = {"act": found.act, "arguments": found.arguments, "by": asker.key}
    record_audit(me, "StaffAct", facts)

    def failed(failure: Failure) -> Failure:
        record_audit(me, "StaffAct", facts | {"error": str(failure.value)})
        return failure

    do = _use if found.act.startswith(USE) else _do
    return maybeDeferred(do, found, me, asker).addErrback(failed)


def _do(found: StaffProposal, me: Any, asker: Any) -> str:
    return staff_acts.do_act(found.act, json.loads(found.arguments), me, asker)


def _use(found: StaffProposal, me: Any, asker: Any) -> Deferred[str]:
    must_hold = partial(_able, found, me, asker)
    call = ToolCall(uuid4().hex, found.act.removeprefix(USE), json.loads(found.arguments))
    mind, who = must_hold().mind, entity_id(asker)
    return Deferred.fromCoroutine(make_confirmed(mind, call, who, found.readers, must_hold))


def _able(found: StaffProposal, me: Any, asker: Any) -> Resident:
    """Return who is to do it; raises `ToolError` where that may not be, now."""
    PROPOSALS.must_hold(found, asker)
    staff_acts.must_be_free(me)
    resident = SERVICE.residents.get(found.character)
    if resident is None or resident.suspended or resident.hindrance or resident.mind.phase:
        raise ToolError(f"{name_of(me)} does not run, sleeps, or may not act now.")
    return resident
