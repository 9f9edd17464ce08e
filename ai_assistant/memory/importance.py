"""Importance: how much a journal entry matters, scored when it is written (inventory §14)."""

from __future__ import annotations

from collections.abc import Sequence

from ai_assistant.memory.lexicon import stem, words

BASE = 5
LEAST, MOST = 1, 10
SOURCE_TYPES = {
    "direct": (0.9, 2),
    "observation": (0.8, 1),
    "inference": (0.6, 0),
    "environmental": (0.3, -1),
}
"""Source type → (trust, change of importance)."""
_TERMS = (
    (3, "die dead death kill murder war betray marry birth treason"),
    (
        2,
        "fight attack steal thief fire danger secret promise swear oath love hate curse rescue",
    ),
    (1, "gift quest gold help friend enemy deadline debt wound sick king queen dragon agree plan"),
    (-1, "weather rain sun hello goodbye greet nod smile yawn chat"),
)
"""Change of importance → words that make it; of all that occur, the strongest counts."""
_BY_STEM = {stem(word): weight for weight, terms in _TERMS for word in terms.split()}
TAGS = {
    "danger": "fight attack kill murder war fire danger wound",
    "promise": "promise swear oath agree deadline debt",
    "secret": "secret hide betray",
    "gift": "gift present reward",
    "love": "love marry wedding",
    "quest": "quest task help rescue",
}
"""Tag → words for which an entry gets it by itself."""
_TAG_OF = {stem(word): tag for tag, terms in TAGS.items() for word in terms.split()}


def score_importance_heuristic(content: str, source_type: str, tags: Sequence[str] = ()) -> int:
    """Return the importance, 1 to 10: 5, and what the source and the words of it add or take.

    `source_type` is one of `SOURCE_TYPES`. Tags count as words. Raises `KeyError` for another.
    """
    said = [stem(word) for word in (*words(content), *words(" ".join(tags)))]
    found = [_BY_STEM[one] for one in said if one in _BY_STEM]
    term = max(found, key=abs, default=0)
    return max(LEAST, min(MOST, BASE + SOURCE_TYPES[source_type][1] + term))


def automatic_tags(content: str) -> list[str]:
    """Return the tags that an entry gets for its words, each once."""
    said = (stem(word) for word in words(content))
    return list(dict.fromkeys(_TAG_OF[one] for one in said if one in _TAG_OF))
