"""Verdicts: what staff think of a turn, and which answer they wanted; no character sees them.

A verdict holds the line that was answered in the fields that lines have elsewhere, so forgetting
that line finds it here too.
"""

from __future__ import annotations

from ai_assistant.core.contracts import Json
from ai_assistant.memory.parts import Part

MOST_VERDICTS = 100
"""Of more the oldest go."""


def verdict_on(line: Json, turn_id: str, answer: str, *, good: bool, wanted: str, by: str) -> Json:
    """Return a verdict on the answer to a line of the stream."""
    kept = {name: line[name] for name in ("id", "timestamp", "who_id", "who", "content", "readers")}
    told = {"turn_id": turn_id, "answer": answer, "good": good, "wanted": wanted, "by": by}
    return {"event_type": "verdict", "said": line["kind"], **kept, **told}


def keep_verdict(verdicts: Json, *, verdict: Json) -> None:
    """Add a verdict, or replace the one on the same turn."""
    take_back(verdicts, turn_id=verdict["turn_id"])
    verdicts["verdicts"] = [*verdicts["verdicts"], verdict][-MOST_VERDICTS:]


def take_back(verdicts: Json, *, turn_id: str) -> None:
    """Remove the verdict on a turn."""
    kept = [verdict for verdict in verdicts["verdicts"] if verdict["turn_id"] != turn_id]
    verdicts["verdicts"] = kept


VERDICTS = Part(
    name="verdicts",
    attribute="verdicts",
    where="script",
    shape={"verdicts": []},
    steps={"keep_verdict": keep_verdict, "take_back": take_back},
)
