"""Cards and lorebooks in the database: one block each, kept in memory until somebody changes them.

A card is kept as it came, for export. A character's own book and those of the world are kept as
the matching engine reads them, a book of the world beside its source.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from django.db.models import F

from ai_assistant.core.contracts import AuditRecord, Json
from ai_assistant.language import keeps_texts
from ai_assistant.models import MemoryBlock, StateChange
from ai_assistant.roleplay.lorebook import Lorebook
from ai_assistant.roleplay.lorebook.entries import Shelf
from ai_assistant.storage import npc_id, read_block
from ai_assistant.storage.block_rows import BLOCKS
from ai_assistant.storage.history.past import audit_log, moments_of, state_at
from ai_assistant.storage.history.state_log import StateLog, told_whole
from ai_assistant.storage.server_lease import writing
from ai_assistant.storage.statements import fetch, refusals

CARD, BOOK = "card", "lorebook"
EVERYBODY = ""
LIMIT = 4_000_000
"""Characters of such a block: more than a card that passed its own limits can take."""
_WORLD = f"{BOOK}:"
_LOG = f"{BLOCKS}{EVERYBODY}"
_VERSIONS = """
    SELECT owner, label, version, updated FROM ai_assistant_block
    WHERE owner IN (%s, %s) AND label LIKE %s
"""


def world_label(name: str) -> str:
    """Return the label of the world's lorebook of that name."""
    return f"{_WORLD}{name}"


def world_books() -> list[str]:
    """Return the names of the lorebooks of the world, in order."""
    with refusals():
        found = MemoryBlock.objects.filter(owner=EVERYBODY, label__startswith=_WORLD)
        return sorted(label.removeprefix(_WORLD) for label in found.values_list("label", flat=True))


def world_changes(count: int) -> list[tuple[float, str, Json]]:
    """Return what was done to lorebooks of the world, newest first, as long as states are kept.

    When, the name of the book, and what is on record of it.
    """
    told = StateChange.objects.filter(sequence=_LOG, part="block", key__startswith=_WORLD)
    with refusals():
        seqs = told.order_by("-seq").values_list("seq", flat=True)[:count]
        before = [seq - 1 for seq in seqs]  # where the record stands of what was done
        done = audit_log(_LOG, with_states=False).filter(seq__in=before).order_by("-seq")
        rows = list(done.values_list("at", "data"))
    return [(at, data["label"].removeprefix(_WORLD), data) for at, data in rows]


def world_before(name: str) -> Json | None:
    """Return what a lorebook of the world was before its latest change, empty where it was gone.

    None where that is not known, or it had no change.
    """
    label = world_label(name)
    latest = moments_of(_LOG, "block", 1, label)
    return state_at(_LOG, "block", label, latest[0][0] - 1) if latest else None


def book_value(owner: str, label: str) -> Json:
    """Return the value of a block; empty where there is none."""
    return read_block(label, owner).value


def write_books(blocks: Sequence[tuple[str, str, Json]], **told_of: str) -> None:
    """Write blocks (owner, label, value) whole, in one transaction; an empty value removes one.

    What else the audit log is to tell of it comes by name.
    """
    now, told = time.time(), []
    with writing():
        for owner, label, value in blocks:
            same = MemoryBlock.objects.filter(owner=owner, label=label)
            did = {"label": label, "did": "write" if value else "remove"} | told_of
            changed = AuditRecord("BlockChanged", did)
            told.append(told_whole(f"{BLOCKS}{owner}", "block", label, value, now, [changed]))
            if not value:
                same.delete()
            elif not same.update(value=value, version=F("version") + 1, updated=now):
                MemoryBlock.objects.create(
                    label=label,
                    owner=owner,
                    type="private" if owner else "global",
                    value=value,
                    limit=LIMIT,
                    owners=[owner] if owner else [],
                    created=now,
                    updated=now,
                )
        StateLog().append(*told)


def make_room(owner: str, label: str, characters: int) -> None:
    """Let a block that exists hold so many characters, where it held less."""
    with writing():
        small = MemoryBlock.objects.filter(owner=owner, label=label, limit__lt=characters)
        small.update(limit=characters)


class CharacterShelf(Shelf):
    """The books of an Evennia object."""

    def __init__(self, character: Any) -> None:
        self._character = character
        self._owner = npc_id(character)

    def books(self) -> Sequence[Lorebook]:
        """Return its own book and those of the world."""
        with refusals():
            rows = fetch(_VERSIONS, [self._owner, EVERYBODY, f"{BOOK}%"])
        return [_book(*row) for row in sorted(rows, key=lambda row: (row[0] != self._owner, row))]

    def tags(self) -> frozenset[str]:
        """Return its tags of all categories, in small letters."""
        return frozenset(tag.lower() for tag in self._character.tags.all())


@keeps_texts(500)
def _book(owner: str, label: str, *written: object) -> Lorebook:
    """Return a book as it was `written`, by version and time: one of another time is read anew."""
    return Lorebook.from_json(book_value(owner, label)["book"])


def world_book(name: str) -> Lorebook:
    """Return the lorebook of the world of that name."""
    return Lorebook.from_json(book_value(EVERYBODY, world_label(name))["book"])
