"""Manners: whether a line is thanks, praise, an insult or a threat, by a few words of a language.

They stand in the table ``manners`` of its file, where ``*`` at the end of a word means any ending.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Literal

from ai_assistant.language import Language, language

Manner = Literal["threat", "insult", "thanks", "praise", ""]

_KINDS = ("you", "not", "praise", "thanks", "insult", "threat", "promise")
SHORT = 4
"""Words of a sentence that is meant for the one spoken to, though it does not say "you"."""
_SENTENCES = re.compile(r"[.!?;\n¡¿]+")
_WORDS = re.compile(r"[^\W_]+(?:'[^\W_]+)*")


@cache
def words_of(spoken: Language) -> dict[str, tuple[tuple[str, ...], ...]]:
    """Return the phrases of a language by their kind, each as words; none where it has none."""
    return {
        kind: tuple(tuple(one.casefold().split()) for one in spoken.manners.get(kind, ()))
        for kind in _KINDS
    }


def manner_of(text: str, code: str = "") -> Manner:
    """Return how a line treats the one it is said to; empty where no word of it says so."""
    known = words_of(language(code))
    sentences = list(_sentences(text))
    if any(_says(one, known["threat"]) for one in sentences):
        return "threat"
    for kind in ("insult", "thanks", "praise"):
        for one in sentences:
            meant = kind == "thanks" or len(one) <= SHORT or _says(one, known["you"])
            if meant and _says(one, known[kind]) and not _says(one, known["not"]):
                return kind
    return ""


def is_promise(text: str, code: str = "") -> bool:
    """Does somebody say that they will bring something?"""
    known = words_of(language(code))
    return any(
        _says(one, known["promise"]) and not _says(one, known["not"]) for one in _sentences(text)
    )


def _sentences(text: str) -> Iterator[list[str]]:
    plain = text.casefold().replace("’", "'")
    for sentence in _SENTENCES.split(plain):
        if words := _WORDS.findall(sentence):
            yield words


def _says(words: Sequence[str], phrases: Sequence[Sequence[str]]) -> bool:
    """Does one of these phrases stand in a sentence?"""
    return any(
        all(map(_fits, phrase, words[at:]))
        for phrase in phrases
        for at in range(len(words) - len(phrase) + 1)
    )


def _fits(wanted: str, word: str) -> bool:
    return word.startswith(wanted[:-1]) if wanted.endswith("*") else word == wanted
