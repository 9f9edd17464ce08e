"""What a character sees of its surroundings."""

from __future__ import annotations

from dataclasses import dataclass

from ai_assistant.core.contracts import Entity


@dataclass(frozen=True, slots=True)
class Thing:
    """Something the character sees: an entity, an exit or an item, with what may be done to it."""

    entity: Entity
    """What it is, by reference."""
    description: str = ""
    """What one sees who looks at it."""
    is_exit: bool = False
    """Does it lead to another place?"""
    is_assistant: bool = False
    """Is it a character with a mind?"""
    carried: bool = False
    """Does the character hold it?"""
    givable: bool = False
    """May it be given away by the character?"""
    takable: bool = False
    """May the character pick it up?"""
    aliases: tuple[str, ...] = ()
    """Further names."""


@dataclass(frozen=True, slots=True)
class SeenPlace:
    """What the character perceives of its surroundings right now. All text is cleaned."""

    place: str
    """The id of the room."""
    place_name: str
    """Its name."""
    description: str = ""
    """What one sees who looks around."""
    time: str = ""
    """The time of day in words; empty where the game has none."""
    private: bool = False
    """Does talk stay among its hearers here?"""
    things: tuple[Thing, ...] = ()
    """What is there, its own items included."""
