"""Hearing: what one assistant perceives becomes a turn, a memory, or nothing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from ai_assistant import conf
from ai_assistant.agent.attention.classify import PERHAPS, Circumstances, Classification, classify
from ai_assistant.agent.attention.energy import HUMAN_ENERGY
from ai_assistant.agent.attention.engagement import Obstacle, whom_meant
from ai_assistant.agent.attention.tenure import RENEWED
from ai_assistant.agent.keeping.closing import keep_lines
from ai_assistant.agent.mind import Mind
from ai_assistant.core.contracts import DIRECT, Event, Json, Verdict
from ai_assistant.game.consent import may_turn_to
from ai_assistant.game.earshot import RECEIPTS
from ai_assistant.game.identity import find, is_puppeted, reference
from ai_assistant.game.line_ids import received
from ai_assistant.game.log import surviving
from ai_assistant.language.address import speaks_to
from ai_assistant.language.words import stems
from ai_assistant.runtime import heartbeat, means
from ai_assistant.runtime.heartbeat import Host
from ai_assistant.runtime.resident import Resident
from ai_assistant.scenes.live_scenes import SCENES
from ai_assistant.scenes.scene_lines import SCENE_LINES

HANDED = "handed"
"""The rule by which a line is answered for which another one had the floor."""


def hear(service: Host, resident: Resident, event: Event) -> None:
    """Decide whether an event is answered, kept as context or ignored, and have it taken in.

    `docs/architecture.md` tells the steps in their order.
    """
    mind = resident.mind
    RECEIPTS.note(event, resident.id)
    played = SCENE_LINES.is_played(event, resident.id)
    if played or event.by_assistant:
        event = received(event, resident.id, partial(_lines_heard, mind), played=played)
    payer = means.payer_of(event.source.id, by_assistant=event.by_assistant)
    if not event.by_assistant:
        mind.energy.mint(event.root, HUMAN_ENERGY, payer)
    judged = _judge(service, resident, event, payer, is_played=played)
    is_asked = judged.verdict is Verdict.TRIGGER
    rule: Json = {"addressing": judged.rule, "cause": judged.cause, "requires_response": is_asked}
    if judged.verdict is Verdict.IGNORE:
        resident.passed_over.append(replace(event, content="", **rule))
    elif not is_asked or _keep(resident, replace(event, **rule)):
        service.heard_queue.put_off(take_in, (service, resident, event, rule))
    mind.engagement.overhear(event, is_asked=is_asked, present=mind.world.company)
    mind.channel_talk.overhear(event, is_asked=is_asked)
    if is_asked:
        is_said = event.source_type == "say" and not event.by_assistant
        if is_said and judged.rule != PERHAPS:  # what they add needs no name
            mind.engagement.turn_to(event.source.id, event.timestamp, event.place)
        resident.inbox.finish(partial(resident.idling.autonomy.addressed, event))
    resident.idling.autonomy.notice(event)
    if event.source.id == resident.idling.walker.follows:
        service.later(0, partial(heartbeat.walk, service, resident))


def _judge(
    service: Host, resident: Resident, event: Event, payer: str, *, is_played: bool
) -> Classification:
    """Return what becomes of a line: by the rules, then by what its speaker may still have.

    What is only played is for nobody outside of its scene who is not called. A server that only
    listens answers nothing; a sleeper may be woken, which ends its night.
    """
    mind, situation = resident.mind, resident.situation(event)
    if not (situation.alone or is_played) and situation.has_floor is None:
        situation = _among_others(service, resident, event, situation)
    judged = means.within(mind, event, classify(event, situation), payer)
    if service.watch.is_standby and judged.verdict is Verdict.TRIGGER:
        cause = judged.cause | {str(Obstacle.ANOTHER_SERVER): []}
        return replace(judged, verdict=Verdict.CONTEXT, cause=cause)
    if service.watch.is_standby or not mind.phase:
        return judged
    verdict = resident.sleeper.hears(event, judged.verdict, situation.names)
    if not mind.phase:  # it woke: the piece of the night under way is dropped
        service.halt(resident)
    slept = verdict is not judged.verdict
    cause = judged.cause | {str(Obstacle.ASLEEP): []} if slept else judged.cause
    return replace(judged, verdict=verdict, cause=cause)


def _among_others(
    service: Host, resident: Resident, event: Event, situation: Circumstances
) -> Circumstances:
    """Return the circumstances with whether a line without a name is for this assistant."""
    line, bond = RECEIPTS.lines[event.id], resident.mind.engagement
    if line.answerer is None:
        line.answerer = _answerer(service, event, line.there)
    if not line.answerer:
        return situation
    if line.answerer != resident.id:
        return replace(situation, for_all=False)
    if bond.wants_answer(event, situation.engaged_seconds):
        return replace(situation, for_all=True)
    return replace(situation, perhaps=True)


def _answerer(service: Host, event: Event, there: Iterable[str]) -> str:
    """Return the id of the assistant that what a player says without a name is for, or empty."""
    speaker = find(event.source.id)
    if event.source_type != "say" or not (speaker and is_puppeted(speaker)):
        return ""
    known = {who: service.residents[who] for who in there if who in service.residents}
    talks = {who: resident.mind.engagement for who, resident in known.items()}
    meant = whom_meant(event, talks, conf.settings.ENGAGED_SECONDS)
    room = speaker.location if meant else None
    present = room.contents_get(exclude=speaker) if room else ()
    if speaks_to(event.content, (body.key for body in present if reference(body).kind != "object")):
        return ""
    return next((who for who in meant if _may_answer(known[who], speaker)), "")


def _may_answer(resident: Resident, speaker: Any) -> bool:
    """Could an assistant that is not called by name answer a player now?"""
    is_able = not (resident.hindrance or resident.mind.phase)
    listens = resident.mind.config["room_default"] != Verdict.IGNORE
    return is_able and listens and may_turn_to(speaker, find(resident.id))


def take_in(heard: Sequence[tuple[Host, Resident, Event, Json]]) -> None:
    """Queue or remember what was heard, now that it is known who received it; each by its rule."""
    alike: object = None
    for service, resident, event, rule in heard:
        with surviving("take in"):
            event = RECEIPTS.labelled(event)
            scene = SCENE_LINES.scene_of(event, resident.id)
            # Mostly it is to each hearer what it was to the one before; in private never.
            if alike != (event, scene, rule) or event.source_type in DIRECT:
                placed = SCENE_LINES.placed(event, resident.id, scene, **rule)
                alike = (event, scene, rule)
            event = placed
            if event.requires_response:
                service.queue(resident, event)
                continue
            mind = resident.mind
            if len(mind.heard) == mind.heard.maxlen and not service.watch.is_standby:
                lines = [*mind.heard]  # or the oldest would be lost, unsaved
                mind.heard.clear()
                resident.inbox.finish(partial(keep_lines, mind, lines))
            mind.heard.append(event)
            stems(event.content)  # new words take time: not when forty lines are saved at once


def hear_again(service: Host, resident: Resident, lines: Iterable[Event], alone: float) -> None:
    """Let an assistant of a server that took over have what was heard before.

    For `alone` seconds nobody was seen to be in charge, and this server waited for the lease of
    whoever had been to run out: what asked for an answer meanwhile is answered.
    """
    since = resident.mind.clock.now() - alone - RENEWED
    for event in lines:
        if str(Obstacle.ANOTHER_SERVER) in event.cause and event.timestamp >= since:
            hear(service, resident, replace(event, addressing="", cause={}))
        else:
            resident.mind.heard.append(event)


def give_floor(service: Host, event: Event, who: str) -> bool:
    """Let another assistant answer a line that it only heard; False where it cannot any more."""
    resident = service.residents.get(who)
    heard = [line for line in resident.mind.heard if line.id == event.id] if resident else []
    if not (resident and heard) or resident.hindrance or resident.mind.phase:
        return False
    if not SCENES.director.hand_over(event, who):
        return False
    asked = replace(heard[0], requires_response=True, addressing=HANDED, cause={})
    new = []
    resident.inbox.finish(lambda: new.append(resident.mind.store.triggers.add(asked)))
    if new == [False]:
        return False
    resident.mind.heard.remove(heard[0])
    service.queue(resident, asked)
    return True


def _lines_heard(mind: Mind) -> set[str]:
    """Return the ids of the lines that it heard itself, lately."""
    entries = mind.store.view("stream")["entries"]
    return {*(entry["id"] for entry in entries), *(event.id for event in mind.heard)}


def _keep(resident: Resident, event: Event) -> bool:
    """Write a trigger to disk as far as it is known; False when it is not to be answered."""
    event = SCENE_LINES.sketched(RECEIPTS.labelled(event, alone=resident.id), resident.id)
    if resident.disorder:
        resident.inbox.close([event], resident.disorder)
        return False
    new = []
    resident.inbox.finish(lambda: new.append(resident.mind.store.triggers.add(event)))
    return new != [False]  # refused, it is on disk before its turn begins
