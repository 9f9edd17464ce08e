"""A resident: one running assistant, with what it is doing."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from twisted.internet.defer import Deferred
from twisted.python.failure import Failure

from ai_assistant import conf
from ai_assistant.agent.attention.backoff import Rest
from ai_assistant.agent.attention.classify import Circumstances
from ai_assistant.agent.keeping import closing
from ai_assistant.agent.mind import Mind
from ai_assistant.agent.turn.loop import Report, take_turn
from ai_assistant.core.contracts import Event, Verdict
from ai_assistant.game.earshot import listens
from ai_assistant.game.identity import find, is_puppeted
from ai_assistant.game.log import report
from ai_assistant.language.address import addresses
from ai_assistant.runtime.idling import Idling
from ai_assistant.runtime.inbox import Inbox
from ai_assistant.runtime.sleeper import Sleeper
from ai_assistant.scenes.live_scenes import SCENES


@dataclass(slots=True)
class Resident:
    """One assistant that lives in this server process."""

    id: str
    script: Any
    mind: Mind
    rest: Rest
    events: tuple[Event, ...] = ()
    """Those of the running turn."""
    turn_id: str = ""
    turn: Deferred[Any] | None = None
    suspended: bool = False
    last_report: Report | None = None
    last_error: str = ""
    last_turn: float = 0.0
    inbox: Inbox = field(init=False)
    idling: Idling = field(init=False)
    sleeper: Sleeper = field(init=False)
    warming: bool = False

    def __post_init__(self) -> None:
        """Give it what it needs to act of its own accord. Raises `StoreError`."""
        self.inbox = Inbox(self.mind, lambda: self.hindrance)
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

    def situation(self, event: Event) -> Circumstances:
        """Return what classification needs to know when this event is perceived."""
        mind, character = self.mind, find(self.id)
        speaker = find(event.source.id)
        names = (character.key, *character.aliases.all())
        doubtful = mind.engagement.who == event.source.id or addresses(event.content, names)
        return Circumstances(
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
                self.inbox.put_off(event)
            return ()
        here = tuple(event for event in events if self.mind.world.in_reach(event))
        self.inbox.close([event for event in events if event not in here], "speaker_gone")
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
        self.inbox.forget(events)

    def _failed(self, events: Sequence[Event], error: BaseException) -> None:
        """Note that a turn failed: its events are tried once more, then closed."""
        report(f"turn of {find(self.id)}", error)
        self.last_error = f"{type(error).__name__}: {error}"
        self.rest.fault()
        self.inbox.finish(partial(closing.record_error, self.mind, error))
        self.inbox.retries.update(event.id for event in events)
        again = partial(self.inbox.try_again, events, f"error: {type(error).__name__}")
        self.inbox.finish(again)

    # -- between turns

    def notice(self, event: Event, verdict: Verdict) -> bool:
        """Note what was perceived; returns whether the one it follows did it."""
        if verdict is Verdict.TRIGGER:
            self.inbox.finish(partial(self.idling.initiative.addressed, event))
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
