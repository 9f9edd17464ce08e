"""Counters that never fall, and the ids of goals, which are made of them."""

from __future__ import annotations

from collections.abc import Iterable

from ai_assistant.core.contracts import Json
from ai_assistant.memory.parts import Part


def count(counters: Json, *, name: str, amount: int = 1, at_least: int = 0) -> None:
    """Add to a counter, and lift it to `at_least` where it is still below."""
    counters[name] = max(counters.get(name, 0) + amount, at_least)


def next_number(counters: Json, goals: Iterable[Json], minted: int) -> int:
    """Return a number that no goal ever had.

    `minted` is what this process gave out last, on disk or not: the number is above it.
    """
    number = max(int(counters["goals"]), minted)
    taken = {str(goal.get("id")) for goal in goals if isinstance(goal, dict)}
    while goal_id(counters, number) in taken:
        number += 1
    return number


def goal_id(counters: Json, number: int) -> str:
    """Return the id of a goal: ``goal_{tick}_{n}``."""
    return f"goal_{counters['ticks']}_{number}"


COUNTERS = Part(
    name="counters",
    attribute="counters",
    empty=lambda: {"ticks": 0, "goals": 0},
    steps={"count": count},
    where="script",
    shared=True,
)
