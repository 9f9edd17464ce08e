"""Lorebooks looked at: the entries that a character reads, and what some words would bring up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ai_assistant.api.handlers import store_of
from ai_assistant.core.readers import OPEN
from ai_assistant.core.text import clean
from ai_assistant.roleplay.lorebook import Lorebook, Scan, activate
from ai_assistant.roleplay.lorebook.lore_marks import in_mind
from ai_assistant.storage.lorebooks import CharacterShelf

MOST_WORDS = 1000
"""Characters of the words that are tried."""


@dataclass(frozen=True, slots=True)
class EntryRow:
    """An entry of a lorebook as people read it."""

    name: str
    """The entry's, or its key where it has none."""
    when: str
    """What brings it to mind."""
    order: int
    """Those of a lower one come first."""
    content: str
    """What it says."""


def entry_rows(books: Sequence[Lorebook]) -> Iterator[EntryRow]:
    """Yield the entries of some books."""
    for book in books:
        for entry in book.entries:
            when = "always" if entry.constant else ", ".join(entry.keys) or "nothing"
            when = when if entry.enabled else "switched off"
            yield EntryRow(entry.name or entry.key, when, entry.order, entry.content)


def books_of(character: Any) -> Sequence[Lorebook]:
    """Return its own lorebook and those of the world. Raises `StoreError`."""
    return CharacterShelf(character).books()


def would_fire(character: Any, words: str) -> list[tuple[str, str]]:
    """Return what would come to its mind at some words said openly: entry and why.

    Raises `StoreError`.
    """
    shelf = CharacterShelf(character)
    books = shelf.books()
    stands = in_mind(store_of(character).read("lore"), books, lambda label: label == OPEN)
    scan = Scan(
        messages=[clean(words, MOST_WORDS)],
        tags=shelf.tags(),
        seed=words,
        count=stands.count + 1,
        sticky=stands.sticky,
        resting=stands.resting,
    )
    return [(hit.entry.name or hit.entry.key, hit.why) for hit in activate(books, scan)]
