"""An entry of a lorebook, the book around it, and the shelf of a character's books."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any, Literal

from ai_assistant.core.contracts import Json

Logic = Literal["and_any", "and_all", "not_any", "not_all"]
"""What the secondary keys must do beside a key: one found, all found, none found, not all found."""
LOGICS: tuple[Logic, ...] = ("and_any", "not_all", "not_any", "and_all")
"""In the order of the numbers that lorebook files give them."""
Position = Literal["before", "after", "depth"]
"""Before or after what is known of the character, or within the conversation."""
DEFAULT_SCAN_DEPTH = 4
DEFAULT_DEPTH = 4
RANGES = {
    "order": (-1_000_000, 1_000_000),
    **dict.fromkeys(("depth", "scan_depth", "probability"), (0, 100)),
    "group_weight": (1, 10_000),
    **dict.fromkeys(("sticky", "cooldown", "delay"), (0, 10_000)),
}
"""The least and the most that numbers of an entry may be."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One piece of lore and when it comes to mind."""

    key: str
    """Its lasting name, the `loreKey`."""
    content: str
    """Inert text."""
    name: str = ""
    """What its writer calls it; shown to staff."""
    keys: tuple[str, ...] = ()
    """Words, one of which must have been said."""
    secondary: tuple[str, ...] = ()
    """Words of which `logic` says what they must do besides."""
    logic: Logic = "and_any"
    """How many of `secondary` must be there, or must not."""
    excluded: tuple[str, ...] = ()
    """Words with which it stays away."""
    enabled: bool = True
    """Is it in use?"""
    constant: bool = False
    """Is it there without any of its keys?"""
    order: int = 100
    """Of two entries the higher one stands nearer to the talk, and gives way later."""
    position: Position = "before"
    """Where in the prompt it stands."""
    depth: int = DEFAULT_DEPTH
    """With the position depth: messages from the end of the conversation."""
    scan_depth: int = 0
    """Messages in which its keys are looked for; 0 for as many as the book says."""
    case_sensitive: bool = False
    """Do capitals count?"""
    whole_words: bool = False
    """Must a key be a whole word?"""
    probability: int = 100
    """Percent of the times that it comes, when it could."""
    groups: tuple[str, ...] = ()
    """Of the entries of one group one comes."""
    group_first: bool = False
    """Does it come before all others of its group?"""
    group_weight: int = 100
    """Its chance among those of its group."""
    sticky: int = 0
    """Messages for which it stays, once it came."""
    cooldown: int = 0
    """Messages for which it stays away after that."""
    delay: int = 0
    """Messages that must have been said before it can come."""
    exclude_recursion: bool = False
    """Does no other entry's text call it?"""
    prevent_recursion: bool = False
    """Does its text call no other entry?"""
    delay_until_recursion: bool = False
    """Do only other entries' texts call it?"""
    required_tags: tuple[str, ...] = ()
    """Tags that its holder must have, every one."""

    @property
    def lasting(self) -> bool:
        """Is it there in every turn, whatever is said?"""
        changes = self.groups or self.delay or self.cooldown or self.probability < 100
        return self.enabled and self.constant and not changes and self.position != "depth"


@dataclass(frozen=True, slots=True)
class Lorebook:
    """Entries with what holds for all of them."""

    name: str = ""
    """What its owner calls it."""
    entries: tuple[Entry, ...] = ()
    """Its entries, in their order."""
    scan_depth: int = DEFAULT_SCAN_DEPTH
    """So many of the newest messages are read for keys."""
    token_budget: int = 0
    """Tokens that its entries may take together; 0 leaves it to the prompt."""
    recursive: bool = False
    """Are the entries that fire read for keys as well?"""
    required_tags: tuple[str, ...] = ()
    """Tags of which a character needs one to know the book; empty: everybody does."""

    def to_json(self) -> Json:
        """Return the book as JSON values; of its entries only what is not as usual."""
        entries = [
            {name: value for name, value in asdict(entry).items() if value != _USUAL.get(name)}
            for entry in self.entries
        ]
        return {**asdict(self), "entries": entries}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Lorebook:
        """Rebuild a book from what `to_json` returned."""
        entries = tuple(Entry(**_frozen(entry)) for entry in data["entries"])
        return cls(**{**_frozen(data), "entries": entries})


_USUAL = {field.name: field.default for field in fields(Entry)}


def _frozen(data: Mapping[str, Any]) -> Json:
    return {key: tuple(value) if isinstance(value, list) else value for key, value in data.items()}


class Shelf:
    """What the game gives one character to know of the world; nobody gave this one a book."""

    def books(self) -> Sequence[Lorebook]:
        """Return its own book first, then those of the world, by name."""
        return ()

    def tags(self) -> frozenset[str]:
        """Return its tags, in small letters."""
        return frozenset()
