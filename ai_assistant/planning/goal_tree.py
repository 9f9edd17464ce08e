"""The goals as trees: who belongs under whom, what is open, and how progress rolls up."""

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

    `deadline` and `until` are in seconds of game time; `kind` and `about` are those of a standing
    goal, `requester` is the id of who asked for it, `body` of the one of several bodies that took
    it on itself, `awaits` (``who``, ``name``, ``since``) of whom it waits for.
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
    """Return the id of the body that took a goal, or one above it, on itself; empty for any."""
    chain = (goal, *ancestors(goals, goal))
    return next((node["body"] for node in chain if node.get("body")), "")


def mended_goals(stored: Iterable[Any]) -> list[Json]:
    """Return goals whole and linked both ways, however they were stored or mutilated.

    The first of an id counts; a link to nobody is cut, and no goal is above itself.
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
    """Return the goal of that id, or None."""
    return next((goal for goal in goals if goal["id"] == goal_id), None)


def children(goals: Sequence[Json], goal: Json) -> list[Json]:
    """Return the subtasks of a goal, in their order."""
    known = {node["id"]: node for node in goals}
    return [known[id] for id in goal["subtask_ids"] if id in known]


def live_children(goals: Sequence[Json], goal: Json) -> list[Json]:
    """Return the subtasks that count: those not dropped."""
    return [child for child in children(goals, goal) if child["status"] != DROPPED]


def ancestors(goals: Sequence[Json], goal: Json) -> Iterator[Json]:
    """Yield the goals above one, the nearest first."""
    above = find_goal(goals, goal["parent_id"])
    while above is not None:
        yield above
        above = find_goal(goals, above["parent_id"])


def descendants(goals: Sequence[Json], goal: Json) -> Iterator[Json]:
    """Yield a goal and all below it, each before its own subtasks."""
    yield goal
    for child in children(goals, goal):
        yield from descendants(goals, child)


def roots(goals: Iterable[Json]) -> list[Json]:
    """Return the goals that are nobody's subtask."""
    return [goal for goal in goals if goal["parent_id"] is None]


def is_open(goal: Json) -> bool:
    """Is it still to be done, now or once it can be gone on with?"""
    return goal["status"] in OPEN_STATUSES


def may_go_on(goal: Json, now_game: float) -> bool:
    """Can it be worked on at this time of the game? What has to wait is tried again in time."""
    due = goal["until"] is not None and goal["until"] <= now_game
    return goal["status"] == ACTIVE or (goal["status"] in TRIED_AGAIN and due)


def leaves(goals: Sequence[Json], now_game: float = 0.0) -> list[Json]:
    """Return the goals that can be worked on: those without subtasks that count."""
    return [goal for goal in goals if may_go_on(goal, now_game) and not live_children(goals, goal)]


def depth(goals: Sequence[Json], goal: Json) -> int:
    """Return how many goals are above this one."""
    return len(list(ancestors(goals, goal)))


def set_goal_status(goal: Json, status: str, at: float) -> None:
    """Change a goal's status and stamp its end; nothing is waited for any more."""
    if goal["status"] != status:
        goal["status"] = status
        goal["until"], goal["awaits"] = None, {}
        goal["finished"] = "" if status in OPEN_STATUSES else iso(at)
        goal["outcome"] = "" if status == ACTIVE else goal["outcome"]


def roll_up(goals: Sequence[Json], goal: Json, at: float) -> None:
    """Let a goal, and all above it, follow from their subtasks that were not dropped."""
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
    """Return a share of 0 to 100 with two decimals at most, and none where it is whole."""
    rounded = round(min(100.0, max(0.0, progress)), 2)
    return int(rounded) if rounded == int(rounded) else rounded
