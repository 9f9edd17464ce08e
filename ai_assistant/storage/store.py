"""The store of one assistant: its Attributes, its container, its triggers and its audit log."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Mapping, Sequence
from copy import deepcopy
from dataclasses import replace
from functools import partial
from typing import Any

from django.db import transaction

from ai_assistant.core.contracts import AuditRecord, Change, Commit, Json, MemoryRow
from ai_assistant.core.ports import States
from ai_assistant.memory.parts import Part, copied, with_ids
from ai_assistant.storage import attributes, block_rows, distributing, ledgers, memory_rows
from ai_assistant.storage.block_parts import BlocksAtHand, BlockShelf
from ai_assistant.storage.bodies import holder_of, script_or_character
from ai_assistant.storage.containers import OwnRows
from ai_assistant.storage.external_parts import Elsewhere, ExternalDraft
from ai_assistant.storage.history.commit_pieces import (
    of_amended,
    of_commit,
    of_draft,
    of_rows,
    of_slots,
)
from ai_assistant.storage.history.state_log import ROWS, StateLog, delete_past
from ai_assistant.storage.pending import OwnTriggers
from ai_assistant.storage.server_lease import PUBLISHER, Fence, writing
from ai_assistant.storage.statements import refusals

MOST_DOUBTFUL = 20
"""Commits that may be tried anew after they were refused; each assistant has one under way."""
MOST_SPILLED = 20
"""Rows beside its own that one commit is taken to have made."""


class AttributeStore:
    """The `Store` of a character and its script. All of its methods belong on the reactor thread.

    `assistant_id` is the character's lasting id, and the name of its container. `npc` is the id
    under which it keeps what all bodies of one character share; its own where it has one body.
    What it commits passes the `fence` of this server, where there is one.
    """

    def __init__(
        self,
        character: Any,
        script: Any,
        assistant_id: str,
        parts: Mapping[str, Part],
        npc: str = "",
        fence: Fence | None = None,
    ) -> None:
        self.id = assistant_id
        self.npc = npc or assistant_id
        self._owners = {"character": character, "script": script}
        self._parts = parts
        self.elsewhere = Elsewhere(assistant_id, parts)
        self.shelf = BlockShelf(self.npc, parts)
        self.rows = OwnRows(assistant_id)
        self._fence = fence or Fence()
        self._log = StateLog()
        self.once_written: Callable[[Callable[[], object]], object] = PUBLISHER
        self.triggers = OwnTriggers(assistant_id, self._fence)
        self._doubtful: deque[str] = deque(maxlen=MOST_DOUBTFUL)
        """The ids of commits that were begun and, as far as was told, not ended."""

    def read(self, part: str, key: str = "") -> Json:
        """Return a plain copy of a part; its empty shape where nothing is stored."""
        if part in self.elsewhere.stores:
            return self.elsewhere.read(part, key)
        if part in self.shelf.names:
            return self.shelf.read(part, key)
        return copied(self.view(part, key))  # type: ignore[no-any-return]

    def view(self, part: str, key: str = "") -> Json:
        """Return what `read` does, to be looked at only: an Attribute's own value."""
        if part in self.elsewhere.stores or part in self.shelf.names:
            return self.read(part, key)
        kind = self._parts[part]
        with refusals():
            found = attributes.find_attribute(self._owner(kind), kind, key)
            return attributes.in_view(kind, found.db_value if found else None)

    def blocks(self) -> States:
        """Return the memory blocks at hand, all read by one query."""
        return BlocksAtHand(self.shelf, block_rows.all_at_hand(self.npc))

    def keys(self, part: str) -> Sequence[str]:
        """Return the keys stored of a keyed part, oldest first, by one query."""
        if part in self.elsewhere.stores:
            return self.elsewhere.keys(part)
        if part in self.shelf.names:
            return self.shelf.keys(part)
        kind = self._parts[part]
        with refusals():
            return attributes.keys(self._owner(kind), kind)

    def read_all(self, part: str) -> dict[str, Json]:
        """Return all states of a keyed part by key, oldest first."""
        if part in self.elsewhere.stores:
            return {key: self.read(part, key) for key in self.keys(part)}
        if part in self.shelf.names:
            return self.blocks().read_all(part)
        kind = self._parts[part]
        with refusals():
            return attributes.read_all(self._owner(kind), kind)

    def drop(self, part: str, key: str) -> None:
        """Remove the Attribute of an empty state of a keyed part. In no transaction."""
        kind = self._parts[part]
        if part not in self.elsewhere.stores and self.read(part, key) == kind.empty():
            with refusals():
                attributes.remove(self._owner(kind), kind, key)

    def records(self, turn_id: str) -> list[AuditRecord]:
        """Return the audit records under this turn's id, oldest first."""
        with refusals():
            return ledgers.of_turn(self.id, turn_id)

    def commit(self, commit: Commit) -> list[MemoryRow]:
        """Write everything in one transaction, then publish it to Evennia's memory.

        Returns the rows with their ids: those of the commit, then those that spilled over from a
        part. Raises `StoreError` when the database refuses, and whatever a step of a part raises;
        disk and memory are then as before.

        Evennia runs creation hooks, and the first tick of a new script, inside a transaction of
        its own. Should that be rolled back, memory is ahead of the disk until the next commit,
        which starts from the disk.

        A connection may be lost just when the end of the transaction is told: nobody knows then
        whether it was written. Tried again, it is known by its id, and not written twice.
        """
        if commit.id in self._doubtful and self._fence_knows(commit):
            return self._as_written(commit)
        self._doubtful.append(commit.id)
        written = self._write(commit)
        self._doubtful = deque((id for id in self._doubtful if id != commit.id), MOST_DOUBTFUL)
        return written

    def _fence_knows(self, commit: Commit) -> bool:
        with refusals():
            return self._fence.knows(commit.id)

    def _as_written(self, commit: Commit) -> list[MemoryRow]:
        """Let Evennia's memory have what is on disk; returns the newest rows, those among them."""
        with refusals():
            outside, _, inside = self._sorted(commit.changes)
            draft = self.elsewhere.draft(deepcopy(outside)) if outside else None
            for slot in self._slots(inside):
                slot.attribute.flush_from_cache(force=True)
                slot.owner.attributes.reset_cache()
            newest = self.rows.newest(len(commit.rows) + MOST_SPILLED)
        if draft:
            self.elsewhere.save(draft)
        return sorted(newest, key=lambda row: row.id)

    def _write(self, commit: Commit) -> list[MemoryRow]:
        with refusals():
            outside, on_shelf, inside = self._sorted(commit.changes)
            slots = self._slots(inside)
            draft = self.elsewhere.draft(deepcopy(outside)) if outside else None
            players = (row.container for spoken in commit.distributions for row in spoken.rows)
            tellings = distributing.Tellings((self.id, *players))
            with transaction.atomic():
                self._fence.check(commit.id)
                kept, learnt = distributing.with_news(self.id, commit.rows, tellings)
                written = distributing.distribute(
                    commit.distributions, commit.at, tellings,
                    saved=[*kept, *learnt], whose=self.id,
                )  # fmt: skip
                ids = [row.id for row in written[: len(kept)]]
                spilled = attributes.apply(slots, ids) + (draft.rows if draft else [])
                more, told = self.shelf.apply(on_shelf, ids) if on_shelf else ([], [])
                spilled += more
                written += memory_rows.insert(spilled, self.id, commit.at)
                notes = with_ids(commit.annotated, ids)
                is_amended = commit.archived or commit.revived or notes
                amended = memory_rows.amend(self.id, commit, notes) if is_amended else {}
                attributes.write(slots)
                own = of_slots(slots, shared=False) + (of_draft(draft) if draft else [])
                own += of_rows(self.id, written, amended)
                shared = of_slots(slots, shared=True)
                records = [replace(rec, data=with_ids(rec.data, ids)) for rec in commit.audit]
                records += of_amended(commit, amended) if amended else []
                told += of_commit(commit, records, (self.id, own), (self.npc, shared))
                self._log.append(*told)
                if commit.claims:
                    self.triggers.claim(commit.turn_id, *commit.claims)
                self.triggers.close(commit.closed)
        if draft:
            self.elsewhere.hold(draft)
        self.once_written(partial(self._publish, slots, draft))
        return written

    def _publish(self, slots: Sequence[attributes.Slot], draft: ExternalDraft | None) -> None:
        for slot in slots:
            slot.publish()
        if draft:
            self.elsewhere.save(draft)

    def make_ready(self, commit: Commit) -> None:
        """Create the Attributes that a commit needs, before a transaction that is to hold it.

        Rolled back, it would leave Attributes in Evennia's memory that are not there.
        """
        with refusals():
            self._slots(self._sorted(commit.changes)[-1])

    def lease(self, part: str, key: str = "", *, now: float, seconds: float) -> bool:
        """Take the lease of a block, or give it back with 0 seconds; False: another has it."""
        with refusals():
            return self.shelf.lease(part, key, self.id, now=now, seconds=seconds)

    def delete_everything(self, *, alone: bool = True) -> None:
        """Delete the assistant's Attributes, rows, triggers and blocks, or raise `StoreError`.

        The audit log stays, but not what its states were; so does the character, and where it is
        not `alone`, but one of several bodies, so do the blocks. Where there are tens of thousands
        of rows this takes some tenths of a second: for staff commands only.
        """
        with writing():
            for part in self._parts.values():
                if not part.is_block:
                    attributes.delete_part(attributes.current(self._owners[part.where]), part)
            memory_rows.delete_container(self.id)
            self.triggers.delete()
            if alone:
                block_rows.delete_blocks(self.npc)
            shared = () if alone else [name for name, part in self._parts.items() if part.shared]
            delete_past(self.id, but=shared)
        self.elsewhere.delete()

    def empty(self, names: Collection[str], *, rows: bool, by: str) -> None:
        """Empty these parts, and with `rows` all that was remembered; nothing waits any more.

        What they were before goes as well. `by` is who is on record for the blocks among them.
        Raises `StoreError`.
        """
        with writing():
            for part in map(self._parts.__getitem__, names):
                if part.is_block:
                    delete_past(f"{block_rows.BLOCKS}{self.npc}", key=part.attribute)
                    block_rows.delete_block(part.attribute, self.npc, by=by)
                else:
                    attributes.delete_part(attributes.current(self._owners[part.where]), part)
            if rows:
                memory_rows.delete_container(self.id)
            self.triggers.delete()
            delete_past(self.id, but=[*({*self._parts} - {*names}), *([] if rows else [ROWS])])
        self.elsewhere.empty(names)

    def _owner(self, part: Part) -> Any:
        """Return the object that has the Attribute: another body's where that one keeps it."""
        holder = holder_of(self.npc) if part.shared and self.npc != self.id else None
        if holder is None:
            return attributes.current(self._owners[part.where])
        return attributes.current(
            holder if part.where == "character" else script_or_character(holder)
        )

    def _sorted(self, changes: Sequence[Change]) -> tuple[list[Change], list[Change], list[Change]]:
        """Return the changes of parts that are kept elsewhere, as blocks, and as Attributes."""
        outside, on_shelf, inside = list[Change](), list[Change](), list[Change]()
        for change in changes:
            if change.part in self.elsewhere.stores:
                outside.append(change)
            else:
                (on_shelf if change.part in self.shelf.names else inside).append(change)
        return outside, on_shelf, inside

    def _slots(self, changes: Sequence[Change]) -> list[attributes.Slot]:
        grouped: dict[tuple[str, str], list[Change]] = {}
        for change in changes:
            grouped.setdefault((change.part, change.key), []).append(change)
        owned = [(self._owner(self._parts[name]), self._parts[name], key) for name, key in grouped]
        for owner in {one for one, _, _ in owned}:
            attributes.look_up(owner, [(part, key) for one, part, key in owned if one is owner])
        slots: dict[int, attributes.Slot] = {}
        for (owner, part, key), steps in zip(owned, grouped.values(), strict=True):
            found = attributes.find_attribute(owner, part, key, create=True)
            slots.setdefault(found.pk, attributes.Slot(owner, part, found)).changes.extend(steps)
        return list(slots.values())
