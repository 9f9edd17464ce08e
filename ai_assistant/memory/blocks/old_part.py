"""The older layout, kept as it is while a game moves over (the setting `block_layout`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ai_assistant.contracts import Json
from ai_assistant.memory import labelled
from ai_assistant.memory.parts import Part

LAYOUT = "block_layout"
SIX, THREE = "six", "three"
LAYOUTS = (SIX, THREE)
NAME = "old_layout"


def empty_layout() -> Json:
    """Return a layout without any block."""
    return {"persona": {}, "human": {}, "locations": []}


def keep(
    layout: Json,
    *,
    persona: Json,
    human: Mapping[str, Sequence[str]],
    locations: Sequence[Json],
    at: float,
) -> None:
    """Replace the three blocks; `human` has the lines about each person by id, theirs alone."""
    layout["persona"] = persona
    layout["human"] = {
        key: [labelled.item(one, at=at, readers=key, author=key) for one in lines]
        for key, lines in human.items()
    }
    layout["locations"] = [*locations]


OLD_LAYOUT = Part(name=NAME, attribute=NAME, empty=empty_layout, steps={"keep": keep})
