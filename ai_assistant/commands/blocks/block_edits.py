"""What `aiblock/edit` does: a field of a block gets a text, or words in it give way to others."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping, Sequence
from typing import Any

from ai_assistant.agent.config import CARD_FIELDS
from ai_assistant.agent.state_parts import PARTS
from ai_assistant.api import blocks
from ai_assistant.api.handlers import store_of
from ai_assistant.api.handlers.handler_base import change
from ai_assistant.commands.help_topics import Misused
from ai_assistant.core.contracts import Change, Json
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.owner_text import clean_owned
from ai_assistant.core.text import clean, did_you_mean, spelled_like
from ai_assistant.memory.blocks import rules
from ai_assistant.memory.blocks.global_knowledge import EVENTS
from ai_assistant.memory.blocks.items import CUSTOM_BLOCK, LINES, MAX_CONTENT, replacement
from ai_assistant.memory.blocks.shared_social import FACTS, GROUPS, talk_in_words, talk_of
from ai_assistant.memory.blocks.status_block import OF_A_BODY, OF_ALL
from ai_assistant.storage import npc_id
from ai_assistant.storage.block_parts import BlockShelf, step_block
from ai_assistant.storage.block_rows import EVERYBODY

ARROW = "->"
PERSONA_FIELDS = (
    *("role", "personality", "interests", "home_location"),
    *("greeting", "sayings", "lore"),
    *CARD_FIELDS,
)
_NAMES = "|".join(name.replace("_", r"[_\s]") for name in PERSONA_FIELDS)
_FIELD = re.compile(rf"(?:^|;)\s*({_NAMES})\s*[:=]", re.IGNORECASE)
_NAMED = re.compile(r";\s*(\w+)\s*[:=]")
LISTS = ("interests", "lore", "sayings")
MAX_PERSONA_TEXT = 2000


def edit(npc: Any, label: str, field: str, text: str, *, by: str) -> str:
    """Do what staff typed; returns what to tell them. `npc` is None for the world.

    Raises `AssistantError` saying what would fit; nothing is changed then.
    """
    if not field or not text:
        raise Misused
    if label == rules.PERSONA:
        words = persona_value(field, text)
        if not field.isidentifier() or len(field) > 40:
            raise AssistantError("A field is one word, such as role or personality.")
        blocks.change_persona(npc, {field: words}, by=by)
        return f"{field} is now {words}"
    if label == rules.STATUS:
        value = None if text.lower() == "none" else text
        blocks.write_status(npc, **{field: value})
        return f"{field} is now {value or 'as the game has it'}"
    if ARROW in text and field in _LINES:
        return _replace(npc, label, field, text, by)
    return _add(npc, label, field, text, by)


def persona_value(field: str, text: str) -> str | list[str]:
    """Return what staff typed for a field of a persona: a text, or a list.

    Its items stand on lines of their own, else between semicolons; interests, which are words,
    between commas too.
    """
    value = clean_owned(text, MAX_PERSONA_TEXT)
    if field not in LISTS:
        return value
    marks = "[;,]" if field == "interests" else ";"
    items = re.split("\n" if "\n" in value else marks, value)
    return [item.strip() for item in items if item.strip()]


def persona_fields(text: str) -> dict[str, str | list[str] | None]:
    """Return the fields that staff typed, as in `role: miller; personality: shy`.

    An equal sign is as good as a colon. None stands for a field without a text, which is emptied.
    Raises `AssistantError` naming what would fit.
    """
    before, *pieces = _FIELD.split(text.rstrip("; "))
    strange = before or next((word for part in pieces[1::2] for word in _misspelt(part)), "")
    if strange or not pieces:
        name = strange.partition(":")[0].partition("=")[0].strip()
        if _field_name(name) in PERSONA_FIELDS:
            raise AssistantError(
                f"Usage: ai/persona <name> = {name}: <text>; nothing after the colon empties it."
            )
        known = f"Fields: {', '.join(PERSONA_FIELDS)}."
        usage = "Usage: ai/persona <name> = <field>: <text>; <field>: <text>."
        raise AssistantError(f"{usage} {did_you_mean(name, PERSONA_FIELDS) or known}")
    typed = zip(pieces[::2], pieces[1::2], strict=True)
    return {
        _field_name(name): persona_value(_field_name(name), words) if words.strip() else None
        for name, words in typed
    }


def _field_name(typed: str) -> str:
    return re.sub(r"\s", "_", typed.lower())


def _misspelt(text: str) -> list[str]:
    """Return what looks like the name of a field in a text."""
    return [word for word in _NAMED.findall(text) if spelled_like(word, PERSONA_FIELDS)]


def _add(npc: Any, label: str, field: str, text: str, by: str) -> str:
    if label == rules.SOCIAL and field == "fact":
        blocks.share_fact(npc, text, by=by)
    elif label == rules.SOCIAL and field == "talk":
        step = _talk(text) | {"at": time.time(), "writer": "game", "by": by}
        change(npc, [Change(rules.SOCIAL, "", "record_group_interaction", step)])
    elif label == rules.GLOBAL and field == "event":
        blocks.announce(text, by=by)
    elif label == rules.GLOBAL and field == "lore":
        blocks.set_lore(text, by=by)
        return "the lore is another now"
    elif label == rules.GLOBAL and field == "place":
        name, _, description = text.partition(" - ")
        blocks.set_location(name, description, by=by)
    elif label not in rules.SIX and field == "line":
        blocks.add_line(label, text, npc=npc)
    else:
        fields = ", ".join(editable_fields(label))
        raise AssistantError(f"There is no '{clean(field, 30)}' to edit in it, only: {fields}.")
    return f"{field} added: {clean(text, MAX_CONTENT)}"


def _talk(words: str) -> Json:
    """Return the talk of several that staff typed. Raises `AssistantError` without any names."""
    found = talk_of(clean(words, MAX_CONTENT))
    if not found["participants"]:
        raise AssistantError("Say who talked, and of what: Alice, Bob: the market fire.")
    return found


def editable_fields(label: str) -> Sequence[str]:
    """Return the fields of a block that staff write."""
    return _FIELDS.get(label, ("line",))


_FIELDS: Mapping[str, Sequence[str]] = {
    rules.PERSONA: PERSONA_FIELDS,
    rules.STATUS: (*OF_ALL, *OF_A_BODY),
    rules.SOCIAL: ("fact", "talk"),
    rules.GLOBAL: ("event", "lore", "place"),
}
_LINES = {
    **{"fact": (rules.SOCIAL, FACTS, "edit_line"), "event": (rules.GLOBAL, EVENTS, "edit_line")},
    **{"line": (CUSTOM_BLOCK, LINES, "edit_line")},
    **{"talk": (rules.SOCIAL, GROUPS, "edit_group_interaction")},
}
"""What may be edited by words: its part, the list there, and the step that does it."""


def _replace(npc: Any, label: str, field: str, text: str, by: str) -> str:
    part, name, op = _LINES[field]
    if part != (label if label in rules.SIX else CUSTOM_BLOCK):
        raise AssistantError(f"There is no '{field}' in that block.")
    old, _, new = map(str.strip, text.partition(ARROW))
    key = "" if label in rules.SIX else label
    shelf = BlockShelf(npc_id(npc) if npc is not None else EVERYBODY, PARTS)
    found = replacement(_as_lines(shelf.read(part, key)[name]), old, new)
    item, words = found.item, clean(found.new, MAX_CONTENT)
    if field == "talk" and words:
        _talk(words)
    step = {"old": item["content"], "new": words, "readers": item["readers"]}
    step |= {"at": time.time()} if op == "edit_line" else {}
    one = Change(part, key, op, step | {"writer": "game", "by": by})
    if npc is None or part == rules.GLOBAL:
        fitted = step_block(shelf.owner, one, PARTS, at=time.time())
    else:
        change(npc, [one])
        fitted = item not in _as_lines(store_of(npc).read(part, key)[name])
    if not fitted:
        raise AssistantError("There is no room for that; nothing was changed.")
    return f"{field} is now: {words}" if words else f"{field} taken out: {item['content']}"


def _as_lines(items: Sequence[Json]) -> list[Json]:
    """Return the items of a list with their words, those of a talk of several being a line."""
    return [
        item | {"content": talk_in_words(item)} if "participants" in item else item
        for item in items
    ]
