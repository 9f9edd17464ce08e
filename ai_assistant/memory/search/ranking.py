"""The channels of retrieval: how well each allowed row answers a query, in numbers.

Lexical relevance is BM25 (Robertson and Zaragoza 2009) of each line alone and together with its
neighbours in the talk; everything else raises or lowers it by a bounded share. All words of a query
are counted in one matrix, a row of it for each word.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ai_assistant.core.search_port import Scoring
from ai_assistant.language.words import parts, related
from ai_assistant.memory.search.corpus import (
    ASKS,
    MADE_OF_MANY,
    NAMES_A_TIME,
    PERMANENT,
    Floats,
    View,
    among,
)
from ai_assistant.memory.search.query import Now, Query, closeness

_BY_STORY_ALONE, _BY_DATE_ALONE = 0.25, 0.1
"""The relevance of a row of the named time that shares no word with the query."""
_NAMED_ALONE = (1.0, 0.1)
"""What a row by or about somebody named is worth where nothing else was asked, or none has it."""
_BEST_LINES = 3
"""So many of a talk's lines tell how well the talk as a whole fits."""
_COVERED = (0.8, 0.5)
"""What a word counts as held where the first or second neighbour holds it."""


@dataclass(frozen=True, slots=True)
class Tuning:
    """Weights of the channels; 0 switches one off. Found on dialogues, see ``bench/recall.py``.

    A share is by how much more a row counts at most.
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
    """The share for a row that holds, with its neighbours, all words of the query."""
    speaker: float = 1.0
    """Of lines by or about whom the query names first."""
    others: float = 0.3
    """The share of `speaker` for whoever it names after the first."""
    mention: float = 0.5
    """The share for a row in which somebody is named whom the query names."""
    date: float = 0.8
    """The share for a row of the date that the query names."""
    date_alone: float = 0.5
    """What a row of the named date is worth by that alone."""
    story: float = 4.0
    """Of the time that a query names in a story, whose days are exact."""
    there: float = 1.0
    """Of the place that it names there."""
    around: float = 0.1
    """Of what holds the words that were said before the query."""
    time_words: float = 0.4
    """The share for a row that names a time, where the query asks for one."""
    question: float = 0.3
    """Lowers the score of what is a question itself."""
    made_of_many: float = 0.05
    """The share for a trait."""
    session: float = 0.5
    """The share for the talk that fits best."""
    related: float = 0.2
    """What a word of like meaning counts."""
    parts: float = 0.5
    """What a part of a compound counts."""
    dense: float = 0.6
    """Of the likeness of vectors, which is added."""
    recency: float = 0.05
    """The share for what is new."""
    importance: float = 0.1
    """The share for an importance of 10."""
    trust: float = 0.1
    """The share for what is fully trusted."""
    collapse: bool = True
    """Do repeated lines step back behind the newest?"""
    replaced: float = 0.3
    """What remains of the score of a row that something newer replaced."""


@dataclass(slots=True)
class Ranking:
    """What is found of all rows in view, an array of a number for each."""

    relevance: Floats
    """What each shares with the query, 0 to 1."""
    score: Floats
    """What they are ranked by, 0 or more."""
    channels: dict[str, Floats] = field(default_factory=dict)
    """What each channel says of them, by its name in `Hit.why`."""

    def times(self, name: str, factor: Floats) -> None:
        """Multiply all scores by a channel's factor, and remember it."""
        self.channels[name] = factor
        self.score = self.score * factor


def rank(
    view: View, query: Query, cosine: Floats | None, tuning: Tuning, scoring: Scoring, now: Now
) -> Ranking:
    """Return the ranking of all rows of a view; `cosine` is each row's likeness to the query."""
    lexical = _lexical(view, query, tuning)
    named = _named(view, query, tuning)
    if not lexical.score.any():
        lexical.score = (named > 1) * np.float64(_NAMED_ALONE[bool(query.stems)])
        lexical.channels["line"] = lexical.score
    found = Ranking(lexical.score, lexical.score, {"words": lexical.score, **lexical.channels})
    if cosine is not None and tuning.dense:
        found.channels["dense"] = cosine
        found.score = found.score + tuning.dense * cosine
    found.relevance = found.score / max(1.0, found.score.max())
    _nudge(found, view, query, tuning, named, now.at)
    _weigh(found, view, tuning, scoring, now)
    return found


