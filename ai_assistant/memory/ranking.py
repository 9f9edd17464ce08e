"""The channels of retrieval: how well each allowed row answers a query, in numbers.

Lexical relevance is BM25 (Robertson and Zaragoza 2009) of each line alone and together with its
neighbours in the talk; design §8 tells what that is worth. Everything else raises or lowers it by
a bounded share.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ai_assistant.memory.corpus import (
    ASKS,
    MADE_OF_MANY,
    NAMES_A_TIME,
    PERMANENT,
    Floats,
    View,
    among,
)
from ai_assistant.memory.dates import DAY, closeness
from ai_assistant.memory.related import members, related
from ai_assistant.memory.scoring import Scoring, Tuning

_WANTS_A_TIME = re.compile(r"\s*(?:when|how long|(?:what|which) (?:date|day|month|year|time))\b")
_BY_DATE_ALONE = 0.1
"""The relevance of a row of the named date that shares no word with the query."""
_NAMED_ALONE = (1.0, 0.1)
"""What a row by or about somebody named is worth where nothing else was asked, or none has it."""
_BEST_LINES = 3
"""So many of a talk's lines tell how well the talk as a whole fits."""


@dataclass(frozen=True, slots=True)
class Query:
    """A query, taken apart: its text in small letters, and its stems without the names.

    Named speakers are there by number, and their names by stem and as they were written. The one
    named first is mostly the subject: "What did Ann think of Bob's hat?"
    """

    text: str
    stems: tuple[str, ...]
    speakers: tuple[int, ...] = ()
    subjects: tuple[int, ...] = ()
    names: tuple[str, ...] = ()
    words: frozenset[str] = frozenset()
    people: frozenset[str] = frozenset()


@dataclass(slots=True)
class Ranking:
    """What each channel says of each row; `relevance` (0–1) is what a row shares with a query."""

    relevance: Floats
    score: Floats
    channels: dict[str, Floats] = field(default_factory=dict)

    def times(self, name: str, factor: NDArray[np.floating[Any]]) -> None:
        """Multiply all scores by a channel's factor, and remember it."""
        self.channels[name] = factor.astype(float)
        self.score = self.score * factor


def rank(
    view: View, query: Query, cosine: Floats | None, tuning: Tuning, scoring: Scoring, now: float
) -> Ranking:
    """Return the ranking of all rows of a view; `cosine` is each row's likeness to the query."""
    lexical = _lexical(view, query, tuning)
    named = _named(view, query, tuning)
    if not lexical.score.any():
        lexical.score = (named > 1) * np.float64(_NAMED_ALONE[bool(query.stems)])
        lexical.channels["line"] = lexical.score
    channels = {"words": lexical.score.copy(), **lexical.channels}
    found = Ranking(lexical.score, lexical.score, channels)
    if cosine is not None and tuning.dense:
        found.channels["dense"] = cosine
        found.score = found.score + tuning.dense * cosine
    found.relevance = found.score / max(1.0, found.score.max(initial=0.0))
    _nudge(found, view, query, tuning, named, now)
    _weigh(found, view, tuning, scoring, now)
    return found


def _lexical(view: View, query: Query, tuning: Tuning) -> Ranking:
    """Return BM25 of line and window as a share of what the query could reach at best."""
    alone, window, covered = np.zeros(view.size), np.zeros(view.size), np.zeros(view.size)
    length = view.column("length").astype(float)
    around = _around(view, length, tuning)
    total = 0.0
    for word in dict.fromkeys(query.stems):
        counts, rows = _counts(view, word, tuning)
        weight = math.log(1 + (view.size - rows + 0.5) / (rows + 0.5))
        total += weight
        if not rows:
            continue
        alone += weight * _saturated(counts, length, tuning)
        window += weight * _saturated(_around(view, counts, tuning), around, tuning)
        covered += weight * _covered(view, counts)
    best = (total * (tuning.k1 + 1) * (1 + tuning.window)) or 1.0
    share = covered / (total or 1.0)
    score = (alone + tuning.window * window) / best * (1 + tuning.coverage * share)
    held = covered / math.log(2 + view.size)
    channels = {"line": alone / (total or 1.0), "coverage": share, "held": held}
    return Ranking(score, score, channels)


def _counts(view: View, word: str, tuning: Tuning) -> tuple[Floats, int]:
    """Return how often each row speaks of a word, and how many rows do."""
    counts = view.counts(word)
    rows = int(np.count_nonzero(counts))
    for other in related(word) if tuning.related else ():
        counts = counts + tuning.related * view.counts(other)
    for other in members(word) if tuning.members else ():
        counts = counts + tuning.members * view.counts(other)
    return counts, rows or int(np.count_nonzero(counts))


