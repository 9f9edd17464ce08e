"""Editing: how staff name one remembered thing, such as ``#12``, and correct it."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import Any

from ai_assistant.api.handlers import save, store_of
from ai_assistant.core.contracts import AuditRecord, Change, Commit, Json
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.text import clean
from ai_assistant.core.times import iso
from ai_assistant.game.identity import name_of
from ai_assistant.memory.redaction import fingerprint
from ai_assistant.memory.search.searchable_parts import LISTS
from ai_assistant.roleplay.day_summaries import WITHDRAWN
from ai_assistant.storage import erasure


@dataclass(frozen=True, slots=True)
class Item:
    """One remembered thing as it is stored; of a row, `part` is empty and `value` has its columns.

    `number` is the id of a row, or that of a journal entry below zero; 0 for all others.
    """

    part: str
    key: str
    value: Json
    number: int = 0


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
    """What came of an edit: the words as they were stored, and the reference of what holds them."""

    ref: str
    words: str


def edit_item(character: Any, ref: str, text: str, *, by: str) -> Edited:
    """Give one remembered thing new words; who may read it, who said it and when stay as they were.

    A memory row is archived, and a new one takes its place. The new words are those of staff: they
    stay when what was said before is forgotten. Raises `AssistantError`.
    """
    words = clean(text)
    if not words:
        raise AssistantError("With which words? Write them after the reference.")
    item, at = find_item(character, ref), time.time()
    commit = Commit(at=at, audit=[AuditRecord("Edited", {"kind": ref[:1], "by": by}, at=at)])
    if not item.part:
        return Edited(_replace_row(character, item, words, commit), words)
    field = "value" if "value" in item.value else "content"
    edited = {**item.value, field: words, "edited": iso(at)}
    edits = {fingerprint(item.value): edited}
    commit.changes.append(Change(item.part, item.key, "redact", {"edits": edits}))
    save(character, commit)
    return Edited(ref, words)


def _replace_row(character: Any, item: Item, words: str, commit: Commit) -> str:
    """Return the reference of the row that takes the place of another."""
    store = store_of(character)
    found = store.rows.by_ids([item.number])
    if not found:
        newer = store.rows.find({"corrects": item.number}, 1)
        which = f" as #{newer[0].id}" if newer else ""
        raise AssistantError(f"That memory is archived already: a newer one took its place{which}.")
    old = found[0]
    meta = {**old.meta, "edited": iso(commit.at), "corrects": old.id}
    commit.rows.append(replace(old, id=0, content=words, meta=meta))
    commit.archived.append(old.id)
    commit.annotated[old.id] = WITHDRAWN
    return f"#{save(character, commit)[0].id}"