def _lexical(view: View, query: Query, tuning: Tuning) -> Ranking:
    """Return BM25 of line and window as a share of what the query could reach at best."""
    counts, rows = _counts(view, list(dict.fromkeys(query.stems)), tuning)
    weights = np.log(1 + (view.size - rows + 0.5) / (rows + 0.5))
    total = float(weights.sum())
    counts, weights = counts[rows > 0], weights[rows > 0]
    length = view.column("length").astype(float)
    norm = view.once("norm", lambda: _norm(tuning, length))
    alone = _weighed(weights, counts / (counts + norm))
    norm = view.once("norm around", lambda: _norm(tuning, _around(view, length, tuning)))
    around = _around(view, counts, tuning)
    window = _weighed(weights, around / (around + norm))
    covered = _weighed(weights, _covered(view, counts > 0))
    best = (total * (tuning.k1 + 1) * (1 + tuning.window)) or 1.0
    share = covered / (total or 1.0)
    score = (tuning.k1 + 1) * (alone + tuning.window * window) / best
    score = score * (1 + tuning.coverage * share)
    channels = {"line": alone / (total or 1.0), "coverage": share}
    channels["held"] = covered / np.log(2 + view.size)
    return Ranking(score, score, channels)


def _counts(view: View, stems: Sequence[str], tuning: Tuning) -> tuple[Floats, Floats]:
    """Return how often each row speaks of each word, and how many rows do of each."""
    asked = []
    for place, stem in enumerate(stems):
        asked.append((place, stem, 1.0))
        asked += [(place, other, tuning.related) for other in related(stem)]
        asked += [(place, part, tuning.parts) for part in parts(stem)]
    counts, said = view.counts(asked, len(stems))
    return counts, np.where(said > 0, said, np.count_nonzero(counts, axis=1))


def _norm(tuning: Tuning, length: Floats) -> Floats:
    """Return what tames repeated words in each row, by its length."""
    norm: Floats = tuning.k1 * (1 - tuning.b + tuning.b * length / (length.mean() or 1.0)) + 1e-9
    return norm


def _around(view: View, values: Floats, tuning: Tuning) -> Floats:
    """Add to each row's values a share of its neighbours'."""
    total = values.copy()
    for distance, share in enumerate(tuning.decay, 1):
        same = share * view.same_talk(distance)
        before = same * (1 + tuning.reply * view.replies[1:]) if distance == 1 else same
        total[..., distance:] += before * values[..., :-distance]
        total[..., :-distance] += tuning.after * same * values[..., distance:]
    return total


def _weighed(weights: Floats, values: Floats) -> Floats:
    """Sum up the words, by einsum, which stays on its thread: BLAS would take all cores."""
    found: Floats = np.einsum("i,ij->j", weights, values)
    return found


def _covered(view: View, holds: NDArray[np.bool_]) -> Floats:
    """Return 1 where a row holds a word, and less where only its neighbours do."""
    held = holds.astype(float)
    for distance, share in enumerate(_COVERED, 1):
        near = share * view.same_talk(distance)
        later, earlier = slice(distance, None), slice(-distance)
        for to, of in ((later, earlier), (earlier, later)):
            np.maximum(held[..., to], near * holds[..., of], out=held[..., to])
    return held


def _named(view: View, query: Query, tuning: Tuning) -> Floats:
    """Return a factor for rows that whoever the query names has said, or is named in.

    In talk of two, each is named all the time: there a name in a line says nothing.
    """
    factor: Floats = np.ones(view.size)
    if not query.speakers:
        return factor
    speakers = view.column("speaker")
    if tuning.mention and len(view.speakers) > 2:
        said, _ = view.counts([(0, name, 1.0) for name in query.names], 1)
        factor = 1 + tuning.mention * (said[0] > 0)
    others = tuning.others * among(speakers, query.speakers)
    by = np.where(among(speakers, query.subjects), 1.0, others)
    by_speaker: Floats = np.maximum(factor, 1 + tuning.speaker * by)
    return by_speaker


