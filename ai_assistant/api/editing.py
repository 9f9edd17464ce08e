"""Editing: how staff name one remembered thing, such as ``#12``, and correct it."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from ai_assistant.api.handlers import save, store_of
from ai_assistant.core.contracts import AuditRecord, Change, Commit, Json, MemoryRow
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.ports import Store
from ai_assistant.core.text import clean, typed_number
from ai_assistant.core.times import MINUTE, epoch, iso
from ai_assistant.game.identity import name_of
from ai_assistant.language.words import sentences, stem_set
from ai_assistant.memory.evidence import is_verbatim
from ai_assistant.memory.parts import copied
from ai_assistant.memory.people.profiles import PROFILE
from ai_assistant.memory.redaction import fingerprint
from ai_assistant.memory.rewording import Reach, Rewording
from ai_assistant.memory.search.searchable_parts import LISTS
from ai_assistant.roleplay.day_summaries import WITHDRAWN
from ai_assistant.storage import attributes, erasure
from ai_assistant.storage.statements import refusals

_PEOPLE = ("author", "subject", "source_entity")
"""Fields of an item that say whose words it holds, or whom they are about."""
LINES = ("utterance", "deed")
"""Kinds of rows that hold what was said, or done in so many words."""
LATELY = 20
"""Lines before something was noted, among which those are looked for that it was made of."""


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

    @property
    def words(self) -> str:
        """What it says."""
        return self.value.get("content") or self.value.get("value", "")


def find_item(character: Any, ref: str, was: str | None = None) -> Item:
    """Return what a reference stands for.

    ``#12`` is a memory row, ``j12`` a journal entry, ``f3``, ``p3`` and ``n3`` the third fact,
    pattern or line of the notebook, ``o2@<entity id>`` and ``t2@<entity id>`` an observation about
    somebody and a trait of theirs. Where a list lost an item, others have moved up to its place:
    `was` are the words that whoever chose it saw there. Raises `AssistantError` where there is no
    such thing, or it has other words than these.
    """
    item = find_items(character, [ref]).get(ref)
    if item is None:
        place, _, owner = ref.partition("@")
        whose = f"@{store_of(character).read('profile', owner)['name'] or owner}" if owner else ""
        raise AssistantError(f"{name_of(character)} has no memory {clean(place + whose, 60)}.")
    if was is not None and clean(was) != clean(item.words):
        raise AssistantError("Something else stands in that place by now. Look again.")
    return item


def find_items(character: Any, refs: Iterable[str]) -> dict[str, Item]:
    """Return what each of these references stands for, of those that still stand for something.

    However many they are, their rows are read by one query, and their people by one.
    """
    store, named = store_of(character), {ref: _named(ref) for ref in refs}
    numbers = [number for letter, number, _ in named.values() if letter == "#"]
    rows = {row["id"]: row for row in erasure.rows_by_id(store.id, numbers)}
    with refusals():
        attributes.look_up(character, [(PROFILE, who) for _, _, who in named.values() if who])
    found = {ref: _item(store, rows, *what) for ref, what in named.items()}
    return {ref: item for ref, item in found.items() if item}


def _named(ref: str) -> tuple[str, int, str]:
    """Return the letter of a reference, its number or 0, and whom it is about."""
    place, _, owner = ref[1:].partition("@")
    return ref[:1], typed_number(place), owner


def _item(store: Store, rows: dict[int, Json], letter: str, number: int, owner: str) -> Item | None:
    if letter == "#":
        return Item("", "", rows[number], number) if number in rows else None
    part, name = LISTS.get(letter, ("session", ""))
    listed = store.view(part, owner).get(name, []) if bool(owner) == (part == "profile") else []
    if letter == "j":
        chosen = [entry for entry in listed if entry["id"] == number]
    else:
        chosen = listed[number - 1 : number] if number else []
    return next(
        (Item(part, owner, copied(item), -number * (letter == "j")) for item in chosen), None
    )


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

    A memory row is archived, and a new one takes its place; so are the lines that a thing rests on
    or was noted from, where they say what was changed. The new words are those of staff: they stay
    when what was said before is forgotten. Where else it is quoted, see `following`. Raises
    `AssistantError` where there is no such thing any more, or `text` has no words.
    """
    words = clean(text)
    if not words:
        raise AssistantError("With which words? Write them after the reference.")
    item, at = find_item(character, ref), time.time()
    rows = [] if item.part else [(_present(character, item.number), words)]
    field = "value" if "value" in item.value else "content"
    before = item.value[field]
    commit = Commit(at=at, audit=[AuditRecord("Edited", {"kind": ref[:1], "by": by}, at=at)])
    if item.part:
        edited = {**item.value, field: words, "edited": iso(at)}
        edits = {fingerprint(item.value): edited}
        commit.changes.append(Change(item.part, item.key, "redact", {"edits": edits}))
    if item.part or not is_verbatim(item.value):
        rows += _sources(character, item, Rewording(before, words))
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


def _sources(character: Any, item: Item, rewording: Rewording) -> list[tuple[MemoryRow, str]]:
    """Return the rows that an item rests on or was noted from, with what they say now."""
    stored, value = store_of(character).rows, item.value
    evidence = stored.by_ids([id for id in value.get("evidence", ()) if id > 0])
    told = [(row, rewording.applied(row.content, Reach.OWN)) for row in evidence]
    authors = tuple(filter(None, (value.get("author") or "").split(",")))
    if not evidence and authors and rewording.takes_back:
        noted = value.get("timestamp") or value.get("created", "")
        until = ("<=", (value.get("learned_at") or epoch(noted)) + MINUTE)
        where = {"author": ("in", authors), "kind": ("in", LINES), "learned_at": until}
        lines = [row for row in stored.find(where, LATELY) if row.readers == value.get("readers")]
        about = store_of(character).read("profile", item.key)["name"] if item.key else ""
        told = [(row, _told_anew(row.content, rewording, about)) for row in lines]
    return [(row, words) for row, words in told if words != row.content]


def _told_anew(line: str, rewording: Rewording, about: str) -> str:
    """Return a line by whoever told of something, as it is now, where it is what they told.

    It is where one sentence has half of the words or more, but for the name of whom it is about.
    """
    known = stem_set(rewording.old) - stem_set(about)
    shared, near = max((len(stem_set(said) & known), said) for said in sentences(line))
    if not shared or 2 * shared < len(known):
        return line
    if rewording.is_new:
        return line.replace(near, rewording.new, 1)
    return rewording.applied(line, Reach.NEAR)


def _replace_row(old: MemoryRow, words: str, commit: Commit) -> None:
    meta = {**old.meta, "edited": iso(commit.at), "corrects": old.id}
    commit.rows.append(replace(old, id=0, content=words, meta=meta))
    commit.archived.append(old.id)
    commit.annotated[old.id] = WITHDRAWN
