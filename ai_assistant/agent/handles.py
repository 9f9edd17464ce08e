"""Handles: how a turn names what the character sees, such as p1, x1 and o1."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ai_assistant.contracts import Event, Thing


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
