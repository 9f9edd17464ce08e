"""A store in plain dictionaries, with the same promises as the one in the database."""

from __future__ import annotations

import json
import marshal
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from itertools import count, islice
from typing import Any

from ai_assistant.core.contracts import (
    AuditRecord,
    Commit,
    Distribution,
    Event,
    Json,
    MemoryRow,
    StoredTrigger,
)
from ai_assistant.core.errors import StoreError
from ai_assistant.memory.parts import Part, with_ids
from ai_assistant.memory.search.filters import conditions, facts_of, matches

FIELDS = tuple(field.name for field in fields(MemoryRow))
"""The names of what a row holds."""


def as_stored(value: Json) -> Json:
    """Return a copy as a database would give it back; raises `TypeError` for what is not JSON."""
    copied: Json = json.loads(json.dumps(value))
    return copied


def copy_of(stored: Json) -> Json:
    """Return a copy of what `as_stored` made: quicker than once more through JSON."""
    copied: Json = marshal.loads(marshal.dumps(stored))
    return copied


def claim(waiting: dict[str, StoredTrigger], turn_id: str, calls: Sequence[Json]) -> None:
    """Add claims to every event of a turn."""
    for pending in waiting.values():
        if pending.turn_id == turn_id:
            waiting[pending.event.id] = replace(pending, claims=(*pending.claims, *calls))


class DictRows:
    """Implements `ports.Rows` over the dictionaries of a store."""

    def __init__(
        self, memories: dict[int, MemoryRow], embedded: dict[int, tuple[str, bytes]]
    ) -> None:
        self._memories = memories
        self._embedded = embedded

    def by_ids(self, ids: Sequence[int]) -> list[MemoryRow]:
        """Return rows by id, in the order asked for."""
        return [self._memories[id] for id in ids if id in self._memories]

    def newest(self, limit: int, before: int = 0) -> list[MemoryRow]:
        """Return the newest rows, newest first."""
        ids = sorted(self._memories, reverse=True)
        return [self._memories[id] for id in ids if not before or id < before][:limit]

    def after(
        self, after: int, limit: int, session: str | None = None, readers: str | None = None
    ) -> list[MemoryRow]:
        """Return the first rows with an id above `after`, oldest first."""
        found = (self._memories[id] for id in sorted(self._memories) if id > after)
        own = (
            row
            for row in found
            if session in (None, row.session) and readers in (None, row.readers)
        )
        return list(islice(own, limit))

    def find(self, where: Mapping[str, Any], limit: int) -> list[MemoryRow]:
        """Return the newest rows that meet a filter, newest first."""
        checks = list(conditions(where))
        met = (row for row in self.newest(len(self._memories)) if matches(facts_of(row), checks))
        return list(islice(met, limit))

    def vectors(self, ids: Sequence[int], model: str) -> dict[int, bytes]:
        """Return the vectors that these rows have of that model."""
        found = {id: self._embedded[id] for id in ids if id in self._embedded}
        return {id: vector for id, (name, vector) in found.items() if name == model}

    def set_vectors(
        self, rows: Sequence[MemoryRow], vectors: Sequence[bytes], model: str
    ) -> list[int]:
        """Keep a vector for each row that still has these words."""
        same = [
            (row.id, vector)
            for row, vector in zip(rows, vectors, strict=True)
            if row.id in self._memories and self._memories[row.id].content == row.content
        ]
        self._embedded.update({id: (model, vector) for id, vector in same})
        return [id for id, _ in same]


class DictTriggers:
    """Implements `ports.Triggers` over a dictionary of a store."""

    def __init__(self, waiting: dict[str, StoredTrigger]) -> None:
        self._waiting = waiting

    def add(self, event: Event) -> bool:
        """Put a trigger on disk; False when it is there already."""
        if event.id in self._waiting:
            return False
        self._waiting[event.id] = StoredTrigger(event)
        return True

    def waiting(self) -> list[StoredTrigger]:
        """Return what is not closed, oldest first."""
        return list(self._waiting.values())

    def begin(self, turn_id: str, event_ids: Sequence[str]) -> None:
        """Count one more attempt for these events."""
        for id in event_ids:
            if id in self._waiting:
                pending = self._waiting[id]
                self._waiting[id] = replace(pending, attempts=pending.attempts + 1, turn_id=turn_id)

    def give_back(self, turn_id: str) -> None:
        """Take back an attempt, unless the turn has claims."""
        for pending in self._of(turn_id):
            if not pending.claims:
                self._waiting[pending.event.id] = replace(
                    pending, attempts=pending.attempts - 1, turn_id=""
                )

    def claim(self, turn_id: str, *calls: Json) -> None:
        """Note that acts are about to happen."""
        claim(self._waiting, turn_id, calls)

    def settle(self, turn_id: str, call_id: str, result: Json) -> None:
        """Note how a claimed act ended."""
        for pending in self._of(turn_id):
            claims = tuple(
                {**claim, "result": result} if claim["id"] == call_id else claim
                for claim in pending.claims
            )
            self._waiting[pending.event.id] = replace(pending, claims=claims)

    def _of(self, turn_id: str) -> list[StoredTrigger]:
        return [pending for pending in self._waiting.values() if pending.turn_id == turn_id]


