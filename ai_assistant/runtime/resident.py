"""A resident: one running assistant, with what it is doing."""

from __future__ import annotations

from collections import deque
from collections.abc import Coroutine, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from twisted.internet.defer import Deferred
from twisted.python.failure import Failure

from ai_assistant import conf
from ai_assistant.agent.attention.backoff import TurnBackoff
from ai_assistant.agent.attention.classify import Circumstances
from ai_assistant.agent.attention.emergency import STOPPED, EmergencyStop
from ai_assistant.agent.attention.scheduler import Priority, Ready
from ai_assistant.agent.mind import Mind
from ai_assistant.agent.turn.loop import Report, take_turn
from ai_assistant.core.contracts import Event
from ai_assistant.core.errors import NotInCharge, StoreUnavailable
from ai_assistant.game.client_events import ClientEvents
from ai_assistant.game.consent import may_turn_to
from ai_assistant.game.earshot import RECEIPTS, listens
from ai_assistant.game.identity import entity_id, find, is_puppeted, name_of, reference
from ai_assistant.game.log import report, tell_staff
from ai_assistant.game.quiet import QUIET
from ai_assistant.game.spans import Spans
from ai_assistant.language.address import gestures_at
from ai_assistant.memory.people.feelings import bond_at
from ai_assistant.planning.urgency import ASKED
from ai_assistant.runtime.idling import Idling
from ai_assistant.runtime.inbox import Inbox
from ai_assistant.runtime.sleeper import Sleeper
from ai_assistant.scenes.live_scenes import SCENES
from ai_assistant.scenes.scene_lines import SCENE_LINES

SHOWN_AGAIN = 5
STILL = ("quiet", STOPPED)
"""Hindrances that keep it from its night as well."""


