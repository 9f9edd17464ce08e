"""Memory blocks: read with their version, written only by whoever read the latest, kept versions.

Every write puts the new value among the block's versions, with who wrote it; so it can be undone.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db import IntegrityError, transaction

from ai_assistant.core.contracts import AuditRecord, Json
from ai_assistant.core.errors import BlockRefused, StoreError
from ai_assistant.memory.blocks import rules
from ai_assistant.models import BlockVersion, MemoryBlock
from ai_assistant.storage.history.state_log import StateLog, ToldSequence, delete_past, told_whole
from ai_assistant.storage.server_lease import writing
from ai_assistant.storage.statements import (
    fetch,
    from_json,
    insert_into,
    marks,
    met_a_row,
    refusals,
    select,
)

EVERYBODY = ""
"""The owner of global blocks."""
SHARED = "shared"
"""The owner of blocks that some characters share; `owners` lists those."""
_TYPES = {EVERYBODY: "global", SHARED: "shared"}
BLOCKS = "block:"
"""Prefix of the sequences that tell what became of blocks; behind it stands their owner."""
_OWN = "block:"
"""Prefix, in the table, of the labels of the game's own blocks."""
TRIES = 3
"""How often a change is made anew to what another process wrote in between."""
KEPT_VERSIONS = 50
LEAST_LIMIT, MOST_LIMIT = 500, 100_000
"""Characters that staff may let a block hold."""
_PRUNED = 10
_COLUMNS = ("value", "version", "limit", "type", "owners", "created", "updated")
_READ = select(_COLUMNS, "FROM ai_assistant_block WHERE owner = %s AND label = %s")
_WRITE = (
    "UPDATE ai_assistant_block SET value = %s, version = %s, updated = %s "
    "WHERE owner = %s AND label = %s AND version = %s"
)
_KEEP = insert_into(
    "ai_assistant_block_version",
    ("owner", "label", "version", "value", "writer", "by", "did", "restores", "at"),
)
_AT_HAND = select(
    ("label", "owner", *_COLUMNS),
    "FROM ai_assistant_block WHERE owner IN (%s, %s, %s) "
    f"AND (label LIKE %s OR label IN ({marks(rules.SIX)})) ORDER BY id",
)


@dataclass(frozen=True, slots=True)
class Block:
    """A block as it was read; version 0 is one that nobody has written yet."""

    value: Json
    """What it holds, by field; empty before anybody wrote it."""
    version: int = 0
    """It grows by one with each write."""
    limit: int = field(default=rules.DEFAULT_LIMIT, compare=False)
    """Characters that the value may take, as JSON."""
    type: str = field(default="", compare=False)
    """private, shared or global."""
    owners: tuple[str, ...] = field(default=(), compare=False)
    """Ids of the characters who share it."""
    created: float = field(default=0.0, compare=False)
    """Seconds since the epoch; 0 before anybody wrote it."""
    updated: float = field(default=0.0, compare=False)
    """Seconds since the epoch, as `created`."""


@dataclass(frozen=True, slots=True)
class Signed:
    """Who writes a block, and what was done."""

    writer: str = "designer"
    """The kind of writer, which is what the rules go by."""
    by: str = ""
    """The id or the name of whoever it was."""
    did: str = ""
    """The step or the deed, in a word."""
    restores: int | None = None
    """Of an undo: the version whose value it brings back; else None."""


def read_block(label: str, owner: str = EVERYBODY) -> Block:
    """Return the owner's block of that label; the owner ``""`` is everybody."""
    with refusals():
        rows = fetch(_READ, [owner, label])
    return _block(rows[0]) if rows else unwritten(label, owner)


def unwritten(label: str, owner: str) -> Block:
    """Return the owner's block of that label as it is before anybody wrote it."""
    limit = rules.LIMITS.get(label, rules.DEFAULT_LIMIT)
    return Block({}, limit=limit, type=_TYPES.get(owner, "private"))


def _block(columns: Sequence[Any]) -> Block:
    value, version, limit, type, owners, *times = columns
    value, owners = from_json(value), from_json(owners)
    known = tuple(owners) if isinstance(owners, list) else ()
    return Block(value if isinstance(value, dict) else {}, version, limit, type, known, *times)


def write_block(
    label: str, owner: str, value: Json, expected_version: int, *, signed: Signed = Signed()
) -> int:
    """Write a block that was read at `expected_version` (0: not there yet); return the new one.

    Raises `BlockRefused` where this kind of writer may not, or the value is over the block's
    limit, and `StoreError` when somebody else wrote it meanwhile; the block is then as before.
    """
    before = read_block(label, owner)
    rules.check_writer(signed.writer, label, before.type)
    check_size(label, value, before.limit)
    with writing():
        told = write_row(label, owner, value, expected_version, signed)
        if not told:
            raise StoreError(f"The block {label} was changed by somebody else: read it again.")
        StateLog().append(*told)
    return expected_version + 1


def change_value(
    label: str, owner: str, change: Callable[[Json], Json], *, signed: Signed = Signed()
) -> Json:
    """Write what `change` makes of the value as it is, anew where others wrote meanwhile.

    Returns the value. Raises what `write_block` raises, `StoreError` only where that went on.
    """
    for tried in range(1, TRIES + 1):
        block = read_block(label, owner)
        value = change(block.value)
        try:
            write_block(label, owner, value, block.version, signed=signed)
            break
        except StoreError:
            if tried == TRIES or read_block(label, owner).version == block.version:
                raise
    return value


