"""Thoughts: what one thinks and does not say. Nobody else ever reads them."""

from __future__ import annotations

from ai_assistant.contracts import MemoryRow
from ai_assistant.readers import NOBODY

KIND = "thought"
IMPORTANCE = 6
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
        importance=IMPORTANCE,
        meta={"type": KIND, "speaker": who, "is_speaker": True},
    )
