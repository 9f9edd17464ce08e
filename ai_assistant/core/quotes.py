"""Quotes: whether words of one text stand in another, in any script, and its numbers and names."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple

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
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
LONGEST_NUMBER = 300
"""Digits of a whole number that are compared; Python reads no more than 4,300."""
_GROUPED = re.compile(r"[1-9]\d{0,2}(?:[.,]\d{3}(?!\d))+")
_APOSTROPHES = str.maketrans("\u2018\u2019\u02bc\u0060\u00b4", "'''''")
_SIGNS = ("Nl", "No")
"""Categories of characters that are numbers and no digits, such as Ⅻ and ½."""
_POWERS = tuple(10**power for power in range(16))


@dataclass(frozen=True, slots=True, eq=False)
class Tongue:
    """What of a language tells the numbers and names of a text, in small letters."""

    numbers: Mapping[str, int] = field(default_factory=dict)
    """Its number words, with what they mean."""
    joins: tuple[str, ...] = ()
    """What parts of one number may have between them ("and")."""
    possessives: tuple[str, ...] = ()
    """The endings of a name that owns something."""


NO_TONGUE = Tongue()


def tokens(text: str) -> list[str]:
    """Return the words of a text in small letters, apostrophes folded, other marks left out."""
    return _TOKEN.findall(text.translate(_APOSTROPHES).casefold())


class Word(NamedTuple):
    """A word of a text, and where it stands."""

    form: str
    """As `tokens` has it: in small letters, apostrophes folded."""
    start: int
    """The place of its first letter in the text."""
    end: int
    """The place right behind it."""


def words_in_place(text: str) -> list[Word]:
    """Return the words of a text as `tokens` does, with their places in it."""
    found = _TOKEN.finditer(text.translate(_APOSTROPHES))
    return [Word(word[0].casefold(), word.start(), word.end()) for word in found]


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


def numbers_in(text: str, tongue: Tongue = NO_TONGUE, least: int = 2) -> set[float]:
    """Return the numbers in a text: in digits, as characters of their own, and in words.

    Words that mean less than `least` are left out: they are articles in many languages.
    """
    found = {number for digits in _NUMBER.findall(text) for number in _of_digits(digits)}
    for is_written, run in groupby(text, key=_is_written_numeral):
        signs = [unicodedata.numeric(sign) for sign in run] if is_written else []
        found |= {number for number in _composed(signs, 10) if number >= least}
    found |= {unicodedata.numeric(sign) for sign in text if unicodedata.category(sign) in _SIGNS}
    said = text.casefold()
    runs = (match[0] for match in _number_words(tongue)[0].finditer(said)) if tongue.numbers else ()
    return found | {number for run in runs for number in _of_words(run, tongue) if number >= least}


def _is_written_numeral(letter: str) -> bool:
    """Is this a letter that is a number, such as those of Han?"""
    return unicodedata.category(letter) == "Lo" and unicodedata.numeric(letter, -1) >= 0


def _of_digits(digits: str) -> list[float]:
    """Return the number of such as 1,200 or 3.5; of a date with dots, its numbers."""
    whole = _GROUPED.match(digits)
    parts = re.split(r"[.,]", digits[whole.end() :] if whole else digits)
    if whole:
        parts[0] = re.sub(r"[.,]", "", whole[0]) + parts[0]
    return [float(".".join(parts))] if len(parts) == 2 else [int(p[:LONGEST_NUMBER]) for p in parts]


@lru_cache(maxsize=8)
def _number_words(tongue: Tongue) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return what finds number words that stand together, and what finds each, and what joins."""
    longest = sorted(tongue.numbers, key=len, reverse=True)
    word, join = ("|".join(map(re.escape, some)) or "(?!)" for some in (longest, tongue.joins))
    between = rf"[\s-]*(?:(?:{join})[\s-]*)?"
    run = rf"(?<![^\W_])(?:{word})(?:{between}(?:{word}))*(?![^\W_])"
    return re.compile(run), re.compile(rf"{word}|{join}")


def _of_words(run: str, tongue: Tongue) -> list[float]:
    parts = _number_words(tongue)[1].findall(run)
    values: list[float] = [tongue.numbers.get(part, -1) for part in parts]
    for place in range(1, len(values) - 1):
        before, here, behind = values[place - 1 : place + 2]
        if (
            here < 0 < before < 10 <= behind < 100 and behind % 10 == 0
        ):  # units first: "five and twenty"
            values[place - 1 : place + 2] = behind, here, before
    return _composed([value for value in values if value >= 0], 100)


def _composed(values: Iterable[float], least: int) -> list[float]:
    """Return the numbers that parts make: what is below a power of ten multiplies it, from `least`
    on, and what is below the place of the part before it is added to that.
    """
    terms: list[float] = []
    for value in values:
        if terms and value >= least and value in _POWERS and terms[-1] < value:
            times = terms.pop()
            while terms and terms[-1] < value and times < _place(terms[-1]):
                times += terms.pop()
            terms.append(times * value)
        else:
            terms.append(value)
    found: list[float] = []
    for before, term in zip([0, *terms], terms, strict=False):
        if 0 < term < _place(before):
            found[-1] += term
        else:
            found.append(term)
    return found


def _place(number: float) -> int:
    """Return the greatest power of ten of which a number is a multiple: 100 for 1200."""
    return max((power for power in _POWERS if number and number % power == 0), default=0)


def names_in(text: str, names: Iterable[str], endings: Sequence[str] = ()) -> list[str]:
    """Return those of the names, but of small letters, that stand in the text as whole words.

    All in capitals counts as well, and so does a name with one of these `endings`.
    """
    known = (name for name in names if name and not name[0].islower())
    return [
        name
        for name in known
        if any(form in text and _stands(form, text, endings) for form in (name, name.upper()))
    ]


def unsupported(
    text: str, said: Sequence[str], names: Iterable[str], tongue: Tongue = NO_TONGUE
) -> str:
    """Return the first number or name of a text that nothing `said` holds; empty for none."""
    there = "\n".join(said)
    for number in sorted(numbers_in(text, tongue) - numbers_in(there, tongue, least=0)):
        return str(number).removesuffix(".0")
    small, endings = there.casefold(), tongue.possessives
    named = names_in(text, names, endings)
    return next((name for name in named if not _stands(name.casefold(), small, endings)), "")


def _stands(name: str, text: str, endings: Sequence[str]) -> bool:
    """Does a name stand there by itself? Scripts without spaces have no borders between words."""
    first, last = (re.match(rf"[{_UNSPACED}]", letter) for letter in (name[0], name[-1]))
    before = "" if first else r"(?<!\w)"
    owned = "|".join(map(re.escape, endings))
    after = "" if last else rf"(?:{owned})?(?!\w)"
    return re.search(f"{before}{re.escape(name)}{after}", text) is not None