def create_block(
    label: str,
    block_type: str,
    *,
    owner: str = EVERYBODY,
    owners: Sequence[str] = (),
    value: Json | None = None,
    signed: Signed = Signed(),
) -> bool:
    """Make a block of the game's own unless there is one of that label; was it made?

    A shared one has the owner `SHARED`, and `owners` are the ids of those who share it; where
    there is one already, these join it. Raises `BlockRefused` for the label of one of the six.
    """
    if label in rules.SIX:
        raise BlockRefused(f"The block {label} is one of the six that every character has.")
    check_size(label, value or {}, unwritten(label, owner).limit)
    label = row_label(label)
    new = {"type": block_type, "owners": list(owners)}
    with writing():
        made = write_row(label, owner, value or {}, 0, signed, **new)
        StateLog().append(*made)
    if not made and owners:
        share_with(label, list(dict.fromkeys((*read_block(label, owner).owners, *owners))))
    return made


def share_with(row: str, owners: Sequence[str]) -> None:
    """Let exactly these share a block of characters, by the label of its row."""
    with writing():
        MemoryBlock.objects.filter(owner=SHARED, label=row).update(owners=[*owners])


def delete_block(row: str, owner: str, *, by: str) -> None:
    """Delete one block with its versions, by the label of its row; the audit log tells who did."""
    name = {"owner": owner, "label": row}
    gone = AuditRecord("BlockChanged", {"label": row, "by": by, "did": "delete"})
    with writing():
        MemoryBlock.objects.filter(**name).delete()
        BlockVersion.objects.filter(**name).delete()
        told = told_whole(f"{BLOCKS}{owner}", "block", row, {}, time.time(), [gone])
        StateLog().append(told)


def check_size(label: str, value: Json, limit: int) -> None:
    """Raise `BlockRefused` for a value that is over a limit."""
    size = rules.json_length(value)
    if size > limit:
        raise BlockRefused(
            f"The block {label} would take {size} characters; its limit is {limit}. "
            "Give it less, or let aiblock/limit raise it."
        )


def set_limit(label: str, owner: str, limit: int) -> None:
    """Give a block another limit; what is over it stays, and is summarised later."""
    if read_block(label, owner).version == 0:
        write_block(label, owner, {}, 0, signed=Signed("game", did="set_limit"))
    with writing():
        MemoryBlock.objects.filter(owner=owner, label=label).update(limit=limit)


def row_label(label: str) -> str:
    """Return the label under which a block stands in the table: one of the six, or the game's."""
    return label if label in rules.SIX else f"{_OWN}{label}"


def custom_blocks(owner: str) -> dict[str, str]:
    """Return {label: owner of the row} for the game's own blocks that an owner has at hand."""
    return {label: whose for label, (whose, _) in customs(all_at_hand(owner), owner).items()}


def all_at_hand(owner: str) -> dict[tuple[str, str], Block]:
    """Return what an owner may have at hand, oldest first: by owner and label of the row.

    Blocks of everybody, shared ones, and its own. One query.
    """
    with refusals():
        rows = fetch(_AT_HAND, [EVERYBODY, SHARED, owner, f"{_OWN}%", *rules.SIX])
    return {(whose, label): _block(rest) for label, whose, *rest in rows}


def customs(found: Mapping[tuple[str, str], Block], owner: str) -> dict[str, tuple[str, Block]]:
    """Return those of the game's own that an owner has at hand: label → owner of the row, block.

    Of those shared the ones that it shares; of one label the narrowest counts.
    """
    order = (EVERYBODY, SHARED, owner)
    return {
        label.removeprefix(_OWN): (whose, block)
        for (whose, label), block in sorted(found.items(), key=lambda row: order.index(row[0][0]))
        if label.startswith(_OWN) and (whose != SHARED or owner in block.owners)
    }


def delete_blocks(owner: str) -> None:
    """Delete all blocks that belong to this owner alone, with their versions."""
    MemoryBlock.objects.filter(owner=owner).delete()
    BlockVersion.objects.filter(owner=owner).delete()
    delete_past(f"{BLOCKS}{owner}")


def write_row(
    label: str, owner: str, value: Json, expected_version: int, signed: Signed, **new: Any
) -> list[ToldSequence]:
    """Write a block and keep it as a version, part of the caller's transaction.

    Returns what the caller has to append to the log of states; nothing where the block has another
    version by now. `new` are further columns of one that is made. Of the versions those beyond the
    newest fifty are deleted, ten at a time.
    """
    now, version, name = time.time(), expected_version + 1, {"owner": owner, "label": label}
    stored = json.dumps(value)
    if expected_version:
        if not met_a_row(_WRITE, [stored, version, now, owner, label, expected_version]):
            return []
    elif not _create_row(name, value, now, **new):
        return []
    if version % _PRUNED == 0:
        BlockVersion.objects.filter(**name, version__lte=version - KEPT_VERSIONS).delete()
    told = {"label": label, "version": version, "writer": signed.writer, "by": signed.by}
    changed = AuditRecord("BlockChanged", told | {"did": signed.did})
    written = (signed.writer, signed.by[:100], signed.did[:200], signed.restores)
    met_a_row(_KEEP, [owner, label, version, stored, *written, now])
    return [told_whole(f"{BLOCKS}{owner}", "block", label, value, now, [changed])]


def _create_row(name: Mapping[str, str], value: Json, now: float, **new: Any) -> bool:
    """Insert a block of that value; False where there is one."""
    owner, empty = name["owner"], unwritten(name["label"], name["owner"])
    usual = {
        "type": empty.type,
        "limit": empty.limit,
        "owners": [owner] if owner else [],
    }
    usual |= {column: given for column, given in new.items() if given}
    row = MemoryBlock(**name, **usual, value=value, version=1, created=now, updated=now)
    try:
        with transaction.atomic():
            row.save(force_insert=True)
    except IntegrityError:
        return False
    BlockVersion.objects.filter(**name).delete()  # those of one that was deleted
    return True
