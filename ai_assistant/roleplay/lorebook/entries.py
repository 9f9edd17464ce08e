"""An entry of a lorebook, the book around it, and the port to a character's books."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any, Literal, Protocol

from ai_assistant.core.contracts import Json

Logic = Literal["and_any", "and_all", "not_any", "not_all"]
"""What the secondary keys must do beside a key: one found, all found, none found, not all found."""
LOGICS: tuple[Logic, ...] = ("and_any", "not_all", "not_any", "and_all")
"""In the order of the numbers that lorebook files give them."""
Position = Literal["before", "after", "depth"]
"""Before or after what is known of the character, or within the conversation."""
DEFAULT_SCAN_DEPTH = 4
DEFAULT_DEPTH = 4


@dataclass(frozen=True, slots=True)
class Entry:
    """One piece of lore and when it comes to mind. `key` is its lasting name, the `loreKey`.

    `content` is inert text. `sticky`, `cooldown` and `delay` count messages. The holder must have
    every one of `required_tags`.
    """

    key: str
    content: str
    name: str = ""
    keys: tuple[str, ...] = ()
    secondary: tuple[str, ...] = ()
    logic: Logic = "and_any"
    excluded: tuple[str, ...] = ()
    enabled: bool = True
    constant: bool = False
    order: int = 100
    position: Position = "before"
    depth: int = DEFAULT_DEPTH
    scan_depth: int = 0
    case_sensitive: bool = False
    whole_words: bool = False
    probability: int = 100
    groups: tuple[str, ...] = ()
    group_first: bool = False
    group_weight: int = 100
    sticky: int = 0
    cooldown: int = 0
    delay: int = 0
    exclude_recursion: bool = False
    prevent_recursion: bool = False
    delay_until_recursion: bool = False
    required_tags: tuple[str, ...] = ()

    @property
    def lasting(self) -> bool:
        """Is it there in every turn, whatever is said?"""
        changes = self.groups or self.delay or self.cooldown or self.probability < 100
        return self.enabled and self.constant and not changes and self.position != "depth"


@dataclass(frozen=True, slots=True)
class Book:
    """Entries with what holds for all of them. A `token_budget` of 0 leaves it to the prompt."""

    name: str = ""
    entries: tuple[Entry, ...] = ()
    scan_depth: int = DEFAULT_SCAN_DEPTH
    token_budget: int = 0
    recursive: bool = False
    required_tags: tuple[str, ...] = ()

    def to_json(self) -> Json:
        """Return the book as JSON values; of its entries only what is not as usual."""
        entries = [
            {name: value for name, value in asdict(one).items() if value != _USUAL.get(name)}
            for one in self.entries
        ]
        return {**asdict(self), "entries": entries}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Book:
        """Rebuild a book from what `to_json` returned."""
        entries = tuple(Entry(**_frozen(one)) for one in data["entries"])
        return cls(**{**_frozen(data), "entries": entries})


_USUAL = {field.name: field.default for field in fields(Entry)}


def _frozen(data: Mapping[str, Any]) -> Json:
    return {name: tuple(one) if isinstance(one, list) else one for name, one in data.items()}


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