def _nudge(
    found: Ranking, view: View, query: Query, tuning: Tuning, named: Floats, now: float
) -> None:
    if query.speakers:
        found.times("named", named)
    if query.around and tuning.around:
        found.times("around", 1 + tuning.around * _of_around(view, query.around))
    found.times("question", view.flagged(ASKS, -tuning.question))
    found.times("made of many", view.flagged(MADE_OF_MANY, tuning.made_of_many))
    if query.within is not None:
        _lift(found, "story", query.within.astype(float), tuning.story, _BY_STORY_ALONE)
    if query.there is not None:
        _lift(found, "place", query.there.astype(float), tuning.there, _BY_STORY_ALONE)
    if query.day is not None and tuning.date:
        near = closeness(query.day, view.column("at"), now)
        _lift(found, "date", near, tuning.date, _BY_DATE_ALONE, tuning.date_alone)
    elif query.asks_time:
        found.times("time words", view.flagged(NAMES_A_TIME, tuning.time_words))
    if tuning.session:
        found.times("session", 1 + tuning.session * _of_talks(view, found.channels["words"]))


def _of_around(view: View, around: Sequence[str]) -> Floats:
    """Return how much of what was said before the query each row holds, from 0 to 1."""
    counts, rows = view.counts([(at, word, 1.0) for at, word in enumerate(around)], len(around))
    weights = np.log(1 + (view.size - rows + 0.5) / (rows + 0.5))
    held: Floats = _weighed(weights, (counts > 0).astype(float)) / float(weights.sum())
    return held


def _lift(
    found: Ranking, name: str, near: Floats, share: float, relevance: float, alone: float = 0.5
) -> None:
    """Let rows count more by as much as they are near what was named, also by that alone."""
    found.relevance = np.maximum(found.relevance, relevance * near)
    highest = found.score.max() or 1.0
    found.score = found.score + alone * min(1.0, share) * near * highest
    found.times(name, 1 + share * near)


def _of_talks(view: View, scores: Floats) -> Floats:
    """Return for each row how well its whole talk fits, from 0 to 1, by the talk's best lines."""
    left = scores.copy()
    first = view.once(
        "first of talk",
        lambda: np.flatnonzero(np.concatenate([[True], np.diff(view.talk) > 0])),
    )
    sums = np.zeros(first.size)
    for _ in range(_BEST_LINES):
        best = np.maximum.reduceat(left, first)
        sums += best
        left[left == best[view.talk]] = 0.0
    share: Floats = (sums / (sums.max() or 1.0))[view.talk]
    return share


def _weigh(found: Ranking, view: View, tuning: Tuning, scoring: Scoring, now: Now) -> None:
    """Let age, importance and trust have their bounded say, or the additive formula its own."""
    ages = view.flagged(PERMANENT, -1.0)  # what lasts has none
    age = ages * now.days_since(view)
    recency = np.exp(-age / max(scoring.decay_constant, 1e-6))
    importance = view.once("tenths", lambda: view.column("importance") / 10)
    found.channels["age_days"] = age
    if scoring.mode == "additive":
        relevance = found.score / (found.score.max() or 1.0)
        parts = {
            "recency": scoring.alpha_recency * recency,
            "importance": scoring.alpha_importance * importance,
            "relevance": scoring.alpha_relevance * relevance,
        }
        found.channels |= parts
        found.score = sum(parts.values(), np.zeros(view.size))
        return
    if scoring.alpha_relevance != 1.0:
        found.score = found.score**scoring.alpha_relevance
    found.times("recency", 1 + scoring.alpha_recency * tuning.recency * recency)
    found.times("importance", 1 + scoring.alpha_importance * tuning.importance * importance)
    found.times("trust", 1 + tuning.trust * view.column("trust"))
