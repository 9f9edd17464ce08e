"""Hearing: what one assistant perceives becomes a turn, a memory, or nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from ai_assistant.agent.attention.classify import classify
from ai_assistant.agent.attention.energy import HUMAN_ENERGY
from ai_assistant.agent.keeping.closing import flush
from ai_assistant.agent.mind import Mind
from ai_assistant.core.contracts import Event, Json, Verdict
from ai_assistant.core.errors import StoreError
from ai_assistant.game.earshot import RECEIPTS, alone
from ai_assistant.game.identity import find
from ai_assistant.game.line_ids import received
from ai_assistant.game.log import report, surviving
from ai_assistant.runtime import heartbeat
from ai_assistant.runtime.heartbeat import Host
from ai_assistant.runtime.resident import Resident
from ai_assistant.scenes.live_scenes import SCENE_LINES


def hear(service: Host, resident: Resident, event: Event) -> None:
    """Classify an event: it is to be answered, kept as context, or ignored.

    It is taken in when its line is over; what is to be answered is on disk by then.
    """
    mind, body, initiative = resident.mind, find(resident.id), resident.idling.initiative
    RECEIPTS.note(event, body)
    played = SCENE_LINES.is_played(event)
    event = received(event, resident.id, partial(_lines_heard, mind), played=played)
    if not event.by_assistant:
        mind.energy.mint(event.root, HUMAN_ENERGY)
    situation = resident.situation(event)
    decision = classify(event, situation)
    verdict = decision.verdict
    if mind.phase:
        verdict = resident.sleeper.hears(event, verdict, situation.names)
        if not mind.phase:  # it woke: the piece of the night under way is dropped
            service.halt(resident)
    is_asked = verdict is Verdict.TRIGGER
    rule: Json = {"addressing": decision.rule, "requires_response": is_asked}
    if verdict is Verdict.CONTEXT or (is_asked and _keep(resident, replace(event, **rule))):
        service.lines.put_off(take_in, (service, resident, event, rule))
    mind.engagement.overhear(event)
    mind.channel_talk.overhear(event)
    if is_asked:
        resident.inbox.finish(partial(initiative.addressed, event))
    initiative.notice(event)
    if event.source.id == resident.idling.walker.follows:
        service.later(0, partial(heartbeat.walk, service, resident))


def take_in(heard: Sequence[tuple[Host, Resident, Event, Json]]) -> None:
    """Queue or remember what was heard, now that it is known who received it; each by its rule."""
    for service, resident, event, rule in heard:
        with surviving("take in"):
            event = SCENE_LINES.placed(RECEIPTS.labelled(event), find(resident.id), **rule)
            if event.requires_response:
                service.queue(resident, event)
                continue
            mind = resident.mind
            if len(mind.heard) == mind.heard.maxlen:  # or the oldest would be lost, unsaved
                resident.inbox.finish(partial(flush, mind))
            mind.heard.append(event)


def _lines_heard(mind: Mind) -> set[str]:
    """Return the ids of the lines that it heard itself, lately."""
    entries = mind.store.read("stream")["entries"]
    return {*(entry["id"] for entry in entries), *(event.id for event in mind.heard)}


def _keep(resident: Resident, event: Event) -> bool:
    """Write a trigger to disk as far as it is known; False when it is not to be answered."""
    event = SCENE_LINES.sketched(alone(event, resident.id), find(resident.id))
    if resident.rest.resting:
        resident.inbox.close([event], "resting")
        return False
    try:
        return resident.mind.store.triggers.add(event)
    except StoreError as error:  # it is answered all the same, only not safe from a crash
        report("queue", error)
        resident.inbox.unsaved.add(event.id)
        return True
