"""Senses: what the game knows of a body at this moment, for the status block (seed MB §5)."""

from __future__ import annotations

from typing import Any

from ai_assistant import conf
from ai_assistant.identity import name_of
from ai_assistant.memory.blocks.status import checked_fields


def body_status(character: Any) -> dict[str, Any]:
    """Return location, position and health of a character, as far as the game has them.

    The position is the room's coordinates: its `xyz`, or its Attribute `coordinates`. Health is the
    Attribute or property that ``AI_ASSISTANT_HEALTH`` names. What a method `at_ai_status` of the
    character returns, a dict, comes before all of that.
    """
    room = character.location
    found = {
        "location": name_of(room, character) if room else "nowhere",
        "position": position_of(room),
        "health": _reading(character, conf.settings.HEALTH),
    }
    told = getattr(character, "at_ai_status", None)
    found |= dict(told()) if callable(told) else {}
    return checked_fields({name: one for name, one in found.items() if one not in (None, "", [])})


def position_of(room: Any) -> list[float]:
    """Return the coordinates of a room, as far as the game gave it any."""
    found = getattr(room, "xyz", None) or (room.db.coordinates if room else None) or ()
    numbers = [one for one in found if isinstance(one, int | float)]
    return numbers if len(numbers) == len(found) else []


def _reading(character: Any, name: str) -> Any:
    stored = character.attributes.get(name)
    found = stored if stored is not None else getattr(type(character), name, None)
    if isinstance(found, property):
        found = getattr(character, name)
    return found if isinstance(found, int | float | str) else None
