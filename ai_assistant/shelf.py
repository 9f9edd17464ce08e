"""A character's lorebooks in the game: kept in memory, read anew when somebody changed them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ai_assistant.roleplay.lorebook import Book
from ai_assistant.storage import lorebooks, npc_id

_KEPT = 500
_books: dict[lorebooks.Name, tuple[lorebooks.Stamp, Book]] = {}


class CharacterShelf:
    """Implements `roleplay.lorebook.shelf.Shelf` for an Evennia object."""

    def __init__(self, character: Any) -> None:
        self._character = character
        self._id = npc_id(character)

    def books(self) -> Sequence[Book]:
        """Return its own book and those of the world. Raises `StoreError`."""
        versions = lorebooks.book_versions(self._id)
        return [_book(name, version) for name, version in versions.items()]

    def tags(self) -> frozenset[str]:
        """Return its tags of all categories, in small letters."""
        return frozenset(one.lower() for one in self._character.tags.all())


def world_book(name: str) -> Book:
    """Return the lorebook of the world of that name. Raises `StoreError`."""
    label = (lorebooks.EVERYBODY, lorebooks.world_label(name))
    return Book.from_json(lorebooks.read(*label)["book"])


def _book(name: lorebooks.Name, version: lorebooks.Stamp) -> Book:
    known = _books.get(name)
    if known is None or known[0] != version:
        if len(_books) >= _KEPT:
            _books.clear()
        known = _books[name] = (version, Book.from_json(lorebooks.read(*name)["book"]))
    return known[1]
