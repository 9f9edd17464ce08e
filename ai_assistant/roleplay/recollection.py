"""Finding something again in one container, and thoughts: what nobody else finds."""

from __future__ import annotations

from ai_assistant.core.contracts import MemoryRow
from ai_assistant.core.readers import NOBODY
from ai_assistant.core.search_port import SearchIndex, StoryNow
from ai_assistant.memory.importance import THOUGHT

KIND = "thought"
MOST_THOUGHTS = 200
"""Thoughts of one assistant that stay in use in each session, the newest."""


def thought(who: str, name: str, words: str, *, day: int, place: str = "") -> MemoryRow:
    """Return the row of a thought, for the container of whoever thinks it and for no other."""
    return MemoryRow(
        content=words,
        kind=KIND,
        author=who,
        author_name=name,
        readers=NOBODY,
        game_day=day,
        location=place,
        importance=THOUGHT,
        meta={"type": KIND, "speaker": who, "is_speaker": True},
    )


def recollect(
    index: SearchIndex,
    query: str,
    k: int,
    *,
    now: float,
    fitting: bool = False,
    story: StoryNow | None = None,
) -> list[int]:
    """Return the ids of the best `k` rows of an index for a query, best first; all if fewer.

    `query` are the words of a `message_formats.RecallQuery`; `fitting` leaves out what has none and
    is of no time that it names in the `story`.
    """
    hits = index.search(query, k, now=now, explain=fitting, story=story)
    timed = any(hit.why.get("story", 1.0) > 1 for hit in hits)
    fit = "story" if timed else "line"
    least = 1.0 if timed else 0.0
    return [hit.id for hit in hits if not fitting or hit.why.get(fit, 0.0) > least]
