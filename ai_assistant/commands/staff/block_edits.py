"""What `aiblock/edit` does: a field of a block gets a text, or words in it give way to others."""

from __future__ import annotations

import time
from typing import Any

from ai_assistant.agent.state_parts import PARTS
from ai_assistant.api import blocks
from ai_assistant.api.handlers import save, store_of
from ai_assistant.core.contracts import Change, Commit
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.owner_text import clean_owned
from ai_assistant.core.text import clean
from ai_assistant.memory.blocks import custom, global_knowledge, rules, shared_social
from ai_assistant.memory.blocks.items import MAX_CONTENT
from ai_assistant.storage import npc_id
from ai_assistant.storage.block_parts import BlockShelf, take_step
from ai_assistant.storage.block_rows import EVERYBODY

ARROW = "->"
LISTS = ("interests", "lore", "sayings")
MAX_PERSONA_TEXT = 2000


def edit(npc: Any, label: str, field: str, text: str, *, by: str) -> str:
    """Do what staff typed; returns what to tell them. `npc` is None for the world.

    Raises `AssistantError` saying what would fit; nothing is changed then.
    """
    if not field or not text:
        raise AssistantError("Usage: aiblock/edit <assistant> = <block> <field>: <text>")
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
    if ARROW in text and field in _EDITS:
        return _replace(npc, label, field, text, by)
    return _add(npc, label, field, text, by)


def persona_value(field: str, text: str) -> str | list[str]:
    """Return what staff typed for a field of a persona: a text, or a list by semicolons."""
    value = clean_owned(text, MAX_PERSONA_TEXT)
    if field in LISTS:
        return [item.strip() for item in value.split(";") if item.strip()]
    return value


def _add(npc: Any, label: str, field: str, text: str, by: str) -> str:
    if label == rules.SOCIAL and field == "fact":
        blocks.share_fact(npc, text, by=by)
    elif label == rules.GLOBAL and field == "event":
        blocks.announce(text, by=by)
    elif label == rules.GLOBAL and field == "lore":
        blocks.set_lore(text, by=by)
    elif label == rules.GLOBAL and field == "place":
        name, _, description = text.partition(" - ")
        blocks.set_location(name, description, by=by)
    elif label not in rules.SIX and field == "line":
        blocks.add_line(label, text, npc=npc)
    else:
        fields = ", ".join(_FIELDS.get(label, ("line",)))
        raise AssistantError(f"There is no '{clean(field, 30)}' to edit in it, only: {fields}.")
    return f"{field} added: {clean(text, MAX_CONTENT)}"


_FIELDS = {rules.SOCIAL: ("fact",), rules.GLOBAL: ("event", "lore", "place")}
_EDITS = {
    "fact": (rules.SOCIAL, shared_social.FACTS, "edit_fact"),
    "event": (rules.GLOBAL, global_knowledge.EVENTS, "edit_event"),
    "line": (custom.NAME, custom.LINES, "edit_line"),
}
"""What has lines of its own: the part, the list in it, and the step that edits one."""


def _replace(npc: Any, label: str, field: str, text: str, by: str) -> str:
    part, name, op = _EDITS[field]
    if part != (label if label in rules.SIX else custom.NAME):
        raise AssistantError(f"There is no '{field}' in that block.")
    old, _, new = map(str.strip, text.partition(ARROW))
    key = "" if label in rules.SIX else label
    shelf = BlockShelf(npc_id(npc) if npc is not None else EVERYBODY, PARTS)
    lines = shelf.read(part, key)[name]
    found = [line for line in lines if old and old in line["content"]]
    if len(found) != 1:
        raise AssistantError(
            f"{len(found) or 'No'} lines hold these words: give words of just one."
        )
    item = found[0]
    words = clean(item["content"].replace(old, new), MAX_CONTENT)
    step = {"old": item["content"], "new": words, "at": time.time(), "writer": "game", "by": by}
    if field != "event":
        step |= {"readers": item["readers"]}
    change = Change(part, key, op, step)
    if npc is None or part == rules.GLOBAL:
        fitted = take_step(shelf.owner, change, PARTS, at=time.time())
    else:
        save(npc, Commit(at=time.time(), changes=[change]))
        fitted = item not in store_of(npc).read(part, key)[name]
    if not fitted:
        raise AssistantError("There is no room for that; nothing was changed.")
    return f"{field} is now: {words}" if words else f"{field} taken out: {item['content']}"
