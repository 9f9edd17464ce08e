"""A closer look at the best rows of a search: which are repeated, and which are out of date?"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator

import numpy as np
from numpy.typing import NDArray

from ai_assistant.memory.asked import Asked, asked_of, wants_the_latest
from ai_assistant.memory.clause_words import NAME
from ai_assistant.memory.clauses import clauses
from ai_assistant.memory.corpus import Bools, View, among
from ai_assistant.memory.lexicon import stem, word_key, words
from ai_assistant.memory.ranking import Query, Ranking
from ai_assistant.memory.scoring import Tuning
from ai_assistant.memory.supersession import Statement, judge

CANDIDATES = 30
"""Number of best rows, at least, that are looked at closely."""
AHEAD = 1.001
NEARLY, HALF, FAINTLY = 0.8, 0.5, 0.2
RARE = 0.02
"""A word that more than this share of somebody's rows hold leads to no further rows."""
RARE_AT_LEAST = 6
MOST_LED_TO = 12
"""Rows that one word leads to at most, the newest."""

OF_ANOTHER = 0.7
"""Weight of a line by the person asked about that speaks of somebody else."""
_OF_WORDS = re.compile(
    r"\b(?:sa(?:y|ys|id)|t(?:ell|ells|old|hinks?)|thought|mention\w*|about|talk\w*|spoke|claim\w*)\b"
)

Marks = dict[int, dict[str, int]]
"""{position: the position that repeats or outdates it}, as `why` reports it."""


class Closer:
    """One search, looked at closely; `said` returns (speaker, text) of a slot."""

    def __init__(
        self, view: View, found: Ranking, asked: Query, said: Callable[[int], tuple[str, str]]
    ) -> None:
        self._view, self._found, self._asked, self._said = view, found, asked, said
        self._marks: Marks = {}
        self._lines: dict[int, Statement] = {}

    def look(self, order: NDArray[np.int64], tuning: Tuning) -> Marks:
        """Let repeated and outdated rows step back; `order` are the best, best first."""
        best = [int(place) for place in order if self._found.relevance[place] > 0]
        if tuning.collapse:
            best = list(self._collapsed(best))
        self._put_others_back(best)
        if tuning.supersede and wants_the_latest(self._asked.text):
            self._put_latest_first(best)
        return self._marks

    def _collapsed(self, best: list[int]) -> Iterator[int]:
        """Keep of rows that say word for word the same, by the same one, only the newest."""
        newest: dict[tuple[str, tuple[str, ...]], int] = {}
        at, found = self._view.column("at"), self._found
        for place in sorted(best, key=lambda one: (-at[one], -one)):
            line = self._statement(place)
            first = newest.setdefault((line.speaker, word_key(line.text)), place)
            if first == place:
                yield place
                continue
            self._marks[place] = {"repeated_by": first}
            found.score[first] = max(found.score[first], found.score[place])
            found.score[place] = found.relevance[place] = 0.0

    def _put_others_back(self, best: list[int]) -> None:
        """Let what the one asked about said of others step back: it does not tell of them."""
        asked = self._asked
        if len(asked.speakers) != 1 or _OF_WORDS.search(asked.text.lower()):
            return
        by = self._view.column("speaker")
        for place in best:
            text = self._statement(place).text
            if int(by[place]) in asked.speakers and _of_another(text, asked.names):
                self._found.score[place] *= OF_ANOTHER

    def _put_latest_first(self, best: list[int]) -> None:
        """Let what took the place of outdated statements stand before them."""
        lines = [self._statement(place) for place in sorted(best)]
        asked = asked_of(self._asked.text, self._asked.stems, self._asked.words, self._asked.people)
        score = self._found.score
        verdict = judge(asked, lines, self._later)
        was = score.copy()
        for older, newer in verdict.outdated.items():
            if was[newer] < was[older] * self._least(newer, asked):
                continue
            self._marks.setdefault(older, {})["superseded_by"] = newer
            score[newer] = max(score[newer], score[older] * AHEAD)
            self._found.relevance[newer] = max(
                self._found.relevance[newer], self._found.relevance[older]
            )
        if verdict.fitting and asked.of_a_state:
            first = max(verdict.fitting, key=score.__getitem__)
            score[first] = max(score[first], score.max() * AHEAD)

    def _least(self, newer: int, asked: Asked) -> float:
        """Return the share of an older row's score that a newer one must have to outdate it.

        What happened stays as it was: of events, the later is preferred among equals only.
        """
        ends = any(one.ends for one in clauses(self._statement(newer).text))
        if asked.named and not asked.of_a_state:
            return HALF if ends else NEARLY
        return 0.0 if ends else FAINTLY

    def _statement(self, place: int) -> Statement:
        line = self._lines.get(place)
        if line is None:
            speaker, text = self._said(int(self._view.slots[place]))
            at, talk = float(self._view.column("at")[place]), int(self._view.talk[place])
            line = Statement(place=place, text=text, at=at, speaker=speaker, talk=talk)
            self._lines[place] = line
        return line

    def _later(self, stems: frozenset[str], than: Statement) -> list[Statement]:
        """Return later rows by or about whom the question names that hold a rare one of these."""
        view = self._view
        theirs = self._by_or_about()
        usable = theirs & (view.column("at") > than.at)
        limit = max(RARE_AT_LEAST, RARE * np.count_nonzero(theirs))
        found: set[int] = set()
        for one in stems:
            held = (view.counts(one) > 0) & theirs
            if np.count_nonzero(held) <= limit:
                places = np.flatnonzero(held & usable)
                found.update(places[np.argsort(view.column("at")[places])][-MOST_LED_TO:].tolist())
        return sorted(map(self._statement, found), key=lambda line: line.at)

    def _by_or_about(self) -> Bools:
        by: Bools = among(self._view.column("speaker"), self._asked.speakers)
        for name in self._asked.names:
            by = by | (self._view.counts(name) > 0)
        return by


def _of_another(text: str, names: Collection[str]) -> bool:
    """Is all that a line tells about people other than these, called by their names?"""
    told = clauses(text)
    return bool(told) and all(
        one.kind == NAME and not names_of(one.noun) & set(names) for one in told
    )


def names_of(noun: str) -> set[str]:
    """Return the stems of a name as a question would hold them."""
    return {stem(word) for word in words(noun)}