@dataclass(slots=True)
class Resident:
    """One assistant that lives in this server process."""

    id: str
    """The entity id of its character."""
    script: Any
    """The script that keeps it alive over reloads."""
    mind: Mind
    """What it knows and thinks with."""
    backoff: TurnBackoff
    """How long it rests after turns that failed."""
    spans: Spans | None = None
    """Tell OpenTelemetry of its turns, where the game wants that."""
    events: tuple[Event, ...] = ()
    """Those of the running turn."""
    turn_id: str = ""
    """The id of the running turn; empty for none."""
    turn: Deferred[Any] | None = None
    """Fires when the running turn is over; None where none runs."""
    suspended: bool = False
    """Is it put to rest until the service takes it up again?"""
    last_report: Report | None = None
    """How its last turn went; None before the first."""
    last_error: str = ""
    """What went wrong in its last turn, in words; empty for nothing."""
    last_turn: float = 0.0
    """When its last turn ended, in seconds of the steady clock."""
    passed_over: deque[Event] = field(default_factory=partial(deque, maxlen=SHOWN_AGAIN))
    """The last lines that it did not even keep, without their words; for `ai/why`."""
    inbox: Inbox = field(init=False)
    """The events that wait for a turn."""
    idling: Idling = field(init=False)
    """What it does when nobody asks for anything."""
    sleeper: Sleeper = field(init=False)
    """Its nights."""
    emergency: EmergencyStop = field(init=False)
    """What stops it after errors, or by staff."""
    beats: bool = False
    """Does a heartbeat of it wait for its step of the reactor?"""
    warming: bool = False
    """Are its older memories still being read?"""

    def __post_init__(self) -> None:
        """Give it what it needs to act on its own. Raises `StoreError`."""
        self.inbox = Inbox(self.mind, lambda: self.hindrance)
        self.idling = Idling(self.mind, self.backoff)
        self.sleeper = Sleeper(self.mind, self.script)
        self.emergency = EmergencyStop(self.mind, tell_staff)
        self.mind.sign = ClientEvents(self.id, self.mood).show
        self.last_turn = self.mind.clock.monotonic()

    def mood(self, who: str) -> str:
        """Return in a word how it stands to somebody. Raises `StoreError`."""
        known = self.mind.store.view("profile", who)
        return str(bond_at(known, self.mind.clock.now())["state"])

    @property
    def disorder(self) -> str:
        """Why it is held back after errors of its own, in a word; empty where it is not."""
        if self.emergency.reason:
            return STOPPED
        return "resting" if self.backoff.resting else ""

    @property
    def hindrance(self) -> str:
        """Why it may not think just now, in a word; empty where it may."""
        character = find(self.id)
        if character is None:
            return "gone"
        if is_puppeted(character):
            return "puppeted"
        if QUIET.reason(character):
            return "quiet"
        return self.disorder

    def situation(self, event: Event) -> Circumstances:
        """Return what classification needs to know when this event is perceived."""
        mind, character = self.mind, find(self.id)
        speaker = find(event.source.id)
        names = (character.key, *character.aliases.all())
        channel = find(event.place) if event.source_type == "channel" else None
        talk = mind.channel_talk if channel else mind.engagement
        line = RECEIPTS.lines.get(event.id)
        is_for_it = line is not None and line.there == (self.id,)
        alone = is_for_it and speaker is not None and is_puppeted(speaker)
        present = ()
        if alone or talk.has(event.source) or gestures_at(event.content, names):
            room = character.location
            present = channel.subscriptions.online() if channel else room.contents if room else ()
        others = [  # a line may turn to a player, an assistant, or anybody else the game has
            body
            for body in present
            if body not in (character, speaker)
            and (listens(body) or reference(body).kind != "object")
        ]
        scene = SCENE_LINES.scene_of(event, self.id)
        has_floor = SCENES.has_floor(scene, event, self.id)
        return Circumstances(
            me=mind.key,
            names=names,
            enabled=not is_puppeted(character),
            silenced=bool(QUIET.reason(character)),
            permitted=speaker is None or may_turn_to(speaker, character),
            energy=mind.energy.left(event.root),
            engagement=talk,
            engaged_seconds=conf.settings.ENGAGED_SECONDS,
            others={body.key: entity_id(body) for body in others},
            channel_mode=mind.config["channels"].get(event.place_name, "mention"),
            room_default=mind.config["room_default"],
            alone=alone,
            perhaps=has_floor is True and SCENES.director.is_unsure(event),
            has_floor=has_floor,
        )

    # -- a turn

    def start(self, ready: Ready, turn_id: str) -> Deferred[Any] | None:
        """Begin a turn, or a piece of the night; None where there is nothing to do by now.

        Events that cannot be answered now are put off, or closed.
        """
        here: tuple[Event, ...] = ()
        work: Coroutine[Any, Any, object]
        if ready.priority is Priority.SLEEP and self.hindrance not in STILL:
            work = self.sleeper.piece()
        elif ready.events and self.hindrance:
            self.inbox.put_off(*ready.events)
            return None
        elif ready.events:
            here = tuple(event for event in ready.events if self.mind.world.in_reach(event))
            if gone := [event for event in ready.events if event not in here]:
                self._miss(gone)
            if not here:
                return None
            work = take_turn(self.mind, here, turn_id)
        elif self.wants_to_act(anew=True):
            self.idling.autonomy.begun()
            about = self.idling.autonomy.decision
            work = take_turn(
                self.mind, (), turn_id, "tick_autonomous", goal=about.goal, occasion=about.occasion
            )
        else:
            return None
        self.turn_id, self.events = turn_id, here
        work = self.spans.around(work, self.id, turn_id) if self.spans else work
        turn = Deferred.fromCoroutine(work)
        if self.turn_id == turn_id and not turn.called:
            self.turn = turn
        return turn

    def _miss(self, events: Sequence[Event]) -> None:
        """Close what cannot be answered any more; whom it walked away from is told so."""
        character = find(self.id)
        for who, place in {event.source.id: event.place for event in events}.items():
            speaker = find(who)
            room = getattr(speaker, "location", None)
            stayed = room not in (None, character.location) and entity_id(room) == place
            if stayed and speaker.sessions.count():
                speaker.msg(f"{name_of(character, speaker)} has left, and did not hear you out.")
        self.inbox.close(events, "speaker_gone")

    def end(self) -> tuple[Event, ...]:
        """Note that no turn runs any more; returns the events of the one that did."""
        events, self.events = self.events, ()
        self.turn_id, self.turn = "", None
        self.mind.sign("listening", frozenset())
        return events

    def halt(self) -> tuple[str, tuple[Event, ...]]:
        """Stop the running turn from outside; returns its id and its events."""
        turn_id, turn = self.turn_id, self.turn
        events = self.end()
        self.mind.epoch += 1
        self.idling.drop()
        if turn is not None:
            turn.cancel()
        return turn_id, events

    def ended(self, result: Report | Failure | None) -> None:
        """Note how the running turn ended; else it was a piece of the night."""
        turn_id, events = self.turn_id, self.end()
        if isinstance(result, Failure):
            self._failed(turn_id, events, result.value)
        elif isinstance(result, Report):
            self.last_report = result
            self.last_turn = self.mind.clock.monotonic()
            self.idling.autonomy.ended(idle=result.idle and not events)
            if result.arrives_for:  # what it does there begins with a context fit for those there
                self.idling.autonomy.arrive({"about": {ASKED: result.arrives_for}})
            self.last_error = result.problem
            self.backoff.success()
            if self.inbox.retries:
                self.inbox.forget(events)
            if not result.problem:
                self.inbox.finish(self.emergency.completed)
        else:
            self.inbox.finish(self.emergency.completed)

    def _failed(self, turn_id: str, events: Sequence[Event], error: BaseException) -> None:
        """Note that a turn failed: its events are tried once more, then closed.

        That the database took nothing is no fault of the turn. Where another server is in charge,
        that one answers.
        """
        report(f"turn of {find(self.id)}", error)
        self.last_error = f"{type(error).__name__}: {error}"
        if isinstance(error, NotInCharge):
            return
        if isinstance(error, StoreUnavailable):
            self.inbox.finish(partial(self.inbox.give_back, turn_id, events))
            return
        self.backoff.fault()
        self.inbox.finish(partial(self.emergency.broke, error))
        self.inbox.retries.update(event.id for event in events)
        again = partial(self.inbox.try_again, events, f"error: {type(error).__name__}")
        self.inbox.finish(again)

    def wants_to_act(self, *, anew: bool = False) -> bool:
        """Is there something to do unasked? `anew` looks again. Raises `StoreError`."""
        return not self.hindrance and self.idling.autonomy.consider(anew=anew).act
