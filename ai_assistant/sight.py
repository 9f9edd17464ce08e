"""Sight: what a character sees around it, as the game and its locks let it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ai_assistant import handling
from ai_assistant.identity import is_assistant, name_of, plain, reference
from ai_assistant.surroundings import Thing
from ai_assistant.text import clean, clean_name

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
