"""A resident: one running assistant, with what it is doing and what waits to be taken up again."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from twisted.internet.defer import Deferred
from twisted.python.failure import Failure

from ai_assistant import conf
from ai_assistant.agent.attention.backoff import Rest
from ai_assistant.agent.attention.classify import Situation
from ai_assistant.agent.attention.energy import HUMAN_ENERGY
from ai_assistant.agent.keeping import closing
from ai_assistant.agent.mind import Mind
from ai_assistant.agent.turn.loop import Report, take_turn
from ai_assistant.core.contracts import Event, PendingEvent, Verdict
from ai_assistant.core.errors import AssistantError, StoreError
from ai_assistant.game.earshot import listens
from ai_assistant.game.identity import find
from ai_assistant.game.log import report
from ai_assistant.game.speech import is_puppeted
from ai_assistant.language.address import addresses
from ai_assistant.runtime.idling import Idling
from ai_assistant.runtime.sleeper import Sleeper
from ai_assistant.scenes.live_scenes import SCENES

MAX_UNFINISHED = 256


@dataclass(slots=True)
class Resident:
    """One assistant that lives in this server process.

    `events` are those of the running turn. `waiting` are events taken over from disk, or to be
    tried again, each with the time (steady clock, seconds) until which its speaker may come back
    into reach. `unsaved` are ids of events that the database refused. `unfinished` is what it
    refused to have written; that is tried again at each heartbeat.
    """

    id: str
    script: Any
    mind: Mind
    rest: Rest
    waiting: list[tuple[Event, float]] = field(default_factory=list)
    retries: Counter[str] = field(default_factory=Counter)
    unsaved: set[str] = field(default_factory=set)
    unfinished: deque[Callable[[], None]] = field(
        default_factory=lambda: deque(maxlen=MAX_UNFINISHED)
    )
    events: tuple[Event, ...] = ()
    turn_id: str = ""
    turn: Deferred[Any] | None = None
    suspended: bool = False
    last_report: Report | None = None
    last_error: str = ""
    last_turn: float = 0.0
    idling: Idling = field(init=False)
    sleeper: Sleeper = field(init=False)
    warming: bool = False

    def __post_init__(self) -> None:
        """Give it what it needs to act of its own accord. Raises `StoreError`."""
        self.idling = Idling(self.mind, self.rest)
        self.sleeper = Sleeper(self.mind, self.script)
        self.last_turn = self.mind.clock.monotonic()

    @property
    def hindrance(self) -> str:
        """Why it may not think just now, in a word; empty where it may."""
        character = find(self.id)
        if character is None:
            return "gone"
        if is_puppeted(character):
            return "puppeted"
        return "resting" if self.rest.resting else ""

    def situation(self, event: Event) -> Situation:
        """Return what classification needs to know when this event is perceived."""
        mind, character = self.mind, find(self.id)
        speaker = find(event.source.id)
        names = (character.key, *character.aliases.all())
        doubtful = mind.engagement.who == event.source.id or addresses(event.content, names)
        return Situation(
            me=mind.key,
            names=names,
            enabled=not is_puppeted(character),
            permitted=speaker is None or character.access(speaker, "address", default=True),
            energy=mind.energy.left(event.root),
            engagement=mind.engagement,
            engaged_seconds=conf.settings.ENGAGED_SECONDS,
            others=_others(character, speaker) if doubtful else (),
            channel_mode=mind.config["channels"].get(event.place_name, "mention"),
            room_default=mind.config["room_default"],
            has_floor=SCENES.floor(event, self.id),
        )

    # -- a turn

    def admit(self, events: Sequence[Event]) -> tuple[Event, ...]:
        """Return which of these can be answered now; the others are put off, or closed."""
        if self.hindrance:
            for event in events:
                self.put_off(event)
            return ()
        here = tuple(event for event in events if self.mind.world.in_reach(event))
        self.close([event for event in events if event not in here], "speaker_gone")
        return here

    def begin(self, turn_id: str, events: tuple[Event, ...]) -> Coroutine[Any, Any, Report]:
        """Note which turn runs now, and return it; without `events` it acts unasked."""
        self.turn_id, self.events = turn_id, events
        return take_turn(self.mind, events, turn_id) if events else self.idling.turn(turn_id)

    async def dream(self, turn_id: str) -> None:
        """Do a piece of the night's work, as the turn that runs now."""
        self.turn_id = turn_id
        await self.sleeper.piece()

    def end(self) -> tuple[Event, ...]:
        """Note that no turn runs any more; returns the events of the one that did."""
        events, self.events = self.events, ()
        self.turn_id, self.turn = "", None
        return events

    def halt(self) -> tuple[str, tuple[Event, ...]]:
        """Stop the running turn from outside; returns its id and its events."""
        turn_id, turn = self.turn_id, self.turn
        events = self.end()
        self.mind.epoch += 1
        if turn is not None:
            turn.cancel()
        return turn_id, events

    def ended(self, result: Report | Failure | None) -> None:
        """Note how the running turn ended; None for a piece of the night."""
        events = self.end()
        if isinstance(result, Failure):
            self._failed(events, result.value)
        elif result is not None:
            self._succeeded(events, result)

    def _succeeded(self, events: Sequence[Event], result: Report) -> None:
        self.last_report = result
        self.last_turn = self.mind.clock.monotonic()
        self.idling.initiative.ended(idle=result.idle and not events)
        self.last_error = result.problem or self.last_error
        self.rest.success()
        self._forget(events)

    def _failed(self, events: Sequence[Event], error: BaseException) -> None:
        """Note that a turn failed: its events are tried once more, then closed."""
        report(f"turn of {find(self.id)}", error)
        self.last_error = f"{type(error).__name__}: {error}"
        self.rest.fault()
        self.finish(partial(closing.record_error, self.mind, error))
        self.retries.update(event.id for event in events)
        self.finish(partial(self._again, events, f"error: {type(error).__name__}"))

    def give_back(self, turn_id: str, events: Sequence[Event]) -> None:
        """Let the events of a turn that was halted wait to be tried anew."""
        self.mind.store.triggers.give_back(turn_id)
        self._again(events, "interrupted")

    def _again(self, events: Sequence[Event], reason: str) -> None:
        """Take up the events of a turn that came to nothing. Raises `StoreError`.

        One that is not on disk any more was saved with its answer: only the delivery failed. A tick
        that is, is what such a turn left of its own.
        """
        on_disk = {pending.event.id: pending for pending in self.mind.store.triggers.waiting()}
        events = [*events, *(p.event for p in on_disk.values() if p.event.event_type == "tick")]
        for event in events:
            pending = on_disk.get(event.id)
            if pending or event.id in self.unsaved:
                self._take_over(pending or PendingEvent(event), reason)
            else:
                self._forget([event])

    # -- what waits

    def restore(self) -> None:
        """Take up what is on disk: some to be answered, some that may never run again.

        Raises `StoreError`.
        """
        for pending in self.mind.store.triggers.waiting():
            self._take_over(pending, "gave_up")

    def _take_over(self, pending: PendingEvent, reason: str) -> None:
        event = pending.event
        if pending.claims:
            self.finish(partial(closing.close_interrupted, self.mind, pending))
        elif (
            event.event_type == "tick"
            or max(pending.attempts, self.retries[event.id]) >= closing.MAX_ATTEMPTS
        ):
            self.close([event], reason)
        else:
            self.mind.energy.mint(event.root, HUMAN_ENERGY)
            self.put_off(event)

    def put_off(self, event: Event) -> None:
        """Let an event wait until its speaker is in reach, for some minutes."""
        until = self.mind.clock.monotonic() + conf.settings.RESTORE_WAIT
        self.waiting.append((event, until))

    def take_up(self) -> list[Event]:
        """Return the waiting events whose speaker is in reach; close those who waited too long."""
        hindrance = self.hindrance if self.waiting else ""
        now = self.mind.clock.monotonic()
        waiting, self.waiting = self.waiting, []
        ready = []
        for event, until in waiting:
            if not hindrance and self.mind.world.in_reach(event):
                ready.append(event)
            elif now >= until:
                self.close([event], hindrance or "speaker_gone")
            else:
                self.waiting.append((event, until))
        return ready

    def withdraw(self, goes: Callable[[Event], bool]) -> None:
        """Let go of the waiting events that are forgotten; they are closed on disk already."""
        self.waiting = [(event, until) for event, until in self.waiting if not goes(event)]

    def depart(self, queued: Sequence[Event], reason: str) -> None:
        """Close whatever waits (`queued` are those before a turn), and save what was overheard.

        Raises `StoreError`.
        """
        open_events = {event.id: event for event in (*queued, *(one for one, _ in self.waiting))}
        for pending in self.mind.store.triggers.waiting():
            open_events[pending.event.id] = pending.event
            if pending.claims:
                del open_events[pending.event.id]
                closing.close_interrupted(self.mind, pending)
        self.close(list(open_events.values()), reason)
        closing.flush(self.mind)

    def close(self, events: Sequence[Event], reason: str) -> None:
        """Close events with a reason; where even that is refused, it is tried again later."""
        self._forget(events)
        if events:
            self.finish(partial(closing.close_events, self.mind, list(events), reason))

    def _forget(self, events: Sequence[Event]) -> None:
        for event in events:
            self.retries.pop(event.id, None)
            self.unsaved.discard(event.id)

    def finish(self, task: Callable[[], None]) -> None:
        """Run a task now; if the database refuses it, run it again at a later heartbeat."""
        try:
            task()
        except AssistantError as error:
            report("put off", error)
            self.unfinished.append(task)

    def catch_up(self) -> None:
        """Run the tasks that were refused before, until one is refused again."""
        for _ in range(len(self.unfinished)):
            task = self.unfinished.popleft()
            try:
                task()
            except StoreError:
                self.unfinished.appendleft(task)
                return
            except AssistantError as error:  # no later try would end in another way
                report("given up", error)

    # -- between turns

    def notice(self, event: Event, verdict: Verdict) -> bool:
        """Note what was perceived; returns whether the one it follows did it."""
        if verdict is Verdict.TRIGGER:
            self.finish(partial(self.idling.initiative.addressed, event))
        self.idling.initiative.notice(event)
        return event.source.id == self.idling.walker.follows

    def wants_to_act(self, *, anew: bool = False) -> bool:
        """Is there something to do unasked? `anew` looks again. Raises `StoreError`."""
        return not self.hindrance and self.idling.initiative.consider(anew=anew).act

    def walk(self, again: Callable[[], None]) -> None:
        """Take one step of a standing goal; `again` is called when the search needs more time."""
        if not (self.turn_id or self.hindrance):
            self.idling.walk(again)


def _others(character: Any, speaker: Any) -> tuple[str, ...]:
    room = character.location
    present = room.contents if room else ()
    return tuple(one.key for one in present if one not in (character, speaker) and listens(one))
