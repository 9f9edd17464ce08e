"""Importance: how much a journal entry matters, scored when it is written (inventory §14)."""

from __future__ import annotations

from collections.abc import Sequence

from ai_assistant.language.words import tag, weight, words

BASE = 5
LEAST, MOST = 1, 10
SOURCE_TYPES = {
    "direct": (0.9, 2),
    "observation": (0.8, 1),
    "inference": (0.6, 0),
    "environmental": (0.3, -1),
}
"""Source type → (trust, change of importance)."""


def score_importance_heuristic(content: str, source_type: str, tags: Sequence[str] = ()) -> int:
    """Return the importance, 1 to 10: 5, and what the source and the words of it add or take.

    Of all words that change it, the strongest counts.

    `source_type` is one of `SOURCE_TYPES`. Tags count as words. Raises `KeyError` for another.
    """
    said = (*words(content), *words(" ".join(tags)))
    term = max(map(weight, said), key=abs, default=0)
    return max(LEAST, min(MOST, BASE + SOURCE_TYPES[source_type][1] + term))


def automatic_tags(content: str) -> list[str]:
    """Return the tags that an entry gets for its words, each once."""
    return list(dict.fromkeys(filter(None, map(tag, words(content)))))
