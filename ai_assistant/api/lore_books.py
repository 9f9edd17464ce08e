"""Lorebooks looked at and put right: the entries of a book, and what some words would bring up."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ai_assistant.api.handlers import store_of
from ai_assistant.core.contracts import Json
from ai_assistant.core.errors import CardError
from ai_assistant.core.readers import OPEN
from ai_assistant.core.text import clean
from ai_assistant.core.times import iso
from ai_assistant.roleplay.lorebook import Entry, Lorebook, Scan, activate
from ai_assistant.roleplay.lorebook.entry_fields import with_fields
from ai_assistant.roleplay.lorebook.lore_marks import in_mind
from ai_assistant.storage import lorebooks, npc_id
from ai_assistant.storage.lorebooks import CharacterShelf

MOST_WORDS = 1000
"""Characters of the words that are tried."""
LISTED = 20
"""Changes that are shown."""


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


def card_book(character: Any) -> Lorebook:
    """Return the lorebook of an assistant's own card, an empty one where there is none."""
    value = lorebooks.book_value(*_place("", character))
    return Lorebook.from_json(value["book"]) if value else Lorebook()


def _place(book: str, whose: Any) -> tuple[str, str]:
    """Return owner and label of the block of a lorebook."""
    if whose is not None:
        return npc_id(whose), lorebooks.BOOK
    return lorebooks.EVERYBODY, lorebooks.world_label(book)


def find_entry(book: str, named: str, whose: Any = None) -> Entry:
    """Return an entry of a lorebook of the world, or that of a card, by its key, or its name.

    `whose` card, if it is one's. Raises `CardError`.
    """
    entries = (lorebooks.world_book(book) if whose is None else card_book(whose)).entries
    for entry in entries:
        if named == entry.key:
            return entry
    for entry in entries:
        if named.strip().casefold() == entry.name.casefold() != "":
            return entry
    there_are = ", ".join(entry.name or entry.key for entry in entries)
    raise CardError(
        f"{book or 'Its card'} has no entry '{clean(named, 60)}'; there are: {there_are[:1000]}."
    )


def edit_entry(
    book: str, entry: Entry, changed: Mapping[str, Any], *, by: str, whose: Any = None
) -> None:
    """Write some fields of an entry of a lorebook of the world, or that of `whose` card.

    Raises `CardError`, `StoreError`.
    It stays where it stands in its book; the file that the book came from stays as it is.
    """
    place = _place(book, whose)
    value = lorebooks.book_value(*place)
    made = with_fields(Lorebook.from_json(value["book"]), entry.key, changed)
    written = value | {"book": made.to_json()}
    lorebooks.write_books([(*place, written)], by=by, entry=entry.key)


@dataclass(frozen=True, slots=True)
class BookChange:
    """What was done to a lorebook of the world."""

    at: str
    """When, as times are stored."""
    book: str
    """The name of the book."""
    what: str
    """What was done, in words."""
    by: str
    """The name of whoever did it; empty where it is not on record."""
    is_latest: bool
    """Is it the latest change of its book, which can be taken back?"""


def book_changes() -> list[BookChange]:
    """Return the last changes of lorebooks of the world, newest first. Raises `StoreError`."""
    found, seen = [], set[str]()
    for at, book, told in lorebooks.world_changes(LISTED):
        what = "written" if told["did"] == "write" else "deleted"
        what = f"entry {told['entry']} edited" if "entry" in told else told.get("what", what)
        found.append(BookChange(iso(at), book, what, told.get("by", ""), book not in seen))
        seen.add(book)
    return found


def book_before(named: str) -> tuple[str, Json]:
    """Return the proper name of a lorebook of the world, and what it was before its latest change.

    That is empty where there was none. Raises `CardError` where it is not known.
    """
    names = {change.book for change in book_changes()} | {*lorebooks.world_books()}
    name = next((name for name in names if name.casefold() == named.strip().casefold()), "")
    value = lorebooks.world_before(name) if name else None
    if value is None:
        raise CardError(f"Nothing older is known of a lorebook '{clean(named, 60)}'.")
    return name, value


def undo_book(named: str, *, by: str) -> str:
    """Take back the latest change of a lorebook of the world, a deletion too; returns its name.

    Done again, it takes back the taking back. Raises `CardError`, `StoreError`.
    """
    name, value = book_before(named)
    block = (lorebooks.EVERYBODY, lorebooks.world_label(name), value)
    lorebooks.write_books([block], by=by, what="the change before was taken back")
    return name


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
