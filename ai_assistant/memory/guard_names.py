"""Where a sentence speaks of the assistant by its own name."""

from __future__ import annotations

from collections.abc import Sequence

from ai_assistant.memory import guard_verbs as verbs
from ai_assistant.memory import guard_words as lexicon
from ai_assistant.memory.guard_rules import opens_clause, phrase, word_at
from ai_assistant.memory.guard_verbs import is_finite, third_person
from ai_assistant.memory.guard_words import is_adverb, is_name

Name = tuple[str, ...]


def own_name(row: Sequence[str], names: Sequence[Name]) -> str:
    """Return where one of the names is what acts, speaks or has something in this sentence.

    Its name as the object is fine: "Alice asked Marrek for a net" is about Alice.
    """
    for at in range(len(row)):
        for name in names:
            if begins_with(row[at:], name) and _is_actor(row, at, at + len(name)):
                return phrase(row, at, len(name) + 1)
    return ""


def begins_with(words: Sequence[str], name: Name) -> bool:
    """Do the words begin with this name, capitalised or in an unpunctuated lower-case note?"""
    head = words[: len(name)]
    same = [word.lower().removesuffix("'s").rstrip("'") for word in head] == list(name)
    capital = any(word[:1].isupper() for word in head)
    return same and (capital or not any(word[0].isupper() for word in words))


def _is_actor(row: Sequence[str], at: int, end: int) -> bool:
    before, after = word_at(row, at - 1), word_at(row, end)
    if len(row) > at and is_name("".join(row[at - 1 : at])) and before not in lexicon.TITLES:
        return False  # somebody else of that family
    while before in lexicon.TITLES and at > 0:
        at -= 1
        before = word_at(row, at - 1)
    if row[end - 1].endswith("'s") and word_at(row, end)[:1].isalpha():
        return True
    if before in {"by", "alongside"} or (before == "to" and word_at(row, at - 2) == "thanks"):
        return True
    if [before, word_at(row, at - 2)] == ["are", "you"]:
        return True
    if not (opens_clause(row, at) or is_adverb(before) or _is_subject_of_clause(row, at, end)):
        return False
    return _does(row, end) or row[end - 1].endswith("'s") or after in {":", ","}


def _is_subject_of_clause(row: Sequence[str], at: int, end: int) -> bool:
    """``Bob thinks Seraphina is strict.``"""
    return word_at(row, at - 1) in verbs.CLAUSE_TAKING and is_finite(word_at(row, end))


def _does(row: Sequence[str], end: int) -> bool:
    """May what follows the name be its verb, or another subject beside it?"""
    after = word_at(row, end)
    if after == "and":
        return any(is_finite(word) or third_person(word) for word in row[end + 1 : end + 4])
    closed = lexicon.PREPOSITIONS | lexicon.DETERMINERS | lexicon.RELATIVES | lexicon.CONJUNCTIONS
    return bool(after) and after[0].isalpha() and after not in closed
