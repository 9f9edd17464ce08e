"""Confirming: staff let a character do what they asked for and it proposed, see `docs/tools.md`."""

from __future__ import annotations

import json
from typing import Any
from uuid import uuid4

from twisted.internet.defer import Deferred, succeed

from ai_assistant.agent.attention.confirm import USE
from ai_assistant.agent.attention.confirmed import make_confirmed
from ai_assistant.api.handlers import record_audit
from ai_assistant.core.errors import AssistantError
from ai_assistant.game import staff_acts
from ai_assistant.game.identity import entity_id, find, name_of
from ai_assistant.game.proposals import PROPOSALS, StaffProposal
from ai_assistant.runtime.database_watch import NOT_NOW
from ai_assistant.runtime.service import SERVICE


def confirm(word: str, asker: Any, session: Any) -> Deferred[str]:
    """Let a character do what waits under a word; the Deferred fires with what came of it.

    Raises `AssistantError` where that is not `asker`'s to confirm, here, now and from this session,
    or where it may not be done any more; so does the Deferred, of a tool of the game's own.
    """
    if not SERVICE.watch.may_begin:
        raise AssistantError(f"Not now: {NOT_NOW}.")
    found = PROPOSALS.take(word, asker, session)
    me = find(found.character)
    done = _used(found, me, asker) if found.act.startswith(USE) else _done(found, me, asker)

    def noted(told: str) -> str:
        facts = {"act": found.act, "arguments": found.arguments, "by": asker.key}
        record_audit(me, "StaffAct", facts)
        return told

    return done.addCallback(noted)


def _done(found: StaffProposal, me: Any, asker: Any) -> Deferred[str]:
    arguments = json.loads(found.arguments)
    return succeed(staff_acts.do_act(found.act, arguments, me, asker))


def _used(found: StaffProposal, me: Any, asker: Any) -> Deferred[str]:
    staff_acts.must_be_free(me)
    resident = SERVICE.residents.get(found.character)
    if resident is None or resident.suspended or resident.hindrance or resident.mind.phase:
        raise AssistantError(f"{name_of(me)} does not run, sleeps, or may not act now.")
    tool, arguments = found.act.removeprefix(USE), json.loads(found.arguments)
    who, readers = entity_id(asker), found.readers
    work = make_confirmed(resident.mind, tool, arguments, who, readers, uuid4().hex)
    return Deferred.fromCoroutine(work)
