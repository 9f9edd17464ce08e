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


def is_news(goal: Json) -> bool:
    """Is this end of a goal worth a word? A subtask's only where something is told of it."""
    return not goal["parent_id"] or bool(goal["outcome"])


def goal_records(goal: Json, *, at: float, readers: str, author: str = "") -> list[Change]:
    """Return what is written of a goal that was completed, for those who may know of both."""
    if not is_news(goal):
        return []
    words = _sentence("Completed a goal", goal["description"], goal["outcome"])
    label = meet(readers, goal["readers"])
    projects = [goal["project"]] if goal["project"] else []
    return _records(words, "goal", projects, {"at": at, "readers": label, "author": author})


def project_records(
    key: str, slot: Json, *, outcome: str, at: float, readers: str, author: str = ""
) -> list[Change]:
    """Return what is written of a project that was completed."""
    words = _sentence("Completed a project", slot["summary"] or key, outcome)
    label = meet(readers, slot["readers"])
    return _records(words, "project", [key], {"at": at, "readers": label, "author": author})


def _sentence(opening: str, what: str, outcome: str) -> str:
    said = f"{opening}: {what.rstrip('.')}."
    return f"{said} {outcome}" if outcome else said


def _records(words: str, tag: str, projects: list[str], origin: Json) -> list[Change]:
    entry = {
        "content": words,
        "source_type": "observation",
        "tags": [tag],
        "related_projects": projects,
        **origin,
    }
    done = {"content": words.partition(": ")[2], **origin}
    return [
        Change("journal", "", "add_journal_entry", entry),
        Change("session", "", "add_completed_task", done),
    ]
