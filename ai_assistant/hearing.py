"""Hearing: what one assistant perceives becomes a turn, a memory, or nothing (design §5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from ai_assistant import heartbeat
from ai_assistant.agent.classify import Decision, classify
from ai_assistant.agent.closing import flush
from ai_assistant.agent.energy import HUMAN_ENERGY
from ai_assistant.agent.mind import Mind
from ai_assistant.contracts import Event, Verdict
from ai_assistant.errors import StoreError
from ai_assistant.identity import find
from ai_assistant.log import report
from ai_assistant.scenes import SCENES
from ai_assistant.telling import received

if TYPE_CHECKING:
    from ai_assistant.resident import Resident
    from ai_assistant.service import Service


def hear(service: Service, resident: Resident, event: Event) -> None:
    """Classify an event: answer it, keep it as context, or ignore it."""
    mind = resident.mind
    event = SCENES.placed(event, find(resident.id))
    event = received(event, resident.id, partial(_lines_heard, mind))
    if not event.by_assistant:
        mind.energy.mint(event.root, HUMAN_ENERGY)
    situation = resident.situation(event)
    decision = classify(event, situation)
    verdict = decision.verdict
    if mind.phase:
        verdict = _disturb(service, resident, event, verdict, situation.names)
    if verdict is Verdict.TRIGGER:
        _trigger(service, resident, event, decision)
    elif verdict is Verdict.CONTEXT:
        if len(mind.heard) == mind.heard.maxlen:  # or the oldest would be lost, unsaved
            resident.finish(partial(flush, mind))
        mind.heard.append(event)
    mind.engagement.overhear(event)
    if resident.notice(event, verdict):
        service.later(0, partial(heartbeat.walk, service, resident))


def _lines_heard(mind: Mind) -> set[str]:
    """Return the ids of the lines that it heard itself, lately."""
    entries = mind.store.read("stream")["entries"]
    return {*(one["id"] for one in entries), *(one.id for one in mind.heard)}


def _disturb(
    service: Service, resident: Resident, event: Event, verdict: Verdict, names: Sequence[str]
) -> Verdict:
    """Let an event reach a sleeper. Where it wakes, the piece of the night under way is left."""
    verdict = resident.sleeper.hears(event, verdict, names)
    if not resident.mind.phase:
        service.halt(resident)
    return verdict


def _trigger(service: Service, resident: Resident, event: Event, decision: Decision) -> None:
    event = replace(event, requires_response=True, addressing=decision.rule)
    if resident.rest.resting:
        resident.close([event], "resting")
        return
    try:
        if not resident.mind.store.add_pending(event):
            return
    except StoreError as error:  # it is answered all the same, only not safe from a crash
        report("queue", error)
        resident.unsaved.add(event.id)
    service.queue(resident, event)
