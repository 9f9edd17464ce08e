"""The port to a character's lorebooks: the books it has at hand, and the tags that it bears."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from ai_assistant.roleplay.lorebook.entries import Book


class Shelf(Protocol):
    """What the game gives one character to know of the world."""

    def books(self) -> Sequence[Book]:
        """Its own book first, then those of the world, by name."""

    def tags(self) -> frozenset[str]:
        """Its tags, in small letters."""


class EmptyShelf:
    """Implements `Shelf` for a character that nobody gave a book."""

    def books(self) -> Sequence[Book]:
        """Return nothing."""
        return ()

    def tags(self) -> frozenset[str]:
        """Return nothing."""
        return frozenset()
