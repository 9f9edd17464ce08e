"""Patience: what the character lately said unasked, where, to whom, and whether it was answered."""

from __future__ import annotations

from collections.abc import Sequence

from ai_assistant.contracts import Json
from ai_assistant.memory.parts import Part, iso

MAX_SPOKEN = 40


def empty_patience() -> Json:
    """Return the state of one who never spoke unasked."""
    return {"spoken": []}


def spoke(patience: Json, *, place: str, heard: Sequence[str], at: float) -> None:
    """Note that it spoke unasked; `heard` are the ids of the players who were there."""
    entry = {"place": place, "heard": list(heard), "timestamp": iso(at), "answered": False}
    patience["spoken"] = [*patience["spoken"], entry][-MAX_SPOKEN:]


def answered(patience: Json, *, who: str, place: str) -> None:
    """Note that somebody turned to it: what was said there, or to them anywhere, is answered."""
    for entry in patience["spoken"]:
        if entry["place"] == place or who in entry["heard"]:
            entry["answered"] = True


PATIENCE = Part(
    name="patience",
    attribute="patience",
    where="script",
    empty=empty_patience,
    steps={"spoke": spoke, "answered": answered},
)
