"""Bodies: several characters that embody one NPC, and which of them keeps what they share.

An NPC's id is the lasting id of its first body. That one keeps goals and profiles in its Attributes
as long as it exists, then the oldest of the others does.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from evennia.objects.models import ObjectDB

from ai_assistant.game.identity import CATEGORY, SCRIPT_KEY, entity_id, find
from ai_assistant.memory.parts import Part
from ai_assistant.storage import attributes
from ai_assistant.storage.statements import refusals

NPC_KEY = "ai_npc_id"


def npc_id(character: Any) -> str:
    """Return the id under which a character keeps what all its bodies share."""
    found = character.attributes.get(NPC_KEY, category=CATEGORY, strattr=True)
    return found or entity_id(character)


def bodies_of(npc: str) -> list[Any]:
    """Return the characters that embody an NPC, the one that keeps what they share first."""
    first = find(npc)
    joined = ObjectDB.objects.filter(
        db_attributes__db_key=NPC_KEY,
        db_attributes__db_category=CATEGORY,
        db_attributes__db_strvalue=npc,
    )
    others = [body for body in joined.order_by("pk") if body != first and npc_id(body) == npc]
    return [*([first] if first and npc_id(first) == npc else ()), *others]


def holder_of(npc: str) -> Any | None:
    """Return the body that keeps what all share; None where there is no body."""
    first = find(npc)
    if first is not None and npc_id(first) == npc:
        return first
    return next(iter(bodies_of(npc)), None)


def set_npc(character: Any, npc: str) -> None:
    """Let a character be a body of that NPC; its own id makes it one by itself again."""
    if npc == entity_id(character):
        character.attributes.remove(NPC_KEY, category=CATEGORY)
    else:
        character.attributes.add(NPC_KEY, npc, category=CATEGORY, strattr=True)


def hand_over(holder: Any, heir: Any, parts: Mapping[str, Part]) -> None:
    """Copy what all bodies share from one that goes to the one that keeps it from now on."""
    pairs = {
        "character": (holder, heir),
        "script": (script_or_character(holder), script_or_character(heir)),
    }
    for part in parts.values():
        if part.shared:
            source, target = pairs[part.where]
            names = ("db_key", "db_value", "db_category")
            with refusals():
                attributes.delete_part(target, part)
                for key, value, category in attributes.attributes_of(source, part).values_list(
                    *names
                ):
                    target.attributes.add(key, value, category=category)


def script_or_character(character: Any) -> Any:
    """Return the script that keeps an assistant; the character itself where it lost that."""
    return next(iter(character.scripts.get(SCRIPT_KEY)), character)
