"""Spelling: the word or the name that somebody meant, where it is written in another way."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence, Set
from difflib import get_close_matches
from functools import cache

from ai_assistant.language import current_language, keeps_texts
from ai_assistant.language.loading import DATA
from ai_assistant.language.words import plain, words

MOST_SLIPS = 6
"""Words of one text that are mended; whoever makes more has no slips."""
SHORTEST = 4
"""Letters of a word that is worth a guess."""
_ALIKE, _ALIKE_SHORT = 0.8, 0.85
"""How much of two words must be the same, by `difflib`; of short ones more."""
_SHORT = 5
_LONG_WORD = re.compile(rf"[^\W\d_][^\W\d_'’]{{{SHORTEST - 2},}}[^\W\d_]")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")


@cache
def _common(code: str) -> frozenset[str]:
    table = DATA / f"{code}.words"
    return frozenset(table.read_text("utf-8").split()) if table.exists() else frozenset()


def is_everyday(word: str) -> bool:
    """Is a word in small letters one that the language often uses, and so no slip of another?"""
    return word in _common(current_language().code)


def vocabulary(texts: Iterable[str]) -> frozenset[str]:
    """Return the words of texts that a slip may be meant for."""
    return frozenset[str]().union(*map(_long_words, texts))


@keeps_texts(1024)
def _long_words(text: str) -> frozenset[str]:
    return frozenset(_LONG_WORD.findall(plain(text)))


def mended(text: str, known: Set[str], everyday: Set[str] = frozenset()) -> str:
    """Return a text with its slips mended: for each the word that was meant, of `known` first."""
    slips: dict[str, str] = {}

    def meant(found: re.Match[str]) -> str:
        word = found[0].lower()
        if len(word) < SHORTEST or word in known or word in everyday or is_everyday(word):
            return found[0]
        if word not in slips and len(slips) < MOST_SLIPS:
            best = nearest_word(word, known)
            slips[word] = nearest_word(word, everyday) if best == word else best
        return found[0] if slips.get(word, word) == word else slips[word]

    return _WORD.sub(meant, text)


@keeps_texts(16_384)
def _letters(word: str) -> str:
    return "".join(sorted(word))


@keeps_texts(4096)
def _near(word: str, among: tuple[str, ...]) -> str:
    turned = next((known for known in among if _letters(known) == _letters(word)), "")
    if turned:  # two letters have changed places
        return turned
    alike = _ALIKE_SHORT if len(word) <= _SHORT else _ALIKE
    return next(iter(get_close_matches(word, among, 1, alike)), "")


def nearest_word(word: str, among: Iterable[str]) -> str:
    """Return the word among these that a word in small letters is a slip of; itself for none.

    A slip keeps its first letter, and about its length.
    """
    if len(word) < SHORTEST or not word.isalpha():
        return word
    alike = tuple(
        known for known in among if known[:1] == word[0] and abs(len(known) - len(word)) < 3
    )
    return word if word in alike else _near(word, alike) or word


def nearest_name(text: str, names: Sequence[str]) -> str:
    """Return the name of which most words stand in a text, slips allowed; empty for none."""
    said = set(words(text))
    small = current_language().stop_words
    best, most = "", 0.0
    for name in names:
        own = [word for word in words(name) if word not in small]
        meant = {nearest_word(word, own) for word in said}
        share = len(meant & set(own)) + len(meant & set(own)) / (1 + len(own))
        best, most = (name, share) if share > most else (best, most)
    return best
