"""The chronicle of a load: when each trigger was heard, when a turn took it up, how it ended."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from ai_assistant.core.contracts import Commit, Event, MemoryRow

ANSWERED, MERGED = "answered", "merged"


@dataclass(slots=True)
class Fate:
    """What became of one trigger, by the times of the steady clock."""

    addressed: bool
    heard: float
    begun: float = 0.0
    ended: float = 0.0
    how: str = "open"


@dataclass(slots=True)
class Chronicle:
    """Every trigger of every assistant, and how many turns ran at the same time."""

    fates: dict[tuple[str, str], Fate] = field(default_factory=dict)
    running: int = 0
    most_running: int = 0
    turns: int = 0

    def hear(self, who: str, event: Event) -> None:
        """A trigger was put on disk."""
        named = event.addressing in ("addressed", "direct")
        self.fates.setdefault((who, event.id), Fate(named, time.perf_counter()))

    def begin(self, who: str, events: Sequence[str]) -> None:
        """A turn over these began."""
        self.running += 1
        self.most_running = max(self.running, self.most_running)
        for one in events:
            fate = self.fates[who, one]
            fate.begun = fate.begun or time.perf_counter()

    def end(self, who: str, commit: Commit) -> None:
        """A turn ended, or events were closed: the audit log says how."""
        for record in commit.audit:
            if record.type == "TurnCompleted":
                self.running -= 1
                self.turns += 1
                how = record.data["outcome"].partition(":")[0]
                for number, one in enumerate(record.data["events"]):
                    merged = number and how == ANSWERED
                    self._settle(who, one, MERGED if merged else how)
            elif record.type == "EventClosed":
                self._settle(who, record.data["event"], f"closed: {record.data['reason']}")

    def _settle(self, who: str, event: str, how: str) -> None:
        fate = self.fates[who, event]
        fate.how, fate.ended = how, time.perf_counter()

    @property
    def open(self) -> int:
        """How many still wait?"""
        return sum(fate.how == "open" for fate in self.fates.values())


class WatchedTriggers:
    """The triggers of an assistant, which tell the chronicle of their arrival and their turns."""

    def __init__(self, triggers: Any, who: str, chronicle: Chronicle) -> None:
        self._triggers = triggers
        self._who = who
        self._chronicle = chronicle

    def __getattr__(self, name: str) -> Any:
        return getattr(self._triggers, name)

    def add(self, event: Event) -> bool:
        """Put a trigger on disk."""
        self._chronicle.hear(self._who, event)
        return self._triggers.add(event)

    def begin(self, turn_id: str, event_ids: Sequence[str]) -> None:
        """Count one more attempt."""
        self._chronicle.begin(self._who, event_ids)
        self._triggers.begin(turn_id, event_ids)


class Watched:
    """The store of an assistant, which tells the chronicle of each trigger's way through it."""

    def __init__(self, store: Any, who: str, chronicle: Chronicle) -> None:
        self._store = store
        self._who = who
        self._chronicle = chronicle

        self.triggers = WatchedTriggers(store.triggers, who, chronicle)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    def commit(self, commit: Commit) -> list[MemoryRow]:
        """Write everything or nothing."""
        rows = self._store.commit(commit)
        self._chronicle.end(self._who, commit)
        return rows
