"""What the pages of goals and projects show: as `aigoal` and `aiproj` do."""

from __future__ import annotations

from typing import Any

from ai_assistant.api import lifecycle
from ai_assistant.api.desk.jobs import JOBS
from ai_assistant.api.desk.timetable import agenda_of
from ai_assistant.commands.shown import readers_in_words
from ai_assistant.commands.staff.aidelegate import (
    SHOWN,
    delegates_of,
    errands_under_way,
    last_errands,
)
from ai_assistant.commands.staff.aigoal import goal_facts
from ai_assistant.core.contracts import Json
from ai_assistant.core.times import iso
from ai_assistant.game.identity import entity_id
from ai_assistant.planning import goal_tree
from ai_assistant.web.access import Context, UrlQuery, Visitor
from ai_assistant.web.rest.api_plans import goal_by_id, project_by_key


def plans_page(visitor: Visitor, character: Any, query: UrlQuery) -> Context:
    """Return its goals as a tree, most urgent first, its projects, agenda and tasks."""
    goals, urgent = character.goals.current_goals, _urgent(character)
    tops = [_tree(goals, goal, urgent) for goal in goal_tree.roots(goals)]
    is_open = [goal_tree.is_open(top["goal"]) for top in tops]
    return {
        "open": [top for top, opened in zip(tops, is_open, strict=True) if opened],
        "over": [top for top, opened in zip(tops, is_open, strict=True) if not opened],
        "projects": character.projects.slots.items(),
        "agenda": agenda_of(character),
        "hands_out": lifecycle.script_of(character).config["sub_agents_enabled"],
        "delegates": delegates_of(character),
        "under_way": errands_under_way(character),
        "errands": [(row, iso(row.at)) for row in last_errands(character, SHOWN)],
        "jobs": JOBS.jobs_about(visitor.account, f"{entity_id(character)} task")[:1],
    }


def _urgent(character: Any) -> list[str]:
    """Return the id of the most urgent goal, if there is any to work on."""
    return [goal["id"] for goal in character.goals.by_urgency()][:1]


def _tree(goals: list[Json], goal: Json, urgent: list[str]) -> Json:
    parts = [_tree(goals, part, urgent) for part in goal_tree.children(goals, goal)]
    return {"goal": goal, "parts": parts, "is_next": goal["id"] in urgent}


def goal_page(visitor: Visitor, character: Any, query: UrlQuery) -> Context:
    """Return all about one goal, with its subtasks, and what comes of breaking it down."""
    goals, goal = character.goals.current_goals, goal_by_id(character, query.get("goal", ""))
    jobs = JOBS.jobs_about(visitor.account, f"{entity_id(character)} goal {goal['id']}")[:1]
    return {
        "goal": goal,
        "above": goal_by_id(character, goal["parent_id"]) if goal["parent_id"] else None,
        "facts": goal_facts(character, goal),
        "known_to": readers_in_words(goal["readers"]),
        "parts": _tree(goals, goal, _urgent(character))["parts"],
        "jobs": jobs,
    }


def project_page(visitor: Visitor, character: Any, query: UrlQuery) -> Context:
    """Return all that it knows of one project."""
    slot = project_by_key(character, query.get("project", ""))
    known_to = readers_in_words(slot["readers"])
    return {"key": query["project"], "slot": slot, "known_to": known_to}
