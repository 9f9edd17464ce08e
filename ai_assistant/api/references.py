"""References: how a person names one remembered thing, such as ``#12`` or ``j3``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ai_assistant.api.handlers import store_of
from ai_assistant.core.contracts import Json
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.text import clean
from ai_assistant.game.identity import name_of
from ai_assistant.storage import erasure

_LISTS = {
    "f": ("session", "key_facts"),
    "p": ("session", "learned_patterns"),
    "n": ("notebook", "lines"),
    "o": ("profile", "observations"),
    "t": ("profile", "attributes"),
}


@dataclass(frozen=True, slots=True)
class Item:
    """One remembered thing as it is stored; of a row, `part` is empty and `value` has its columns.

    `number` is the id of a row, or that of a journal entry below zero; 0 for all others.
    """

    part: str
    key: str
    value: Json
    number: int = 0


def find_item(character: Any, ref: str) -> Item:
    """Return what a reference stands for.

    ``#12`` is a memory row, ``j12`` a journal entry, ``f3``, ``p3`` and ``n3`` the third fact,
    pattern or line of the notebook, ``o2@<entity id>`` and ``t2@<entity id>`` an observation about
    somebody and a trait of theirs. Raises `AssistantError` where there is no such thing.
    """
    letter, (place, _, owner) = ref[:1], ref[1:].partition("@")
    number = int(place) if place.isdecimal() and len(place) < 19 else 0
    store = store_of(character)
    if letter == "#":
        found = [Item("", "", one, number) for one in erasure.rows_by_id(store.id, [number])]
    elif letter == "j":
        entries = store.read("journal")["entries"]
        found = [Item("journal", "", one, -number) for one in entries if one["id"] == number]
    else:
        part, name = _LISTS.get(letter, ("session", ""))
        listed = store.read(part, owner).get(name, []) if bool(owner) == (part == "profile") else []
        chosen = listed[number - 1 : number] if number else []
        found = [Item(part, owner, one) for one in chosen]
    if not found:
        whose = f"@{store.read('profile', owner)['name'] or owner}" if owner else ""
        typed = clean(ref.partition("@")[0] + whose, 60)
        raise AssistantError(f"{name_of(character)} has no memory {typed}.")
    return found[0]
