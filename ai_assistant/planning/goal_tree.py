"""Goal trees: parents and subtasks, what is open, and how progress rolls up."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from ai_assistant.core.contracts import Json
from ai_assistant.core.readers import NOBODY
from ai_assistant.core.times import DAY, iso

ACTIVE, COMPLETED, DROPPED = "active", "completed", "dropped"
BLOCKED, WAITING = "blocked", "waiting"
"""Open, but not to be gone on with: until a time, or until somebody comes or speaks."""
TRIED_AGAIN = {BLOCKED: DAY, WAITING: 7 * DAY}
"""Seconds of game time after which such a goal is tried again all the same."""
PRIORITIES = ("low", "medium", "high", "critical")
"""From the least to the most urgent."""
OPEN_STATUSES = (ACTIVE, BLOCKED, WAITING)
STATUSES = (ACTIVE, COMPLETED, DROPPED, BLOCKED, WAITING)


def blank_goal() -> Json:
    """Return a goal with every field at its default.

    `deadline` and `until` are in seconds of game time. `kind` and `about` are for standing goals.
    `requester` is the id of who asked for it, `body` that of the body that works on it, and
    `awaits` (``who``, ``name``, ``since``) tells for whom it waits.
    """
    return {
        "id": "",
        "description": "",
        "priority": "medium",
        "status": ACTIVE,
        "progress": 0,
        "parent_id": None,
        "subtask_ids": [],
        "deadline": None,
        "until": None,
        "awaits": {},
        "created": "",
        "finished": "",
        "kind": "",
        "about": {},
        "requester": "",
        "body": "",
        "project": "",
        "outcome": "",
        "readers": NOBODY,
        "author": "",
    }


def body_at_work(goals: Sequence[Json], goal: Json) -> str:
    """Return the id of the body that works on a goal, or on one above it; empty if any may."""
    chain = (goal, *ancestors(goals, goal))
    return next((node["body"] for node in chain if node.get("body")), "")


def mended_goals(stored: Iterable[Any]) -> list[Json]:
    """Return goals with all fields, linked both ways, whatever state they were stored in.

    Of several goals with one id the first counts; a link to nothing is removed, and no goal is its
    own ancestor.
    """
    known: dict[str, Json] = {}
    for item in stored:
        if isinstance(item, dict) and isinstance(item.get("id"), str) and item["id"] not in known:
            goal = known[item["id"]] = blank_goal() | item
            goal["priority"] = goal["priority"] if goal["priority"] in PRIORITIES else "medium"
            goal["status"] = goal["status"] if goal["status"] in STATUSES else ACTIVE
    _link(known)
    return list(known.values())


def _link(known: dict[str, Json]) -> None:
    for goal in known.values():
        for child in goal["subtask_ids"]:
            if child in known and known[child]["parent_id"] is None:
                known[child]["parent_id"] = goal["id"]
    for goal in known.values():
        if goal["parent_id"] not in known or _is_above_itself(known, goal):
            goal["parent_id"] = None
    below = defaultdict(list)
    for goal in known.values():
        below[goal["parent_id"]].append(goal["id"])
    for goal in known.values():
        place = {child: at for at, child in enumerate(goal["subtask_ids"])}
        goal["subtask_ids"] = sorted(below[goal["id"]], key=lambda id: place.get(id, len(place)))


def _is_above_itself(known: dict[str, Json], goal: Json) -> bool:
    above, seen = goal["parent_id"], {goal["id"]}
    while above in known:
        if above in seen:
            return True
        seen.add(above)
        above = known[above]["parent_id"]
    return False


def find_goal(goals: Iterable[Json], goal_id: str | None) -> Json | None:
    """Return the goal with this id, or None."""
    return next((goal for goal in goals if goal["id"] == goal_id), None)


def children(goals: Sequence[Json], goal: Json) -> list[Json]:
    """Return the subtasks of a goal, in their order."""
    known = {node["id"]: node for node in goals}
    return [known[id] for id in goal["subtask_ids"] if id in known]


def live_children(goals: Sequence[Json], goal: Json) -> list[Json]:
    """Return the subtasks that were not dropped."""
    return [child for child in children(goals, goal) if child["status"] != DROPPED]


def ancestors(goals: Sequence[Json], goal: Json) -> Iterator[Json]:
    """Yield the goals above one, the nearest first."""
    above = find_goal(goals, goal["parent_id"])
    while above is not None:
        yield above
        above = find_goal(goals, above["parent_id"])


def descendants(goals: Sequence[Json], goal: Json) -> Iterator[Json]:
    """Yield a goal and all below it, each goal before its subtasks."""
    yield goal
    for child in children(goals, goal):
        yield from descendants(goals, child)


def roots(goals: Iterable[Json]) -> list[Json]:
    """Return the goals without a parent."""
    return [goal for goal in goals if goal["parent_id"] is None]


def is_open(goal: Json) -> bool:
    """Is a goal still to be done, now or later?"""
    return goal["status"] in OPEN_STATUSES


def may_go_on(goal: Json, now_game: float) -> bool:
    """Can a goal be worked on at this game time? A waiting one is tried again after a while."""
    due = goal["until"] is not None and goal["until"] <= now_game
    return goal["status"] == ACTIVE or (goal["status"] in TRIED_AGAIN and due)


def leaves(goals: Sequence[Json], now_game: float = 0.0) -> list[Json]:
    """Return the goals that can be worked on: those without subtasks, dropped ones aside."""
    return [goal for goal in goals if may_go_on(goal, now_game) and not live_children(goals, goal)]


def depth(goals: Sequence[Json], goal: Json) -> int:
    """Return how many goals are above this one."""
    return len(list(ancestors(goals, goal)))


def set_goal_status(goal: Json, status: str, at: float) -> None:
    """Change a goal's status, note when it ended, and end its waiting."""
    if goal["status"] != status:
        goal["status"] = status
        goal["until"], goal["awaits"] = None, {}
        goal["finished"] = "" if status in OPEN_STATUSES else iso(at)
        goal["outcome"] = "" if status == ACTIVE else goal["outcome"]


def roll_up(goals: Sequence[Json], goal: Json, at: float) -> None:
    """Compute progress and status of a goal, and of all above it, from their live subtasks."""
    for ancestor in (goal, *ancestors(goals, goal)):
        live = live_children(goals, ancestor)
        if not live:
            continue
        ancestor["progress"] = tidy(sum(child["progress"] for child in live) / len(live))
        if any(map(is_open, live)):
            set_goal_status(ancestor, ACTIVE, at)
        elif is_open(ancestor):
            set_goal_status(ancestor, COMPLETED, at)


def tidy(progress: float) -> float:
    """Return a progress of 0 to 100 with at most two decimals; a whole number has none."""
    rounded = round(min(100.0, max(0.0, progress)), 2)
    return int(rounded) if rounded == int(rounded) else rounded
