"""Goals: what the character is after, as trees whose progress rolls up.

Progress and status carry no label. Description and outcome carry the goal's readers, and a subtask
has at most those of its parent.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate, chain
from typing import Any

from ai_assistant.core.contracts import Json, MemoryRow
from ai_assistant.core.readers import meet
from ai_assistant.core.times import epoch, iso
from ai_assistant.language.talk_signs import steps
from ai_assistant.language.words import clipped
from ai_assistant.memory.labelled import Allow, joint_author, usable_items
from ai_assistant.memory.parts import Part
from ai_assistant.planning import goal_tree
from ai_assistant.planning.goal_tree import ACTIVE, COMPLETED, DROPPED, WAITING, find_goal, is_open

MAX_OPEN = 60
MAX_SUBTASKS = 12
"""Subtasks of one goal that were not dropped."""
MAX_DEPTH = 4
"""Goals from the topmost to the lowest."""
MAX_GOALS = 200
"""Goals in the list, finished ones included."""
MAX_FINISHED = 30
"""Finished goals that are kept in the list; older ones become memory rows."""
MAX_DESCRIPTION = 200
MAX_OUTCOME = 280
_LONGEST_NAMED = 70
"""Letters of a goal as its plain steps name it."""


def new_goal(id: str, description: str, *, at: float, **fields: Any) -> Json:
    """Return a goal for the step `add_goal`; `fields` are others of `blank_goal`."""
    blank = goal_tree.blank_goal()
    if unknown := fields.keys() - blank:
        raise TypeError(f"A goal has no {', '.join(sorted(unknown))}.")
    return blank | fields | {"id": id, "description": description, "created": iso(at)}


def current_goals(state: Json) -> list[Json]:
    """Return the goals of a state, with all fields and links."""
    return goal_tree.mended_goals(state["goals"])


def usable_goals(state: Json, allow: Allow) -> list[Json]:
    """Return the goals whose words may be used; `allow` is called once for each, in order."""
    return usable_items(current_goals(state), allow)


def no_room_for_goal(goals: Sequence[Json], parent: Json | None = None) -> str:
    """Return why there is no room for another goal, below `parent` if given; empty if there is."""
    if sum(map(is_open, goals)) >= MAX_OPEN:
        return f"There are {MAX_OPEN} open goals already: complete or drop some first."
    if len(goals) >= MAX_GOALS:
        return f"There are {MAX_GOALS} goals in all: finish a goal with its subtasks first."
    if parent is None:
        return ""
    if len(goal_tree.live_children(goals, parent)) >= MAX_SUBTASKS:
        return f"That goal has {MAX_SUBTASKS} subtasks already; drop what is not needed."
    if goal_tree.depth(goals, parent) + 1 >= MAX_DEPTH:
        return f"Goals are at most {MAX_DEPTH} levels deep: add it further up."
    return ""


def not_to_break_down(goals: Sequence[Json], goal: Json) -> str:
    """Return why a goal cannot be broken down into subtasks; empty if it can."""
    if not is_open(goal):
        return f"That goal is {goal['status']}; only an open one can be broken down."
    if goal_tree.live_children(goals, goal):
        return "It has subtasks already; add one with add_goal and its parent_id."
    return no_room_for_goal(goals, goal)


def not_to_set(goals: Sequence[Json], goal: Json, fields: Json) -> str:
    """Return why a goal cannot get this `status` or `progress`; empty if it can."""
    status, progress = fields.get("status"), fields.get("progress")
    parts = goal_tree.live_children(goals, goal)
    if not parts or status == DROPPED or (progress is None and not status):
        return ""
    still = [part["id"] for part in parts if is_open(part)] or ["none is open"]
    return (
        "Its progress follows from its subtasks: update, complete or drop those "
        f"({', '.join(still)}), or add one."
    )


# -- steps


def add_goal(state: Json, *, goal: Json, at: float) -> list[MemoryRow]:
    """Add a goal under its parent, with at most its readers; without room nothing changes."""
    goals = state["goals"] = current_goals(state)
    parent = find_goal(goals, goal["parent_id"])
    if find_goal(goals, goal["id"]) or no_room_for_goal(goals, parent):
        return []
    new = goal_tree.blank_goal() | goal | {"parent_id": parent and parent["id"]}
    goals.append(new)
    if parent is not None:
        new["readers"] = meet(new["readers"], parent["readers"])
        parent["subtask_ids"].append(new["id"])
        goal_tree.roll_up(goals, parent, at)
    return _spill(state)


def update_goal(  # noqa: PLR0913 - one argument for each field that may change
    state: Json,
    *,
    goal_id: str,
    at: float,
    status: str = "",
    progress: float | None = None,
    description: str = "",
    priority: str = "",
    deadline: float | None = None,
    outcome: str = "",
    author: str = "",
    until: float | None = None,
    awaits: Json | None = None,
) -> list[MemoryRow]:
    """Change a goal; arguments left out change nothing, and neither does an unknown id.

    A goal with subtasks gets progress (0–100) and completion from them. A leaf at 100 is complete,
    and a re-opened one begins at 0. Dropping a goal drops everything open below it. A `deadline` of
    0 removes it; `author` is the id of whose words these are.
    """
    goals = state["goals"] = current_goals(state)
    goal = find_goal(goals, goal_id)
    if goal is None:
        return []
    words = {"description": description, "priority": priority}
    goal |= {name: value for name, value in words.items() if value}
    goal["author"] = joint_author([goal["author"], author])
    if deadline is not None:
        goal["deadline"] = deadline or None
    if status == DROPPED:
        for open_goal in filter(is_open, goal_tree.descendants(goals, goal)):
            goal_tree.set_goal_status(open_goal, DROPPED, at)
    elif not goal_tree.live_children(goals, goal):
        _work(goal, status, progress, at)
        goal |= {"until": until, "awaits": awaits or {}} if until or awaits else {}
    goal_tree.roll_up(goals, goal, at)
    if goal["status"] != ACTIVE:
        goal["outcome"] = outcome or goal["outcome"]
    return _spill(state)


def _work(goal: Json, status: str, progress: float | None, at: float) -> None:
    """Set status and progress of a leaf; one that is left out follows from the other."""
    if status == ACTIVE and not is_open(goal):
        goal["progress"] = 0
    if progress is not None:
        goal["progress"] = goal_tree.tidy(progress)
        status = status or (COMPLETED if goal["progress"] == 100 else ACTIVE)
    if status:
        goal_tree.set_goal_status(goal, status, at)
    if goal["status"] == COMPLETED:
        goal["progress"] = 100


def wake_goals(state: Json, *, who: str, at: float) -> None:
    """Let the goals go on that wait for this person, who came or spoke."""
    goals = state["goals"] = current_goals(state)
    for goal in waiting_for(goals, who, at):
        goal_tree.set_goal_status(goal, ACTIVE, at)


def waiting_for(goals: Sequence[Json], who: str, at: float) -> list[Json]:
    """Return the goals that already waited for this person at the time `at`."""
    waiting = (goal for goal in goals if goal["status"] == WAITING and goal["awaits"])
    return [
        goal for goal in waiting if goal["awaits"]["who"] == who and goal["awaits"]["since"] < at
    ]


def update_parent_progress(state: Json, *, goal_id: str, at: float) -> None:
    """Compute a goal, and all above it, from their subtasks once more."""
    goals = state["goals"] = current_goals(state)
    goal = find_goal(goals, goal_id)
    if goal is not None:
        goal_tree.roll_up(goals, goal, at)


# -- what is over


def _spill(state: Json) -> list[MemoryRow]:
    """Remove the oldest finished trees if there are too many; return their memory rows."""
    goals = state["goals"]
    over = [root for root in goal_tree.roots(goals) if not is_open(root)]
    over.sort(key=lambda goal: goal["finished"])
    trees = [list(goal_tree.descendants(goals, goal)) for goal in over]
    ends = accumulate(map(len, trees))
    excess = sum(map(len, trees)) - MAX_FINISHED
    surplus = [tree for tree, end in zip(trees, ends, strict=True) if end - len(tree) < excess]
    return _take_out(goals, surplus)


def _take_out(goals: list[Json], trees: Iterable[Sequence[Json]]) -> list[MemoryRow]:
    taken = list(chain.from_iterable(trees))
    gone = {goal["id"] for goal in taken}
    goals[:] = [goal for goal in goals if goal["id"] not in gone]
    return [goal_as_row(goal) for goal in taken]


def file_finished(state: Json, *, before: str) -> list[MemoryRow]:
    """Remove trees whose root ended before a time, and return them as memory rows."""
    goals = state["goals"] = current_goals(state)
    tops = finished_before(goals, before)
    return _take_out(goals, [list(goal_tree.descendants(goals, top)) for top in tops])


def finished_before(goals: Sequence[Json], before: str) -> list[Json]:
    """Return the root goals that ended before a time, which is given as text."""
    return [
        root for root in goal_tree.roots(goals) if root["finished"] and root["finished"] < before
    ]


def goal_as_row(goal: Json) -> MemoryRow:
    """Return the memory row of a finished goal."""
    outcome = f" {goal['outcome']}" if goal["outcome"] else ""
    return MemoryRow(
        content=f"Goal {goal['status']}: {goal['description'].rstrip('.')}.{outcome}",
        kind="goal",
        author=goal["author"],
        readers=goal["readers"],
        learned_at=epoch(goal["finished"] or goal["created"]),
        meta={name: goal[name] for name in ("id", "parent_id", "status", "progress", "project")},
    )


def subtasks_by_rule(description: str) -> list[str]:
    """Return a few plain steps towards a goal, in the words of its description."""
    goal = clipped(" ".join(description.split()).rstrip(".!"), _LONGEST_NAMED)
    return [step.replace("{goal}", goal) for step in steps()]


# -- ids


def raise_counter(counters: Json, *, name: str, amount: int = 1, at_least: int = 0) -> None:
    """Add to a counter, then raise it to `at_least` if it is below."""
    counters[name] = max(counters.get(name, 0) + amount, at_least)


def next_number(counters: Json, goals: Iterable[Json], minted: int) -> int:
    """Return a number that no goal has had, and above `minted`, the last one of this process."""
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
    shape={"ticks": 0, "goals": 0},
    steps={"count": raise_counter},
    where="script",
    shared=True,
)
GOALS = Part(
    name="goals",
    attribute="current_goals",
    shape={"goals": []},
    steps={
        "add_goal": add_goal,
        "update_goal": update_goal,
        "wake_goals": wake_goals,
        "update_parent_progress": update_parent_progress,
        "file_finished": file_finished,
    },
    where="script",
    bare="goals",
    shared=True,
)
