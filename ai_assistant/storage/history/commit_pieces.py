"""What one commit of a character made of its states and rows, by sequence."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ai_assistant.core.contracts import AuditRecord, Commit, Json, MemoryRow
from ai_assistant.storage.attributes import Slot
from ai_assistant.storage.external_parts import ExternalDraft
from ai_assistant.storage.history.state_log import (
    AMENDED,
    LAST,
    ROWS,
    ToldSequence,
    ToldState,
)


def of_commit(
    commit: Commit,
    records: Sequence[AuditRecord],
    own: tuple[str, Iterable[ToldState]],
    shared: tuple[str, Iterable[ToldState]],
) -> list[ToldSequence]:
    """Return a commit's records and what it made of states: (sequence, pieces), own and shared."""
    (sequence, pieces), (npc, others) = own, shared
    at, turn_id = commit.at, commit.turn_id
    if npc == sequence:
        return [ToldSequence(sequence, [*pieces, *others], at, records, turn_id)]
    told = ToldSequence(sequence, [*pieces], at, records, turn_id)
    return [told, ToldSequence(npc, [*others], at, turn_id=turn_id)]


def of_amended(commit: Commit, amended: Mapping[int, Json]) -> list[AuditRecord]:
    """Return what is put on record of older memories: taken out of use, back into it, noted on."""
    noted = [id for id in commit.annotated if isinstance(id, int)]
    ways = {
        "MemoryArchived": commit.archived,
        "MemoryRevived": commit.revived,
        "MemoryAnnotated": [id for id in noted if id not in (*commit.archived, *commit.revived)],
    }
    return [
        AuditRecord(type, {"rows": rows})
        for type, ids in ways.items()
        if (rows := [id for id in ids if id in amended])
    ]


def of_slots(slots: Iterable[Slot], *, shared: bool) -> list[ToldState]:
    """Return what became of Attributes: of those that all bodies share, or of the others."""
    return [
        ToldState(
            slot.part.name,
            slot.attribute.db_key if slot.part.keyed else "",
            slot.state,
            slot.watched,
            slot.prints,
        )
        for slot in slots
        if slot.watched and slot.part.shared == shared
    ]


def of_draft(draft: ExternalDraft) -> list[ToldState]:
    """Return what becomes of states that are kept elsewhere."""
    return [
        ToldState(*address, state, draft.watched[address], draft.prints(address))
        for address, (state, *_) in draft.states.items()
    ]


def of_rows(
    container: str, written: Sequence[MemoryRow], amended: Mapping[int, Json]
) -> list[ToldState]:
    """Return how far the rows of a container go, and what was changed of older ones."""
    own = [row.id for row in written if row.container in ("", container)]
    told = [ToldState(ROWS, LAST, {"last": max(own)})] if own else []
    return [*told, ToldState(ROWS, AMENDED, {"rows": {**amended}})] if amended else told
