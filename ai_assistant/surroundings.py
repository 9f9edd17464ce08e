"""What a character perceives of where it is: the place, and the things and people in it."""

from __future__ import annotations

from dataclasses import dataclass

from ai_assistant.contracts import Entity


@dataclass(frozen=True, slots=True)
class Thing:
    """Something the character sees: an entity, an exit or an item, with what may be done to it."""

    entity: Entity
    description: str = ""
    is_exit: bool = False
    is_assistant: bool = False
    carried: bool = False
    givable: bool = False
    takable: bool = False
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Scene:
    """What the character perceives of its surroundings right now. All text is cleaned."""

    place: str
    place_name: str
    description: str = ""
    time: str = ""
    private: bool = False
    things: tuple[Thing, ...] = ()
