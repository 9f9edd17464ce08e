"""The scheduler: whose turn is next, one per assistant at a time, a limited number in all.

People come before assistants talking, those before autonomy, and autonomy before sleep. Within a
class every assistant gets its turn in order of waiting. What arrives while an assistant waits for
its turn, with equal readers, place, scene and mark of fiction, joins that turn. Among those who
wait for one assistant its allies come first, but nobody is passed over more than twice.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from enum import IntEnum

from ai_assistant.core.contracts import Event
from ai_assistant.memory.people.feelings import RANKS
from ai_assistant.roleplay.play import is_played

MAX_JOINED = 8
"""Events that one turn answers together."""
MAX_WAITING = 24
"""Events that may wait for one assistant; beyond that, some are dropped."""
PASSED_OVER = 2
"""How often somebody dearer may go ahead of an event."""
RESERVED = 0.25
"""The share of the slots that autonomy and sleep never take."""


class Priority(IntEnum):
    """Classes of turns, the first served first."""

    PLAYER = 0
    ASSISTANT = 1
    AUTONOMY = 2
    SLEEP = 3


def together(event: Event) -> tuple[str, str, str, bool]:
    """Return what events must share to be answered in one turn: readers, place, scene, and whether
    they are only played.
    """
    return event.readers, event.place, event.session, is_played(event)


@dataclass(frozen=True, slots=True)
class Ready:
    """A turn that may start now; without events it is an autonomous one, or a piece of a night."""

    key: str
    events: tuple[Event, ...]
    priority: Priority


@dataclass(slots=True)
class _Lane:
    ready: bool = False
    busy: bool = False
    tick: bool = False
    night: bool = False
    events: list[Event] = field(default_factory=list)
    ranks: dict[str, int] = field(default_factory=dict)
    passed: Counter[str] = field(default_factory=Counter)

    def priority(self) -> Priority | None:
        if any(not event.by_assistant for event in self.events):
            return Priority.PLAYER
        if self.events:
            return Priority.ASSISTANT
        if self.tick:
            return Priority.AUTONOMY
        return Priority.SLEEP if self.night else None

    def take(self) -> tuple[Event, ...]:
        """Remove and return the events of the next turn: the first, and what joins it.

        The first is that of the dearest who waits, or the oldest that was passed over enough.
        """
        self.tick = self.night = False
        if not self.events:
            return ()
        people = [event for event in self.events if not event.by_assistant]
        first = min(people or self.events, key=self._place)
        fitting = [event for event in self.events if together(event) == together(first)]
        joined = [event for event in fitting if event != first]
        joined = sorted(joined, key=self._place)[: MAX_JOINED - 1]
        batch = [event for event in self.events if event == first or event in joined]
        self.passed.update(event.id for event in self.events[: self.events.index(batch[-1])])
        self.events = [event for event in self.events if event not in batch]
        self.forget(batch)
        return tuple(batch)

    def _place(self, event: Event) -> int:
        """Return a number that is lower for what goes first; what is equal goes by age."""
        return -len(RANKS) if self.passed[event.id] >= PASSED_OVER else -self.ranks[event.id]

    def forget(self, events: Iterable[Event]) -> None:
        """Drop what is noted of events that wait no more."""
        for event in events:
            self.ranks.pop(event.id, None)
            del self.passed[event.id]

    def give_way(self) -> Event:
        """Remove and return the event that can best be spared.

        Talk of assistants goes before that of people, the talkative before those who ask once,
        the less important before the more important, strangers before friends, the oldest first.
        """
        asked = Counter(event.source.id for event in self.events)
        spare = min(
            self.events,
            key=lambda event: (
                not event.by_assistant,
                -asked[event.source.id],
                event.importance,
                self.ranks[event.id],
            ),
        )
        self.events.remove(spare)
        self.forget([spare])
        return spare


class Scheduler:
    """The queue of a whole game. It starts nothing: the service asks `next` and reports `done`."""

    def __init__(self, slots: int) -> None:
        """`slots` is how many turns may run at the same time."""
        self.slots = max(1, slots)
        self.in_flight = 0
        self._lanes: dict[str, _Lane] = {}
        self._lines: dict[Priority, OrderedDict[str, None]] = {
            priority: OrderedDict() for priority in Priority
        }

    def open(self, key: str) -> None:
        """Let an assistant take turns; events that came before it was ready are kept."""
        self._lane(key).ready = True
        self._line_up(key)

    def offer(self, key: str, event: Event, rank: int = 0) -> list[Event]:
        """Queue a trigger; returns the events that had to give way for it, to be closed.

        `rank` is how dear its speaker is, from 0 for a stranger.
        """
        lane = self._lane(key)
        lane.events.append(event)
        lane.ranks[event.id] = rank
        dropped = []
        while len(lane.events) > MAX_WAITING:
            dropped.append(lane.give_way())
        self._line_up(key)
        return dropped

    def offer_tick(self, key: str) -> None:
        """Queue an autonomous turn; it starts only when nothing else waits for this assistant."""
        self._lane(key).tick = True
        self._line_up(key)

    def offer_night(self, key: str) -> None:
        """Queue a piece of a night's work; everything else goes first."""
        self._lane(key).night = True
        self._line_up(key)

    def next(self) -> Ready | None:
        """Return the next turn that may start, and count it as running; None if there is none."""
        if self.in_flight >= self.slots:
            return None
        crowded = self.in_flight + 1 > self.slots * (1 - RESERVED) and self.slots > 1
        for priority, line in self._lines.items():
            if priority >= Priority.AUTONOMY and crowded:
                return None
            if line:
                key, _ = line.popitem(last=False)
                lane = self._lanes[key]
                lane.busy = True
                self.in_flight += 1
                return Ready(key, lane.take(), priority)
        return None

    def hold(self, key: str) -> None:
        """Count a turn of this assistant as running that did not wait here, whatever the slots."""
        lane = self._lane(key)
        if not lane.busy:
            lane.busy = True
            self.in_flight += 1
            self._leave_lines(key)

    def done(self, key: str) -> None:
        """Report that the turn of this assistant has ended, however it ended."""
        lane = self._lanes.get(key)
        if lane is None or not lane.busy:
            return
        lane.busy = False
        self.in_flight -= 1
        self._line_up(key)

    def close(self, key: str) -> Sequence[Event]:
        """Forget an assistant; returns the events that waited. A running turn still counts."""
        lane = self._lanes.get(key)
        if lane is None:
            return ()
        waiting, lane.events = lane.events, []
        lane.forget(waiting)
        lane.ready = lane.tick = lane.night = False
        self._leave_lines(key)
        if not lane.busy:
            del self._lanes[key]
        return waiting

    def withdraw(self, key: str, goes: Callable[[Event], bool]) -> None:
        """Remove the events for which `goes` is true from an assistant's queue, unrecorded."""
        lane = self._lanes.get(key)
        if lane is not None:
            gone = [event for event in lane.events if goes(event)]
            lane.events = [event for event in lane.events if event not in gone]
            lane.forget(gone)
            if lane.priority() is None:
                self._leave_lines(key)

    def waiting(self, key: str) -> Sequence[Event]:
        """Return the events that wait for this assistant."""
        lane = self._lanes.get(key)
        return tuple(lane.events) if lane else ()

    def is_busy(self, key: str) -> bool:
        """Is a turn of this assistant running?"""
        lane = self._lanes.get(key)
        return lane is not None and lane.busy

    def _lane(self, key: str) -> _Lane:
        return self._lanes.setdefault(key, _Lane())

    def _line_up(self, key: str) -> None:
        lane = self._lanes[key]
        priority = lane.priority()
        if lane.busy or not lane.ready or priority is None:
            return
        if key not in self._lines[priority]:
            self._leave_lines(key)
            self._lines[priority][key] = None

    def _leave_lines(self, key: str) -> None:
        for line in self._lines.values():
            line.pop(key, None)
