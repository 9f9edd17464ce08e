"""Done records: what is written when a goal or a project is done: journal and completed tasks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ai_assistant.core.contracts import Change, Json
from ai_assistant.core.readers import OPEN, meet
from ai_assistant.planning.goal_tree import COMPLETED, depth, find_goal


def update_records(  # noqa: PLR0913 - who changed what, and when
    before: Sequence[Json],
    after: Sequence[Json],
    goal: Json,
    *,
    at: float,
    readers: str = OPEN,
    author: str | None = None,
    outcomes: Mapping[str, str] = {},
) -> tuple[list[Change], list[tuple[str, Json]]]:
    """Return the changes and audit entries for an update of goals from `before` to `after`.

    Each goal that is complete now and was not before is recorded; a subtask only if it has an
    outcome. Without an `author` the goal's own is used. `outcomes` by goal id replace those in the
    goals.
    """
    now = find_goal(after, goal["id"]) or goal
    noted = {"goal_id": goal["id"], "status": now["status"], "priority": now["priority"]}
    changes: list[Change] = []
    audit: list[tuple[str, Json]] = [
        ("GoalUpdated", noted | {"metadata": {"progress": now["progress"]}})
    ]
    complete = [other["id"] for other in before if other["status"] == COMPLETED]
    done = [other for other in after if other["status"] == COMPLETED]
    for ended in sorted(done, key=lambda other: -depth(after, other)):
        if ended["id"] in complete:
            continue
        outcome = outcomes.get(ended["id"], ended["outcome"])
        audit.append(("GoalCompleted", {"goal_id": ended["id"], "outcome": outcome}))
        if outcome or not ended["parent_id"]:
            origin = {"at": at, "readers": meet(readers, ended["readers"])}
            origin |= {"author": ended["author"] if author is None else author}
            projects = [ended["project"]] if ended["project"] else []
            changes += _records("goal", ended["description"], outcome, projects, origin)
    return changes, audit


def project_records(
    key: str, slot: Json, *, outcome: str, at: float, readers: str, author: str = ""
) -> list[Change]:
    """Return the changes that record a completed project."""
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
