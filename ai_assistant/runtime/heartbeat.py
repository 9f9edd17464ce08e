"""The heartbeat: every few seconds, what one assistant can go on with."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from evennia.utils import gametime

from ai_assistant.game.log import report

if TYPE_CHECKING:
    from ai_assistant.agent.mind import Mind
    from ai_assistant.runtime.host import Host
    from ai_assistant.runtime.resident import Resident

DAY = 86_400.0


def beat(service: Host, resident: Resident) -> None:
    """Take up what waited, then go on sleeping, or see whether to act unasked."""
    resident.inbox.catch_up()
    if not resident.mind.phase:
        for event in resident.inbox.take_up():
            service.queue(resident, event)
    idle = service.is_idle(resident.id)
    if _sleeps_on(resident, idle=idle) and not resident.rest.resting:
        service.offer(resident.id, night=True)
    if idle and not resident.mind.phase:
        resident.idling.summarise(resident.inbox.finish)
        resident.idling.keep_up(resident.inbox.finish)
        resident.idling.refine(partial(_mind, service), resident.inbox.finish)
        if resident.sleeper.wants_to_muse():
            service.offer(resident.id, night=True)
        walk(service, resident)
        if resident.wants_to_act():
            service.offer(resident.id)


def _mind(service: Host, who: str) -> Mind | None:
    found = service.residents.get(who)
    return found.mind if found else None


def _sleeps_on(resident: Resident, *, idle: bool) -> bool:
    """Let it fall asleep, go on sleeping or wake; returns whether the night has work."""
    mind = resident.mind
    return resident.sleeper.tick(
        idle=idle and not resident.inbox.waiting and not resident.hindrance,
        quiet_for=mind.clock.monotonic() - resident.last_turn,
        game_hour=mind.world.game_time() % DAY / 3600,
        game_speed=gametime.TIMEFACTOR,
    )


def walk(service: Host, resident: Resident) -> None:
    """Take one step of a standing goal, as long as nobody wants anything."""
    if service.residents.get(resident.id) is resident and service.is_idle(resident.id):
        resident.walk(lambda: service.later(0, partial(walk, service, resident)))


def dream_on(service: Host, resident: Resident) -> None:
    """After a piece of the night: offer the next one, or wake up if that was asked for."""
    try:
        resident.sleeper.rise()
        resident.sleeper.settle()
        if resident.sleeper.has_work():
            service.offer(resident.id, night=True)
        elif not resident.mind.phase:
            for event in resident.inbox.take_up():
                service.queue(resident, event)
    except Exception as error:
        report("sleep", error)
