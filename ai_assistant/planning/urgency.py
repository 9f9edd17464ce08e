"""Urgency: of all that the character is after, what it would work on next."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ai_assistant.core.contracts import Json
from ai_assistant.core.times import DAY
from ai_assistant.memory.labelled import Allow, usable_items
from ai_assistant.planning import goal_tree


def by_urgency(
    goals: Sequence[Json], *, now_game: float, allow: Allow = lambda readers, author: True
) -> list[Json]:
    """Return the leaves that may be worked on at this time of the game, the most urgent first.

    A subtask is as urgent as the most urgent goal above it: by priority, lifted by a deadline that
    comes near; then by that deadline; then by the age of the topmost goal.
    """
    whole = goal_tree.mended_goals(goals)
    oldest_first = sorted(goal_tree.roots(whole), key=lambda goal: goal["created"])
    order = (goal for root in oldest_first for goal in goal_tree.descendants(whole, root))
    place = {goal["id"]: at for at, goal in enumerate(order)}
    usable = usable_items(goal_tree.leaves(whole, now_game), allow)
    return sorted(
        usable,
        key=lambda goal: (-weight(whole, goal, now_game), _due(whole, goal), place[goal["id"]]),
    )


def weight(goals: Sequence[Json], goal: Json, now_game: float) -> int:
    """Return how urgent a goal is, from 0: by priority, its own or one above, and by deadline."""
    chain = (goal, *goal_tree.ancestors(goals, goal))
    priority = max(goal_tree.PRIORITIES.index(link["priority"]) for link in chain)
    return priority + pressure(_due(goals, goal), now_game)


def _due(goals: Sequence[Json], goal: Json) -> float:
    chain = (goal, *goal_tree.ancestors(goals, goal))
    return min(
        (link["deadline"] for link in chain if link["deadline"] is not None), default=math.inf
    )


def pressure(deadline: float, now_game: float) -> int:
    """Return how many priorities a deadline is worth: 2 once it is over, 1 within a game day."""
    left = deadline - now_game
    return 2 if left <= 0 else 1 if left <= DAY else 0
