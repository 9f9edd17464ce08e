"""Runs: finding and cutting out the stretches that a text shares with many others.

The texts are one sorted array of numbers, eight bytes for each of their characters.
"""

from __future__ import annotations

import string
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

FORGOTTEN = "[forgotten]"
"""What stands where something was cut out; shorter than a run, so that cutting comes to an end."""
LENGTH = 12
"""Characters of a run: a shorter one gives nobody away."""
_FOLDED = str.maketrans(f"{string.punctuation}ς", " " * len(string.punctuation) + "σ")
"""However words are set apart, they are the same: ``the silver bell``, ``the_silver_bell``."""
_STAYS = f'{string.whitespace}"“”«»'
"""What stands around a stretch that was cut out as it stood around the words."""
_APART = "\0"
"""Stands between texts that are searched together: it is in none."""
_FACTOR = np.uint64(0x9E3779B97F4A7C15)


class Runs:
    """The runs of `LENGTH` characters that occur in some texts; capitals and signs do not matter.

    Runs are told apart by 64 bits: a chance match would cut out too much, never too little.
    """

    def __init__(self) -> None:
        self._known: NDArray[np.uint64] = np.empty(0, np.uint64)
        self._counts: NDArray[np.bool_] = np.empty(0, np.bool_)
        self._new: list[NDArray[np.uint64]] = []

    def __bool__(self) -> bool:
        self.settle()
        return bool(self._counts.any())

    @property
    def waiting(self) -> int:
        """How many runs were added that are not sorted yet."""
        return sum(map(len, self._new))

    def add(self, texts: Iterable[str]) -> None:
        """Let the runs of these texts count from now on."""
        self._new.extend(map(_numbers, texts))

    def spare(self, texts: Iterable[str]) -> None:
        """Let the runs of these texts count no more, as far as they were added until now."""
        self.settle()
        for text in texts:
            places, found = self._find(_numbers(text))
            self._counts[places[found]] = False

    def cut(self, text: str) -> str:
        """Return the text with a mark for each stretch that holds a run, to the ends of words."""
        self.settle()
        neat = True
        while len(text) >= LENGTH and len(self._known):
            places, found = self._find(_numbers(text))
            found &= self._counts[places]
            if not found.any():
                return text
            text = _without(text, np.flatnonzero(found).tolist(), neat=neat)
            neat = False  # from now on every cut makes the text shorter
        return text

    def occur_in(self, texts: Iterable[str]) -> bool:
        """Say whether any of these texts holds a run: at once, where nobody asks which one."""
        self.settle()
        places, found = self._find(_numbers(_APART.join(texts)))
        return bool((found & self._counts[places]).any())

    def settle(self) -> None:
        """Sort what was added; for millions of characters this takes some tenths of a second."""
        if not self._new:
            return
        new, self._new = np.concatenate(self._new), []
        known, counted = self._known, self._counts
        self._known = _sorted(np.concatenate([known, new]))
        self._counts = np.ones(len(self._known), np.bool_)
        self._counts[np.searchsorted(self._known, known)] = counted
        self._counts[np.searchsorted(self._known, new)] = True

    def _find(self, numbers: NDArray[np.uint64]) -> tuple[NDArray[Any], NDArray[np.bool_]]:
        """Return a place in what is known for each number, and whether it truly is there."""
        if not len(self._known) or not len(numbers):
            return np.empty(0, np.intp), np.empty(0, np.bool_)
        places = np.minimum(np.searchsorted(self._known, numbers), len(self._known) - 1)
        return places, self._known[places] == numbers


def _sorted(numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return the numbers in order, each once; NumPy's own `unique` takes ten times as long."""
    numbers.sort()
    first = np.ones(len(numbers), np.bool_)
    first[1:] = numbers[1:] != numbers[:-1]
    return numbers[first]


def _numbers(text: str) -> NDArray[np.uint64]:
    """Return a number for each run of the text, by the place where it begins."""
    count = len(text) - LENGTH + 1
    if count < 1:
        return np.empty(0, np.uint64)
    code = _small(text).encode("utf-32-le", "surrogatepass")
    letters = np.frombuffer(code, np.uint32).astype(np.uint64)
    total = np.zeros(count, np.uint64)
    for place in range(LENGTH):
        total = total * _FACTOR + letters[place : place + count]
    return total


def _small(text: str) -> str:
    """Return the text in small letters, nothing between them; every character in its place."""
    small = text.lower()
    if len(small) != len(text):
        small = "".join(low if len(low := letter.lower()) == 1 else letter for letter in text)
    return small.translate(_FOLDED)


def _without(text: str, starts: list[int], *, neat: bool) -> str:
    """Cut the runs that begin there; where `neat`, blanks and quotes around a stretch stay."""
    pieces: list[str] = []
    done = 0
    for begin, end in _stretches(text, starts):
        if neat and (told := text[begin:end].strip(_STAYS)):
            begin = text.index(told, begin)
            end = begin + len(told)
        pieces += [text[done:begin], FORGOTTEN]
        done = end
    return "".join([*pieces, text[done:]])


def _stretches(text: str, starts: list[int]) -> list[tuple[int, int]]:
    """Return the stretches of whole words that hold these runs, in order and apart."""
    found: list[tuple[int, int]] = []
    before = -1
    for start in starts:  # no character is walked over twice
        begin, end = start, max(before, start + LENGTH)
        while begin > max(before, 0) and text[begin - 1 : begin + 1].isalnum():
            begin -= 1
        while end < len(text) and text[end - 1 : end + 1].isalnum():
            end += 1
        if begin <= before:
            begin = found.pop()[0]
        found.append((begin, end))
        before = end
    return found
