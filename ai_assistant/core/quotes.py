"""Quotes: whether words of one text stand in another, in any script, and its numbers and names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from ai_assistant.core.text import clean

LEAST_WORDS = 3
"""Words of a quote that is no whole line."""
LONGEST = 1200
"""Letters of a quote, and of what it is looked for in."""
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u9fff\uf900-\ufaff"
"""Scripts that put no spaces between words: each of their characters counts as a word."""
_TOKEN = re.compile(
    rf"[{_UNSPACED}]|(?:(?![{_UNSPACED}])[^\W_])+(?:'(?:(?![{_UNSPACED}])[^\W_])+)*"
)
_NUMBER = re.compile(r"\d+(?:[.,]\d{3})*")
_APOSTROPHES = str.maketrans("\u2018\u2019\u02bc\u0060\u00b4", "'''''")
_ARTICLES = 1
"""Numbers up to this one are articles or pronouns in many languages where they are words."""


def tokens(text: str) -> list[str]:
    """Return the words of a text in small letters, apostrophes folded, other marks left out."""
    return _TOKEN.findall(text.translate(_APOSTROPHES).casefold())


def stands_in(quote: str, text: str) -> bool:
    """Is the quote three words of the text in a row, or more, or the whole of it?"""
    wanted = tokens(clean(quote, LONGEST))
    said = tokens(clean(text, LONGEST))
    if len(wanted) < LEAST_WORDS:
        return bool(wanted) and wanted == said
    starts = range(len(said) - len(wanted) + 1)
    return any(said[start : start + len(wanted)] == wanted for start in starts)


def is_same(one: str, other: str) -> bool:
    """Do two texts consist of the same words?"""
    return tokens(one) == tokens(other)


def numbers_in(text: str, words: Mapping[str, int] | None = None) -> set[int]:
    """Return the numbers in a text; `words` maps a language's number words to what they mean."""
    known = words or {}
    found = {int(re.sub(r"[.,]", "", number)) for number in _NUMBER.findall(text)}
    said = (known.get(token, 0) for token in tokens(text))
    return found | {word for word in said if word > _ARTICLES}


def names_in(text: str, names: Iterable[str]) -> list[str]:
    """Return those of the names, but of small letters, that stand in the text as whole words."""
    there = (name for name in names if name in text and name and not name[0].islower())
    return [name for name in there if _stands(name, text)]


def unsupported(
    text: str, said: Sequence[str], names: Iterable[str], words: Mapping[str, int] | None = None
) -> str:
    """Return the first number or name of a text that nothing `said` holds; empty for none."""
    there = "\n".join(said)
    for number in sorted(numbers_in(text, words) - numbers_in(there, words)):
        return str(number)
    small = there.casefold()
    named = names_in(text, names)
    return next((name for name in named if not _stands(name.casefold(), small)), "")


def _stands(name: str, text: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) is not None
