"""The two blocks that are views: private, of the profile of one person, and tasks, of the goals."""

from __future__ import annotations

from collections.abc import Sequence

from ai_assistant.core.contracts import Json
from ai_assistant.core.text import counted
from ai_assistant.core.times import DAY, epoch
from ai_assistant.memory.labelled import Allow
from ai_assistant.memory.people.feelings import drift, trust_score
from ai_assistant.memory.people.profiles import secrets
from ai_assistant.planning.urgency import by_urgency

MOST_NOTES = 10
MOST_TASKS = 10


def private_block(profile: Json, entity_id: str, *, now: float, allow: Allow) -> Json:
    """Return the private block for one person, as far as it may be used here."""
    drift(profile, now)
    own = secrets(profile, entity_id)
    rest = [
        trait for trait in (*profile["attributes"], *profile["observations"]) if trait not in own
    ]
    return {
        "name": profile["name"],
        "relationship_status": profile["relationship"]["state"],
        "last_interaction_summary": _last_met(profile, now),
        "trust_score": trust_score(profile),
        "secrets": _words(own, allow),
        "notes": _words(rest, allow),
    }


def _last_met(profile: Json, now: float) -> str:
    if not profile["last_interaction"]:
        return ""
    days = int((now - epoch(profile["last_interaction"])) // DAY)
    ago = "today" if days < 1 else "yesterday" if days == 1 else f"{days} days ago"
    return f"{ago}; {counted(profile['relationship']['interaction_count'], 'exchange')} so far"


def _words(items: Sequence[Json], allow: Allow) -> list[str]:
    usable = (item for item in items if allow(item.get("readers", ""), item.get("author", "")))
    return [item.get("content") or item.get("value", "") for item in usable][-MOST_NOTES:]


def task_block(goals: Sequence[Json], *, now_game: float, allow: Allow) -> Json:
    """Return the task block: what can be worked on now, the most urgent first."""
    urgent = by_urgency(goals, now_game=now_game, allow=allow)
    return {"tasks": [task_of(goal) for goal in urgent[:MOST_TASKS]]}


def task_of(goal: Json) -> Json:
    """Return a goal in the shape of a task."""
    return {
        "id": goal["id"],
        "description": goal["description"],
        "priority": goal["priority"].capitalize(),
        "timestamp": goal["created"],
        "progress": goal["progress"],
    }


def everything(readers: str, author: str = "") -> bool:
    """Let everything pass: what staff and game code may read."""
    return True
