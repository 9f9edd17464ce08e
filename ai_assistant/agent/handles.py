"""Handles: how a turn names what the character sees, such as p1, x1 and o1."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Literal

from ai_assistant.contracts import Event, Thing
from ai_assistant.errors import ToolError
from ai_assistant.text import clean

if TYPE_CHECKING:
    from ai_assistant.agent.turn import Turn

_KIND_LETTERS = {"person": "p", "exit": "x", "item": "o"}


def mint(scene: Iterable[Thing], events: Sequence[Event]) -> dict[str, Thing]:
    """Return {handle: thing} for all in sight, and for those who spoke from elsewhere."""
    numbers = {"p": 0, "x": 0, "o": 0}
    minted = {}
    seen = list(scene)
    here = {thing.entity.id for thing in seen}
    absent = dict.fromkeys(Thing(one.source) for one in events if one.source.id not in here)
    for thing in (*seen, *absent):
        letter = "x" if thing.is_exit else "o" if thing.entity.kind == "object" else "p"
        numbers[letter] += 1
        minted[f"{letter}{numbers[letter]}"] = thing
    return minted


def find_thing(
    minted: Mapping[str, Thing], handle: str, kind: Literal["person", "exit", "item", "any"]
) -> Thing:
    """Return what a handle stands for; raises `ToolError` for an unknown one."""
    found = minted.get(handle)
    letter = _KIND_LETTERS.get(kind, "")
    if found is None or not handle.startswith(letter):
        known = [one for one in minted if one.startswith(letter)]
        raise ToolError(
            f"There is no {kind if kind != 'any' else 'handle'} '{clean(handle, 20)}' here; "
            f"you see: {', '.join(known) or 'none'}."
        )
    return found


def handle_of(turn: Turn, entity_id: str) -> str:
    """Return the handle of this turn for an entity; empty where it has none."""
    return next((h for h, thing in turn.things.items() if thing.entity.id == entity_id), "")
