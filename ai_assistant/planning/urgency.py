"""Urgency: of all that the character is after, what it would work on next, and where it walks.

A goal that is walked has a `kind`, and `about` holds what that takes, under the goal's own readers:

    follow  {"who": id, "name": name}
    visit   {"who": id, "name": name} or {"place": id, "name": name}
    patrol  {"stops": [{"place": id, "name": name}, …], "pause": seconds}

Where a visit began with somebody's line, ``asked`` is the id of that event; one that has to wait
begins ``after`` that time, in seconds since the epoch.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence

from ai_assistant.core.contracts import Json
from ai_assistant.core.times import DAY
from ai_assistant.memory.labelled import Allow, usable_items
from ai_assistant.planning import goal_tree

FOLLOW, VISIT, PATROL = "follow", "visit", "patrol"
WALKS = (FOLLOW, VISIT, PATROL)
ASKED, PAYER, AFTER, HOME = "asked", "payer", "after", "home"
MAX_STOPS = 8
PAUSE = 60
"""Seconds that a round rests at each stop, unless it says otherwise."""


def by_urgency(
    goals: Sequence[Json], *, now_game: float, allow: Allow = lambda readers, author: True
) -> list[Json]:
    """Return the leaves that can be worked on at this game time, the most urgent first.

    A subtask is as urgent as the most urgent goal above it: by priority, raised by a near deadline;
    then by that deadline; then by the age of the root.
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
    """Return how urgent a goal is, from 0: by deadline and its or its ancestors' priority."""
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


def is_walk(goal: Json) -> bool:
    """Is this a goal that the character walks for, without a model?"""
    return goal.get("kind") in WALKS


def next_walk(stored: Iterable[Json], allow: Callable[[Sequence[Json], Json], bool]) -> Json | None:
    """Return the walk to go on with: the highest priority, and of these the last begun.

    ``allow(goals, walk)`` tells whether a walk may be walked.
    """
    goals = goal_tree.mended_goals(stored)
    walks = [leaf for leaf in goal_tree.leaves(goals) if is_walk(leaf) and allow(goals, leaf)]
    return max(
        walks[::-1], key=lambda walk: goal_tree.PRIORITIES.index(walk["priority"]), default=None
    )
