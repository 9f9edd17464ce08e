"""How retrieval weighs what it finds: the weights of its channels."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Tuning:
    """Weights of the channels; 0 switches one off. Found on dialogues, see ``bench/recall.py``.

    `k1` and `b` are BM25's (Robertson and Zaragoza 2009). `window` weighs a line together with
    its neighbours against the line alone, `decay` what the first, second … neighbour counts,
    `after` the share of that for those that follow it, and `reply` how much more a question
    counts that it may be the answer to. `others` is the share of `speaker` for whoever a query
    names after the first, `date_alone` what a row of the named date is worth by that alone.
    The others raise, or for questions lower, a score by at most their share. `replaced` is what
    remains of the score of a row that something newer replaced.
    """

    k1: float = 0.7
    b: float = 0.4
    window: float = 3.0
    decay: tuple[float, ...] = (0.6, 0.35)
    after: float = 0.6
    reply: float = 0.5
    coverage: float = 0.5
    speaker: float = 1.0
    others: float = 0.3
    mention: float = 0.5
    date: float = 0.8
    date_alone: float = 0.5
    time_words: float = 0.4
    question: float = 0.3
    made_of_many: float = 0.05
    session: float = 0.5
    related: float = 0.2
    parts: float = 0.5
    dense: float = 0.6
    recency: float = 0.05
    importance: float = 0.1
    trust: float = 0.1
    collapse: bool = True
    replaced: float = 0.3
