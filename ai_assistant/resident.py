"""A resident: one running assistant, with what it is doing and what waits to be taken up again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from twisted.internet.defer import Deferred

from ai_assistant import conf
from ai_assistant.agent.classify import Situation
from ai_assistant.agent.closing import (
    MAX_ATTEMPTS,
    close_events,
    close_interrupted,
)
from ai_assistant.agent.energy import HUMAN_ENERGY
from ai_assistant.agent.loop import Report
from ai_assistant.agent.mind import Mind
from ai_assistant.agent.rest import Rest
from ai_assistant.contracts import Event
from ai_assistant.errors import AssistantError
from ai_assistant.identity import find
from ai_assistant.log import report
from ai_assistant.perception import listens


@dataclass(slots=True)
class Resident:
    """One assistant that lives in this server process.

    `waiting` are events taken over from disk, or to be tried again, each with the time (steady
    clock, seconds) until which its speaker may come back into reach.
    """

    id: str
    script: Any
    mind: Mind
    rest: Rest
    waiting: list[tuple[Event, float]] = field(default_factory=list)
    retries: Counter[str] = field(default_factory=Counter)
    turn_id: str = ""
    turn: Deferred[Any] | None = None
    last_report: Report | None = None
    last_error: str = ""
    last_autonomy: float = 0.0

    def situation(self, event: Event) -> Situation:
        """Return what classification needs to know when this event is perceived."""
        mind, character = self.mind, self.script.obj
        speaker = find(event.source.id)
        engaged = mind.engagement.who == event.source.id
        return Situation(
            me=mind.key,
            names=(character.key, *character.aliases.all()),
            enabled=not character.has_account,
            permitted=speaker is None or character.access(speaker, "address", default=True),
            energy=mind.energy.left(event.root),
            engagement=mind.engagement,
            engaged_seconds=conf.settings.ENGAGED_SECONDS,
            others=_others(character, speaker) if engaged else (),
            channel_mode=mind.config["channels"].get(event.place_name, "mention"),
            room_default=mind.config["room_default"],
        )

    def notice(self, event: Event) -> None:
        """Let another player's words end a conversation that needs no names."""
        bond = self.mind.engagement
        spoken = event.source_type in ("say", "channel") and not event.by_assistant
        if spoken and bond.place == event.place and bond.who != event.source.id:
            bond.who = ""

    def restore(self) -> None:
        """Take up what was on disk: some to be answered, some that may never run again."""
        for pending in self.mind.store.pending():
            if pending.claims:
                close_interrupted(self.mind, pending)
            elif pending.attempts >= MAX_ATTEMPTS:
                self.close([pending.event], "gave_up")
            else:
                self.mind.energy.mint(pending.event.root, HUMAN_ENERGY)
                self.put_off(pending.event)

    def put_off(self, event: Event) -> None:
        """Let an event wait until its speaker is in reach, for some minutes."""
        until = self.mind.clock.monotonic() + conf.settings.RESTORE_WAIT
        self.waiting.append((event, until))

    def take_up(self) -> list[Event]:
        """Return the waiting events whose speaker is in reach; close those who waited too long."""
        if not self.waiting or self.rest.resting:
            return []
        now = self.mind.clock.monotonic()
        waiting, self.waiting = self.waiting, []
        ready = []
        for event, until in waiting:
            if self.mind.world.in_reach(event):
                ready.append(event)
            elif now >= until:
                self.close([event], "speaker_gone")
            else:
                self.waiting.append((event, until))
        return ready

    def failed(self, events: Sequence[Event], error: BaseException) -> None:
        """Note that a turn failed: its events are tried once more, then closed."""
        report(f"turn of {self.script.obj}", error)
        self.last_error = f"{type(error).__name__}: {error}"
        self.rest.fault()
        for event in events:
            self.retries[event.id] += 1
            if self.retries[event.id] >= MAX_ATTEMPTS:
                self.close([event], f"error: {type(error).__name__}")
            else:
                self.put_off(event)

    def close(self, events: Sequence[Event], reason: str) -> None:
        """Close events with a reason; if even that cannot be written, they stay on disk."""
        for event in events:
            self.retries.pop(event.id, None)
        try:
            if events:
                close_events(self.mind, events, reason)
        except AssistantError as error:
            report("close", error)

    def halt(self) -> str:
        """End the running turn from outside; returns its id. The epoch rises before the cancel,
        so that whatever the turn is told, it does nothing more."""
        turn_id, turn = self.turn_id, self.turn
        self.turn_id, self.turn = "", None
        self.mind.epoch += 1
        if turn is not None:
            turn.cancel()
        return turn_id

    def is_due(self) -> bool:
        """Has it been quiet long enough to act of its own accord?"""
        interval = self.mind.config["autonomy_interval"]
        idle = self.mind.clock.monotonic() - self.last_autonomy
        return bool(interval) and idle >= interval and not self.rest.resting


def _others(character: Any, speaker: Any) -> tuple[str, ...]:
    room = character.location
    present = room.contents if room else ()
    return tuple(one.key for one in present if one not in (character, speaker) and listens(one))
