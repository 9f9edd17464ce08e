"""Talk: how people turn to each other and treat each other.

The few words of a language for that stand in its tables ``talk`` and ``manners``, by kind. ``*`` at
the end of a word means any ending, alone any word. Who asks here gets an answer, never a word: what
nobody wrote for a language is found in no line.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Literal

from ai_assistant.language import DEFAULT, Language, current_language, language_of
from ai_assistant.language.words import MOST_SENTENCES, stem, words

Manner = Literal["threat", "insult", "thanks", "praise", ""]

LONGEST_YES = 8
"""Words; whoever says more than that may mean something else."""
_QUESTION = frozenset("?？؟")
_PIECE = re.compile(r"([^.!?,;:¡¿…。！？]*)([.!?,;:¡¿…。！？]?)")
_CRY = frozenset("!！")
_SENTENCES = re.compile(r"[.!?;\n¡¿]+")
SHORT = 4
"""Words of a sentence that is meant for the one spoken to, though it does not say "you"."""


@cache
def _pattern(spoken: Language, kind: str) -> re.Pattern[str]:
    phrases = []
    for phrase in spoken.phrases.get(kind, ()):
        words = (folded(word) + "*" * word.endswith("*") for word in phrase.split())
        phrases.append(" ".join(re.escape(word).replace(r"\*", r"\S*") for word in words))
    return re.compile(rf"(?<!\S)(?:{'|'.join(phrases) or '(?!)'})(?!\S)")


def folded(text: str) -> str:
    """Return the words of a text as they are looked for among phrases."""
    return " ".join(words(text)).casefold()


def says(text: str, kind: str) -> bool:
    """Does a phrase of this kind stand in a text?"""
    return bool(_pattern(current_language(), kind).search(folded(text)))


def is_one(words: Sequence[str], kind: str) -> bool:
    """Are these words, in small letters, just a phrase of this kind?"""
    return bool(_pattern(current_language(), kind).fullmatch(" ".join(words).casefold()))


def has_question_mark(text: str) -> bool:
    """Is there a question mark of any script in this?"""
    return not _QUESTION.isdisjoint(text)


def event_class(word: str) -> str:
    """Return the kind of work that a word tells of; empty for most."""
    return current_language().events.get(stem(word), "")


def is_pronoun(word: str) -> bool:
    """Does a word stand for somebody?"""
    return any(word in some for some in current_language().pronouns.values())


def names_whispering(text: str) -> bool:
    """Is a word for whispering in this?"""
    return not current_language().whispering.isdisjoint(words(text))


def is_whispering(word: str) -> bool:
    """Does a word tell of whispering?"""
    return word in current_language().whispering


def steps() -> tuple[str, ...]:
    """Return the plain steps towards any `{goal}`."""
    return current_language().steps or language_of(DEFAULT).steps


def says_yes(text: str) -> bool:
    """Is that a plain yes? A question, a condition or a long speech is none."""
    short = len(words(text)) <= LONGEST_YES and not has_question_mark(text)
    return short and says(text, "yes") and not (says(text, "denial") or says(text, "unless"))


def denials(text: str) -> frozenset[str]:
    """Return the words of a text that deny something."""
    return frozenset(_pattern(current_language(), "denial").findall(folded(text)))


def is_for_all(text: str) -> bool:
    """Do the words of a line say that it is for all who hear it?"""
    return says(text, "all") or (has_question_mark(text) and says(text, "asked_all"))


def says_we(text: str) -> bool:
    """Does a line speak of those who talk, and not of two of them alone?"""
    return says(text, "we") and not says(text, "between_us")


def is_alarm(text: str) -> bool:
    """Is a cry of alarm in this? The word alone, between signs, and behind it an exclamation."""
    pieces = _PIECE.findall(text)
    return any(end in _CRY and is_one(words(piece), "alarm") for piece, end in pieces if end)


def statements(text: str) -> list[str]:
    """Return the statements of a text: its sentences, and parts that an "and" joins to them.

    Of very many the last has all the rest.
    """
    spoken = current_language()
    joins = "|".join(map(re.escape, spoken.phrases.get("clause", ()))) or "(?!)"
    between = rf"(?<=[;{re.escape(spoken.sentence_ends)}])\s+|, (?:{joins}) "
    return re.split(between, text, maxsplit=MOST_SENTENCES - 1)


def worn(stems: frozenset[str]) -> frozenset[str]:
    """Return those of these stems that everybody says."""
    return stems & _worn(current_language())


@cache
def _worn(spoken: Language) -> frozenset[str]:
    return frozenset(map(stem, spoken.phrases.get("worn", ())))


def manner_of(text: str) -> Manner:
    """Return how a line treats the one it is said to; empty where no word of it says so."""
    sentences = _sentences(text)
    if any(says(sentence, "threat") for sentence in sentences):
        return "threat"
    kinds: tuple[Manner, ...] = ("insult", "thanks", "praise")
    for kind in kinds:
        for sentence in sentences:
            meant = kind == "thanks" or sentence.count(" ") < SHORT or says(sentence, "you")
            if meant and says(sentence, kind) and not says(sentence, "denial"):
                return kind
    return ""


def is_promise(text: str) -> bool:
    """Does somebody say that they will bring something?"""
    return any(says(some, "promise") and not says(some, "denial") for some in _sentences(text))


def _sentences(text: str) -> list[str]:
    return list(filter(None, map(folded, _SENTENCES.split(text, MOST_SENTENCES - 1))))
