"""What is everybody's as forms: news, lore, places, and that all characters be quiet."""

from __future__ import annotations

from typing import Any

from ai_assistant.api import blocks
from ai_assistant.commands.blocks.aiworld import told_of_sync
from ai_assistant.core.contracts import Json
from ai_assistant.core.text import counted
from ai_assistant.memory.blocks.global_knowledge import LORE, PLACES, find_place
from ai_assistant.web.desk.act_forms import act
from ai_assistant.web.desk.block_forms import WORLD_BLOCK_EDITS
from ai_assistant.web.desk.edit_forms import Fields, Planned, hidden, words_field
from ai_assistant.web.desk.lore_forms import LORE_EDITS
from ai_assistant.web.desk.page_acts import ACTS_OF_ALL
from ai_assistant.web.desk.scene_forms import SCENE_EDITS
from ai_assistant.web.rest import api_life as life
from ai_assistant.web.rest import api_records as records

COORDINATES = "Up to four numbers, such as 3, 14."


def _place(_: Any, fields: Fields) -> Json:
    """Return the place that is named, if one is."""
    named = fields.get("place", "")
    found = (find_place(blocks.read_world(), named) if named else None) or {}
    where = ", ".join(map(str, found.get("coordinates", ())))
    known = {"place": found["name"]} if found else {}
    return known | {"description": found.get("description", ""), "coordinates": where}


def _synced(_: Any, given: Json) -> Planned:
    count = len(blocks.read_world()[PLACES])
    return [("places on the map", str(count), "as many as rooms are tagged, and those by hand")]


def _silenced(_: Any, given: Json) -> Planned:
    states = ("speaking", "quiet") if given["quiet"] else ("quiet", "speaking")
    return [("all characters", *states)]


def _told_of_silence(known: Json, done: Json) -> str:
    if known["quiet"]:
        dropped = counted(done["turns_dropped"], "turn")
        return f"All characters are quiet; {dropped} under way ended."
    return "All characters may speak again."


def _off_the_map(_: Any, given: Json) -> Planned:
    found = find_place(blocks.read_world(), given["place"]) or {}
    return [(given["place"], found.get("description", ""), "off the map")]


WORLD_EDITS = {
    **WORLD_BLOCK_EDITS,
    **ACTS_OF_ALL,
    **SCENE_EDITS,
    **LORE_EDITS,
    **{
        "news": act(records.tell_news, "Tell news", "Everybody has heard of it: {text}", "world"),
        "lore": act(
            *(records.write_lore, "Write the lore", "The lore is another now.", "world"),
            now=lambda nobody, fields: {"text": blocks.read_world()[LORE]},
        ),
        "place": act(
            *(records.put_place, "A place on the map", "{place} is on the map.", "world"),
            now=_place,
            place=words_field("Name", 60),
            coordinates=words_field("Coordinates", 60, required=False, help_text=COORDINATES),
        ),
        "remove_place": act(
            *(records.drop_from_map, "Take a place off the map"),
            *("{place} is off the map.", "world"),
            is_grave=True,
            goes=_off_the_map,
        ),
        "sync_map": act(
            *(records.sync_map, "Make the map agree with the rooms"),
            lambda _, done: told_of_sync(done),
            "world",
            goes=_synced,
        ),
        "quiet": act(
            *(life.silence_all, "Silence", _told_of_silence, "overview"),
            of_all="all characters",
            quiet=hidden(),
            goes=_silenced,
        ),
    },
}
"""What may be changed of what everybody knows, by the last part of the address."""
