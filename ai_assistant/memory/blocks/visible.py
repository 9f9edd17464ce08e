"""The visible form: how each block is shown to its readers, apart from how it is stored."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ai_assistant.core.contracts import Json
from ai_assistant.memory.blocks import rules
from ai_assistant.memory.blocks.global_knowledge import EVENTS, PLACES, place_words
from ai_assistant.memory.blocks.items import CUSTOM_BLOCK, LINES
from ai_assistant.memory.blocks.shared_social import FACTS, GROUPS, talk_in_words


@dataclass(frozen=True, slots=True)
class Shown:
    """What stands under one heading."""

    heading: str
    """The heading of the visible form."""
    block: str
    """The block that is shown."""
    section: str
    """The heading of the prompt's section that shows it."""
    fields: tuple[tuple[str, str], ...]
    """(label, field) of what is shown of it, in order."""


_PERSONA = (
    ("Name", "name"),
    ("Role", "role"),
    ("Personality", "personality"),
    ("Interests", "interests"),
    ("Home", "home_location"),
)
_STATUS = (
    ("Location", "location"),
    ("Position", "position"),
    ("Engagement", "engagement"),
    ("Emotion", "emotion"),
    ("Energy", "energy_level"),
    ("Health", "health"),
)
_PRIVATE = (
    ("With", "name"),
    ("Relationship", "relationship_status"),
    ("Trust", "trust_score"),
    ("Last", "last_interaction"),
    ("Secrets", "secrets"),
    ("Notes", "notes"),
)
VISIBLE: tuple[Shown, ...] = (
    Shown("Your Persona", rules.PERSONA, "Who you are", _PERSONA),
    Shown("Current Status", rules.STATUS, "How you are", _STATUS),
    Shown("Current Task", rules.TASKS, "Your goals", (("", "tasks"),)),
    Shown("Private", rules.PRIVATE, "About the one you talk to", _PRIVATE),
    Shown("Recent Interactions", rules.SOCIAL, "What you may tell anybody", (("", GROUPS),)),
    Shown("Known Facts", rules.SOCIAL, "What you may tell anybody", (("", FACTS),)),
    Shown(
        "The World",
        rules.GLOBAL,
        "What everybody knows",
        (("Lore", "lore"), ("", EVENTS), ("", PLACES)),
    ),
    Shown("More", CUSTOM_BLOCK, "What is at hand", (("", LINES),)),
)
"""The visible format, heading by heading, and its place in the prompt."""
SECTIONS = {shown.block: shown.section for shown in VISIBLE}
"""The heading of the prompt's section that shows a block."""


def visible_form(blocks: Mapping[str, Json]) -> str:
    """Return the blocks with these names as plain text, in the order of the table.

    Of tasks only the first is shown. Fields that are not in the table follow those that are.
    """
    parts = []
    for shown in VISIBLE:
        lines = list(_lines(shown, blocks.get(shown.block) or {}))
        if lines:
            parts.append("\n".join([f"{shown.heading}:", *lines]))
    return "\n\n".join(parts)


def _lines(shown: Shown, block: Json) -> Iterator[str]:
    for label, name in shown.fields:
        yield from _line(label, block.get(name))
    if shown.block in (rules.PERSONA, rules.STATUS):
        known = {name for _, name in shown.fields} | rules.OUTSIDE
        known |= {"last_updated", "felt_at", "gauge"}
        for name in [name for name in block if name not in known]:
            yield from _line(name.replace("_", " ").capitalize(), block[name])


def _line(label: str, value: Any) -> Iterator[str]:
    if value in (None, "", [], {}):
        return
    if label:
        words = ", ".join(map(words_of, value)) if isinstance(value, list) else words_of(value)
        yield f"{label}: {words}"
    elif isinstance(value, list):
        is_task = isinstance(value[0], dict) and "priority" in value[0]
        for entry in value[:1] if is_task else value:
            yield f"- {words_of(entry)}"


def words_of(item: Any) -> str:
    """Return one item of a block as one line."""
    if not isinstance(item, dict):
        return " ".join(str(item).split())
    if item.keys() >= {"participants", "topic"} and isinstance(item["participants"], list):
        return talk_in_words(item)
    if item.keys() >= {"priority", "description"}:
        return f"{item['description']} ({item['priority']})"
    if item.keys() >= {"name", "coordinates", "description"} and isinstance(
        item["coordinates"], list
    ):
        return place_words(item)
    if "content" in item:
        return str(item["content"])
    return ", ".join(f"{name} {words_of(entry)}" for name, entry in item.items())


def lines_in_field(field: Any) -> list[str]:
    """Return a field of a block as lines, one for each item; none if it is empty."""
    items = field if isinstance(field, list) else [] if field in ("", {}, None) else [field]
    return [words for item in items if (words := words_of(item))]


def fields_in_lines(block: Json) -> list[tuple[str, list[str]]]:
    """Return the fields of a block that hold something, each as lines."""
    told = ((name, lines_in_field(field)) for name, field in block.items())
    return [(name, lines) for name, lines in told if lines and name != "needs_compaction"]


def rows_of(block: str, state: Json) -> list[Json]:
    """Return a block as rows of the prompt; later rows are the last to give way."""
    if block == rules.SOCIAL:
        talks = [
            {"talked": talk["participants"], "of": talk["topic"], "at": talk["timestamp"]}
            for talk in state[GROUPS]
        ]
        return [*talks, *({"fact": entry["content"]} for entry in state[FACTS])]
    if block == rules.GLOBAL:
        lore = [{"lore": state["lore"]}] if state["lore"] else []
        events = [
            {"news": event["content"], "on": event["timestamp"][:10]} for event in state[EVENTS]
        ]
        return [*lore, *rows_of_places(state[PLACES]), *events]
    return [{"note": entry["content"]} for entry in state[LINES]]


def rows_of_places(places: Iterable[Json]) -> list[Json]:
    """Return places of the map as rows of the prompt, without empty fields."""
    shown = ({"place": "name", "at": "coordinates", "is": "description"}).items()
    return [{name: place[field] for name, field in shown if place[field]} for place in places]
