"""The world's knowledge from game code: news, lore and places, which every character knows."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from evennia.utils.search import search_tag

from ai_assistant import conf
from ai_assistant.agent.state_parts import PARTS
from ai_assistant.core.contracts import AuditRecord, Change, Json
from ai_assistant.core.errors import BlockRefused
from ai_assistant.core.readers import OPEN
from ai_assistant.core.text import clean
from ai_assistant.game import validation
from ai_assistant.game.identity import CATEGORY, has_tag, name_of, unstyled
from ai_assistant.game.senses import position_of
from ai_assistant.memory.blocks import global_knowledge, rules, shapes
from ai_assistant.memory.blocks.items import MAX_CONTENT
from ai_assistant.memory.phrases import shortened
from ai_assistant.storage import read_block
from ai_assistant.storage.block_parts import step_block
from ai_assistant.storage.block_rows import EVERYBODY


def read_world() -> Json:
    """Return what everybody knows: `lore`, `recent_events` and `locations`, a copy of your own."""
    stored = shapes.mended_block(rules.GLOBAL, read_block(rules.GLOBAL).value)
    return global_knowledge.GLOBAL_KNOWLEDGE.empty() | stored


def announce(text: str, *, by: str = "game") -> str:
    """Let all characters know of an event, from now on; returns the words as they are kept.

    `by` is for the history and the audit log. Raises `BlockRefused`, and writes nothing, for what
    is no text or too long, where the block is full, and in a tool that runs for a private turn.
    """
    words = validation.checked_words(text, MAX_CONTENT, "News")
    validation.check_telling()
    _step("add_line", {"content": words, "at": time.time()}, by)
    return words


def set_lore(text: str, *, by: str = "game") -> None:
    """Replace the lore of the world. Raises `BlockRefused` as `announce` does."""
    validation.check_telling()
    words = validation.checked_words(text, global_knowledge.MAX_LORE, "The lore", lines=40)
    _step("set_lore", {"text": words}, by)


def set_location(
    name: str, description: str = "", coordinates: Sequence[float] = (), *, by: str = "game"
) -> None:
    """Put a place on everybody's map, or change the one of that name; what is left out stays.

    `coordinates` are at most four numbers. Raises `BlockRefused` as `announce` does.
    """
    named = validation.checked_words(name, 60, "The name of a place")
    if description != "":
        most = global_knowledge.MAX_DESCRIPTION
        description = validation.checked_words(description, most, "A description")
    where = validation.checked_coordinates(coordinates)
    validation.check_telling()
    place = {"name": named, "description": description, "coordinates": where, "at": time.time()}
    _step("set_location", place, by)


def remove_location(name: str, *, by: str = "game") -> None:
    """Take a place off everybody's map. Raises `BlockRefused` where none has that name."""
    named = validation.checked_words(name, 60, "The name of a place")
    if global_knowledge.find_place(read_world(), named) is None:
        raise BlockRefused(f"There is no place '{named}' on the map.")
    _step("remove_location", {"name": named}, by)


def note_place(room: Any) -> bool:
    """Put a room that is tagged as a landmark on everybody's map; returns whether it was written.

    Called for each room that an assistant enters, and for one that gets another name. Raises
    `BlockRefused` where the map is full.
    """
    if not is_landmark(room):
        return False
    described = clean(unstyled(room.db.desc or ""))
    place: Json = {
        "name": name_of(room),
        "description": shortened(described, global_knowledge.MAX_DESCRIPTION),
        "coordinates": shapes.coordinates(position_of(room)) or [],
        "room": room.pk,
    }
    block = read_world()
    known = global_knowledge.place_of_room(block, room.pk)
    known = known or global_knowledge.find_place(block, place["name"]) or {}
    if all(known.get(name) == value for name, value in place.items() if value or name not in known):
        return False
    _step("set_location", place | {"at": time.time()}, "map")
    return True


def drop_place(room: Any) -> None:
    """Take a landmark that is being deleted off everybody's map."""
    place = global_knowledge.place_of_room(read_world(), room.pk) if is_landmark(room) else None
    if place is not None:
        _step("remove_location", {"name": place["name"]}, "map")


def is_landmark(room: Any) -> bool:
    """Is it a room that belongs on everybody's map, by its tag?"""
    return room is not None and has_tag(room, conf.settings.LANDMARK_TAG)


@dataclass(frozen=True, slots=True)
class Synced:
    """What became of the map when it was made to agree with the tagged rooms."""

    written: list[str]
    """The names of the places that were added or changed."""
    removed: list[str]
    """The names of those whose room is gone, or has the tag no more."""


def sync_places(*, by: str = "game") -> Synced:
    """Make the map agree with the rooms that are tagged as landmarks; returns what changed.

    Places that were set by hand stay. Raises `BlockRefused` where the map is full; what was
    written until then stays.
    """
    rooms = search_tag(conf.settings.LANDMARK_TAG, category=CATEGORY)
    there = {room.pk for room in rooms}
    gone = [
        place["name"]
        for place in read_world()[global_knowledge.PLACES]
        if place.get("room") and place["room"] not in there
    ]
    for name in gone:
        remove_location(name, by=by)
    return Synced([name_of(room) for room in rooms if note_place(room)], gone)


def _step(op: str, args: Json, by: str) -> None:
    change = Change(rules.GLOBAL, "", op, {**args, "writer": "game", "by": by})
    note = AuditRecord("GameChange", {"part": rules.GLOBAL, "key": "", "steps": [op], "by": by})
    if op == "add_line":
        note = AuditRecord("Announced", {"fact": args["content"], "by": by}, OPEN)
    if not step_block(EVERYBODY, change, PARTS, at=time.time(), audit=[note]):
        limit = read_block(rules.GLOBAL).limit
        raise BlockRefused(
            f"The block {rules.GLOBAL} is full: {limit} characters fit, and nothing was written. "
            "It is summarised soon."
        )
