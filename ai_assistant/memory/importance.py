"""Importances, 0 to 10: how much what an assistant heard, did, made or was told matters to it."""

from __future__ import annotations

from collections.abc import Sequence

from ai_assistant.core.contracts import USUAL
from ai_assistant.language.words import word_weight, words

LEAST, MOST = 1, 10
MENTIONED, BY_ASSISTANT = 10, 4
"""Of an event that names the character, and of one that another assistant caused."""
PERCEIVED = {"page": 9, "whisper": 9, "say": 8, "gift": 8, "pose": 6, "channel": 5, "move": 3}
"""Of any other event, by its source type."""
OWN = 6
"""Of what the character says and does itself, for itself or for another."""
THOUGHT = 6
UPDATE = 6
"""Of news of the world and of those who are present."""
INSIGHT = 7
INTERACTION = 8
"""Of what game code records between the character and somebody."""
ANNOUNCED = 9
FOR_GOOD = 8
"""Of what a scene's author gave for good: plot, cards, lore."""
TRAIT = 10
"""What was made of several lines goes before each of them."""
TRIFLE = 3
"""Up to this an old journal entry is archived by night."""
WAITING_FOR_REFLECTION = 150
"""The sum over journal entries at which the character looks back (Park et al. 2023)."""
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
    term = max(map(word_weight, said), key=abs, default=0)
    return max(LEAST, min(MOST, USUAL + SOURCE_TYPES[source_type][1] + term))
