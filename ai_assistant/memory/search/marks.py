"""Rows that step back: those that were repeated word for word, and those that were replaced.

What was replaced by what, the night has marked; nothing is guessed here from words.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set

import numpy as np

from ai_assistant.memory.search.corpus import REPLACED, Bools, Ints, View
from ai_assistant.memory.search.ranking import Ranking, Tuning

Marks = dict[int, dict[str, int]]
"""{position: the position that repeats or replaces it}, as `why` reports it."""
AHEAD = 1.001


class Replacements:
    """Which rows something newer has replaced, among those that a view allows.

    With a row go those in which the same one said the same word for word before it was replaced:
    what was known already the night did not cite again.
    """

    def __init__(self, view: View, slots: Mapping[int, int], newer: Mapping[int, Set[int]]) -> None:
        """`slots` has the slot of each row by id, `newer` the ids of what replaced one, by id."""
        self.rows: Bools = (view.column("flags") & REPLACED) > 0
        self.by: dict[int, int] = {}
        at, same = view.column("at"), view.column("same")
        for row, others in newer.items():
            places = [view.place(slots[other]) for other in others if other in slots]
            usable = [place for place in places if place >= 0]
            if usable and row in slots and (old := view.place(slots[row])) >= 0:
                self.by[old] = max(usable, key=at.__getitem__)
        self.rows[[*self.by]] = True
        known = {int(same[old]): new for old, new in self.by.items()}
        for again in np.flatnonzero(np.isin(same, [*known])).tolist():
            new = known[int(same[again])]
            if at[again] < at[new]:
                self.rows[again] = True
                self.by.setdefault(again, new)

    def last(self, old: int) -> int:
        """Return what holds now instead of a replaced row; -1 where that is not known."""
        passed: set[int] = set()
        while old in self.by and old not in passed:
            passed.add(old)
            old = self.by[old]
        return -1 if self.rows[old] else old


def step_back(
    view: View, found: Ranking, best: Ints, tuning: Tuning, replaced: Replacements | None
) -> Marks:
    """Let repeated and replaced rows step back; `best` are the best rows, best first.

    `replaced` is None for who asks of the past.
    """
    marks: Marks = {}
    places: list[int] = best[found.relevance[best] > 0].tolist()
    if tuning.collapse:
        places = list(_collapsed(view, found, places, marks))
    if replaced is not None and replaced.rows.any():
        was = found.score.copy()
        found.score = was * (1 - (1 - tuning.replaced) * replaced.rows)
        for old in places:
            if replaced.rows[old] and (new := replaced.last(old)) >= 0:
                marks.setdefault(old, {})["replaced_by"] = new
                found.score[new] = max(found.score[new], was[old] * AHEAD)
                found.relevance[new] = max(found.relevance[new], found.relevance[old])
    return marks


def _collapsed(view: View, found: Ranking, best: list[int], marks: Marks) -> Iterator[int]:
    """Keep of rows that say word for word the same, by the same one, only the newest."""
    newest: dict[int, int] = {}
    at, same = view.column("at")[best].tolist(), view.column("same")[best].tolist()
    for _, place, words in sorted(zip(at, best, same, strict=True), reverse=True):
        first = newest.setdefault(words, place)
        if first == place:
            yield place
            continue
        marks[place] = {"repeated_by": first}
        found.score[first] = max(found.score[first], found.score[place])
        found.score[place] = found.relevance[place] = 0.0
