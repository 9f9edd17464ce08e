"""The world's knowledge from game code: news, lore and places, which every character knows."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from ai_assistant import conf
from ai_assistant.blocks import door
from ai_assistant.contracts import AuditRecord, Change, Json
from ai_assistant.errors import BlockRefused
from ai_assistant.identity import marked, name_of, plain
from ai_assistant.memory import PARTS
from ai_assistant.memory.blocks import rules, shapes, world
from ai_assistant.memory.blocks.items import MAX_CONTENT, shortened
from ai_assistant.readers import OPEN
from ai_assistant.senses import position_of
from ai_assistant.storage import read_block
from ai_assistant.storage.blocks import EVERYBODY
from ai_assistant.storage.shelf import take_step
from ai_assistant.text import clean


def announce(text: str, *, by: str = "game") -> str:
    """Let all characters know of an event, from now on; returns the words as they are kept.

    `by` says who announces it, for the block's history and the audit log (under the assistant
    `world`). Raises `BlockRefused` for what is no text, empty or too long, where the block is full,
    and in a tool that runs for a private turn; nothing is written then. A full block is summarised
    in the next sleep.
    """
    words = door.words(text, MAX_CONTENT, "News")
    door.may_tell()
    _step("announce", {"content": words, "at": time.time()}, by)
    return words


def set_lore(text: str, *, by: str = "game") -> None:
    """Replace the lore of the world. Raises `BlockRefused` as `announce` does."""
    door.may_tell()
    _step("set_lore", {"text": door.words(text, world.MAX_LORE, "The lore", lines=40)}, by)


def set_location(
    name: str, description: str = "", coordinates: Sequence[float] = (), *, by: str = "game"
) -> None:
    """Put a place on everybody's map, or change the one of that name.

    What is left out stays as it was; `coordinates` are at most four numbers. Raises `BlockRefused`
    as `announce` does.
    """
    place = {
        "name": door.words(name, 60, "The name of a place"),
        "description": _described(description),
        "coordinates": door.coordinates(coordinates),
        "at": time.time(),
    }
    door.may_tell()
    _step("set_location", place, by)


def remove_location(name: str, *, by: str = "game") -> None:
    """Take a place off everybody's map. Raises `BlockRefused` for what is no name."""
    _step("remove_location", {"name": door.words(name, 60, "The name of a place")}, by)


def note_place(room: Any) -> bool:
    """Put a room on everybody's map if it is tagged as a landmark, or put right what changed.

    Called for each room that an assistant enters; costs one query where nothing changed. Of a long
    description the map has the first sentences. Returns whether something was written. Raises
    `BlockRefused` where the map is full.
    """
    if room is None or not marked(room, conf.settings.LANDMARK_TAG):
        return False
    place: Json = {
        "name": name_of(room),
        "description": shortened(clean(plain(room.db.desc or "")), world.MAX_DESCRIPTION),
        "coordinates": shapes.coordinates(position_of(room)) or [],
    }
    block = world.empty_world() | shapes.mended(rules.GLOBAL, read_block(rules.GLOBAL).value)
    known = world.find_place(block, place["name"]) or {}
    if all(known.get(name) == value for name, value in place.items() if value or name not in known):
        return False
    _step("set_location", place | {"at": time.time()}, "map")
    return True


def _step(op: str, args: Json, by: str) -> None:
    signed = {**args, "writer": "game", "by": by}
    change, at = Change(rules.GLOBAL, "", op, signed), time.time()
    if not take_step(EVERYBODY, change, PARTS, at=at, audit=[_on_record(op, args, by)]):
        limit = read_block(rules.GLOBAL).limit
        raise BlockRefused(
            f"The block {rules.GLOBAL} is full: {limit} characters fit, and nothing was written. "
            "It is summarised soon."
        )


def _on_record(op: str, args: Json, by: str) -> AuditRecord:
    if op == "announce":
        return AuditRecord("Announced", {"fact": args["content"], "by": by}, OPEN)
    return AuditRecord("GameChange", {"part": rules.GLOBAL, "key": "", "steps": [op], "by": by})


def _described(text: Any) -> str:
    return door.words(text, world.MAX_DESCRIPTION, "A description") if text != "" else ""
