"""Handles: how a turn names what the character sees, such as p1, x1 and o1."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Literal

from ai_assistant.contracts import Event, Json, Thing
from ai_assistant.errors import ToolError
from ai_assistant.text import clean

if TYPE_CHECKING:
    from ai_assistant.agent.turn import Turn

_KIND_LETTERS = {"person": "p", "exit": "x", "item": "o"}


def mint(scene: Iterable[Thing], events: Sequence[Event]) -> dict[str, Thing]:
    """Return {handle: thing} for all in sight, and for those who spoke from elsewhere."""
    seen = list(scene)
    here = {thing.entity.id for thing in seen}
    absent = dict.fromkeys(Thing(one.source) for one in events if one.source.id not in here)
    return extend({}, (*seen, *absent))


def extend(minted: Mapping[str, Thing], seen: Iterable[Thing]) -> dict[str, Thing]:
    """Return handles that go on: what has one keeps it as it looks now, what is new gets the next.

    No number is ever given twice.
    """
    found = dict(minted)
    known = {thing.entity.id: handle for handle, thing in minted.items()}
    for thing in seen:
        letter = "x" if thing.is_exit else "o" if thing.entity.kind == "object" else "p"
        number = 1 + sum(handle.startswith(letter) for handle in found)
        found[known.get(thing.entity.id) or f"{letter}{number}"] = thing
    return found


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


def sights(turn: Turn) -> Json:
    """Return the place where the character is now, and all it sees there, each with its handle."""
    scene = turn.surroundings
    here = {thing.entity.id for thing in scene.things}
    seen = [f"{h} {_shown(thing)}" for h, thing in turn.things.items() if thing.entity.id in here]
    return {"place": scene.place_name, "description": scene.description, "you_see": seen}


def _shown(thing: Thing) -> str:
    name = thing.entity.name
    if thing.is_exit:
        return f"{name}, to {thing.description}" if thing.description else name
    return f"{name} (you carry it)" if thing.carried else name
