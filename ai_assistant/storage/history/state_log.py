"""The log of states: what each commit makes of each state, in the transaction of that commit.

Everything has one sequence: an assistant's id for its own parts and rows, that of its first body
for what several share, `block:` and an owner for blocks, `scene:` and an id for scenes.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

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


def keeps_past() -> bool:
    """Does the game keep what was?"""
    return bool(conf.settings.STATE_DAYS)


class StateLog:
    """Writes what becomes of the states of some sequences, and knows what it wrote last."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[int, dict[Address, Head]]] = {}

    def append(
        self,
        sequence: str,
        pieces: Sequence[ToldState],
        records: Sequence[AuditRecord] = (),
        *,
        at: float,
        turn_id: str = "",
    ) -> None:
        """Append records to the audit log, and one that tells of the pieces that were changed.

        Part of the caller's transaction.
        """
        if not (pieces or records):
            return
        before = ledgers.newest(sequence)
        heads = self._heads(sequence, before, pieces) if pieces else {}
        told = [
            ((piece.part, piece.key), *delta)
            for piece in pieces
            if (delta := piece.told(heads.get((piece.part, piece.key))))
        ]
        if told:
            data = {"parts": [address for address, *_ in told]}
            records = [*records, AuditRecord(ledgers.STATE_CHANGED, data, NOBODY, turn_id, at)]
        ledgers.append(sequence, records, at=at, turn_id=turn_id, before=before)
        seq = before + len(records)
        rows = []
        for (part, key), delta, head in told:
            heads[part, key] = head
            data = _encode(delta)
            rest = (at, head.since, len(data), json.dumps(head.to_json()), data)
            rows.append((sequence, seq, part, key, *rest))
        if rows:
            with connection.cursor() as cursor:
                cursor.executemany(_INSERT, rows)
        self._known[sequence] = (seq, heads)

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
) -> None:
    """Tell what a block or a scene is from now on, and of what happened to it.

    Part of the caller's transaction.
    """
    pieces = [ToldState(part, key, value)] if keeps_past() else []
    StateLog().append(sequence, pieces, records, at=at)


def delete_past(sequence: str, *, but: Sequence[str] = ()) -> None:
    """Delete what is known of a sequence, but for these parts; part of the caller's transaction."""
    StateChange.objects.filter(sequence=sequence).exclude(part__in=but).delete()
