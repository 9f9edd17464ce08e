"""Rewording: what a correction changes in other texts that say the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import IntEnum

from ai_assistant.core.quotes import LEAST_WORDS, Word, words_in_place
from ai_assistant.language.words import sentences, stem_set


class Reach(IntEnum):
    """How close a text is to what was corrected, and so how much in it is taken for the same.

    A `QUOTE` of the whole is, wherever it stands. In a `FAR` text so is a name that was put right,
    beside another word of the same; in a `NEAR` one, of or about the same people, any word beside
    another, and a name alone; in an `OWN` one, which rests on what was corrected, any word.
    """

    QUOTE = 0
    FAR = 1
    NEAR = 2
    OWN = 3


@dataclass(frozen=True, slots=True)
class _Swap:
    """Words that gave way to others; `first` is the letter with which they began."""

    old: tuple[str, ...]
    put: str
    first: str
    is_name: bool = False


class Rewording:
    """What became of a text: the whole of it, and word by word where most of it stayed.

    `old` and `new` are both texts, `kept` the stems that they share; `is_new` where too little
    stayed to be compared.
    """

    def __init__(self, old: str, new: str) -> None:
        self.old, self.new = old, new
        before, after = words_in_place(old), words_in_place(new)
        self._whole = _Swap(_forms(before), _span(new, after) or new, old[:1])
        match = SequenceMatcher(None, _forms(before), _forms(after), autojunk=False)
        steps = match.get_opcodes()
        changed = [step for step in steps if step[0] != "equal"]
        lost = sum(step[2] - step[1] for step in changed)
        self.is_new = 2 * lost > len(before)
        self.kept = stem_set(
            " ".join(_span(old, before[step[1] : step[2]]) for step in steps if step[0] == "equal")
        )
        self._swaps = [
            _Swap(
                _forms(before[begin:end]),
                _span(new, after[start:stop]),
                old[before[begin].start],
                is_name=begin > 0 and any(old[word.start].isupper() for word in before[begin:end]),
            )
            for _, begin, end, start, stop in ([] if self.is_new else changed)
            if stem_set(_span(old, before[begin:end]))
        ]

    @property
    def takes_back(self) -> bool:
        """Does the new text leave out anything that the old one said?"""
        return self.is_new or bool(self._swaps)

    def applied(self, text: str, reach: Reach) -> str:
        """Return a text with what it shares with the old one as the new one has it."""
        if len(self._whole.old) >= LEAST_WORDS or reach is Reach.OWN:
            text = _swapped(text, self._whole)
        if reach is Reach.QUOTE or not self._swaps:
            return text
        for sentence in (found for line in text.split("\n") for found in sentences(line)):
            reworded = self._sentence(sentence, reach)
            text = text if reworded == sentence else text.replace(sentence, reworded, 1)
        return text

    def _sentence(self, sentence: str, reach: Reach) -> str:
        hints = bool(stem_set(sentence) & self.kept)
        for swap in self._swaps:
            if hints + swap.is_name + reach > Reach.NEAR:
                sentence = _swapped(sentence, swap)
        return sentence


def _forms(words: Sequence[Word]) -> tuple[str, ...]:
    return tuple(word.form for word in words)


def _span(text: str, words: Sequence[Word]) -> str:
    return text[words[0].start : words[-1].end] if words else ""


def _swapped(text: str, swap: _Swap) -> str:
    """Return a text in which the new words stand for the old, beginning as those began there."""
    words, count = words_in_place(text), len(swap.old)
    done, pieces, place = 0, list[str](), 0
    while count and place <= len(words) - count:
        found = words[place : place + count]
        if _forms(found) != swap.old:
            place += 1
            continue
        begin, end, put = found[0].start, found[-1].end, swap.put
        if text[begin] != swap.first and put[1:2].islower():
            put = (put[0].upper() if text[begin].isupper() else put[0].lower()) + put[1:]
        pieces += [text[done:begin], put]
        done = end if put else end + (text[end : end + 1] == " ")
        place += count
    return "".join([*pieces, text[done:]])
