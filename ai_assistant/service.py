"""The service: one per server process. It lets assistants perceive, take turns and rest.

It starts with the first assistant script and stops with the reactor. All its methods belong on
the reactor thread; none of them raises into Evennia's hooks.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any
from uuid import uuid4

from twisted.internet import reactor
from twisted.internet.defer import Deferred
from twisted.python.failure import Failure

from ai_assistant import conf
from ai_assistant.agent.classify import Decision, classify
from ai_assistant.agent.closing import flush
from ai_assistant.agent.energy import HUMAN_ENERGY
from ai_assistant.agent.loop import take_turn
from ai_assistant.agent.rest import Rest
from ai_assistant.agent.scheduler import Ready, Scheduler
from ai_assistant.assembly import Shared, build_assistant, build_shared, set_own_caps
from ai_assistant.contracts import Event, Verdict
from ai_assistant.errors import StoreError
from ai_assistant.log import report
from ai_assistant.resident import Resident

WARM_UP_ROWS = 5000
WARM_UP_SLICE = 200


def _later(seconds: float, call: Callable[[], None]) -> None:
    reactor.callLater(seconds, call)  # type: ignore[attr-defined]


class Service:
    """Runs every assistant of this server process."""

    def __init__(self, later: Callable[[float, Callable[[], None]], object] = _later) -> None:
        """`later(seconds, call)` runs something in a later step of the reactor."""
        self.later = later
        self.residents: dict[str, Resident] = {}
        self._shared: Shared | None = None
        self._scheduler = Scheduler(1)
        self._pumping = False

    # -- life

    @property
    def shared(self) -> Shared:
        """What all assistants share; made at first use. Raises `ConfigurationError`."""
        if self._shared is None:
            self._shared = build_shared()
            self._scheduler = Scheduler(conf.settings.IN_FLIGHT)
            if any(not profile.offline for profile in self._shared.profiles.values()):
                self._shared.bridge.start(self._shared.profiles.values())
            reactor.addSystemEventTrigger(  # type: ignore[attr-defined]
                "before", "shutdown", self.stop
            )
        return self._shared

    def stop(self) -> None:
        """Let go of every assistant and close every connection. Safe to call twice."""
        for resident in list(self.residents.values()):
            self.suspend(resident.id)
            self.residents.pop(resident.id, None)
        if self._shared is not None:
            self._shared.bridge.stop()
            self._shared = None

    def register(self, character: Any, script: Any) -> Resident:
        """Let an assistant live: build its mind, restore its events, warm up its index.

        Raises an `AssistantError` where its configuration or the game's cannot be used.
        """
        mind = build_assistant(character, script, self.shared)
        known = self.residents.get(mind.key)
        if known is not None:
            return known
        resident = Resident(mind.key, script, mind, Rest(mind.clock))
        resident.last_autonomy = mind.clock.monotonic()
        set_own_caps(mind.key, mind.config)
        self.residents[mind.key] = resident
        resident.restore()
        self._warm_up(resident)
        return resident

    def unregister(self, key: str, reason: str) -> None:
        """Stop an assistant: its turn is dropped and its events are closed with a reason."""
        resident = self.residents.pop(key, None)
        if resident is None:
            return
        self._halt(resident)
        self._scheduler.close(key)
        resident.close([one.event for one in resident.mind.store.pending()], reason)

    def suspend(self, key: str) -> None:
        """Prepare for a reload: drop the turn, give back its attempt, save what was overheard."""
        resident = self.residents.get(key)
        if resident is None:
            return
        try:
            turn_id = self._halt(resident)
            if turn_id:
                resident.mind.store.give_back(turn_id)
            flush(resident.mind)
        except Exception as error:  # a reload that meets an exception never ends (Evennia)
            report("suspend", error)

    def interrupt(self, key: str) -> None:
        """Drop the running turn of an assistant; its events wait and are tried again."""
        resident = self.residents.get(key)
        turn_id = self._halt(resident) if resident else ""
        if resident and turn_id:
            resident.mind.store.give_back(turn_id)
            resident.waiting.clear()
            resident.restore()

    def _halt(self, resident: Resident) -> str:
        turn_id = resident.halt()
        self._scheduler.done(resident.id)
        return turn_id

    def _warm_up(self, resident: Resident, before: int = 0) -> None:
        """Fill the index in small slices; the assistant takes turns once it is complete."""
        if self.residents.get(resident.id) is not resident:
            return
        mind = resident.mind
        rows = mind.store.newest_rows(WARM_UP_SLICE, before)
        mind.learn(rows)
        if len(rows) == WARM_UP_SLICE and len(mind.index) < WARM_UP_ROWS:
            self.later(0, partial(self._warm_up, resident, rows[-1].id))
        else:
            self._scheduler.open(resident.id)
            self._pump_soon()

    # -- perceive → classify → queue

    def perceive(self, key: str, event: Event) -> None:
        """Take in what a character perceived. Never raises: it is called from Evennia's hooks."""
        resident = self.residents.get(key)
        if resident is None:
            return
        try:
            self._perceive(resident, event)
        except Exception as error:
            report("perceive", error)

    def _perceive(self, resident: Resident, event: Event) -> None:
        mind = resident.mind
        if not event.by_assistant:
            mind.energy.mint(event.root, HUMAN_ENERGY)
        decision = classify(event, resident.situation(event))
        if decision.verdict is Verdict.TRIGGER:
            self._trigger(resident, event, decision)
        elif decision.verdict is Verdict.CONTEXT:
            mind.heard.append(event)
        resident.notice(event)

    def _trigger(self, resident: Resident, event: Event, decision: Decision) -> None:
        event = replace(event, requires_response=True, addressing=decision.rule)
        if resident.rest.resting:
            resident.close([event], "resting")
            return
        try:
            if not resident.mind.store.add_pending(event):
                return
        except StoreError as error:  # it is answered all the same, only not safe from a crash
            report("queue", error)
        self._queue(resident, event)

    def _queue(self, resident: Resident, event: Event) -> None:
        dropped = self._scheduler.offer(resident.id, event)
        resident.close(dropped, "overload")
        self._pump_soon()

    # -- turns

    def _pump_soon(self) -> None:
        """Start what may start, one reactor step later: whoever spoke finishes their line first."""
        if not self._pumping:
            self._pumping = True
            self.later(0, self._pump)

    def _pump(self) -> None:
        self._pumping = False
        while ready := self._scheduler.next():
            resident = self.residents.get(ready.key)
            if resident is None:
                self._scheduler.done(ready.key)
                continue
            try:
                self._start(resident, ready)
            except Exception as error:
                self._ended(resident, resident.turn_id, ready.events, Failure(error))

    def _start(self, resident: Resident, ready: Ready) -> None:
        world = resident.mind.world
        here = [event for event in ready.events if world.in_reach(event)]
        gone = [event for event in ready.events if event not in here]
        resident.close(gone, "speaker_gone")
        if ready.events and not here:
            self._scheduler.done(resident.id)
            return
        turn_id = uuid4().hex
        resident.turn_id = turn_id
        kind = "tick_event" if here else "tick_autonomous"
        turn = Deferred.fromCoroutine(take_turn(resident.mind, here, turn_id, kind))
        if resident.turn_id == turn_id and not turn.called:
            resident.turn = turn
        turn.addBoth(partial(self._ended, resident, turn_id, tuple(here)))
        turn.addErrback(lambda failure: report("turn", failure.value))

    def _ended(
        self, resident: Resident, turn_id: str, events: Sequence[Event], result: Any
    ) -> None:
        if resident.turn_id != turn_id:  # it was halted: whoever did that took care of its events
            return
        resident.turn_id, resident.turn = "", None
        self._scheduler.done(resident.id)
        if isinstance(result, Failure):
            resident.failed(events, result.value)
        else:
            resident.last_report = result
            resident.last_error = result.problem or resident.last_error
        self._pump_soon()

    # -- the heartbeat

    def tick(self, key: str) -> None:
        """One heartbeat: see whether waiting events can go on, and whether to act unasked."""
        resident = self.residents.get(key)
        if resident is None:
            return
        for event in resident.take_up():
            self._queue(resident, event)
        if resident.is_due() and self._has_company(resident):
            resident.last_autonomy = resident.mind.clock.monotonic()
            self._scheduler.offer_tick(key)
            self._pump_soon()

    def _has_company(self, resident: Resident) -> bool:
        """Is anybody there to see it, and nobody waiting to be answered first?"""
        if self._scheduler.waiting(resident.id) or self._scheduler.is_busy(resident.id):
            return False
        world = resident.mind.world
        hearers = world.hearers("say", world.scene().place)
        return any(one not in self.residents for one in hearers)

    def queue_length(self, key: str) -> int:
        """Return how many events wait for this assistant, restored ones included."""
        resident = self.residents.get(key)
        waiting = len(resident.waiting) if resident else 0
        return waiting + len(self._scheduler.waiting(key))


SERVICE = Service()
