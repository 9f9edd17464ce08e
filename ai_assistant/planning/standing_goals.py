"""Standing goals that are walked: to follow somebody, to make rounds, to go and see something.

Their `kind` says which, and `about` holds what it takes, under the goal's own readers:

    follow  {"who": id, "name": name}
    visit   {"who": id, "name": name} or {"place": id, "name": name}
    patrol  {"stops": [{"place": id, "name": name}, …], "pause": seconds}

Where a visit began with somebody's line, ``asked`` is the id of that event; one that has to wait
begins ``after`` that time, in seconds since the epoch.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from ai_assistant.core.contracts import Json
from ai_assistant.planning import goal_tree

FOLLOW, VISIT, PATROL = "follow", "visit", "patrol"
WALKS = (FOLLOW, VISIT, PATROL)
ASKED, AFTER = "asked", "after"
MAX_STOPS = 8
PAUSE = 60
"""Seconds that a round rests at each stop, unless it says otherwise."""


def is_walk(goal: Json) -> bool:
    """Is this a goal that is walked, not thought about?"""
    return goal.get("kind") in WALKS


def next_walk(
    stored: Iterable[Json], allow: Callable[[Sequence[Json], Json], bool] = lambda goals, goal: True
) -> Json | None:
    """Return the walk to go on with: of the highest priority, and of these the last begun."""
    goals = goal_tree.mended_goals(stored)
    walks = [leaf for leaf in goal_tree.leaves(goals) if is_walk(leaf) and allow(goals, leaf)]
    return max(
        walks[::-1], key=lambda walk: goal_tree.PRIORITIES.index(walk["priority"]), default=None
    )
