"""The two blocks that are views: private, of one person's profile, and tasks, of the goals."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ai_assistant.core.contracts import Json
from ai_assistant.core.times import DAY, epoch
from ai_assistant.memory.labelled import Allow
from ai_assistant.memory.people.feelings import drift
from ai_assistant.memory.people.profiles import secrets
from ai_assistant.memory.phrases import shortened
from ai_assistant.memory.talk.folding import STALE, record_of, unsummarised
from ai_assistant.memory.talk.working import topic_of
from ai_assistant.planning.urgency import by_urgency

MOST_NOTES = 10
MOST_TASKS = 10
LONGEST_PHRASE = 120
"""Characters of what is said of the last meeting."""


def private_block(
    profile: Json, entity_id: str, talks: Iterable[Json], *, now: float, allow: Allow
) -> Json:
    """Return the private block about one person, with what may be used here.

    `talks` are the conversations with that person.
    """
    drift(profile, now)
    own = secrets(profile, entity_id)
    rest = [
        trait for trait in (*profile["attributes"], *profile["observations"]) if trait not in own
    ]
    return {
        "name": profile["name"],
        "relationship_status": profile["relationship"]["state"],
        "last_interaction": _last_met(profile, talks, now, allow),
        "trust_score": round(100 * profile["relationship"]["favorability"]),
        "secrets": _words(own, allow),
        "notes": _words(rest, allow),
    }


def _last_met(profile: Json, talks: Iterable[Json], now: float, allow: Allow) -> str:
    """Return when they last met and, in a phrase, what happened."""
    if not profile["last_interaction"]:
        return ""
    days = int((now - epoch(profile["last_interaction"])) // DAY)
    ago = "today" if days < 1 else "yesterday" if days == 1 else f"{days} days ago"
    happened = _what_happened(profile, talks, allow)
    return f"{ago}: {happened}" if happened else ago


def _what_happened(profile: Json, talks: Iterable[Json], allow: Allow) -> str:
    """Return a phrase for the last meeting.

    That is what was noted of it, else what moved a feeling, else what the talk was about.
    """
    noted = ((item, item["content"]) for item in profile["observations"])
    moved = ((item, item["reason"]) for item in profile["relationship"]["history"])
    talked = (
        ({"readers": talk["readers"], "timestamp": talk["last_message"]}, _talk_of(talk))
        for talk in talks
    )
    since = epoch(profile["last_interaction"]) - STALE
    for told in (noted, moved, talked):
        usable = [
            (item["timestamp"], words)
            for item, words in told
            if epoch(item["timestamp"]) >= since
            and words
            and allow(item.get("readers", ""), item.get("author", ""))
        ]
        if usable:
            return shortened(max(usable)[1], LONGEST_PHRASE)
    return ""


def _talk_of(talk: Json) -> str:
    """Return what a talk was about: as a model named or summarised it, else its words."""
    if talk["topic_given"]:
        return f"talk of {talk['topic']}"
    said = [line["content"] for line in unsummarised(talk) if line["role"] != "assistant"]
    topic = next(filter(None, map(topic_of, reversed(said))), "")
    if topic or said:
        return f'talk of "{topic}"' if topic else ""
    return record_of(talk)[0][-1].removeprefix("- ") if talk["summary"] else ""


def _words(items: Sequence[Json], allow: Allow) -> list[str]:
    usable = (item for item in items if allow(item.get("readers", ""), item.get("author", "")))
    return [item.get("content") or item.get("value", "") for item in usable][-MOST_NOTES:]


def task_block(goals: Sequence[Json], *, now_game: float, allow: Allow) -> Json:
    """Return the task block: goals that can be worked on now, the most urgent first."""
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
    """Allow everything: for staff and game code."""
    return True
