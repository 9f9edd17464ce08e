"""The block parts of one character: read as states, and changed by steps inside a commit."""

from __future__ import annotations

import pickle
from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass

from django.db.models import Q

from ai_assistant.core.contracts import AuditRecord, Change, Json, MemoryRow
from ai_assistant.core.errors import StoreError
from ai_assistant.memory.blocks import rules
from ai_assistant.memory.blocks.global_knowledge import WORLD
from ai_assistant.memory.blocks.shapes import mended_block
from ai_assistant.memory.parts import Part, with_ids
from ai_assistant.models import MemoryBlock
from ai_assistant.storage import block_rows, memory_rows
from ai_assistant.storage.block_rows import TRIES, Block, Signed
from ai_assistant.storage.history.state_log import StateLog, ToldSequence
from ai_assistant.storage.server_lease import writing


class BlockShelf:
    """The blocks that a character has at hand; `owner` is the id that all its bodies share."""

    def __init__(self, owner: str, parts: Mapping[str, Part]) -> None:
        self.owner = owner
        self.parts = parts
        self.names = frozenset(name for name, part in parts.items() if part.is_block)
        """The parts that are blocks, and no Attributes."""

    def read(self, part: str, key: str = "") -> Json:
        """Return a block as a state: its value, whole, with its limit and type."""
        return self.state_of(part, block_rows.read_block(*self.address(part, key)))

    def keys(self, part: str) -> list[str]:
        """Return the labels of the blocks of the game's own."""
        return [*block_rows.custom_blocks(self.owner)] if self.parts[part].keyed else []

    def apply(
        self, changes: Sequence[Change], ids: Sequence[int]
    ) -> tuple[list[MemoryRow], list[ToldSequence]]:
        """Apply steps to what is on disk now, part of the caller's transaction.

        Returns the rows that spill over, and what the caller has to append to the log of states.
        Raises `BlockRefused` where a writer may not, and `StoreError` where other processes kept
        writing.
        """
        grouped: dict[tuple[str, str], list[Change]] = {}
        for change in changes:
            grouped.setdefault((change.part, change.key), []).append(change)
        spilled, told = list[MemoryRow](), list[ToldSequence]()
        for address, steps in grouped.items():
            rows, written = self._apply(*address, steps, ids)
            spilled += rows
            told += written
        return spilled, told

    def lease(self, part: str, key: str, by: str, *, now: float, seconds: float) -> bool:
        """Take the lease of a block, or give it back with 0 seconds; False: another has it."""
        label, owner = self.address(part, key)
        free = Q(lease_until__lte=now) | Q(lease_by=by)
        mine = MemoryBlock.objects.filter(free, owner=owner, label=label)
        return bool(mine.update(lease_by=by if seconds else "", lease_until=now + seconds))

    def _apply(
        self, part: str, key: str, steps: Sequence[Change], ids: Sequence[int]
    ) -> tuple[list[MemoryRow], list[ToldSequence]]:
        label, owner = self.address(part, key)
        for _ in range(TRIES):
            block = block_rows.read_block(label, owner)
            state = self.state_of(part, block)
            before = pickle.dumps(rules.value_of(state))
            spilled = [
                row
                for step in steps
                for row in self.parts[part].apply(state, step.op, with_ids(step.args, ids))
            ]
            value = rules.value_of(state)
            args, did = steps[-1].args, ", ".join(dict.fromkeys(step.op for step in steps))
            signed = Signed(args.get("writer", ""), args.get("by", ""), did)
            if pickle.dumps(value) == before:
                return spilled, []
            if told := block_rows.write_row(label, owner, value, block.version, signed):
                return spilled, told
        raise StoreError(f"The block {label} was changed by others at the same time.")

    def state_of(self, part: str, block: Block) -> Json:
        """Return a block as a state."""
        stored = mended_block(part, block.value, self.owner) if block.value else {}
        columns = {"limit": block.limit, "type": block.type}
        empty = self.parts[part].empty()
        return empty | stored | {name: value for name, value in columns.items() if name in empty}

    def address(self, part: str, key: str) -> tuple[str, str]:
        """Return the label and the owner of a block."""
        kind = self.parts[part]
        if kind.keyed:
            owner = block_rows.custom_blocks(self.owner).get(key, self.owner)
            return block_rows.row_label(key), owner
        return kind.attribute, block_rows.EVERYBODY if kind.where == "everybody" else self.owner


@dataclass(frozen=True, slots=True)
class BlocksAtHand:
    """What a shelf held when it was read; one that cannot be understood fails alone."""

    shelf: BlockShelf
    """Where they were read from."""
    found: Mapping[tuple[str, str], Block]
    """The blocks by owner and label."""

    def read(self, part: str, key: str = "") -> Json:
        """Return a block as a state: its value, whole, with its limit and type."""
        label, owner = self.shelf.address(part, key)
        block = self.found.get((owner, label))
        return self.shelf.state_of(part, block) if block else self.shelf.parts[part].empty()

    def read_all(self, part: str) -> dict[str, Json]:
        """Return the blocks of the game's own as states, by label."""
        shelf = self.shelf
        is_keyed = shelf.parts[part].keyed  # told apart by labels of the game's own
        found = block_rows.customs(self.found, shelf.owner) if is_keyed else {}
        return {label: shelf.state_of(part, block) for label, (_, block) in found.items()}


def step_block(
    owner: str,
    change: Change,
    parts: Mapping[str, Part],
    *,
    at: float,
    audit: Sequence[AuditRecord] = (),
) -> bool:
    """Take one step on a block outside of any assistant's commit; was there room for it?

    What spills over is kept in the container that it names; `audit` goes into the log of the owner,
    or of the world, where there was room. Raises `BlockRefused` and `StoreError`.
    """
    shelf = BlockShelf(owner, parts)
    draft = shelf.read(change.part, change.key) | {"needs_compaction": False}
    parts[change.part].apply(draft, change.op, deepcopy(change.args))
    with writing():
        spilled, told = shelf.apply([change], [])
        memory_rows.insert(spilled, owner, at)
        done = () if draft["needs_compaction"] else audit
        StateLog().append(*told, ToldSequence(owner or WORLD, (), at, done))
    return not draft["needs_compaction"]
