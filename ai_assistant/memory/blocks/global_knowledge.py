"""The global knowledge block: lore, major events and places, which everybody knows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ai_assistant.core.contracts import Json, MemoryRow
from ai_assistant.core.readers import OPEN
from ai_assistant.core.text import clean_name
from ai_assistant.core.times import iso
from ai_assistant.memory import labelled
from ai_assistant.memory.blocks import items, rules
from ai_assistant.memory.parts import Part

EVENTS, PLACES, LORE = "recent_events", "locations", "lore"
ELSEWHERE = "Other places"
"""The name under which a summary of places stands on the map."""
WORLD = "world"
"""The container into which events go that a summary took the place of: everybody's, so nobody's."""
MAX_LORE = 4000
MAX_DESCRIPTION = 300
EVENT_LINES = items.LineList(part=rules.GLOBAL, name=EVENTS, kind="event", container=WORLD)


def set_lore(block: Json, *, text: str) -> None:
    """Replace the lore; if it is too long nothing changes, and a summary is asked for."""
    _put(block, LORE, text)


def add_event(block: Json, *, content: str, at: float, author: str = "") -> None:
    """Append an event. Events are always open to everybody."""
    EVENT_LINES.add(block, content=content, at=at, author=author)


def set_location(
    block: Json,
    *,
    name: str,
    at: float,
    description: str = "",
    coordinates: Sequence[float] = (),
    room: int = 0,
) -> None:
    """Add a place, or change the one of that room or name; fields left out stay as they are.

    `room` is the number of the game's room that the place is (0: none). It identifies the place
    even if the room is renamed.
    """
    new = {"name": clean_name(name), "coordinates": [], "description": ""}
    known = place_of_room(block, room) or find_place(block, name) or new
    place = known | {"timestamp": iso(at)}
    place |= {"name": clean_name(name), "room": room} if room else {}
    place |= {"description": description} if description else {}
    place |= {"coordinates": [*coordinates]} if len(coordinates) else {}
    replaced = (known, find_place(block, name))
    others = [entry for entry in block[PLACES] if all(entry is not old for old in replaced)]
    _put(block, PLACES, [*others, place])


def _put(block: Json, name: str, value: object) -> None:
    if rules.fits(block, lambda draft: draft.update({name: value})):
        block[name] = value
    else:
        labelled.request_compaction(block)


def remove_location(block: Json, *, name: str) -> None:
    """Remove a place from the map."""
    block[PLACES] = [entry for entry in block[PLACES] if entry is not find_place(block, name)]


def find_place(block: Json, name: str) -> Json | None:
    """Return the place with this name, in upper or lower case, or None."""
    wanted = clean_name(name).casefold()
    return next((entry for entry in block[PLACES] if entry["name"].casefold() == wanted), None)


def place_of_room(block: Json, room: int) -> Json | None:
    """Return the place of a room of the game, by the room's number, or None."""
    return next((entry for entry in block[PLACES] if room and entry.get("room") == room), None)


def settle_places(block: Json, *, gone: Sequence[str], summary: str, at: float) -> list[MemoryRow]:
    """Replace the places with these words by one summary; they become rows of the world."""
    replaced = [entry for entry in block[PLACES] if place_words(entry) in gone]
    if not replaced:
        return []
    rest = [entry for entry in block[PLACES] if entry not in replaced]
    stands_for_them = {
        "name": ELSEWHERE,
        "coordinates": [],
        "description": summary,
        "timestamp": iso(at),
    }
    is_shorter = rules.json_length(stands_for_them) < sum(map(rules.json_length, replaced))
    block[PLACES] = [stands_for_them, *rest] if is_shorter else rest
    rules.settled(block)
    return [_row(place_words(entry), "place", entry["timestamp"]) for entry in replaced]


def settle_lore(block: Json, *, gone: Sequence[str], summary: str, at: float) -> list[MemoryRow]:
    """Replace the lore by a shorter one, unless it changed since; the old lore becomes a row."""
    old = block[LORE]
    if [old] != list(gone) or not 0 < len(summary) < len(old):
        return []
    block[LORE] = summary
    rules.settled(block)
    return [_row(old, "lore", iso(at))]


def place_words(place: Json) -> str:
    """Return what the block says of a place, on one line."""
    at = ", ".join(map(str, place["coordinates"]))
    named = f"{place['name']} ({at})" if at else place["name"]
    return ": ".join(filter(None, [named, place["description"]]))


def _row(content: str, kind: str, on: str) -> MemoryRow:
    item = {"content": content, "readers": OPEN, "timestamp": on}
    return replace(labelled.item_as_row(item, kind), container=WORLD)


GLOBAL_KNOWLEDGE = Part(
    name=rules.GLOBAL,
    attribute=rules.GLOBAL,
    shape={
        LORE: "",
        EVENTS: [],
        PLACES: [],
        "needs_compaction": False,
        "limit": rules.LIMITS[rules.GLOBAL],
    },
    steps=rules.signed_steps(
        rules.GLOBAL,
        EVENT_LINES.steps()
        | {
            "add_line": add_event,
            "set_lore": set_lore,
            "set_location": set_location,
            "remove_location": remove_location,
            "settle_places": settle_places,
            "settle_lore": settle_lore,
        },
    ),
    where="everybody",
)
