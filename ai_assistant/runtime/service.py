"""The service: one per server process. It lets assistants perceive, take turns and rest.

It starts with the first assistant script and stops with the reactor. All its methods belong on
the reactor thread; none of them raises into Evennia's hooks.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any
from uuid import uuid4

from twisted.internet import reactor
from twisted.internet.defer import CancelledError, fail
from twisted.internet.task import deferLater
from twisted.python.failure import Failure

from ai_assistant import conf
from ai_assistant.agent.attention.backoff import TurnBackoff
from ai_assistant.agent.attention.scheduler import Scheduler
from ai_assistant.agent.keeping.closing import flush
from ai_assistant.agent.turn.loop import Report
from ai_assistant.core.contracts import Event
from ai_assistant.core.errors import StoreError, TurnSuperseded
from ai_assistant.game.earshot import HeardQueue
from ai_assistant.game.evennia_cache import read_anew
from ai_assistant.game.identity import entity_id, find
from ai_assistant.game.log import report, surviving
from ai_assistant.game.reactor_lateness import PROBE, spare_full_rounds
from ai_assistant.game.reactor_steps import REACTOR_STEPS, Later
from ai_assistant.memory.people.feelings import RANKS
from ai_assistant.runtime import hearing, heartbeat
from ai_assistant.runtime.assembly import Shared, build_assistant, build_shared
from ai_assistant.runtime.backfill import Backfill
from ai_assistant.runtime.database_watch import DatabaseWatch
from ai_assistant.runtime.errand_office import ErrandOffice
from ai_assistant.runtime.resident import Resident
from ai_assistant.runtime.warmup import warm_up
from ai_assistant.scenes.live_scenes import SCENES

SETTLED_AFTER = 10.0
"""Seconds until what is there is taken for lasting: the garbage collector need not look at it."""


class Service:
    """Runs every assistant of this server process."""

    def __init__(
        self,
        *,
        later: Later = REACTOR_STEPS,
        next_step: Later = reactor.callLater,  # type: ignore[attr-defined]
        in_server: Callable[[], bool] = lambda: bool(reactor.running),  # type: ignore[attr-defined]
        build: Callable[[], Shared] = build_shared,
    ) -> None:
        """Take what ties it to its process: `later` runs one call in a step of the reactor,
        `next_step` what must not wait behind others, `in_server()` says if this is the server
        and no shell beside it, and `build()` makes what all share."""
        self.later, self.next_step = later, next_step
        self.in_server = in_server
        self.build = build
        self.residents: dict[str, Resident] = {}
        self.heard_queue = HeardQueue(next_step)
        self._shared: Shared | None = None
        self._scheduler = Scheduler(1)
        self._pumping = False
        self.watch = DatabaseWatch(later, took_over=self._take_over, recovered=self._recovered)
        self.errands = ErrandOffice(
            self.residents, lambda: self._scheduler, self._pump_soon, lambda: self.watch.may_begin
        )
        self._backfill = Backfill(self.residents, later=later, shared=lambda: self.shared)

    # -- life

    @property
    def shared(self) -> Shared:
        """What all assistants share; made at first use."""
        if self._shared is None:
            self._shared = self.build()
            self._scheduler = Scheduler(conf.settings.IN_FLIGHT)
            if self.in_server():
                self.watch.start(self._shared.clock)
                PROBE.start()
            profiles = self._shared.profiles.values()
            if reached := [it for it in profiles if not (it.offline or it.problem)]:
                self._shared.bridge.start(reached)
            when = reactor.addSystemEventTrigger  # type: ignore[attr-defined]
            when("before", "shutdown", self.stop)
            # Evennia does not wait for its web port to close: a reload would find it taken
            when("before", "shutdown", partial(deferLater, reactor, 0))
            self.later(SETTLED_AFTER, spare_full_rounds)
        return self._shared

    def stop(self) -> None:
        """Let go of every assistant and close every connection. Safe to call twice."""
        for key in list(self.residents):
            self.suspend(key)
            del self.residents[key]
        self.watch.stop()
        PROBE.stop()
        if self._shared is not None:
            self._shared.calls.close()
            self._shared.bridge.stop()
            self._shared = None

    def register(self, character: Any, script: Any) -> Resident:
        """Let an assistant live: build its mind, restore its events, warm up its index.

        While another server is in charge its events are left to that one. Raises an
        `AssistantError` where its configuration or the game's cannot be used.
        """
        if (known := self.residents.get(entity_id(character))) and not known.suspended:
            return known
        mind = build_assistant(character, script, self.shared, self.watch, self.later)
        mind.pass_floor = partial(hearing.give_floor, self)
        spans = self.shared.calls.spans
        resident = Resident(mind.key, script, mind, TurnBackoff(mind.clock), spans)
        if not self.watch.is_standby:
            resident.inbox.restore()
        self.residents[mind.key] = resident
        self.errands.join(resident)
        self._warm_up(resident)
        return resident

    def _take_over(self, alone: float) -> None:
        """Begin with what is on disk: for so many seconds no other server has been seen to live."""
        if not self.residents:
            return
        read_anew()
        SCENES.reset()
        for resident in self.residents.values():  # from now on what it hears waits on disk
            resident.suspended = True
            with surviving("taking over"):
                self.halt(resident)
                self._scheduler.close(resident.id)
            self.later(0, partial(self._replace, resident, alone))

    def _replace(self, old: Resident, alone: float) -> None:
        """Let a mind that knows what is on disk take the place of one that looked on."""
        self.heard_queue.settle()  # or a line of this very step would reach who is replaced here
        if self.residents.get(old.id) is not old:
            return
        with surviving("taking over"):
            self._scheduler.close(self.residents.pop(old.id).id)
            if (character := find(old.id)) is not None:
                anew = self.register(character, character.assistant_script)
                hearing.hear_again(self, anew, old.mind.heard, alone)

    def _recovered(self) -> None:
        """Go on after the database took nothing for a while."""
        for resident in list(self.residents.values()):
            with surviving("recover"):
                heartbeat.take_up(self, resident)
        self._pump_soon()

    def unregister(self, key: str, reason: str) -> None:
        """Stop an assistant: its turn is dropped and its events are closed with a reason."""
        self.heard_queue.settle()
        if (resident := self.residents.pop(key, None)) is None:
            return
        with surviving("unregister"):  # what stays on disk is taken up when it starts again
            _, events = self.halt(resident)
            resident.inbox.depart([*events, *self._scheduler.close(key)], reason)

    def suspend(self, key: str) -> None:
        """Prepare for a reload: drop the turn, give back its attempt, save what was overheard.

        What is perceived from now on is only put on disk.
        """
        self.heard_queue.settle()
        if (resident := self.residents.get(key)) is None or resident.suspended:
            return
        resident.suspended = True
        with surviving("suspend"):  # a reload that meets an exception never ends (Evennia)
            turn_id, _ = self.halt(resident)
            self._scheduler.close(key)
            if turn_id:
                resident.inbox.finish(partial(resident.mind.store.triggers.give_back, turn_id))
            resident.inbox.finish(partial(flush, resident.mind))

    def interrupt(
        self, key: str, after: Callable[[Event], Event | None] = lambda event: event
    ) -> None:
        """Drop the running turn; its events are tried again, as they are `after`; None: not."""
        self.heard_queue.settle()
        if (resident := self.residents.get(key)) is None:
            return
        with surviving("interrupt"):
            turn_id, events = self.halt(resident)
            if turn_id:
                resident.inbox.finish(partial(resident.inbox.give_back, turn_id, events))
            self._scheduler.reword(key, after)
            resident.inbox.reword(after)

    def halt(self, resident: Resident) -> tuple[str, tuple[Event, ...]]:
        """End the running turn of an assistant; returns its id and its events."""
        halted = resident.halt()
        self._scheduler.done(resident.id)
        return halted

    def _warm_up(self, resident: Resident) -> None:
        """Fill the index in small slices; turns are taken once the newest memories are there."""

        def ready() -> None:
            self._scheduler.open(resident.id)
            self._pump_soon()

        def goes_on() -> bool:
            return self.residents.get(resident.id) is resident and not resident.suspended

        warm_up(resident, self.later, ready, goes_on)

    # -- perceive → classify → queue

    def perceive(self, key: str, event: Event) -> None:
        """Take in what a character perceived. Never raises: it is called from Evennia's hooks."""
        resident = self.residents.get(key)
        if resident is not None and self.watch.has_room():
            with surviving("perceive"):
                hearing.hear(self, resident, event)

    def queue(self, resident: Resident, event: Event) -> None:
        """Let an event wait for its turn; whoever sleeps finds it when it wakes."""
        if resident.mind.phase:
            resident.inbox.put_off(event)
            return
        rank = 0
        try:
            rank = RANKS.index(resident.mood(event.source.id))  # who is dear goes first
        except StoreError as error:  # what cannot be read is no reason to keep anybody waiting
            report("rank", error)
        if dropped := self._scheduler.offer(resident.id, event, rank):
            resident.inbox.close(dropped, "overload")
        self._pump_soon()

    # -- turns

    def _pump_soon(self) -> None:
        """Start what may start, one reactor step later: whoever spoke finishes their line first."""
        if not self._pumping:
            self._pumping = True
            self.later(0, self._pump)

    def _pump(self) -> None:
        """Start one turn, and leave the others to later steps: a turn may cost milliseconds."""
        self._pumping = False
        ready = self._scheduler.next() if self.watch.may_begin else None
        if ready is None:
            return
        self._pump_soon()
        resident = self.residents.get(ready.key)
        turn, turn_id = None, uuid4().hex
        try:
            turn = resident.start(ready, turn_id) if resident else None
        except Exception as error:
            resident.turn_id, resident.events = turn_id, ready.events
            turn = fail(error)
        if turn is None:
            self._scheduler.done(ready.key)
            return
        turn.addBoth(partial(self._ended, resident, turn_id))
        turn.addErrback(lambda failure: report("turn", failure.value))

    def _ended(self, resident: Resident, turn_id: str, result: Any) -> None:
        failure = result if isinstance(result, Failure) else None
        if resident.turn_id != turn_id:  # halted: whoever did that took care of its events
            if failure and not failure.check(TurnSuperseded, CancelledError):
                report("halted turn", failure.value)
            return
        self._scheduler.done(resident.id)
        resident.ended(result)
        if failure and resident.mind.phase:
            if not failure.check(StoreError):
                resident.inbox.finish(resident.sleeper.failed)  # it goes on with the next heartbeat
        elif resident.mind.phase or not isinstance(result, Report | Failure):
            self.later(0, partial(heartbeat.continue_night, self, resident))
        elif resident.mind.goals_changed:
            heartbeat.walk(self, resident)  # whom it follows from now on may be gone already
        self._pump_soon()

    def tick(self, key: str) -> None:
        """One heartbeat: see what can go on by now, and whether to act unasked."""
        resident = self.residents.get(key)
        if not resident or resident.suspended or not self.watch.may_begin:
            return
        self._backfill.wake(key)
        heartbeat.beat_soon(self, resident)

    def offer(self, key: str, *, night: bool = False) -> None:
        """Let it act unasked, or do a piece of its night's work, once nothing else waits."""
        (self._scheduler.offer_night if night else self._scheduler.offer_tick)(key)
        self._pump_soon()

    def is_idle(self, key: str) -> bool:
        """Does nothing wait for this assistant, and is no turn of it running?"""
        return not self._scheduler.waiting(key) and not self._scheduler.is_busy(key)


SERVICE = Service()
