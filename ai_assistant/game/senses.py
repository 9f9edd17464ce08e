"""Senses: what a character sees around it, and what the game knows of its body at this moment."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ai_assistant import conf
from ai_assistant.core.ports import Thing
from ai_assistant.core.text import clean, clean_name
from ai_assistant.game import handling
from ai_assistant.game.identity import is_assistant, name_of, plain, reference
from ai_assistant.memory.blocks.status_block import checked_fields


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


SEEN_OF_A_KIND = 40
"""So many characters, exits and items are looked at; what lies beyond is not noticed."""
DESCRIPTION_LIMIT = 300
MOST_ALIASES = 6


def things(room: Any, me: Any) -> list[Thing]:
    """Return people, ways out, what is carried and what lies in a room."""

    def seen(holder: Any, kind: str) -> list[Any]:
        return holder.filter_visible(
            holder.contents_get(content_type=kind, exclude=me)[:SEEN_OF_A_KIND], me
        )

    people = [
        Thing(
            reference(one, me),
            description=description(one, me, DESCRIPTION_LIMIT),
            is_assistant=is_assistant(one),
            aliases=_aliases(one, me),
        )
        for one in seen(room, "character")
    ]
    ways = [_way(one, me) for one in seen(room, "exit") if one.destination]
    carried = [
        Thing(
            reference(item, me),
            carried=True,
            givable=handling.is_givable(item),
            aliases=_aliases(item),
        )
        for item in seen(me, "object")
    ]
    lying = [
        Thing(
            reference(item, me),
            is_assistant=is_assistant(item),
            takable=handling.is_takable(item, me),
            aliases=_aliases(item),
        )
        for item in seen(room, "object")
    ]
    return [*people, *ways, *carried, *lying]


def _way(way: Any, me: Any) -> Thing:
    """Return a way out; of one that is closed it is not seen where it leads."""
    leads = name_of(way.destination, me) if way.access(me, "traverse") else ""
    return Thing(reference(way, me), description=leads, is_exit=True, aliases=_aliases(way))


def _aliases(obj: Any, looker: Any = None) -> tuple[str, ...]:
    """Return the other names of a thing; of somebody whose name is hidden from the looker, none."""
    if looker is not None and name_of(obj, looker) != clean_name(obj.key):
        return ()
    return tuple(map(clean_name, obj.aliases.all()[:MOST_ALIASES]))


def open_ways(room: Any, me: Any) -> Iterator[Any]:
    """Yield the exits of a room (None has none) that it may see and take."""
    ways = room.contents_get(content_type="exit", exclude=me)[:SEEN_OF_A_KIND] if room else ()
    for way in room.filter_visible(ways, me) if ways else ():
        if way.destination and way.access(me, "traverse"):
            yield way


def description(obj: Any, looker: Any, limit: int) -> str:
    """Return what the game describes, as far as it may be viewed; empty where it says nothing."""
    shown = obj.get_display_desc(looker) if obj.access(looker, "view") else ""
    return "" if shown == obj.default_description else clean(plain(shown or ""), limit)
