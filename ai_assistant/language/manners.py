"""Manners: whether a line is thanks, praise, an insult or a threat, by a few words of a language.

They stand in ``data/manners_<code>.toml``, where ``*`` at the end of a word means any ending.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Literal

Manner = Literal["threat", "insult", "thanks", "praise", ""]

SHORT = 4
"""Words of a sentence that is meant for the one spoken to, though it does not say "you"."""
_SENTENCES = re.compile(r"[.!?;\n¡¿]+")
_WORDS = re.compile(r"[^\W_]+(?:'[^\W_]+)*")


@cache
def words_of(code: str) -> dict[str, tuple[tuple[str, ...], ...]]:
    """Return the phrases of a language by their kind, each as words; English for an unknown one."""
    folder = Path(__file__).parent / "data"
    path = folder / f"manners_{code}.toml"
    data = tomllib.loads((path if path.exists() else folder / "manners_en.toml").read_text("utf-8"))
    return {
        kind: tuple(tuple(one.casefold().split()) for one in phrases)
        for kind, phrases in data.items()
    }


def manner_of(text: str, code: str = "en") -> Manner:
    """Return how a line treats the one it is said to; empty where no word of it says so."""
    known = words_of(code)
    sentences = list(_sentences(text))
    if any(_says(one, known["threat"]) for one in sentences):
        return "threat"
    for kind in ("insult", "thanks", "praise"):
        for one in sentences:
            meant = kind == "thanks" or len(one) <= SHORT or _says(one, known["you"])
            if meant and _says(one, known[kind]) and not _says(one, known["not"]):
                return kind  # type: ignore[return-value]
    return ""


def is_promise(text: str, code: str = "en") -> bool:
    """Does somebody say that they will bring something?"""
    known = words_of(code)
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