def _around(view: View, values: Floats, tuning: Tuning) -> Floats:
    total = values.copy()
    for distance, share in enumerate(tuning.decay, 1):
        before, after = view.neighbours(values, distance)
        if distance == 1 and tuning.reply:
            before *= 1 + tuning.reply * view.replies
        total += share * (before + tuning.after * after)
    return total


def _saturated(counts: Floats, length: Floats, tuning: Tuning) -> Floats:
    usual = length.mean() or 1.0
    norm = tuning.k1 * (1 - tuning.b + tuning.b * length / usual)
    found: Floats = counts * (tuning.k1 + 1) / (counts + norm + 1e-9)
    return found


def _covered(view: View, counts: Floats) -> Floats:
    """Return 1 where a row holds a word, and less where only its neighbours do."""
    held = (counts > 0).astype(float)
    for distance, share in ((1, 0.8), (2, 0.5)):
        for values in view.neighbours((counts > 0).astype(float), distance):
            held = np.maximum(held, share * values)
    return held


def _named(view: View, query: Query, tuning: Tuning) -> Floats:
    """Return a factor for rows that whoever the query names has said, or is named in.

    In talk of two, each is named all the time: there a name in a line says nothing.
    """
    factor: Floats = np.ones(view.size)
    if not query.speakers:
        return factor
    speakers = view.column("speaker")
    if tuning.mention and len(np.unique(speakers)) > 2:
        for name in query.names:
            factor = np.maximum(factor, 1 + tuning.mention * (view.counts(name) > 0))
    others = tuning.others * among(speakers, query.speakers)
    said = np.where(among(speakers, query.subjects), 1.0, others)
    by_speaker: Floats = np.maximum(factor, 1 + tuning.speaker * said)
    return by_speaker


def _nudge(
    found: Ranking, view: View, query: Query, tuning: Tuning, named: Floats, now: float
) -> None:
    if query.speakers:
        found.times("named", named)
    flags = view.column("flags")
    found.times("question", 1 - tuning.question * ((flags & ASKS) > 0))
    found.times("made of many", 1 + tuning.made_of_many * ((flags & MADE_OF_MANY) > 0))
    close = closeness(query.text, now)
    if close is not None and tuning.date:
        near = close(view.column("at"))
        highest = found.score.max(initial=0.0) or 1.0
        found.relevance = np.maximum(found.relevance, _BY_DATE_ALONE * near)
        found.score = found.score + tuning.date_alone * tuning.date * near * highest
        found.times("date", 1 + tuning.date * near)
    elif _WANTS_A_TIME.match(query.text):
        found.times("time words", 1 + tuning.time_words * ((flags & NAMES_A_TIME) > 0))
    if tuning.session:
        found.times("session", 1 + tuning.session * _of_talks(view, found.channels["words"]))


def _of_talks(view: View, scores: Floats) -> Floats:
    """Return for each row how well its whole talk fits, from 0 to 1, by the talk's best lines."""
    if not view.size:
        return scores
    talk, left = view.talk, scores.copy()
    first = np.flatnonzero(np.diff(talk, prepend=-1))
    sums = np.zeros(first.size)
    for _ in range(_BEST_LINES):
        best = np.maximum.reduceat(left, first)
        sums += best
        lines = np.flatnonzero((left == best[talk]) & (left > 0))
        left[lines[np.flatnonzero(np.diff(talk[lines], prepend=-1))]] = 0.0
    share: Floats = (sums / (sums.max() or 1.0))[talk]
    return share


def _weigh(found: Ranking, view: View, tuning: Tuning, scoring: Scoring, now: float) -> None:
    """Let age, importance and trust have their bounded say, or the seed's formula its own."""
    lasting = (view.column("flags") & PERMANENT) > 0
    age = np.where(lasting, 0.0, np.maximum(0.0, now - view.column("at")) / DAY)
    recency = np.exp(-age / max(scoring.decay_constant, 1e-6))
    importance = view.column("importance") / 10
    found.channels["age_days"] = age
    if scoring.mode == "additive":
        relevance = found.score / (found.score.max(initial=0.0) or 1.0)
        parts = {
            "recency": scoring.alpha_recency * recency,
            "importance": scoring.alpha_importance * importance,
            "relevance": scoring.alpha_relevance * relevance,
        }
        found.channels |= parts
        found.score = sum(parts.values(), np.zeros(view.size))
        return
    found.score = found.score**scoring.alpha_relevance
    found.times("recency", 1 + scoring.alpha_recency * tuning.recency * recency)
    found.times("importance", 1 + scoring.alpha_importance * tuning.importance * importance)
    found.times("trust", 1 + tuning.trust * view.column("trust").astype(float))
