"""Hearing: what one assistant perceives becomes a turn, a memory, or nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from ai_assistant.agent.attention.classify import classify
from ai_assistant.agent.attention.energy import HUMAN_ENERGY
from ai_assistant.agent.keeping.closing import keep_lines
from ai_assistant.agent.mind import Mind
from ai_assistant.core.contracts import Event, Verdict
from ai_assistant.game.earshot import RECEIPTS, alone
from ai_assistant.game.identity import find
from ai_assistant.game.line_ids import received
from ai_assistant.game.log import surviving
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
    event = SCENE_LINES.placed(event, body, is_over=False)
    event = received(event, resident.id, partial(_lines_heard, mind))
    if not event.by_assistant:
        mind.energy.mint(event.root, HUMAN_ENERGY)
    situation = resident.situation(event)
    decision = classify(event, situation)
    verdict = decision.verdict
    if service.watch.is_standby:
        verdict = Verdict.CONTEXT if verdict is Verdict.TRIGGER else verdict
    elif mind.phase:
        verdict = resident.sleeper.hears(event, verdict, situation.names)
        if not mind.phase:  # it woke: the piece of the night under way is dropped
            service.halt(resident)
    is_asked = verdict is Verdict.TRIGGER
    event = replace(event, addressing=decision.rule, requires_response=is_asked)
    if verdict is Verdict.CONTEXT or (is_asked and _keep(resident, event)):
        service.lines.put_off(take_in, (service, resident, event, verdict))
    mind.engagement.overhear(event)
    mind.channel_talk.overhear(event)
    if is_asked:
        resident.inbox.finish(partial(initiative.addressed, event))
    initiative.notice(event)
    if event.source.id == resident.idling.walker.follows:
        service.later(0, partial(heartbeat.walk, service, resident))


def take_in(heard: Sequence[tuple[Host, Resident, Event, Verdict]]) -> None:
    """Queue or remember what was heard, now that it is known who received it."""
    for service, resident, event, verdict in heard:
        with surviving("take in"):
            event = SCENE_LINES.placed(RECEIPTS.labelled(event), find(resident.id))
            if verdict is Verdict.TRIGGER:
                service.queue(resident, event)
                continue
            mind = resident.mind
            if len(mind.heard) == mind.heard.maxlen and not service.watch.is_standby:
                lines = [*mind.heard]  # or the oldest would be lost, unsaved
                mind.heard.clear()
                resident.inbox.finish(partial(keep_lines, mind, lines))
            mind.heard.append(event)


def _lines_heard(mind: Mind) -> set[str]:
    """Return the ids of the lines that it heard itself, lately."""
    entries = mind.store.read("stream")["entries"]
    return {*(entry["id"] for entry in entries), *(event.id for event in mind.heard)}


def _keep(resident: Resident, event: Event) -> bool:
    """Write a trigger to disk as far as it is known; False when it is not to be answered."""
    event = alone(event, resident.id)
    if resident.rest.resting:
        resident.inbox.close([event], "resting")
        return False
    new = []
    resident.inbox.finish(lambda: new.append(resident.mind.store.triggers.add(event)))
    return new != [False]  # refused, it is on disk before its turn begins
