"""The rows of an index as columns of numbers: what a search of thousands can be quick with.

Plain bytes and arrays throughout: Python's garbage collector passes them over, and while it
visits everything else in a game, nothing happens there.
"""

from __future__ import annotations

import struct
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from ai_assistant.core.times import HOUR

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
T = TypeVar("T")
GAP = HOUR
"""Seconds of silence after which lines without a session do not belong to one talk."""
ASKS, NAMES_A_TIME, PERMANENT, MADE_OF_MANY, REPLACED = 1, 2, 4, 8, 16
_PAIR = struct.Struct("ii")
_COLUMNS = {
    **{"at": "f8", "label": "i4", "speaker": "i4", "session": "i4", "length": "i4"},
    **{"importance": "i2", "flags": "i2", "same": "i8", "trust": "f8", "alive": "?"},
    **{"day": "i4", "happened": "i4", "place": "i4"},
}


class Corpus:
    """Rows by slot (0, 1, 2 …), and for each word the slots that hold it, and how often."""

    def __init__(self) -> None:
        self.labels: dict[str, int] = {}
        """Numbers for texts, in order of first sight, as are those of speakers and the like."""
        self.speakers: dict[str, int] = {}
        self.sessions: dict[str, int] = {}
        self.places = {"": 0}
        """The numbers of places from which a row is there, and of "", which is none."""
        self.size = 0
        self._columns = {name: np.zeros(64, kind) for name, kind in _COLUMNS.items()}
        self.postings: dict[str, bytearray] = {}
        self._order: Ints | None = None
        self._view: tuple[Bools, View] | None = None

    def column(self, name: str) -> NDArray[Any]:
        """Return one column over all slots."""
        return self._columns[name][: self.size]

    def append(self, stems: Iterable[str], **values: Any) -> int:
        """Add a row with the stems of its text; returns its slot."""
        slot = self.size
        counts = Counter(stems)
        for name, value in {**values, "length": counts.total(), "alive": True}.items():
            if slot == len(self._columns[name]):
                self._columns[name] = np.resize(self._columns[name], 2 * slot)
            self._columns[name][slot] = value
        for word, count in counts.items():
            held = self.postings.setdefault(word, bytearray())
            held += _PAIR.pack(slot, count)
        self.size += 1
        self._order = None
        return slot

    def remove(self, slot: int, stems: Iterable[str]) -> None:
        """Take a row out; nothing of its words stays behind."""
        left = int(self.column("place")[slot])
        for column in self._columns.values():
            column[slot] = 0
        if not (self.column("place") == left).any():
            self.places = {name: number for name, number in self.places.items() if number != left}
        for word in set(stems):
            pairs = np.frombuffer(bytes(self.postings.get(word, b"")), np.int32).reshape(-1, 2)
            kept = pairs[pairs[:, 0] != slot]
            if len(kept):
                self.postings[word] = bytearray(kept.tobytes())
            else:
                self.postings.pop(word, None)

    def order(self) -> Ints:
        """Return all slots, session by session, each in order of time."""
        if self._order is None:
            at, session = self.column("at"), self.column("session")
            self._order = np.lexsort((at, session)).astype(np.int64)
        return self._order

    def view(self, allowed: Bools) -> View:
        """Return the corpus as if it had only the allowed rows; the same make the same view."""
        if self._view is None or not np.array_equal(self._view[0], allowed):
            self._view = allowed, View(self, allowed)
        return self._view[1]


