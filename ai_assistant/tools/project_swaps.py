"""Tools for projects: context that is put aside and taken up again."""

from __future__ import annotations

from typing import Annotated

from ai_assistant.core.contracts import Change, Json
from ai_assistant.core.errors import ToolError
from ai_assistant.planning import projects as planning
from ai_assistant.planning.done_records import project_records
from ai_assistant.tools.marking import origin
from ai_assistant.tools.registry import tool
from ai_assistant.tools.schema import Prose
from ai_assistant.tools.tool_reach import ToolContext

PROJECT_KEY = "The key of the project, such as build_tavern."
ProjectContext = Annotated[str, Prose(planning.MAX_GIVEN, lines=60, is_cut=False)]
Summary = Annotated[str, Prose(planning.MAX_SUMMARY, is_cut=False)]
ProjectOutcome = Annotated[str, Prose(280, is_cut=False)]


@tool(
    kit="projects",
    about={
        "project_key": "A short key of small letters and _, such as build_tavern.",
        "summary": "What it is about, in one sentence.",
        "initial_context": "What is known and decided so far.",
    },
)
def create_project(
    turn: ToolContext, project_key: str, summary: Summary, initial_context: ProjectContext = ""
) -> Json:
    """Open a project for work of many talks; it becomes the active one, another is paused."""
    key = _new_key(turn, project_key)
    if not planning.has_room(turn.state("projects")):
        raise ToolError(
            f"You have {planning.MAX_OPEN} open projects: complete one first (complete_project)."
        )
    old = _active(turn)
    made = {"key": key, "summary": summary, "context": initial_context, **origin(turn)}
    turn.change(Change("projects", "", "create_project", made))
    turn.audit("ProjectCreated", {"project_key": key})
    return {"project_key": key, "summary": summary, "status": "active", "old_project": old}


@tool(kit="projects", needs="agenda", reads=True, about={})
def list_projects(turn: ToolContext) -> Json:
    """List your projects, the active one first."""
    found = _usable(turn)
    rows = [
        {"project_key": key, **{name: slot[name] for name in ("summary", "status", "last_active")}}
        for key, slot in found.items()
    ]
    active = planning.active_key(turn.state("projects"))
    return {"active": active if active in found else "", "projects": rows}


@tool(
    kit="projects",
    leads_on=True,
    about={
        "project_key": PROJECT_KEY,
        "current_project_update": "Where the present project stands, to find it again later.",
    },
)
def swap_project(
    turn: ToolContext, project_key: str, current_project_update: ProjectContext = ""
) -> Json:
    """Put the present project aside and take up another one, with what you knew of it."""
    found = _usable(turn)
    if project_key not in found:
        return _unknown(found)
    old = _active(turn)
    update = current_project_update if old else ""
    step = {"key": project_key, "update": update, **origin(turn)}
    turn.change(Change("projects", "", "swap_project", step))
    turn.audit("ProjectSwapped", {"old_project": old, "new_project": project_key})
    return {
        "old_project": old,
        "new_project": project_key,
        "new_project_summary": found[project_key]["summary"],
        "new_project_context": planning.context_of(found[project_key], turn.admit),
    }


@tool(
    kit="projects",
    about={
        "context_update": "All that is to be known when you come back to it: it replaces the "
        "context, and what it leaves out becomes a memory.",
        "project_key": "Left out: the active project.",
        "summary": "A new summary, if need be.",
    },
)
def update_project(
    turn: ToolContext, context_update: ProjectContext, project_key: str = "", summary: Summary = ""
) -> Json:
    """Save where a project stands, now and then while you work on it."""
    found = _usable(turn)
    key = project_key or _at_hand(turn)
    if key not in found:
        return _unknown(found)
    if summary and found[key]["readers"] != turn.ceiling:
        raise ToolError("Others know that project too: its summary must not change in private.")
    step = {"key": key, "context_update": context_update, "summary": summary, **origin(turn)}
    turn.change(Change("projects", "", "update_project", step))
    turn.audit("ProjectUpdated", {"project_key": key})
    return {"project_key": key, "message": "Project updated"}


@tool(
    kit="projects",
    about={
        "project_key": "Left out: the active project.",
        "outcome": "What came of it, in one sentence.",
    },
)
def complete_project(
    turn: ToolContext, project_key: str = "", outcome: ProjectOutcome = ""
) -> Json:
    """Close a project that is done; no other becomes active by itself."""
    found = _usable(turn)
    key = project_key or _at_hand(turn)
    if key not in found:
        return _unknown(found)
    if found[key]["status"] == planning.COMPLETED:
        raise ToolError("That project is completed already.")
    written = origin(turn)
    turn.change(Change("projects", "", "complete_project", {"key": key, "at": written["at"]}))
    for change in project_records(key, found[key], outcome=outcome, **written):
        turn.change(change)
    turn.audit("ProjectCompleted", {"project_key": key, "outcome": outcome})
    return {"project_key": key, "status": planning.COMPLETED, "message": "Project completed"}


def _usable(turn: ToolContext) -> dict[str, Json]:
    return planning.usable_slots(turn.state("projects"), turn.admit)


def _active(turn: ToolContext) -> str:
    """Return the active project; empty where there is none that may be spoken of here."""
    key = planning.active_key(turn.state("projects"))
    return key if key in _usable(turn) else ""


def _at_hand(turn: ToolContext) -> str:
    key = _active(turn)
    if not key:
        raise ToolError("No project is active: name one, or use create_project or swap_project.")
    return key


def _unknown(found: dict[str, Json]) -> Json:
    return {"error": "Project does not exist", "available_projects": list(found)}


def _new_key(turn: ToolContext, name: str) -> str:
    """Return a key that is free; one taken by a project unknown here gets a number."""
    key = planning.slug(name)
    if not key:
        raise ToolError("'project_key' must hold letters, such as build_tavern.")
    if key in _usable(turn):
        raise ToolError(f"There is a project '{key}' already; go on with it by swap_project.")
    taken, number = turn.state("projects")["slots"], 2
    free = key
    while free in taken:
        free, number = f"{key}_{number}", number + 1
    return free


TOOLS = [create_project, list_projects, swap_project, update_project, complete_project]
