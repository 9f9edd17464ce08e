"""The heartbeat: every few seconds, what one assistant can go on with."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Protocol

from ai_assistant.agent.keeping.closing import flush
from ai_assistant.agent.mind import Mind
from ai_assistant.core.contracts import Event
from ai_assistant.game.earshot import HeardQueue
from ai_assistant.game.log import surviving
from ai_assistant.runtime.database_watch import DatabaseWatch
from ai_assistant.runtime.resident import STILL, Resident
from ai_assistant.storage.statements import refusals

KEPT_AFTER = 15.0
"""Seconds for which what was only overheard may wait in memory; the next heartbeat writes it.
`docs/decisions.md` has what less would cost."""


class Host(Protocol):
    """What hearing and the heartbeat ask of the service, which is above them."""

    residents: dict[str, Resident]
    """Who runs here, by id."""
    watch: DatabaseWatch
    """Knows whether the database takes what is written."""
    heard_queue: HeardQueue
    """What was heard and waits for the end of the reactor's step."""

    def later(self, seconds: float, call: Callable[[], None]) -> Any:
        """Run something in a later step of the reactor."""

    def queue(self, resident: Resident, event: Event) -> None:
        """Let an event wait for its turn."""

    def halt(self, resident: Resident) -> Any:
        """Stop the turn that is under way."""

    def is_idle(self, who: str) -> bool:
        """Is nothing under way, and nothing waiting?"""

    def offer(self, who: str, *, night: bool = False) -> None:
        """Queue a turn unasked, or a piece of the night."""


def beat_soon(service: Host, resident: Resident) -> None:
    """Let its heart beat in a step of its own, unless it waits for that already."""
    if not resident.beats:
        resident.beats = True
        service.later(0, partial(_beat_now, service, resident))


def _beat_now(service: Host, resident: Resident) -> None:
    resident.beats = False
    with surviving(f"heartbeat of {resident.id}"), refusals():
        service.watch.finish(partial(beat, service, resident))


def _is_there(service: Host, resident: Resident) -> bool:
    return service.residents.get(resident.id) is resident and not resident.suspended


def beat(service: Host, resident: Resident) -> None:
    """Take up what waited, then go on sleeping, or see whether to act unasked."""
    if not _is_there(service, resident):
        return
    mind, inbox, idling = resident.mind, resident.inbox, resident.idling
    waited = mind.clock.now() - mind.heard[0].timestamp if mind.heard else 0.0
    if waited >= KEPT_AFTER and not service.watch.is_standby:
        inbox.finish(partial(flush, mind))
    take_up(service, resident)
    mind.calls.write()
    idle = service.is_idle(resident.id)
    if resident.hindrance in STILL:
        return
    has_work = resident.sleeper.tick(
        idle=idle and not inbox.waiting and not resident.hindrance,
        quiet_for=mind.clock.monotonic() - resident.last_turn,
    )
    if has_work and not resident.disorder:
        service.offer(resident.id, night=True)
    if idle and not mind.phase:
        inbox.finish(idling.summarise)
        inbox.finish(idling.keep_up)
        idling.refine(partial(_mind, service))
        if resident.sleeper.wants_to_muse():
            service.offer(resident.id, night=True)
        walk(service, resident)
        if resident.wants_to_act():
            service.offer(resident.id)


def _mind(service: Host, who: str) -> Mind | None:
    found = service.residents.get(who)
    return found.mind if found else None


def walk(service: Host, resident: Resident) -> None:
    """Take one step of a standing goal, as long as nobody wants anything."""
    is_here = service.residents.get(resident.id) is resident and service.watch.may_begin
    is_free = is_here and service.is_idle(resident.id)
    if is_free and not (resident.turn_id or resident.hindrance):
        with refusals():  # between two heartbeats as well
            resident.idling.walk(lambda: service.later(0, partial(walk, service, resident)))


def continue_night(service: Host, resident: Resident) -> None:
    """After a piece of the night: offer the next one, or wake up if that was asked for."""
    if not _is_there(service, resident):
        return
    with surviving("sleep"):
        resident.sleeper.rise()
        resident.sleeper.settle()
        if resident.sleeper.has_work():
            service.offer(resident.id, night=True)
        take_up(service, resident)


def take_up(service: Host, resident: Resident) -> None:
    """Let what waited be answered, while it is awake."""
    if resident.suspended or not service.watch.may_begin:
        return
    for event in () if resident.mind.phase else resident.inbox.take_up():
        service.queue(resident, event)
