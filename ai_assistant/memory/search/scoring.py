"""How retrieval weighs what it finds: the weights of its channels."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Tuning:
    """Weights of the channels; 0 switches one off. Found on dialogues, see ``bench/recall.py``.

    Those without a line of their own raise a score by at most their share.
    """

    k1: float = 0.7
    """BM25's taming of repeated words (Robertson and Zaragoza 2009)."""
    b: float = 0.4
    """BM25's taming of long lines, 0 to 1."""
    window: float = 3.0
    """Of a line together with its neighbours, against the line alone."""
    decay: tuple[float, ...] = (0.6, 0.35)
    """What the first, second … neighbour counts."""
    after: float = 0.6
    """The share of `decay` for neighbours that follow the line."""
    reply: float = 0.5
    """How much more a question counts that the line may be the answer to."""
    coverage: float = 0.5
    speaker: float = 1.0
    """Of lines by or about whom the query names first."""
    others: float = 0.3
    """The share of `speaker` for whoever it names after the first."""
    mention: float = 0.5
    date: float = 0.8
    date_alone: float = 0.5
    """What a row of the named date is worth by that alone."""
    time_words: float = 0.4
    question: float = 0.3
    """Lowers the score of what is a question itself."""
    made_of_many: float = 0.05
    session: float = 0.5
    related: float = 0.2
    """What a word of like meaning counts."""
    parts: float = 0.5
    """What a part of a compound counts."""
    dense: float = 0.6
    """Of the likeness of vectors, which is added."""
    recency: float = 0.05
    importance: float = 0.1
    trust: float = 0.1
    collapse: bool = True
    """Do repeated lines step back behind the newest?"""
    replaced: float = 0.3
    """What remains of the score of a row that something newer replaced."""