class View:
    """The allowed rows of a corpus, at least one, by position: sessions, each in order of time.

    All a search computes is computed here, so that what is not allowed has no say in it. It holds
    until a row comes or goes; what does not depend on a query is computed once.
    """

    def __init__(self, corpus: Corpus, allowed: Bools) -> None:
        self._corpus = corpus
        order = corpus.order()
        self.slots = order[allowed[order]]
        self.size = len(self.slots)
        self._position = np.full(corpus.size, self.size, np.int64)  # behind the last: not here
        self._position[self.slots] = np.arange(self.size)
        self._kept: dict[str, Any] = {}
        at, session, day = (self.column(name) for name in ("at", "session", "day"))
        nameless = session == corpus.sessions.get("", -1)
        ends = np.where(nameless[1:], np.diff(at) > GAP, np.diff(day) != 0)
        new = (np.diff(session) != 0) | ends
        self.talk: Ints = np.concatenate([[0], np.cumsum(new)]).astype(np.int64)

    def once(self, name: str, make: Callable[[], T]) -> T:
        """Return what is the same for every query, made at the first."""
        if name not in self._kept:
            self._kept[name] = make()
        kept: T = self._kept[name]
        return kept

    def column(self, name: str) -> NDArray[Any]:
        """Return one column over the allowed rows."""
        return self.once(name, lambda: self._corpus.column(name)[self.slots])

    def of_session(self, session: str) -> Bools:
        """Which rows are of that session?"""
        number = self._corpus.sessions.get(session, -1)
        return self.once(f"of {number}", lambda: self.column("session") == number)

    def places(self) -> Mapping[str, int]:
        """Return the numbers of the places of the allowed rows, by name; "" is no place."""

        def find() -> dict[str, int]:
            here = set(np.unique(self.column("place")).tolist())
            known = self._corpus.places.items()
            return {name: at for name, at in known if name and at in here}

        return self.once("places", find)

    def flagged(self, flag: int, share: float) -> Floats:
        """Return a factor for each row: 1, and so much more where it has that flag."""
        return self.once(
            f"flag {flag}",
            lambda: (1 + share * ((self.column("flags") & flag) > 0)).astype(float),
        )

    def place(self, slot: int) -> int:
        """Return the position of a slot; -1 where it is not allowed."""
        found = int(self._position[slot])
        return found if found < self.size else -1

    def counts(self, asked: Iterable[tuple[int, str, float]], lines: int) -> tuple[Floats, Ints]:
        """Return how often each row holds the words of each line; how many rows, those of weight 1.

        `asked` are (line, word, weight).
        """
        known = self._corpus.postings
        held = [(line, weight, known[word]) for line, word, weight in asked if word in known]
        pairs = np.frombuffer(b"".join(posting for _, _, posting in held), np.int32).reshape(-1, 2)
        sizes = [len(posting) // _PAIR.size for _, _, posting in held]
        line = np.repeat(np.array([place for place, _, _ in held], np.int64), sizes)
        weight = np.repeat(np.array([share for _, share, _ in held], float), sizes)
        at, width = self._position[pairs[:, 0]], self.size + 1
        flat = np.bincount(line * width + at, weight * pairs[:, 1], lines * width).astype(float)
        said = np.bincount(line[(weight == 1.0) & (at < self.size)], minlength=lines)
        return flat.reshape(lines, width)[:, : self.size], said

    def same_talk(self, distance: int) -> Floats:
        """Return 1 for each row whose talk is that of the row so far before it, from there on."""
        return self.once(
            f"same talk {distance}",
            lambda: (self.talk[distance:] == self.talk[:-distance]).astype(float),
        )

    @cached_property
    def speakers(self) -> Ints:
        """The numbers of those who said the rows."""
        return np.flatnonzero(np.bincount(self.column("speaker")))

    @cached_property
    def replies(self) -> Bools:
        """Which rows follow a question by somebody else?"""
        asks, by = (self.column("flags") & ASKS) > 0, self.column("speaker")
        found = np.zeros(self.size, bool)
        found[1:] = asks[:-1] & (by[1:] != by[:-1]) & (self.talk[1:] == self.talk[:-1])
        return found


def among(numbers: Ints, wanted: Iterable[int]) -> Bools:
    """Say of each number (0, 1, 2 …) whether it is wanted; NumPy's `isin` takes longer."""
    table = np.zeros(int(numbers.max(initial=0)) + 1, np.bool_)
    table[[number for number in wanted if number < len(table)]] = True
    found: Bools = table[numbers]
    return found
