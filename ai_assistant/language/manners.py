"""Manners: whether a line is thanks, praise, an insult or a threat, by a few words of a language.

They stand in the table ``manners`` of its file, where ``*`` at the end of a word means any ending.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from ai_assistant.language import language
from ai_assistant.language.talk_signs import folded, pattern

Manner = Literal["threat", "insult", "thanks", "praise", ""]

SHORT = 4
"""Words of a sentence that is meant for the one spoken to, though it does not say "you"."""
_SENTENCES = re.compile(r"[.!?;\n¡¿]+")


def manner_of(text: str, code: str = "") -> Manner:
    """Return how a line treats the one it is said to; empty where no word of it says so."""
    sentences = list(_sentences(text))
    if any(_says(sentence, "threat", code) for sentence in sentences):
        return "threat"
    kinds: tuple[Manner, ...] = ("insult", "thanks", "praise")
    for kind in kinds:
        for sentence in sentences:
            meant = kind == "thanks" or sentence.count(" ") < SHORT or _says(sentence, "you", code)
            if meant and _says(sentence, kind, code) and not _says(sentence, "denial", code):
                return kind
    return ""


def is_promise(text: str, code: str = "") -> bool:
    """Does somebody say that they will bring something?"""
    return any(
        _says(sentence, "promise", code) and not _says(sentence, "denial", code)
        for sentence in _sentences(text)
    )


def _sentences(text: str) -> Iterator[str]:
    for sentence in _SENTENCES.split(text):
        if said := folded(sentence):
            yield said


def _says(sentence: str, kind: str, code: str) -> bool:
    return bool(pattern(language(code), kind).search(sentence))
