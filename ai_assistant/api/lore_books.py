"""Lorebooks looked at and put right: the entries of a book, and what some words would bring up."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ai_assistant.api.handlers import store_of
from ai_assistant.core.errors import CardError
from ai_assistant.core.readers import OPEN
from ai_assistant.core.text import clean
from ai_assistant.roleplay.lorebook import Entry, Lorebook, Scan, activate
from ai_assistant.roleplay.lorebook.entry_fields import with_fields
from ai_assistant.roleplay.lorebook.lore_marks import in_mind
from ai_assistant.storage import lorebooks
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
    key: str
    """Its lasting name."""


def entry_rows(books: Sequence[Lorebook]) -> Iterator[EntryRow]:
    """Yield the entries of some books."""
    for book in books:
        for entry in book.entries:
            when = "always" if entry.constant else ", ".join(entry.keys) or "nothing"
            when = when if entry.enabled else "switched off"
            yield EntryRow(entry.name or entry.key, when, entry.order, entry.content, entry.key)


def find_entry(book: str, named: str) -> Entry:
    """Return an entry of a lorebook of the world by its key, or its name. Raises `CardError`."""
    entries = lorebooks.world_book(book).entries
    for entry in entries:
        if named == entry.key:
            return entry
    for entry in entries:
        if named.strip().casefold() == entry.name.casefold() != "":
            return entry
    there_are = ", ".join(entry.name or entry.key for entry in entries)
    raise CardError(f"{book} has no entry '{clean(named, 60)}'; there are: {there_are[:1000]}.")


def edit_entry(book: str, entry: Entry, changed: Mapping[str, Any], *, by: str) -> None:
    """Write some fields of an entry of a lorebook of the world. Raises `CardError`, `StoreError`.

    It stays where it stands in its book; the file that the book came from stays as it is.
    """
    label = lorebooks.world_label(book)
    value = lorebooks.book_value(lorebooks.EVERYBODY, label)
    made = with_fields(Lorebook.from_json(value["book"]), entry.key, changed)
    written = value | {"book": made.to_json()}
    lorebooks.write_books([(lorebooks.EVERYBODY, label, written)], by=by, entry=entry.key)


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
