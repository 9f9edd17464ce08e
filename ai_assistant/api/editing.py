"""Editing: staff correct what an assistant remembers; the old words of a memory are archived."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import Any

from ai_assistant.api.handlers import save, store_of
from ai_assistant.api.references import Item, find_item
from ai_assistant.core.contracts import AuditRecord, Change, Commit
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.text import clean
from ai_assistant.memory.parts import iso
from ai_assistant.memory.redaction import fingerprint
from ai_assistant.roleplay.day_summaries import WITHDRAWN


@dataclass(frozen=True, slots=True)
class Edited:
    """What came of an edit: the words as they were stored, and the reference of what holds them."""

    ref: str
    words: str


def edit_item(character: Any, ref: str, text: str, *, by: str) -> Edited:
    """Give one remembered thing new words.

    Who may read it, who said it and when stay as they were. A memory row is not rewritten: a new
    row takes its place, and the old one is archived. The new words are those of staff and rest on
    no evidence of their own: they stay when what was said before is forgotten.

    Args:
        character: The assistant (an Evennia object).
        ref: What is meant; see `references.find_item`.
        text: The new words.
        by: Who edits, for the audit log.

    Raises:
        AssistantError: There is no such thing, no words, or it was changed at the same time.
        StoreError: The database refused.
    """
    words = clean(text)
    if not words:
        raise AssistantError("With which words? Write them after the reference.")
    item = find_item(character, ref)
    at = time.time()
    note = AuditRecord("Edited", {"kind": ref[:1], "by": by}, at=at)
    if not item.part:
        return Edited(_replace_row(character, item, words, Commit(at=at, audit=[note])), words)
    _edit_in_part(character, item, words, Commit(at=at, audit=[note]))
    return Edited(ref, words)


def _edit_in_part(character: Any, item: Item, words: str, commit: Commit) -> None:
    field = "value" if "value" in item.value else "content"
    edited = {**item.value, field: words, "edited": iso(commit.at)}
    edits = {fingerprint(item.value): edited}
    commit.changes.append(Change(item.part, item.key, "redact", {"edits": edits}))
    save(character, commit)


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
