"""The scheduler: whose turn is next, one per assistant at a time, a limited number in all.

People come before assistants talking, those before autonomy, and autonomy before sleep. Within a
class every assistant gets its turn in order of waiting. What arrives while an assistant waits for
its turn, with equal readers, place, scene and mark of fiction, joins that turn. Among those who
wait for one assistant its allies come first, but nobody is passed over more than twice.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
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
    """The id of the assistant whose turn it is."""
    events: tuple[Event, ...]
    """What is answered together."""
    priority: Priority
    """Its class, which decided when it came."""


@dataclass(slots=True, eq=False)
class _Waiting:
    """An event, how dear its speaker is, and how often it was passed over."""

    event: Event
    rank: int
    passed: int = 0


@dataclass(slots=True)
class _Lane:
    ready: bool = False
    busy: bool = False
    tick: bool = False
    night: bool = False
    waiting: list[_Waiting] = field(default_factory=list)

    @property
    def priority(self) -> Priority | None:
        """The class of its next turn; None where there is nothing to do."""
        if self.waiting:
            only_assistants = all(entry.event.by_assistant for entry in self.waiting)
            return Priority.ASSISTANT if only_assistants else Priority.PLAYER
        if self.tick:
            return Priority.AUTONOMY
        return Priority.SLEEP if self.night else None

    def take(self) -> tuple[Event, ...]:
        """Remove and return the events of the next turn: the first, and what joins it.

        The first is that of the dearest who waits, or the oldest that was passed over enough.
        """
        self.tick = self.night = False
        if not self.waiting:
            return ()
        order = sorted(  # what is equal goes by age
            self.waiting,
            key=lambda entry: -len(RANKS) if entry.passed >= PASSED_OVER else -entry.rank,
        )
        first = min(order, key=lambda entry: entry.event.by_assistant)
        order.remove(first)
        if order:
            shared = together(first.event)
            order = [entry for entry in order if together(entry.event) == shared]
        joined = [first, *order]
        joined = joined[:MAX_JOINED]
        batch = [entry for entry in self.waiting if entry in joined]
        for entry in self.waiting[: self.waiting.index(batch[-1])]:
            entry.passed += 1
        self.waiting = [entry for entry in self.waiting if entry not in joined]
        return tuple(entry.event for entry in batch)

    def give_way(self) -> Event:
        """Remove and return the event that can best be spared.

        Talk of assistants goes before that of people, the talkative before those who ask once,
        the less important before the more important, strangers before friends, the oldest first.
        """
        asked = Counter(entry.event.source.id for entry in self.waiting)
        spare = min(
            self.waiting,
            key=lambda entry: (
                not entry.event.by_assistant,
                -asked[entry.event.source.id],
                entry.event.importance,
                entry.rank,
            ),
        )
        self.waiting.remove(spare)
        return spare.event


class Scheduler:
    """The queue of a whole game. It starts nothing: the service asks `next` and reports `done`."""

    def __init__(self, slots: int) -> None:
        """`slots` is how many turns may run at the same time."""
        self.slots = max(1, slots)
        self.in_flight = 0
        self._lanes: defaultdict[str, _Lane] = defaultdict(_Lane)
        self._line: dict[str, Priority] = {}

    def open(self, key: str) -> None:
        """Let an assistant take turns; events that came before it was ready are kept."""
        self._lanes[key].ready = True
        self._line_up(key)

    def offer(self, key: str, event: Event, rank: int = 0) -> list[Event]:
        """Queue a trigger; returns the events that had to give way for it, to be closed.

        `rank` is how dear its speaker is, from 0 for a stranger.
        """
        lane = self._lanes[key]
        lane.waiting.append(_Waiting(event, rank))
        dropped = [lane.give_way()] if len(lane.waiting) > MAX_WAITING else []
        self._line_up(key)
        return dropped

    def offer_tick(self, key: str) -> None:
        """Queue an autonomous turn; it starts only when nothing else waits for this assistant."""
        self._lanes[key].tick = True
        self._line_up(key)

    def offer_night(self, key: str) -> None:
        """Queue a piece of a night's work; everything else goes first."""
        self._lanes[key].night = True
        self._line_up(key)

    def next(self) -> Ready | None:
        """Return the next turn that may start, and count it as running; None if there is none."""
        if self.in_flight >= self.slots:
            return None
        key = min(self._line, key=self._line.__getitem__, default="")
        crowded = self.in_flight + 1 > self.slots * (1 - RESERVED) and self.slots > 1
        if not key or (crowded and self._line[key] >= Priority.AUTONOMY):
            return None
        priority, lane = self._line.pop(key), self._lanes[key]
        lane.busy = True
        self.in_flight += 1
        return Ready(key, lane.take(), priority)

    def hold(self, key: str) -> None:
        """Count a turn of this assistant as running that did not wait here, whatever the slots."""
        lane = self._lanes[key]
        if not lane.busy:
            lane.busy = True
            self.in_flight += 1
            self._line.pop(key, None)

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
        waiting, lane.waiting = lane.waiting, []
        lane.ready = lane.tick = lane.night = False
        self._line.pop(key, None)
        if not lane.busy:
            del self._lanes[key]
        return [entry.event for entry in waiting]

    def reword(self, key: str, after: Callable[[Event], Event | None]) -> None:
        """Give events of an assistant's queue other words; those without any leave, unrecorded.

        What is left may be of a lower class, in which it is the last then.
        """
        lane = self._lanes.get(key)
        if lane is not None:
            new = [(entry, after(entry.event)) for entry in lane.waiting]
            lane.waiting = [replace(entry, event=event) for entry, event in new if event]
            if lane.priority is None:
                self._line.pop(key, None)
            self._line_up(key)

    def waiting(self, key: str) -> Sequence[Event]:
        """Return the events that wait for this assistant."""
        lane = self._lanes.get(key)
        return tuple(entry.event for entry in lane.waiting) if lane else ()

    def is_busy(self, key: str) -> bool:
        """Is a turn of this assistant running?"""
        lane = self._lanes.get(key)
        return lane is not None and lane.busy

    def _line_up(self, key: str) -> None:
        """Let it wait for a slot, behind all others of its class; who waits keeps its place."""
        lane = self._lanes[key]
        priority = lane.priority
        if lane.ready and not lane.busy and priority not in (None, self._line.get(key)):
            self._line.pop(key, None)
            self._line[key] = priority
