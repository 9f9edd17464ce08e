"""Retrieval: an index of memories that answers a question with those that fit it best.

Works without a database. Rows are filtered by label and metadata before they are ranked, so a
row that may not be used influences nothing: no score, no rank, no count.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ai_assistant.core.readers import OPEN
from ai_assistant.language.words import asks, names_a_time, stems, word_key
from ai_assistant.memory.search import filters
from ai_assistant.memory.search.corpus import (
    ASKS,
    MADE_OF_MANY,
    NAMES_A_TIME,
    PERMANENT,
    REPLACED,
    Bools,
    Corpus,
    Floats,
    Ints,
    View,
    among,
)
from ai_assistant.memory.search.day_closeness import DAY
from ai_assistant.memory.search.marks import Replacements, step_back
from ai_assistant.memory.search.query import name_parts, take_apart
from ai_assistant.memory.search.ranking import Ranking, rank
from ai_assistant.memory.search.scoring import Scoring, Tuning
from ai_assistant.memory.search.vectors import Vectors

CANDIDATES = 30
"""So many of the best rows, at least, are looked at for repeated and replaced ones."""
MOST_IMPORTANT = 10
INDEXED, ASKED = 8000, 2000
"""Letters of a row by which it is found, and of a query: no text costs more than such a one."""
PRODUCT = Scoring()


@dataclass(frozen=True, slots=True)
class Hit:
    """A row that was found. `relevance` (0–1) is what it shares with the query, 0 for nothing.

    `why` tells, when asked to explain, what each channel said, the row's age in days, and which
    newer row replaced it (`replaced_by`) or says the same (`repeated_by`).
    """

    id: int
    score: float
    relevance: float = 0.0
    why: Mapping[str, float] = field(default_factory=dict)


class Index:
    """The rows of one container. To be used by one thread at a time."""

    def __init__(self, tuning: Tuning | None = None) -> None:
        self.tuning = tuning or Tuning()
        self._corpus = Corpus()
        self._slots: dict[int, int] = {}
        self._ids: list[int] = []
        self._texts: list[str] = []
        self._newer: dict[int, set[int]] = {}
        self._name_parts: list[tuple[str, ...]] = []
        self._meta: list[Mapping[str, Any]] = []
        self._label_counts: list[int] = []
        self._vectors = Vectors()

    def __len__(self) -> int:
        return len(self._slots)

    def __contains__(self, id: int) -> bool:
        return id in self._slots

    def add(  # noqa: PLR0913 - one argument for each field of the item
        self,
        id: int,
        text: str,
        *,
        speaker: str = "",
        session: str = "",
        at: float = 0.0,
        readers: str = OPEN,
        importance: int = 5,
        trust: float = 0.9,
        meta: Mapping[str, Any] | None = None,
    ) -> None:
        """Add a row; `at` in seconds since the epoch. Adding an id again replaces it.

        `speaker` is the name of who said it, `session` the talk it belongs to; rows without one
        belong together where little time passed between them. `importance` counts from 0 to 10.
        What `meta` calls permanent never grows old, and `days_back` does not leave it out. A trait
        (`meta`'s kind) was made of several lines, and goes before each of those. `replaced_by`
        in `meta` (the ids of what did, or only that it was) says that a row holds no more, and
        `replaces` in that of a newer row names such, for whoever may use the newer.
        Raises `ValueError`, and leaves all as it was, where `at` or `trust` is not finite.
        """
        if not (math.isfinite(at) and math.isfinite(trust)):
            raise ValueError(f"Row {id}: its time and trust must be finite numbers.")
        self.remove(id)
        text, corpus = text[:INDEXED], self._corpus
        known = {**(meta or {}), "speaker": speaker, "session": session}
        label, by = corpus.labels.number(readers), corpus.speakers.number(speaker)
        if by == len(self._name_parts):
            self._name_parts.append(name_parts(speaker))
        slot = corpus.append(
            stems(text),
            at=at,
            label=label,
            speaker=by,
            session=corpus.sessions.number(session),
            importance=min(max(importance, 0), MOST_IMPORTANT),
            trust=trust,
            flags=_flags(text, known),
            same=hash((speaker, word_key(text))),
        )
        self._slots[id] = slot
        self._ids.append(id)
        self._texts.append(text)
        self._meta.append(known)
        self._label_counts.extend([0] * (label + 1 - len(self._label_counts)))
        self._label_counts[label] += 1
        for older, newer in _replacements(id, known):
            self._newer.setdefault(older, set()).add(newer)

    def remove(self, id: int) -> None:
        """Forget a row with its words; an unknown id is fine."""
        slot = self._slots.pop(id, None)
        if slot is None:
            return
        for older, newer in _replacements(id, self._meta[slot]):
            self._newer[older].discard(newer)
        self._label_counts[int(self._corpus.column("label")[slot])] -= 1
        self._corpus.remove(slot, stems(self._texts[slot]))
        self._texts[slot], self._meta[slot] = "", {}
        self._vectors.remove(slot)

    def set_vector(self, id: int, vector: bytes | NDArray[np.float32], model: str) -> None:
        """Give a row its embedding (float32), made by that model; an unknown id is fine.

        Raises `ValueError` where it is no finite vector of the same length as the model's others.
        """
        if id in self._slots:
            self._vectors.set(self._slots[id], vector, model)

    def labels(self) -> list[str]:
        """Return the labels of the rows, each once."""
        texts = self._corpus.labels.texts
        return [text for text, count in zip(texts, self._label_counts, strict=True) if count]

    def meta(self, id: int) -> Mapping[str, Any]:
        """Return what is known of a row beside its text; nothing for an unknown id."""
        slot = self._slots.get(id)
        return self._meta[slot] if slot is not None else {}

    def search(  # noqa: PLR0913 - what may be asked for
        self,
        query: str,
        k: int,
        *,
        now: float,
        allow: Callable[[str], bool] | None = None,
        where: filters.Where | None = None,
        explain: bool = False,
        scoring: Scoring = PRODUCT,
        vector: bytes | NDArray[np.float32] | None = None,
        model: str = "",
        sessions: frozenset[str] | None = None,
    ) -> list[Hit]:
        """Return the best `k` rows for a query, or all where there are fewer, best first.

        Args:
            query: The question, in words.
            k: How many rows at most. Where fewer fit, the rest are filled up by age and
                importance, with a relevance of 0.
            now: The time, in seconds since the epoch.
            allow: May rows of this label be used? Asked once for each distinct label.
            where: A filter on metadata; see `memory.search.filters`.
            explain: Say in each hit's `why` how it came about.
            scoring: The seed's parameters; see `Scoring`.
            vector: The query's embedding, by `model`. Only rows that have one of the same model
                are compared; all others are found by their words as ever.
            sessions: Only rows of these sessions; None for all.

        Raises:
            ValueError: `where` cannot be understood.
        """
        view = self._corpus.view(self._allowed(allow, where, scoring, now, sessions))
        if k <= 0 or not view.size:
            return []
        asked = take_apart(query[:ASKED], view, self._name_parts)
        cosine = None if vector is None else self._vectors.likeness(view.slots, vector, model)
        found = rank(view, asked, cosine, self.tuning, scoring, now)
        order = _best(found.score, view.column("at"), max(CANDIDATES, 2 * k))
        outdated = None if asked.of_the_past else self._outdated(view)
        marks = step_back(view, found, order, self.tuning, outdated)
        order = _best(found.score, view.column("at"), k)
        return [self._hit(view, found, int(place), marks, explain) for place in order]

    def _outdated(self, view: View) -> Replacements:
        slots = self._slots

        def read() -> Replacements:
            newer = {
                slots[older]: {slots[one] for one in others if one in slots}
                for older, others in self._newer.items()
                if older in slots
            }
            return Replacements(view, newer)

        found: Replacements = view.once("replacements", read)
        return found

    def _allowed(
        self,
        allow: Callable[[str], bool] | None,
        where: filters.Where | None,
        scoring: Scoring,
        now: float,
        sessions: frozenset[str] | None,
    ) -> Bools:
        corpus = self._corpus
        usable = set(self.labels() if allow is None else filter(allow, self.labels()))
        by_label = np.array([label in usable for label in corpus.labels.texts] or [False])
        allowed: Bools = corpus.column("alive") & by_label[corpus.column("label")]
        if sessions is not None:
            known = corpus.sessions.numbers
            numbers = [known[one] for one in sessions if one in known]
            allowed = allowed & among(corpus.column("session"), numbers)
        if scoring.days_back > 0:
            lasting = (corpus.column("flags") & PERMANENT) > 0
            allowed = allowed & (lasting | (corpus.column("at") >= now - scoring.days_back * DAY))
        if scoring.min_importance > 0:
            allowed = allowed & (corpus.column("importance") >= scoring.min_importance)
        if checks := list(filters.conditions(where)):
            slots = np.flatnonzero(allowed)
            fitting = [one for one in slots if filters.matches(self._meta[int(one)], checks)]
            allowed = np.zeros_like(allowed)
            allowed[fitting] = True
        return allowed

    def _hit(
        self,
        view: View,
        found: Ranking,
        place: int,
        marks: Mapping[int, Mapping[str, int]],
        explain: bool,
    ) -> Hit:
        score, relevance = float(found.score[place]), float(found.relevance[place])
        why: dict[str, float] = {}
        if explain:
            why = {name: float(values[place]) for name, values in found.channels.items()}
            for mark, other in marks.get(place, {}).items():
                why[mark] = self._ids[int(view.slots[other])]
        return Hit(self._ids[int(view.slots[place])], score, relevance, why)


def _best(score: Floats, at: Floats, count: int) -> Ints:
    """Return the positions of the best rows, best first; of equals, the newest."""
    near = np.arange(score.size)
    if count < score.size:  # to sort thousands takes long
        near = np.flatnonzero(score >= np.partition(score, -count)[-count])
    order: Ints = near[np.lexsort((-at[near], -score[near]))[:count]]
    return order


def _flags(text: str, known: Mapping[str, Any]) -> int:
    """Return what is known of a row as one number."""
    return (
        ASKS * asks(text)
        + NAMES_A_TIME * names_a_time(text)
        + PERMANENT * bool(known.get("permanent"))
        + MADE_OF_MANY * (known.get("kind") == "trait")
        + REPLACED * bool(known.get("replaced_by"))
    )


def _replacements(id: int, known: Mapping[str, Any]) -> Iterator[tuple[int, int]]:
    """Yield (older, newer) for each row that this one replaces, or is replaced by."""
    for field_, of in (("replaced_by", True), ("replaces", False)):
        held = known.get(field_) or ()
        for other in held if isinstance(held, list | tuple) else [held]:
            if isinstance(other, int) and not isinstance(other, bool):
                yield (id, other) if of else (other, id)
