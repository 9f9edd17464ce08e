"""Talk: how people turn to each other, by the few words of a language that its file has for it.

They stand in the tables ``talk`` and ``manners``, by kind. ``*`` at the end of a word means any
ending, alone any word. Who asks here gets an answer, never a word: what nobody wrote for a language
is found in no line.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from ai_assistant.language import DEFAULT, Language, current, known, language
from ai_assistant.language.words import stem, word_key

LONGEST_YES = 8
"""Words; whoever says more than that may mean something else."""
_QUESTION = frozenset("?？؟")
_PIECE = re.compile(r"([^.!?,;:¡¿…。！？]*)([.!?,;:¡¿…。！？]?)")
_CRY = frozenset("!！")


@cache
def pattern(spoken: Language, kind: str) -> re.Pattern[str]:
    """Return what finds the phrases of a kind in words that single spaces part."""
    phrases = "|".join(map(_phrase, spoken.phrases.get(kind, ()))) or "(?!)"
    return re.compile(rf"(?<!\S)(?:{phrases})(?!\S)")


def _phrase(text: str) -> str:
    words = (
        word if word == "*" else folded(word) + "*" * word.endswith("*") for word in text.split()
    )
    return " ".join(re.escape(word).replace(r"\*", r"\S*") for word in words)


def folded(text: str) -> str:
    """Return the words of a text as `pattern` reads them."""
    return " ".join(word_key(text)).casefold()


def says(text: str, kind: str) -> bool:
    """Does a phrase of this kind stand in a text?"""
    return bool(pattern(current(), kind).search(folded(text)))


def is_one(words: Sequence[str], kind: str) -> bool:
    """Are these words, in small letters, just a phrase of this kind?"""
    said, (whole, has_endings) = " ".join(words).casefold(), _whole(current(), kind)
    return said in whole or (has_endings and bool(pattern(current(), kind).fullmatch(said)))


@cache
def _whole(spoken: Language, kind: str) -> tuple[frozenset[str], bool]:
    """Return the phrases that stand as they are, and whether there are others."""
    phrases = spoken.phrases.get(kind, ())
    plain = [phrase for phrase in phrases if "*" not in phrase]
    return frozenset(map(folded, plain)), len(plain) < len(phrases)


def is_question(text: str) -> bool:
    """Is there a question mark of any script in this?"""
    return not _QUESTION.isdisjoint(text)


def event_class(word: str) -> str:
    """Return the kind of work that a word tells of; empty for most."""
    return current().events.get(stem(word), "")


def is_pronoun(word: str) -> bool:
    """Does a word stand for somebody?"""
    return any(word in some for some in current().pronouns.values())


def is_whispering(word: str) -> bool:
    """Does a word tell of whispering? A model may write another language than the game's."""
    return word in current().whispering or word in _whispering_anywhere()


@cache
def _whispering_anywhere() -> frozenset[str]:
    return frozenset(word for code in known() for word in language(code).whispering)


def steps() -> tuple[str, ...]:
    """Return the plain steps towards any `{goal}`."""
    return current().steps or language(DEFAULT).steps


def says_yes(text: str) -> bool:
    """Is that a plain yes? A question, a condition or a long speech is none."""
    short = len(word_key(text)) <= LONGEST_YES and not is_question(text)
    return short and says(text, "yes") and not (says(text, "denial") or says(text, "unless"))


def denials(text: str) -> frozenset[str]:
    """Return the words of a text that deny something."""
    return frozenset(pattern(current(), "denial").findall(folded(text)))


def is_for_all(text: str) -> bool:
    """Do the words of a line say that it is for all who hear it?"""
    return says(text, "all") or (is_question(text) and says(text, "asked_all"))


def says_we(text: str) -> bool:
    """Does a line speak of those who talk, and not of two of them alone?"""
    return says(text, "we") and not says(text, "between_us")


def is_alarm(text: str) -> bool:
    """Is a cry of alarm in this? The word alone, between signs, and behind it an exclamation."""
    pieces = _PIECE.findall(text)
    return any(end in _CRY and is_one(word_key(piece), "alarm") for piece, end in pieces if end)


def statements(text: str) -> list[str]:
    """Return the statements of a text: its sentences, and parts that an "and" joins to them."""
    return _statements(current()).split(text)


@cache
def _statements(spoken: Language) -> re.Pattern[str]:
    joins = "|".join(map(re.escape, spoken.phrases.get("clause", ()))) or "(?!)"
    return re.compile(rf"(?<=[;{re.escape(spoken.sentence_ends)}])\s+|, (?:{joins}) ")


def worn(stems: frozenset[str]) -> frozenset[str]:
    """Return those of these stems that everybody says."""
    return stems & _worn(current())


@cache
def _worn(spoken: Language) -> frozenset[str]:
    return frozenset(map(stem, spoken.phrases.get("worn", ())))
