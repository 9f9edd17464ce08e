"""Editing: how staff name one remembered thing, such as ``#12``, and correct it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from ai_assistant.api.handlers import save, store_of
from ai_assistant.core.contracts import AuditRecord, Change, Commit, Json, MemoryRow
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.text import clean
from ai_assistant.core.times import iso
from ai_assistant.game.identity import name_of
from ai_assistant.memory.redaction import fingerprint
from ai_assistant.memory.rewording import Reach, Rewording
from ai_assistant.memory.search.searchable_parts import LISTS
from ai_assistant.roleplay.day_summaries import WITHDRAWN
from ai_assistant.storage import erasure

_PEOPLE = ("author", "subject", "source_entity")
"""Fields of an item that say whose words it holds, or whom they are about."""


@dataclass(frozen=True, slots=True)
class Item:
    """One remembered thing as it is stored."""

    part: str
    """The part of the state that holds it; empty for a row."""
    key: str
    """Of a part with keys: the id of whom it is about."""
    value: Json
    """The item as stored; of a row, its columns."""
    number: int = 0
    """The id of a row, or that of a journal entry below zero; 0 for all others."""


def find_item(character: Any, ref: str) -> Item:
    """Return what a reference stands for.

    ``#12`` is a memory row, ``j12`` a journal entry, ``f3``, ``p3`` and ``n3`` the third fact,
    pattern or line of the notebook, ``o2@<entity id>`` and ``t2@<entity id>`` an observation about
    somebody and a trait of theirs. Raises `AssistantError` where there is no such thing.
    """
    letter, (place, _, owner) = ref[:1], ref[1:].partition("@")
    number = int(place) if place.isdecimal() and len(place) < 19 else 0
    store = store_of(character)
    if letter == "#":
        found = [Item("", "", row, number) for row in erasure.rows_by_id(store.id, [number])]
    elif letter == "j":
        entries = store.read("journal")["entries"]
        found = [Item("journal", "", entry, -number) for entry in entries if entry["id"] == number]
    else:
        part, name = LISTS.get(letter, ("session", ""))
        listed = store.read(part, owner).get(name, []) if bool(owner) == (part == "profile") else []
        chosen = listed[number - 1 : number] if number else []
        found = [Item(part, owner, item) for item in chosen]
    if not found:
        whose = f"@{store.read('profile', owner)['name'] or owner}" if owner else ""
        typed = clean(ref.partition("@")[0] + whose, 60)
        raise AssistantError(f"{name_of(character)} has no memory {typed}.")
    return found[0]


@dataclass(frozen=True, slots=True)
class Edited:
    """What came of an edit."""

    ref: str
    """What holds the new words."""
    words: str
    """The new ones."""
    before: str
    """The old ones."""
    moved: dict[int, int]
    """The ids of the rows that give way, with those that took their place."""
    lines: dict[str, str]
    """The new words of what was said, by the id of the event."""
    people: frozenset[str]
    """The ids of those whose words they were, and whom they are about."""


def edit_item(character: Any, ref: str, text: str, *, by: str) -> Edited:
    """Give one remembered thing new words; who may read it, who said it and when stay as they were.

    A memory row is archived, and a new one takes its place; so are the rows that a trait rests on,
    where they have the words that were changed. The new words are those of staff: they stay when
    what was said before is forgotten. Where else it is quoted, see `following`. Raises
    `AssistantError`.
    """
    words = clean(text)
    if not words:
        raise AssistantError("With which words? Write them after the reference.")
    item, at = find_item(character, ref), time.time()
    field = "value" if "value" in item.value else "content"
    before = item.value[field]
    commit = Commit(at=at, audit=[AuditRecord("Edited", {"kind": ref[:1], "by": by}, at=at)])
    if item.part:
        edited = {**item.value, field: words, "edited": iso(at)}
        edits = {fingerprint(item.value): edited}
        commit.changes.append(Change(item.part, item.key, "redact", {"edits": edits}))
        rows = _shown_by(character, item.value.get("evidence", ()), Rewording(before, words))
    else:
        rows = [(_present(character, item.number), words)]
    for row, new in rows:
        _replace_row(row, new, commit)
    made = save(character, commit)
    moved = {row.id: new.id for (row, _), new in zip(rows, made, strict=False)}
    whose = (item.key, *(item.value.get(name) or "" for name in _PEOPLE))
    return Edited(
        ref if item.part else f"#{made[0].id}",
        words,
        before,
        moved | ({item.number: item.number} if item.part and item.number else {}),
        {row.meta["event"]: new for row, new in rows if row.meta.get("event")},
        frozenset(who for several in whose for who in several.split(",")) - {""},
    )


def _present(character: Any, number: int) -> MemoryRow:
    """Return a row by its id; raises `AssistantError` where another has taken its place."""
    store = store_of(character)
    if found := store.rows.by_ids([number]):
        return found[0]
    newer = store.rows.find({"corrects": number}, 1)
    which = f" as #{newer[0].id}" if newer else ""
    raise AssistantError(f"That memory is archived already: a newer one took its place{which}.")


def _shown_by(
    character: Any, evidence: Sequence[int], rewording: Rewording
) -> list[tuple[MemoryRow, str]]:
    """Return the rows that showed what was put right, with what they say now."""
    rows = store_of(character).rows.by_ids([id for id in evidence if id > 0])
    told = [(row, rewording.applied(row.content, Reach.OWN)) for row in rows]
    return [(row, words) for row, words in told if words != row.content]


def _replace_row(old: MemoryRow, words: str, commit: Commit) -> None:
    """Let a row take the place of another."""
    meta = {**old.meta, "edited": iso(commit.at), "corrects": old.id}
    commit.rows.append(replace(old, id=0, content=words, meta=meta))
    commit.archived.append(old.id)
    commit.annotated[old.id] = WITHDRAWN
