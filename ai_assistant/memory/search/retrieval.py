"""Retrieval: an index of memories that answers a question with those that fit it best.

Works without a database. Rows are filtered by label and metadata before they are ranked, so a
row that may not be used influences nothing: no score, no rank, no count.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import partial
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ai_assistant.core.contracts import MemoryRow
from ai_assistant.core.search_port import PRODUCT, Hit, Scoring, SearchIndex, StoryNow, Where
from ai_assistant.core.times import DAY
from ai_assistant.language.words import asks, is_common, names_a_time, stems, words
from ai_assistant.memory.importance import MOST
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
from ai_assistant.memory.search.marks import Replacements, step_back
from ai_assistant.memory.search.packed_facts import PackedFacts
from ai_assistant.memory.search.query import Now, take_apart
from ai_assistant.memory.search.ranking import Ranking, Tuning, rank
from ai_assistant.memory.search.vectors import Vectors

CANDIDATES = 30
"""So many of the best rows, at least, are looked at for repeated and replaced ones."""
INDEXED, ASKED = 8000, 2000
"""Letters of a row by which it is found, and of a query: no text costs more than such a one."""

_REPLACING = ("replaced_by", "replaces")
"""Under these names a row's metadata has the rows that it replaces, or is replaced by."""


class Index:
    """Implement `core.search_port.SearchIndex` within this process."""

    def __init__(self, tuning: Tuning | None = None) -> None:
        self.tuning = tuning or Tuning()
        self._corpus = Corpus()
        self._slots: dict[int, int] = {}
        self._ids: list[int] = []
        self._stems: list[tuple[str, ...]] = []
        self._newer: dict[int, set[int]] = {}
        self._name_parts: list[tuple[str, ...]] = []
        self._facts = PackedFacts()
        self._label_counts: Counter[int] = Counter()
        self._vectors = Vectors()

    def __len__(self) -> int:
        return len(self._slots)

    def __contains__(self, id: int) -> bool:
        return id in self._slots

    def add(self, row: MemoryRow) -> None:
        """Add a row, instead of any with its id; see `SearchIndex`."""
        if not (math.isfinite(row.learned_at) and math.isfinite(row.trust)):
            raise ValueError(f"Row {row.id}: its time and trust must be finite numbers.")
        if row.id in self._slots:
            self.remove(row.id)
        id, speaker, corpus = row.id, row.author_name, self._corpus
        text = f"{row.content} {row.meta.get('asked', '')}".rstrip()[:INDEXED]
        known = filters.facts_of(row)
        label = corpus.labels.setdefault(row.readers, len(corpus.labels))
        by = corpus.speakers.setdefault(speaker, len(corpus.speakers))
        held = stems(text)
        if by == len(self._name_parts):  # the words of a name by which its bearer is meant
            self._name_parts.append(tuple(part for part in words(speaker) if not is_common(part)))
        slot = corpus.append(
            held,
            at=row.learned_at,
            label=label,
            speaker=by,
            session=corpus.sessions.setdefault(row.session, len(corpus.sessions)),
            importance=min(max(row.importance, 0), MOST),
            trust=row.trust,
            day=row.game_day,
            happened=int(row.meta.get("happened_day", row.game_day)),
            place=corpus.places.setdefault(row.location, max(corpus.places.values()) + 1),
            flags=_flags(text, row.kind, known),
            same=hash((speaker, words(text))),
        )
        self._slots[id] = slot
        self._label_counts[label] += 1
        self._ids.append(id)
        self._stems.append(tuple({*held}))
        self._facts.append(known)
        if known.keys() & _REPLACING:
            for older, newer in _replacements(id, known):
                self._newer.setdefault(older, set()).add(newer)

    def remove(self, id: int) -> None:
        """Forget a row with its words; an unknown id is fine."""
        slot = self._slots.pop(id, None)
        if slot is None:
            return
        for older, newer in _replacements(id, self._facts[slot]):
            self._newer[older].discard(newer)
        self._label_counts[int(self._corpus.column("label")[slot])] -= 1
        self._corpus.remove(slot, self._stems[slot])
        self._stems[slot] = ()
        self._facts.remove(slot)
        self._vectors.remove(slot)

    def set_vector(self, id: int, vector: bytes | NDArray[np.float32], model: str) -> None:
        """Give a row its embedding, made by that model; see `SearchIndex`."""
        if id in self._slots:
            self._vectors.set(self._slots[id], vector, model)

    def labels(self) -> list[str]:
        """Return the labels of the rows, each once."""
        counts = self._label_counts
        return [label for label, number in self._corpus.labels.items() if counts[number]]

    def places(self) -> list[str]:
        """Return the places from which the rows are, each once."""
        return list(filter(None, self._corpus.places))

    def search(  # noqa: PLR0913 - what may be asked for
        self,
        query: str,
        k: int,
        *,
        now: float,
        allow: Callable[[str], bool] | None = None,
        where: Where | None = None,
        explain: bool = False,
        scoring: Scoring = PRODUCT,
        vectors: Mapping[str, bytes | NDArray[np.float32]] | None = None,
        sessions: frozenset[str] | None = None,
        besides: Collection[str] = (),
        story: StoryNow | None = None,
        around: str = "",
    ) -> list[Hit]:
        """Return the best `k` rows for a query, best first; see `SearchIndex`."""
        moment = Now(now, story)
        allowed = self._allowed(allow, where, scoring, moment, sessions)
        if k <= 0 or not allowed.any():
            return []
        view = self._corpus.view(allowed)
        asked = take_apart(query[:ASKED], view, self._name_parts, story, around[:ASKED])
        near = self._vectors.likeness
        alike = [near(view.slots, vector, model) for model, vector in (vectors or {}).items()]
        cosine = np.sum(alike, axis=0) if alike else None  # a row has a vector of one of them
        found = rank(view, asked, cosine, self.tuning, scoring, moment)
        most = k + len(besides)
        order = _best(found.score, view.column("at"), max(CANDIDATES, 2 * most))
        replaced = None
        if not asked.of_the_past:
            make = partial(Replacements, view, self._slots, self._newer)
            replaced = view.once("replacements", make)
        marks = step_back(view, found, order, self.tuning, replaced)
        places: Iterable[int] = map(int, _best(found.score, view.column("at"), most))
        if besides:
            places = (at for at in places if self._event(view, at) not in besides)
        return [self._hit(view, found, at, marks, explain) for at in islice(places, k)]

    def _event(self, view: View, place: int) -> str:
        return str(self._facts[int(view.slots[place])].get("event", ""))

    def _allowed(
        self,
        allow: Callable[[str], bool] | None,
        where: Where | None,
        scoring: Scoring,
        now: Now,
        sessions: frozenset[str] | None,
    ) -> Bools:
        corpus = self._corpus
        labels = [corpus.labels[label] for label in self.labels() if allow is None or allow(label)]
        allowed = corpus.column("alive") & among(corpus.column("label"), labels)
        if sessions is not None:
            numbers = [corpus.sessions[name] for name in sessions if name in corpus.sessions]
            allowed = allowed & among(corpus.column("session"), numbers)
        if scoring.days_back > 0:
            lasting = (corpus.column("flags") & PERMANENT) > 0
            recent = corpus.column("at") >= now.at - scoring.days_back * DAY
            if now.story is not None:
                ours = corpus.column("session") == corpus.sessions.get(now.story.session, -1)
                days = corpus.column("day") >= now.story.day - scoring.days_back
                recent = np.where(ours, days, recent)
            allowed = allowed & (lasting | recent)
        if scoring.min_importance > 0:
            allowed = allowed & (corpus.column("importance") >= scoring.min_importance)
        return self._fitting(where, allowed) if where else allowed

    def _fitting(self, where: Where, allowed: Bools) -> Bools:
        checks = list(filters.conditions(where))
        slots = np.flatnonzero(allowed).tolist()
        filters.check_fields(checks, (self._facts[slot] for slot in slots))
        found = np.zeros_like(allowed)
        found[[slot for slot in slots if filters.matches(self._facts[slot], checks)]] = True
        return found

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


def _flags(text: str, kind: str, known: Mapping[str, Any]) -> int:
    return (
        ASKS * asks(text)
        + NAMES_A_TIME * names_a_time(text)
        + PERMANENT * bool(known.get("permanent"))
        + MADE_OF_MANY * (kind == "trait")
        + REPLACED * bool(known.get("replaced_by"))
    )


def _replacements(id: int, known: Mapping[str, Any]) -> Iterator[tuple[int, int]]:
    """Yield (older, newer) for each row that this one replaces, or is replaced by."""
    for name in _REPLACING:
        held = known.get(name) or ()
        for other in held if isinstance(held, list | tuple) else [held]:
            if isinstance(other, int) and not isinstance(other, bool):
                yield (id, other) if name == "replaced_by" else (other, id)


def new_index() -> SearchIndex:
    """Return an empty index: the one place that says which index the game uses."""
    return Index()
