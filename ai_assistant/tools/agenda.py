"""Tools for goals: what the character is after, and how far it is."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from ai_assistant.core.contracts import Category, Change, Entity, Json
from ai_assistant.core.errors import ToolError
from ai_assistant.core.readers import meet
from ai_assistant.core.text import clean
from ai_assistant.memory.labelled import usable_items
from ai_assistant.planning import goal_tree
from ai_assistant.planning import goals as planning
from ai_assistant.planning.done_records import update_records
from ai_assistant.planning.projects import active_key, find_slot
from ai_assistant.tools.marking import DUE, Hours, deadline_in, is_unknown, origin
from ai_assistant.tools.registry import tool
from ai_assistant.tools.schema import Between, Handle, Prose
from ai_assistant.tools.tool_reach import ToolContext

LISTED = 40
"""Goals listed at a time."""
TOLD = ("id", "description", "priority", "status", "progress", "parent_id", "subtask_ids")
GOAL_ID = "Its id, or its words."
GoalText = Annotated[str, Prose(planning.MAX_DESCRIPTION, is_cut=False)]
GoalOutcome = Annotated[str, Prose(planning.MAX_OUTCOME, is_cut=False)]


@tool(
    kit="plain",
    alone=True,
    rule="What outlasts this talk becomes a goal.",
    about={
        "description": "In one sentence.",
        "priority": "",
        "parent_id": "The goal that it is part of.",
        "deadline_hours": DUE,
    },
)
def add_goal(
    turn: ToolContext,
    description: GoalText,
    priority: Literal["", "low", "medium", "high", "critical"] = "",
    parent_id: str = "",
    deadline_hours: Hours = 0.0,
) -> Json:
    """Take on what you will work on later, when nobody asks."""
    parent = _goal(turn, parent_id) if parent_id else None
    _check_new(turn, parent, description)
    due = deadline_in(turn, deadline_hours) if deadline_hours else None
    wanted = priority or (parent["priority"] if parent else "medium")
    goal = _add(turn, description, wanted, parent, due)
    told = ("description", "priority", "status", "progress", "parent_id")
    return {"goal_id": goal["id"]} | {name: goal[name] for name in told}


@tool(
    kit="planning",
    alone=True,
    about={
        "goal_id": GOAL_ID,
        "status": "",
        "progress": "From 0 to 100.",
        "description": "New words for it.",
        "priority": "",
        "outcome": "How it ended, or what hinders it.",
        "waits_for": "Whom you have to wait for.",
    },
)
def update_goal(  # noqa: PLR0913 - what may be changed of a goal
    turn: ToolContext,
    goal_id: str,
    status: Literal["", "active", "blocked", "waiting", "completed", "dropped"] = "",
    progress: Annotated[int, Between(0, 100)] = -1,
    description: GoalText = "",
    priority: Literal["", "low", "medium", "high", "critical"] = "",
    outcome: GoalOutcome = "",
    waits_for: Annotated[str, Handle("person")] = "",
) -> Json:
    """Note how far you are with a goal, that it has to wait, or that it is done or given up."""
    given: Json = {"status": status, "description": description, "priority": priority}
    given = {name: value for name, value in given.items() if value}
    fields = given | ({"progress": progress} if progress != -1 else {})
    fields |= _pause(turn, status, waits_for)
    if not fields and not outcome:
        raise ToolError("Say what is to change: status, progress, description, priority, outcome.")
    goal = _goal(turn, goal_id)
    if fields.get("progress") == 100 and status == goal_tree.ACTIVE:
        raise ToolError("What is at 100 is completed; give a smaller progress to keep it open.")
    if problem := planning.not_to_set(planning.current_goals(turn.state("goals")), goal, fields):
        raise ToolError(problem)
    if description and turn.ceiling != goal["readers"]:
        raise ToolError("Others know that goal too: its words must not change in private.")
    _update(turn, goal, fields, outcome)
    return {"goal_id": goal["id"], "message": "Goal updated"}


@tool(
    kit="planning",
    needs="agenda",
    reads=True,
    about={"status": "open: what is still to be done; all: finished ones as well."},
)
def list_goals(turn: ToolContext, status: Literal["open", "all"] = "open") -> Json:
    """List your goals with their progress, each followed by its subtasks."""
    found = planning.usable_goals(turn.state("goals"), turn.admit)
    known = [goal["id"] for goal in found]
    tops = [goal for goal in found if goal["parent_id"] not in known]
    listed = [goal for top in tops for goal in goal_tree.descendants(found, top)]
    shown = [goal for goal in listed if status == "all" or goal_tree.is_open(goal)]
    told = [{name: goal[name] for name in TOLD} for goal in shown[:LISTED]]
    return {"goals": told, "left_out": len(shown[LISTED:])}


@tool(kit="planning", about={"goal_id": GOAL_ID, "reason": "Why it is given up, in one sentence."})
def drop_goal(turn: ToolContext, goal_id: str, reason: GoalOutcome = "") -> Json:
    """Give up a goal with all its open subtasks; it no longer counts in the goal above it."""
    goal = _goal(turn, goal_id)
    if not goal_tree.is_open(goal):
        raise ToolError(f"That goal is {goal['status']} already.")
    _update(turn, goal, {"status": goal_tree.DROPPED}, reason)
    return {"goal_id": goal["id"], "message": "Goal dropped"}


@tool(Category.ASYNC_REQUIRED, kit="planning", leads_on=True, about={"goal_id": GOAL_ID})
async def decompose_goal(turn: ToolContext, goal_id: str) -> Json:
    """Break a goal down into three to seven steps."""
    goal = _goal(turn, goal_id)
    goals = planning.current_goals(turn.state("goals"))
    if problem := planning.not_to_break_down(goals, goal):
        raise ToolError(problem)
    above = usable_items(goal_tree.ancestors(goals, goal), turn.admit)
    steps = await turn.reach.goals.subtasks(goal, [higher["description"] for higher in above])
    made = []
    for step in steps:
        goals = planning.current_goals(turn.state("goals"))
        if not planning.no_room_for_goal(goals, goal_tree.find_goal(goals, goal["id"])):
            made.append(_add(turn, step, goal["priority"], goal, None))
    told = [{"id": step["id"], "description": step["description"]} for step in made]
    return {"goal_id": goal["id"], "subtasks_created": len(made), "subtasks": told}


# -- what is checked


def _goal(turn: ToolContext, name: str) -> Json:
    """Return the usable goal of this id, or the one open goal that has these words, or refuse."""
    goals = planning.current_goals(turn.state("goals"))
    goal = goal_tree.find_goal(goals, name)
    if goal is not None and turn.admit(goal["readers"], goal["author"]):
        return goal
    wanted = _plain(name)
    near = [other for other in goals if wanted and wanted in _plain(other["description"])]
    same = [other for other in near if _plain(other["description"]) == wanted]
    found = usable_items(filter(goal_tree.is_open, same or near), turn.admit)
    if len(found) > 1:
        raise ToolError(f"Which of them: {', '.join(other['id'] for other in found)}?")
    if not found:
        raise ToolError(
            f"There is no goal '{clean(name, 40)}'; see list_goals for those that you have."
        )
    return found[0]


def _plain(text: str) -> str:
    return text.strip(" .\"'").casefold()


def _check_new(turn: ToolContext, parent: Json | None, description: str) -> None:
    goals = planning.current_goals(turn.state("goals"))
    if problem := planning.no_room_for_goal(goals, parent):
        raise ToolError(problem)
    beside = goal_tree.live_children(goals, parent) if parent else goal_tree.roots(goals)
    for goal in filter(goal_tree.is_open, beside):
        same = goal["description"].casefold() == description.casefold()
        if same and turn.admit(goal["readers"], goal["author"]):
            raise ToolError(f"You have that goal already: {goal['id']}.")


def _pause(turn: ToolContext, status: str, waits_for: str) -> Json:
    """Return for whom, or until when, a goal is left alone."""
    if waits_for and status in ("", goal_tree.WAITING):
        return _waiting(turn, waits_for)
    if status == goal_tree.WAITING:
        raise ToolError("Say whom it waits for, with 'waits_for'.")
    if status == goal_tree.BLOCKED:
        return {"until": turn.world.game_time() + goal_tree.TRIED_AGAIN[status]}
    return {}


def _waiting(turn: ToolContext, name: str) -> Json:
    """Return the fields of a goal that waits for somebody: for whoever bears a name that nobody
    whom the character knows has.
    """
    unmet = is_unknown(turn, name, "person")
    who = Entity(name.casefold(), name) if unmet else turn.thing(name, "person").entity
    awaits = {"who": who.id, "name": who.name, "since": turn.clock.now()}
    until = turn.world.game_time() + goal_tree.TRIED_AGAIN[goal_tree.WAITING]
    return {"status": goal_tree.WAITING, "awaits": awaits, "until": until}


# -- what is written


def promise_unmet(turn: ToolContext, name: str, what: str, due: float | None) -> Json:
    """Take on what is promised to somebody only heard of: as a goal that waits for them."""
    description = clean(f"{name}: {what}", planning.MAX_DESCRIPTION)
    _check_new(turn, None, description)
    goal = _add(turn, description, "medium", None, due, **_waiting(turn, name))
    return {"goal_id": goal["id"], "description": description, "waits_for": name}


def _add(
    turn: ToolContext,
    description: str,
    priority: str,
    parent: Json | None,
    due: float | None,
    **more: Any,
) -> Json:
    above = {
        "parent_id": parent["id"] if parent else None,
        "project": parent["project"] if parent else _project(turn),
    }
    goal = propose_goal(turn, description, priority=priority, deadline=due, **above, **more)
    noted = {"goal_id": goal["id"], "priority": priority, "parent_id": goal["parent_id"]}
    turn.audit("GoalCreated", noted | {"description": description})
    return goal


def propose_goal(turn: ToolContext, description: str, **fields: Any) -> Json:
    """Propose a new goal of this body, for whoever asked; returns it."""
    goal = planning.new_goal(
        turn.reach.goals.new_id(),
        description,
        requester=turn.trigger.source.id if turn.trigger else "",
        body=turn.me.id,
        **fields,
        **origin(turn),
    )
    turn.change(Change("goals", "", "add_goal", {"goal": goal, "at": turn.clock.now()}))
    return goal


def _project(turn: ToolContext) -> str:
    """Return the project at hand, where all who may know of the goal may know of it as well."""
    projects = turn.state("projects")
    slot = find_slot(projects, key := active_key(projects))
    return key if slot and meet(turn.ceiling, slot["readers"]) == turn.ceiling else ""


def _update(turn: ToolContext, goal: Json, fields: Json, outcome: str) -> None:
    """Propose a change to a goal, and put on record what it completes."""
    written = origin(turn)
    before = planning.current_goals(turn.state("goals"))
    step = {"goal_id": goal["id"], "at": written["at"], **fields}
    if outcome and turn.ceiling == goal["readers"]:
        step["outcome"] = outcome
    if fields.get("description") or step.get("outcome"):
        step["author"] = written["author"]
    turn.change(Change("goals", "", "update_goal", step))
    after = planning.current_goals(turn.state("goals"))
    outcomes = {goal["id"]: outcome}
    changes, audit = update_records(before, after, goal, **written, outcomes=outcomes)
    for change in changes:
        turn.change(change)
    for type, noted in audit:
        turn.audit(type, noted)


TOOLS = [add_goal, update_goal, list_goals, drop_goal, decompose_goal]
