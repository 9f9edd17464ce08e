"""Tallies of one assistant: counts of its script, its errors, and how much happened lately.

The importance of journal entries is added up; at 150 the character reflects (Park et al. 2023).
"""

from __future__ import annotations

from collections.abc import Sequence

from ai_assistant.core.contracts import Json
from ai_assistant.core.times import iso
from ai_assistant.memory.importance import WAITING_FOR_REFLECTION
from ai_assistant.memory.parts import Part

MAX_WAITING = 100
"""Ids of entries that are kept for the next reflection; the newest ones."""


def count_metric(metrics: Json, *, name: str, amount: int = 1) -> None:
    """Add to a counter."""
    metrics["counts"][name] = metrics["counts"].get(name, 0) + amount


def count_tool(metrics: Json, *, name: str, ok: bool) -> None:
    """Count a tool call, and an error if it failed."""
    metrics["tool_calls"][name] = metrics["tool_calls"].get(name, 0) + 1
    if not ok:
        metrics["tool_errors"][name] = metrics["tool_errors"].get(name, 0) + 1


METRICS = Part(
    name="metrics",
    attribute="metrics",
    where="script",
    shape={"counts": {}, "tool_calls": {}, "tool_errors": {}},
    steps={"count": count_metric, "count_tool": count_tool},
)


def count_error(safety: Json) -> None:
    """Count one more failed turn in a row."""
    safety["consecutive_errors"] += 1


def note_stop(safety: Json, *, reason: str, at: float) -> None:
    """Note that the emergency stop was set."""
    safety |= {"emergency_stop": True, "reason": reason, "since": iso(at)}


def go_on(safety: Json) -> None:
    """Clear the count of errors and the emergency stop."""
    safety |= SAFETY.empty()


SAFETY = Part(
    name="safety",
    attribute="safety",
    where="script",
    shape={"emergency_stop": False, "consecutive_errors": 0, "reason": "", "since": ""},
    steps={"count_error": count_error, "stop": note_stop, "go_on": go_on},
)


def count_entries(reflection: Json, *, entries: Sequence[int], importance: int) -> None:
    """Add journal entries, their ids and the sum of their importance, to what waits."""
    waiting = [*reflection["entries_since_reflection"], *entries]
    reflection["entries_since_reflection"] = waiting[-MAX_WAITING:]
    reflection["cumulative_importance"] += importance


def looked_back(reflection: Json, *, entries: Sequence[int]) -> None:
    """Remove entries that were reflected on while others still wait."""
    waiting = reflection["entries_since_reflection"]
    reflection["entries_since_reflection"] = [
        waiting_id for waiting_id in waiting if waiting_id not in entries
    ]


def reflected(reflection: Json, *, at: float) -> None:
    """Begin a new sum after a reflection."""
    reflection |= {
        "cumulative_importance": 0,
        "entries_since_reflection": [],
        "last_reflection": iso(at),
    }


def is_due(reflection: Json) -> bool:
    """Has enough happened for a reflection?"""
    return bool(reflection["cumulative_importance"] >= reflection["threshold"])


REFLECTION = Part(
    name="reflection",
    attribute="reflection_state",
    where="script",
    shape={
        "threshold": WAITING_FOR_REFLECTION,
        "cumulative_importance": 0,
        "entries_since_reflection": [],
        "last_reflection": "",
    },
    steps={"count": count_entries, "looked_back": looked_back, "reflected": reflected},
)
