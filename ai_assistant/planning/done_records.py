"""What is put on record when a goal or a project is done: journal and completed tasks."""

from __future__ import annotations

from collections.abc import Sequence

from ai_assistant.core.contracts import Change, Json
from ai_assistant.core.readers import meet
from ai_assistant.planning.goal_tree import COMPLETED, depth, find_goal


def newly_completed(before: Sequence[Json], after: Sequence[Json]) -> list[Json]:
    """Return the goals that are complete now and were not before, each before those above it."""
    done = [goal for goal in after if goal["status"] == COMPLETED]
    done.sort(key=lambda goal: -depth(after, goal))
    earlier = ((find_goal(before, goal["id"]), goal) for goal in done)
    return [goal for old, goal in earlier if old is None or old["status"] != COMPLETED]


def goal_records(goal: Json, *, at: float, readers: str, author: str = "") -> list[Change]:
    """Return what is written of a completed goal; of a subtask only where it has an outcome."""
    if goal["parent_id"] and not goal["outcome"]:
        return []
    projects = [goal["project"]] if goal["project"] else []
    origin = {"at": at, "readers": meet(readers, goal["readers"]), "author": author}
    return _records("goal", goal["description"], goal["outcome"], projects, origin)


def project_records(
    key: str, slot: Json, *, outcome: str, at: float, readers: str, author: str = ""
) -> list[Change]:
    """Return what is written of a project that was completed."""
    origin = {"at": at, "readers": meet(readers, slot["readers"]), "author": author}
    return _records("project", slot["summary"] or key, outcome, [key], origin)


def _records(kind: str, what: str, outcome: str, projects: list[str], origin: Json) -> list[Change]:
    words = f"{what.rstrip('.')}. {outcome}".rstrip()
    entry = {
        "content": f"Completed a {kind}: {words}",
        "source_type": "observation",
        "tags": [kind],
        "related_projects": projects,
        **origin,
    }
    done = {"content": words, **origin}
    return [
        Change("journal", "", "add_journal_entry", entry),
        Change("session", "", "add_completed_task", done),
    ]
