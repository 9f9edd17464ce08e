"""The log of states: what each commit makes of each state, in the transaction of that commit.

Everything has one sequence: an assistant's id for its own parts and rows, that of its first body
for what several share, `block:` and an owner for blocks, `scene:` and an id for scenes.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.db import connection

from ai_assistant import conf
from ai_assistant.core.contracts import AuditRecord, Json
from ai_assistant.core.readers import NOBODY
from ai_assistant.memory.moments.deltas import Head, Watched
from ai_assistant.models import StateChange
from ai_assistant.storage import ledgers
from ai_assistant.storage.statements import (
    fetch,
    from_json,
    insert_into,
    quoted_columns,
    select,
)

ROWS, LAST, AMENDED = "memory", "", "amended"
"""The part that tells of rows, and its keys: how far they went, and which were changed."""
_INSERT = insert_into(
    "ai_assistant_state",
    ("sequence", "seq", "part", "key", "at", "since", "size", "head", "data"),
)
_NEWEST = select(
    ("part", "key", "since", "head"),
    "FROM ai_assistant_state WHERE sequence = %s AND part = %s AND "
    f"{quoted_columns('key')} = %s ORDER BY seq DESC LIMIT 1",
)
_HEAD = f"SELECT * FROM ({_NEWEST}) AS one"  # noqa: S608 - ours
_encode = json.JSONEncoder(default=str).encode  # made once: that is half of what `dumps` costs
Address = tuple[str, str]
"""A part and its key."""


@dataclass(frozen=True, slots=True)
class ToldState:
    """What a commit makes of one state."""

    part: str
    """The name of the part."""
    key: str
    """The key within a keyed part; empty otherwise."""
    after: Json
    """The state afterwards; empty for one that is gone."""
    watched: Watched | None = None
    """The state before, with what the steps touched; None for one that is always told whole."""
    prints: tuple[str, str] = ("", "")
    """By which the state on disk is known again, before and afterwards."""

    def told(self, head: Head | None) -> tuple[Json, Head] | None:
        """Return the delta that builds on a head, and the head that follows; None for nothing."""
        if self.watched is None:
            return {"whole": True, "set": self.after}, Head()
        return self.watched.delta(self.after, *self.prints, head)


@dataclass(frozen=True, slots=True)
class ToldSequence:
    """What is told of one sequence: what became of its states, and records for its audit log."""

    sequence: str
    """The name of the sequence."""
    pieces: Sequence[ToldState]
    """What became of states; left out where the game keeps nothing of what was."""
    at: float
    """When it happened, in seconds since the epoch."""
    records: Sequence[AuditRecord] = ()
    """What is put on record beside them."""
    turn_id: str = ""
    """The turn in which it happened; empty for none."""


class StateLog:
    """Writes what becomes of the states of some sequences, and knows what it wrote last."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[int, dict[Address, Head]]] = {}

    def append(self, *told: ToldSequence) -> None:
        """Append records to audit logs, and to each one that tells of the pieces that were changed.

        Part of the caller's transaction. However many sequences there are, their last numbers are
        read, and records and states written, by one statement each.
        """
        if not conf.settings.STATE_DAYS:
            told = tuple(replace(state, pieces=()) for state in told)
        told = tuple(state for state in told if state.pieces or state.records)
        ends = ledgers.newest({state.sequence for state in told})
        entries, rows = [], []
        for state in told:
            before = ends[state.sequence]
            records, changed = self._changed(state, before)
            entries.append((state.sequence, before, records, state.at, state.turn_id))
            ends[state.sequence] += len(records)
            rows += changed
        ledgers.append(entries)
        if rows:
            with connection.cursor() as cursor:
                cursor.executemany(_INSERT, rows)

    def _changed(
        self, told: ToldSequence, before: int
    ) -> tuple[list[AuditRecord], list[tuple[Any, ...]]]:
        """Return the records that follow the number `before`, and the rows of changed states."""
        heads, records = self._heads(told.sequence, before, told.pieces), [*told.records]
        changed = [
            ((piece.part, piece.key), *delta)
            for piece in told.pieces
            if (delta := piece.told(heads.get((piece.part, piece.key))))
        ]
        if changed:
            data = {"parts": [address for address, *_ in changed]}
            records.append(AuditRecord(ledgers.STATE_CHANGED, data, NOBODY))
        seq, rows = before + len(records), []
        for address, delta, head in changed:
            heads[address] = head
            data = _encode(delta)
            rest = (told.at, head.since, len(data), json.dumps(head.to_json()), data)
            rows.append((told.sequence, seq, *address, *rest))
        self._known[told.sequence] = (seq, heads)
        return records, rows

    def _heads(
        self, sequence: str, before: int, pieces: Sequence[ToldState]
    ) -> dict[Address, Head]:
        """Return the heads of these states; what is held of them counts if nobody wrote since."""
        seq, heads = self._known.get(sequence, (-1, {}))
        if seq != before:
            heads = {}
        asked = [
            (piece.part, piece.key)
            for piece in pieces
            if piece.watched and (piece.part, piece.key) not in heads
        ]
        if asked:
            values = [value for part, key in asked for value in (sequence, part, key)]
            for part, key, since, head in fetch(" UNION ALL ".join([_HEAD] * len(asked)), values):
                heads[part, key] = Head.from_json(from_json(head), since)
        return heads


def told_whole(
    sequence: str, part: str, key: str, value: Json, at: float, records: Sequence[AuditRecord]
) -> ToldSequence:
    """Return what tells what a block or a scene is from now on, and of what happened to it."""
    return ToldSequence(sequence, [ToldState(part, key, value)], at, records)


def delete_past(sequence: str, *, but: Sequence[str] = (), key: str = "") -> None:
    """Delete what is known of a sequence, but for these parts, or what is known under one `key`;
    part of the caller's transaction."""
    told = StateChange.objects.filter(sequence=sequence).exclude(part__in=but)
    (told.filter(key=key) if key else told).delete()
