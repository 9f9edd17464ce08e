"""The rows of an index as columns of numbers: what a search of thousands can be quick with.

Plain bytes and arrays throughout: Python's garbage collector passes them over, and while it
visits everything else in a game, nothing happens there.
"""

from __future__ import annotations

import struct
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
GAP = 3600.0
"""Seconds of silence after which lines without a session do not belong to one talk."""
ASKS, NAMES_A_TIME, PERMANENT, MADE_OF_MANY, REPLACED = 1, 2, 4, 8, 16
_PAIR = struct.Struct("ii")
_NONE = np.zeros(0, np.int64), np.zeros(0, np.int32)
_ROW = np.dtype(
    [
        ("at", "f8"),
        ("label", "i4"),
        ("speaker", "i4"),
        ("session", "i4"),
        ("length", "i4"),
        ("importance", "i2"),
        ("flags", "i2"),
        ("same", "i8"),
        ("trust", "f4"),
        ("alive", "?"),
    ]
)


class Names:
    """Numbers for texts, in order of first sight."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}
        self.texts: list[str] = []

    def number(self, text: str) -> int:
        """Return the number of a text; a new one for a new text."""
        found = self.numbers.setdefault(text, len(self.texts))
        if found == len(self.texts):
            self.texts.append(text)
        return found


class Corpus:
    """Rows by slot (0, 1, 2 …), and for each word the slots that hold it."""

    def __init__(self) -> None:
        self.labels, self.speakers, self.sessions = Names(), Names(), Names()
        self.size = 0
        self._rows = np.zeros(64, _ROW)
        self._postings: dict[str, bytearray] = {}
        self._order: Ints | None = None
        self._view: tuple[Bools, View] | None = None

    def column(self, name: str) -> NDArray[Any]:
        """Return one column over all slots."""
        found: NDArray[Any] = self._rows[name][: self.size]
        return found

    def append(self, stems: Iterable[str], **values: Any) -> int:
        """Add a row with the stems of its text; returns its slot."""
        slot = self.size
        if slot == len(self._rows):
            self._rows = np.concatenate([self._rows, np.zeros(len(self._rows), _ROW)])
        row = self._rows[slot]
        counts = Counter(stems)
        for name, value in values.items():
            row[name] = value
        row["length"] = counts.total()
        row["alive"] = True
        for word, count in counts.items():
            held = self._postings.get(word)
            if held is None:
                self._postings[word] = bytearray(_PAIR.pack(slot, count))
            else:
                held += _PAIR.pack(slot, count)
        self.size += 1
        self._order = self._view = None
        return slot

    def remove(self, slot: int, stems: Iterable[str]) -> None:
        """Take a row out; nothing of its words stays behind."""
        self._rows[slot] = np.zeros((), _ROW)
        self._view = None
        for word in set(stems):
            pairs = self.pairs(word)
            kept = pairs[pairs[:, 0] != slot]
            if len(kept):
                self._postings[word] = bytearray(kept.tobytes())
            else:
                self._postings.pop(word, None)

    def order(self) -> Ints:
        """Return all slots, session by session, each in order of time."""
        if self._order is None:
            at, session = self.column("at"), self.column("session")
            self._order = np.lexsort((at, session)).astype(np.int64)
        return self._order

    def pairs(self, word: str) -> NDArray[np.int32]:
        """Return (slot, count) of each row that holds a word."""
        held = self._postings.get(word, b"")
        return np.frombuffer(bytes(held), np.int32).reshape(-1, 2)

    def __contains__(self, word: str) -> bool:
        return word in self._postings

    def view(self, allowed: Bools) -> View:
        """Return the corpus as if there were only the allowed rows (one truth value a slot)."""
        if self._view is None or not np.array_equal(self._view[0], allowed):
            self._view = allowed, View(self, allowed)
        return self._view[1]


class View:
    """The allowed rows of a corpus by position: session by session, in order of time.

    All a search computes is computed here, so that what is not allowed has no say in it. It holds
    until a row comes or goes; what does not depend on a query is computed once.
    """

    def __init__(self, corpus: Corpus, allowed: Bools) -> None:
        self._corpus = corpus
        order = corpus.order()
        self.slots = order[allowed[order]]
        self.size = len(self.slots)
        self._position = np.full(corpus.size, -1, np.int64)
        self._position[self.slots] = np.arange(self.size)
        self._kept: dict[str, Any] = {}
        self.talk = self._talks()

    def once(self, name: str, make: Callable[[], Any]) -> Any:
        """Return what is the same for every query, made at the first."""
        if name not in self._kept:
            self._kept[name] = make()
        return self._kept[name]

    def column(self, name: str) -> NDArray[Any]:
        """Return one column over the allowed rows."""
        found: NDArray[Any] = self.once(name, lambda: self._corpus.column(name)[self.slots])
        return found

    def place(self, slot: int) -> int:
        """Return the position of a slot; -1 where it is not allowed."""
        return int(self._position[slot])

    def counts(self, asked: Iterable[tuple[int, str, float]], lines: int) -> Floats:
        """Return so many lines of counts: for (line, word, weight), how often each row holds it."""
        keys, values = [np.zeros(0, np.int64)], [np.zeros(0)]
        for line, word, weight in asked:
            at, count = self._holding(word)
            keys.append(at + line * self.size)
            values.append(weight * count)
        flat = np.bincount(np.concatenate(keys), np.concatenate(values), lines * self.size)
        return flat.astype(float).reshape(lines, self.size)

    def rows_with(self, words: Sequence[str]) -> Floats:
        """Return for each word how many rows hold it."""
        return np.array([self._holding(word)[0].size for word in words], float)

    def _holding(self, word: str) -> tuple[Ints, NDArray[np.int32]]:
        """Return the positions of the rows that hold a word, and how often."""
        if word not in self._corpus:
            return _NONE
        pairs = self._corpus.pairs(word)
        at = self._position[pairs[:, 0]]
        return at[at >= 0], pairs[at >= 0, 1]

    def same_talk(self, distance: int) -> Floats:
        """Return 1 for each row whose talk is that of the row so far before it, from there on."""
        found: Floats = self.once(
            f"same talk {distance}",
            lambda: (self.talk[distance:] == self.talk[:-distance]).astype(float),
        )
        return found

    @cached_property
    def speakers(self) -> Ints:
        """The numbers of those who said the rows."""
        return np.unique(self.column("speaker"))

    @cached_property
    def replies(self) -> Bools:
        """Which rows follow a question by somebody else?"""
        asks, by = (self.column("flags") & ASKS) > 0, self.column("speaker")
        found = np.zeros(self.size, bool)
        found[1:] = asks[:-1] & (by[1:] != by[:-1]) & (self.talk[1:] == self.talk[:-1])
        return found

    def _talks(self) -> Ints:
        session, at = self.column("session"), self.column("at")
        if not self.size:
            return np.zeros(0, np.int64)
        nameless = session == self._corpus.sessions.numbers.get("", -1)
        new = (np.diff(session) != 0) | ((np.diff(at) > GAP) & nameless[1:])
        return np.concatenate([[0], np.cumsum(new)]).astype(np.int64)


def among(numbers: Ints, wanted: Iterable[int]) -> Bools:
    """Say of each number (0, 1, 2 …) whether it is wanted; NumPy's `isin` takes longer."""
    table = np.zeros(int(numbers.max(initial=0)) + 1, np.bool_)
    table[[one for one in wanted if one < len(table)]] = True
    found: Bools = table[numbers]
    return found
