"""The global knowledge block: lore, major events and places, which everybody knows (seed MB §4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ai_assistant.contracts import Json, MemoryRow
from ai_assistant.memory import labelled
from ai_assistant.memory.blocks import items, rules
from ai_assistant.memory.parts import Part, iso
from ai_assistant.readers import OPEN

EVENTS, PLACES = "recent_events", "locations"
KIND = "event"
WORLD = "world"
"""The container into which events go that a summary took the place of: everybody's, so nobody's."""
MAX_LORE = 4000
MAX_DESCRIPTION = 300


def empty_world() -> Json:
    """Return a world of which nothing is known."""
    return {
        "lore": "",
        EVENTS: [],
        PLACES: [],
        "needs_compaction": False,
        "limit": rules.LIMITS[rules.GLOBAL],
    }


def set_lore(block: Json, *, text: str) -> None:
    """Replace the lore; where it finds no room, nothing changes but the flag."""
    if rules.fits(block, lambda draft: draft.update(lore=text)):
        block["lore"] = text
    else:
        rules.request_compaction(block)


def announce(block: Json, *, content: str, at: float, author: str = "") -> None:
    """Append an event; an exact repeat is not added, and neither is one without room."""
    items.add(block, EVENTS, labelled.item(content, at=at, readers=OPEN, author=author))


def edit_event(block: Json, *, old: str, new: str, at: float) -> list[MemoryRow]:
    """Give an event new words, or take it out without any; the old ones go to the world's rows."""
    more = {"readers": OPEN, "timestamp": iso(at)}
    rows = items.edit(block, EVENTS, old=old, new=new, kind=KIND, more=more)
    return [replace(row, container=WORLD) for row in rows]


def set_location(
    block: Json, *, name: str, at: float, description: str = "", coordinates: Sequence[float] = ()
) -> None:
    """Add a place or change the one of that name; what is left out stays as it was."""
    known = find_place(block, name) or {"name": name, "coordinates": [], "description": ""}
    place = known | {"timestamp": iso(at)}
    place |= {"description": description} if description else {}
    place |= {"coordinates": [*coordinates]} if len(coordinates) else {}
    others = [one for one in block[PLACES] if one is not known]
    if rules.fits(block, lambda draft: draft.update({PLACES: [*others, place]})):
        block[PLACES] = [*others, place]
    else:
        rules.request_compaction(block)


def remove_location(block: Json, *, name: str) -> None:
    """Take a place off the map."""
    block[PLACES] = [one for one in block[PLACES] if one is not find_place(block, name)]


def find_place(block: Json, name: str) -> Json | None:
    """Return the place of that name, in whatever case, or None."""
    wanted = name.casefold()
    return next((one for one in block[PLACES] if one["name"].casefold() == wanted), None)


def settle_events(
    block: Json, *, gone: Sequence[str], summary: str, at: float, author: str = ""
) -> list[MemoryRow]:
    """Replace the events with these words by a summary; they become rows of the world."""
    item = labelled.item(summary, at=at, readers=OPEN, author=author)
    return items.settle(
        block,
        EVENTS,
        gone=gone,
        item=item,
        as_row=lambda one: replace(labelled.as_row(one, KIND), container=WORLD),
    )


GLOBAL_KNOWLEDGE = Part(
    name=rules.GLOBAL,
    attribute=rules.GLOBAL,
    empty=empty_world,
    steps=rules.guarded(
        rules.GLOBAL,
        {
            "set_lore": set_lore,
            "announce": announce,
            "edit_event": edit_event,
            "set_location": set_location,
            "remove_location": remove_location,
            "settle": settle_events,
            "request_compaction": rules.request_compaction,
        },
    ),
    where="everybody",
)
