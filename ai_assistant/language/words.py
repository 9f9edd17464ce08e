"""Words of a text in the game's language: what carries meaning, and what kind of line it is."""

from __future__ import annotations

import re
from itertools import accumulate, islice, takewhile

from ai_assistant.core.quotes import Tongue
from ai_assistant.language import Language, current_language, keeps_texts

_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"
)
"""Thai, Lao, Burmese, Khmer, Kana and Han: written without spaces between the words."""
_WORD = re.compile(rf"[{_UNSPACED}]+|[^\W_{_UNSPACED}]+(?:'[^\W_{_UNSPACED}]+)?")
_IS_UNSPACED = re.compile(f"[{_UNSPACED}]")
LETTERS_A_TOKEN = 4
MOST_SENTENCES = 60
"""Sentences of one text that are told apart."""
_ASKS = re.compile(r"[?？؟][\"'”’»«」』)\s]*$")
_YEAR = re.compile(r"\b[12]\d{3}\b")
_SHORTEST_NAME = 3
_SHORTEST_PART, _SHORTEST_REST = 4, 3
"""Letters of a word within a compound, and of what it is joined to."""


def plain(text: str) -> str:
    """Return a text in small letters, with straight apostrophes."""
    return text.lower().replace("’", "'")


def extent(text: str) -> int:
    """Return how many letters a text counts for, of which four make about one token.

    In a script without spaces each character is about a token of its own.
    """
    dense = 0 if text.isascii() else len(_IS_UNSPACED.findall(text))
    return len(text) + (LETTERS_A_TOKEN - 1) * dense


def beginning(text: str, most: int) -> str:
    """Return as much of the beginning of a text as counts for so many letters."""
    if text.isascii():
        return text[: max(0, most)]
    fits = takewhile(lambda size: size <= most, accumulate(map(extent, text)))
    return text[: sum(1 for _ in fits)]


@keeps_texts(8192)
def clipped(text: str, most: int) -> str:
    """Return the beginning of a text in so many letters, to the end of a word."""
    if extent(text) <= most:
        return text
    begun = beginning(text, most - 1)
    whole = begun.rpartition(" ")[0]
    return f"{whole if len(whole) > len(begun) // 2 else begun}…"


@keeps_texts(4096)
def words(text: str) -> tuple[str, ...]:
    """Return all words of a text in order, in small letters.

    Where no spaces part the words, each pair of characters is one.
    """
    found: list[str] = []
    for run in _WORD.findall(plain(text)):
        if len(run) > 2 and _IS_UNSPACED.match(run):
            found += (run[at : at + 2] for at in range(len(run) - 1))
        else:
            found.append(run)
    return tuple(found)


@keeps_texts(65_536)
def stem(word: str) -> str:
    """Return the stem of a word in small letters."""
    return current_language().stems.stem(word)


@keeps_texts(65_536)
def meaning(word: str) -> str:
    """Return the stem of a word that carries meaning; empty for one that does not."""
    small = current_language().stop_words
    return "" if word in small or current_language().stems.first(word) in small else stem(word)


def stems(text: str) -> list[str]:
    """Return the stems of the words of a text that carry meaning, in order."""
    return list(filter(None, map(meaning, words(text))))


@keeps_texts(4096)
def stem_set(text: str) -> frozenset[str]:
    """Return the stems of the words of a text that carry meaning, each once."""
    return frozenset(stems(text))


def related(word: str) -> frozenset[str]:
    """Return the stems that speak of the same as a stem, without it; mostly none."""
    return current_language().synonyms.get(word, frozenset())


def parts(word: str) -> list[str]:
    """Return what may be words at the beginning or end of a stem, where words are compounds."""
    if not current_language().compounds:
        return []
    ends = range(_SHORTEST_PART, len(word) - _SHORTEST_REST + 1)
    return [part for size in ends for part in (word[:size], word[-size:])]


def asks(text: str) -> bool:
    """Does a line end as a question?"""
    return bool(_ASKS.search(text[-8:]))


def names_a_time(text: str) -> bool:
    """Does a line say when something is, was or will be?"""
    return bool(_YEAR.search(text)) or not current_language().time_words.isdisjoint(words(text))


def asks_for_a_time(text: str) -> bool:
    """Does a question begin as one for when something is, was or will be?"""
    return plain(text).lstrip(" ¿¡\"'").startswith(current_language().asks_time)


def is_common(name: str) -> bool:
    """Is this part of a name too short, or too much of an everyday word, to mean its bearer?"""
    short = len(name) < _SHORTEST_NAME and not _IS_UNSPACED.match(name)
    return short or name in current_language().stop_words or name in current_language().titles


def without_article(name: str) -> str:
    """Return the name of a thing without the article before it: "copper key"."""
    first, _, rest = name.partition(" ")
    return rest if rest and plain(first) in current_language().articles else name


def owners(word: str) -> list[str]:
    """Return what a word is without the ending of an owner; nothing where it has none."""
    return [word.removesuffix(end) for end in current_language().possessives if word.endswith(end)]


def tongue() -> Tongue:
    """Return what of the language tells the numbers and names of a text."""
    return _tongue(current_language())


@keeps_texts(8)
def _tongue(spoken: Language) -> Tongue:
    return Tongue(spoken.numbers, spoken.number_joins, spoken.possessives)


def word_weight(word: str) -> int:
    """Return how much a word adds to the importance of what it stands in; mostly nothing."""
    return current_language().importance.get(stem(word), 0)


def tag(word: str) -> str:
    """Return what a word is about, of a few things that the language has words for."""
    return current_language().tags.get(stem(word), "")


def without_articles(text: str) -> str:
    """Return the words of a text that are no articles."""
    return " ".join(word for word in words(text) if word not in current_language().articles)


def sentences(text: str) -> list[str]:
    """Return the sentences of a text, with their ends; of very many the last has all the rest."""
    text, begin, found = text.strip(), 0, []
    ends = re.escape(current_language().sentence_ends)
    pattern = rf"(?<![{ends}])[{ends}]+[\"'”’»)\]]*(?=\s|$)|[。！？]+[」』”’]*"
    for end in islice(re.finditer(pattern, text), MOST_SENTENCES - 1):
        found.append(text[begin : end.end()].lstrip())
        begin = end.end()
    return list(filter(None, [*found, text[begin:].lstrip()]))


def whole_sentences(text: str, most: int) -> str:
    """Return the first sentences of a text that fit into `most` characters, or its first words."""
    fits = [told for told in accumulate(sentences(text), "{} {}".format) if len(told) <= most]
    return fits[-1] if fits else clipped(text, most)