class DictStore:
    """Implements `ports.Store`. Set `refuse` to have the next commit fail.

    `distributed` is what the world and players get of each line, by session and event.
    """

    def __init__(self, parts: Mapping[str, Part]) -> None:
        self.parts = parts
        self.once_written = lambda publish: publish()
        self.state: dict[tuple[str, str], Json] = {}
        self.memories: dict[int, MemoryRow] = {}
        self.archived: dict[int, MemoryRow] = {}
        self.embedded: dict[int, tuple[str, bytes]] = {}
        self.audit: list[AuditRecord] = []
        self.distributed: dict[tuple[str, str], Distribution] = {}
        self.waiting: dict[str, StoredTrigger] = {}
        self.leases: dict[tuple[str, str], tuple[str, float]] = {}
        self.rows = DictRows(self.memories, self.embedded)
        self.triggers = DictTriggers(self.waiting)
        self.refuse = False
        self._viewed: dict[tuple[str, str], tuple[Json, Json]] = {}
        """What was handed out to be looked at only: as it is stored, and what was handed out."""
        self._empty: dict[str, Json] = {}
        self._ids = count(1)

    def read(self, part: str, key: str = "") -> Json:
        """Return a plain copy of a part; its empty shape where nothing is stored."""
        return copy_of(self._stored(part, key))

    def view(self, part: str, key: str = "") -> Json:
        """Return the same until it is stored anew; the next commit finds out whoever changed it."""
        stored = self._stored(part, key)
        before, seen = self._viewed.get((part, key), (None, {}))
        if before is not stored:
            seen = copy_of(stored)
            self._viewed[part, key] = stored, seen
        return seen

    def _stored(self, part: str, key: str) -> Json:
        if part not in self._empty:
            self._empty[part] = as_stored(self.parts[part].empty())
        return self.state.get((part, key)) or self._empty[part]

    def blocks(self) -> DictStore:
        """Return the memory blocks: here they are read one by one."""
        return self

    def keys(self, part: str) -> Sequence[str]:
        """Return the stored keys of a part."""
        return [key for name, key in self.state if name == part]

    def read_all(self, part: str) -> dict[str, Json]:
        """Return all states of a keyed part by key, oldest first."""
        return {key: self.read(part, key) for key in self.keys(part)}

    def drop(self, part: str, key: str) -> None:
        """Remove an empty state of a keyed part."""
        if self.read(part, key) == self.parts[part].empty():
            self.state.pop((part, key), None)

    def records(self, turn_id: str) -> list[AuditRecord]:
        """Return the audit records under this turn's id, oldest first."""
        return [record for record in self.audit if record.turn_id == turn_id]

    def commit(self, commit: Commit) -> list[MemoryRow]:
        """Write everything, or nothing and raise `StoreError`."""
        if self.refuse:
            self.refuse = False
            raise StoreError("The fake store was told to refuse.")
        touched = [where for where, (before, now) in self._viewed.items() if before != now]
        assert not touched, f"was only to be looked at, and was changed: {touched}"
        changed: dict[tuple[str, str], Json] = {}
        stored = self._numbered(commit.rows)
        ids = [row.id for row in stored]
        spilled: list[MemoryRow] = []
        for change in commit.changes:
            where = (change.part, change.key)
            if where not in changed:
                changed[where] = self.read(*where)
            args = as_stored(with_ids(change.args, ids))
            spilled += self.parts[change.part].apply(changed[where], change.op, args)
        stored += self._numbered(spilled)
        self.state.update({where: as_stored(state) for where, state in changed.items()})
        self.memories.update({row.id: row for row in stored})
        self._rearrange(commit, ids)
        for handed in commit.distributions:
            self.distributed.setdefault((handed.raw.session, handed.raw.meta["event"]), handed)
        self.audit.extend(
            replace(
                record,
                data=with_ids(record.data, ids),
                turn_id=record.turn_id or commit.turn_id,
                at=record.at or commit.at,
            )
            for record in commit.audit
        )
        claim(self.waiting, commit.turn_id, list(map(as_stored, commit.claims)))
        for event_id in commit.closed:
            self.waiting.pop(event_id, None)
        return stored

    def lease(self, part: str, key: str = "", *, now: float, seconds: float) -> bool:
        """Take a lease; one under another name than "me" was put there by the test."""
        by, until = self.leases.get((part, key), ("me", 0.0))
        if by != "me" and until > now:
            return False
        self.leases[part, key] = ("me", now + seconds)
        return True

    def _numbered(self, rows: Sequence[MemoryRow]) -> list[MemoryRow]:
        return [replace(row, id=next(self._ids)) for row in rows]

    def _rearrange(self, commit: Commit, ids: Sequence[int]) -> None:
        for id in commit.archived:
            if id in self.memories:
                self.archived[id] = self.memories.pop(id)
        for id in commit.revived:
            if id in self.archived:
                self.memories[id] = self.archived.pop(id)
        for id, notes in with_ids(commit.annotated, ids).items():
            if id in self.memories:
                row = self.memories[id]
                self.memories[id] = replace(row, meta={**row.meta, **as_stored(notes)})


class DictBook:
    """Implements `ports.SpendingBook` in a dictionary."""

    def __init__(self) -> None:
        self.days: dict[tuple[str, str], tuple[int, int]] = defaultdict(lambda: (0, 0))

    def spent(self, day: str, *owners: str) -> list[tuple[int, int]]:
        """Return (calls, tokens) of that day for each of these owners."""
        return [self.days[day, owner] for owner in owners]

    def reserve(self, day: str, caps: Mapping[str, tuple[int, int]], tokens: int) -> bool:
        """Add a call to all these owners, unless it passes a cap of one."""
        spent = self.spent(day, *caps)
        pairs = zip(spent, caps.values(), strict=True)
        if any(calls >= most or used + tokens > room for (calls, used), (most, room) in pairs):
            return False
        self.spend(day, [*caps], 1, tokens)
        return True

    def spend(self, day: str, owners: Sequence[str], calls: int, tokens: int) -> None:
        """Add to all these owners."""
        for owner in owners:
            before = self.days[day, owner]
            self.days[day, owner] = (before[0] + calls, before[1] + tokens)
