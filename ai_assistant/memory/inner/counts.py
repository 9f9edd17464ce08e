"""Counts of one assistant: its metrics, its patience, and when entries of lorebooks came to mind.

Messages are counted for each label of readers. So what came up in a whisper is in mind, or rests,
only where the whisper itself may be used.
"""

from __future__ import annotations

from collections.abc import Sequence

from ai_assistant.core.contracts import Json
from ai_assistant.memory.parts import Part, iso


def empty_metrics() -> Json:
    """Return counters at zero."""
    return {"counts": {}, "tool_calls": {}, "tool_errors": {}}


def count(metrics: Json, *, name: str, amount: int = 1) -> None:
    """Add to a counter."""
    metrics["counts"][name] = metrics["counts"].get(name, 0) + amount


def count_tool(metrics: Json, *, name: str, ok: bool) -> None:
    """Count a tool call, and an error where it failed."""
    metrics["tool_calls"][name] = metrics["tool_calls"].get(name, 0) + 1
    if not ok:
        metrics["tool_errors"][name] = metrics["tool_errors"].get(name, 0) + 1


METRICS = Part(
    name="metrics",
    attribute="metrics",
    where="script",
    empty=empty_metrics,
    steps={"count": count, "count_tool": count_tool},
)


MAX_SPOKEN = 40


def empty_patience() -> Json:
    """Return the state of one who never spoke unasked."""
    return {"spoken": []}


def spoke(patience: Json, *, place: str, heard: Sequence[str], at: float) -> None:
    """Note that it spoke unasked; `heard` are the ids of the players who were there."""
    entry = {"place": place, "heard": list(heard), "timestamp": iso(at), "answered": False}
    patience["spoken"] = [*patience["spoken"], entry][-MAX_SPOKEN:]


def answered(patience: Json, *, who: str, place: str) -> None:
    """Note that somebody turned to it: what was said there, or to them anywhere, is answered."""
    for entry in patience["spoken"]:
        if entry["place"] == place or who in entry["heard"]:
            entry["answered"] = True


PATIENCE = Part(
    name="patience",
    attribute="patience",
    where="script",
    empty=empty_patience,
    steps={"spoke": spoke, "answered": answered},
)


MAX_LABELS = 50
MAX_MARKS = 200


def empty_lore() -> Json:
    """Return the state of somebody to whom nothing came to mind yet."""
    return {"talks": [], "marks": []}


def mark(lore: Json, *, readers: str, messages: int, entries: Sequence[str]) -> None:
    """Note that so many messages passed under a label, at whose begin these entries came to mind.

    The oldest marks, and the talks longest silent, are forgotten first.
    """
    talk = next((one for one in lore["talks"] if one["readers"] == readers), None)
    talk = talk or {"readers": readers, "messages": 0}
    marks = [
        one for one in lore["marks"] if one["readers"] != readers or one["entry"] not in entries
    ]
    marks += [{"entry": one, "readers": readers, "at": talk["messages"]} for one in entries]
    talk["messages"] += messages
    talks = [one for one in lore["talks"] if one["readers"] != readers]
    lore["talks"] = [*talks, talk][-MAX_LABELS:]
    kept = {one["readers"] for one in lore["talks"]}
    lore["marks"] = [one for one in marks if one["readers"] in kept][-MAX_MARKS:]


LORE = Part(
    name="lore",
    attribute="lore",
    where="script",
    empty=empty_lore,
    steps={"mark": mark},
)
