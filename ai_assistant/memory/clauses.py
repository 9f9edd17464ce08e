"""Clauses: of whom each part of a line of talk speaks, and whether it tells how things are now.

"When I was a girl we lived in Oakham" and "I stayed a night in Oakham" tell nothing of where the
speaker lives; "I left Oakham" does. What decides is the subject of a clause and the tense of its
verb, read by rules of English that know no topic.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from ai_assistant.memory.clause_words import (
    ADVERBS,
    BE,
    CONTRACTED,
    DETERMINERS,
    ENDS,
    FILLERS,
    FIRST,
    FUTURE,
    HAVE,
    HAVE_YOU_HEARD,
    IRREGULAR_PAST,
    LEADS,
    MADE,
    MODALS,
    NAME,
    NOBODY,
    NOT_PASSING,
    PASSING,
    PERSON,
    PERSONS,
    PREPOSITIONS,
    PRONOUNS,
    REPORTS,
    SAME,
    SELF,
    SETTLES,
    THEY,
    THING,
    TO_BE_TOLD,
    UNREAL,
    WE,
    YOU,
)
from ai_assistant.memory.lexicon import stems

_SENTENCES = re.compile(r"(?<=[.!?;…])[\"')]*\s+|\s+[—–]\s+|\s+--?\s+|\n+")
_SUBJECT = (
    r"(?:I|I'm|I've|[Ww]e|[Ww]e're|[Ww]e've|he|he's|she|she's|it|it's|that's|they|you|my|our|there)"
)
_SPLIT = re.compile(
    rf",? (?:and|because|yet|while|or) (?={_SUBJECT}\b)|"
    rf" that (?=you\b)|, (?={_SUBJECT}\b|(?:the|a|an|that|this) )|"
    r"(?:,? (?:but|because|though|although)|, so) |: |"
    r"(?:,|,? and) (?:now )?(?=(?:\w+ed|is|has|does|lives?|works?|went|became|bought|got|took|wed|"
    r"found|keeps?|carry|carries|drinks?|sails?|rides?)\b)"
)
_FRAMED = re.compile(
    r"\bwhen (?:[\w']+ ){1,3}?(?:was|were|used)\b|\bas an? (?:child|boy|girl|lad|youth)\b|"
    r"\bback when\b|\b(?:years|long) ago\b|\bin the old days\b|\bformerly\b|\bi once\b"
)
"""A whole sentence of the past."""
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)?")
_RELATIVE = re.compile(
    r"(?<!,) \b(?:who|whom|whose|which|that) (?:live|work|\w+s\b|\w+ed\b|is|are|was).*"
)
"""Tells of somebody else than the clause that it hangs on."""
MOST_OF_A_TOPIC = 4
_TOPIC = re.compile(r"(?:my|our|the|[A-Z]\w+'s) \w+", re.I)
_TAG = re.compile(
    r" (?:can|would|could|will|do|does|did|is|are|was|were|has|have|don't|doesn't|didn't|isn't|"
    r"aren't|wasn't|hasn't|haven't|won't|you know|right|eh|see|remember|ain't)\b",
    re.I,
)
_ASKS = re.compile(
    r"\W*(?:who|whom|whose|what|which|when|where|why|how|do|does|did|is|are|was|were|can|could|will|"
    r"would|shall|should|may|has|have|am)\b",
    re.I,
)
_CALLED = re.compile(r"\A[A-Z][\w']+[,!] (?=\S)")
_TOGETHER = re.compile(r"\A((?:[Mm]y |[Tt]he )?\w+) and I\b")
_TAIL = re.compile(
    r",? (?:i (?:hear|think|believe|guess|tell you)|they say|he says|she says)\W*\Z", re.I
)


class Subject(NamedTuple):
    """What a clause is about: its kind, its noun, whose person that is, and how many words."""

    kind: str
    noun: str = ""
    owned: str = ""
    length: int = 1


@dataclass(frozen=True, slots=True)
class Clause:
    """One clause: what its subject is (`kind`, and its `noun`), and what it tells.

    `owned`: whose brother or friend the subject is, "i" for the speaker's. `mine`: the speaker has
    a part in it beside the subject. `tells`: it says how things are or have become. `ends`: it has
    words by which something is over, or new.
    """

    kind: str
    noun: str
    owned: str
    mine: bool
    tells: bool
    ends: bool
    words: frozenset[str]
    stems: frozenset[str]


@lru_cache(maxsize=4096)
def clauses(text: str) -> tuple[Clause, ...]:
    """Return the clauses of a line in order, without its questions."""
    found: list[Clause] = []
    for sentence in _SENTENCES.split(FILLERS.sub("", text.replace("’", "'"))):
        if sentence.rstrip("\"' )").endswith("?"):
            sentence = _stated(sentence)
        framed = bool(_FRAMED.search(sentence.lower()))
        for part in _parts(sentence):
            clause = _read(part, framed, found[-1] if found else None)
            if clause:
                found.append(clause)
    return tuple(found)


def _stated(question: str) -> str:
    """Return what a question states: before its tag ("…, isn't it?"), or as a topic ("My hat?")."""
    if HAVE_YOU_HEARD.match(question):
        return HAVE_YOU_HEARD.sub("", question).rstrip("?")
    told, comma, tag = question.rpartition(",")
    if comma and _TAG.match(tag) and not _ASKS.match(told):
        return told
    return question if len(question.split()) <= MOST_OF_A_TOPIC and _TOPIC.match(question) else ""


def _parts(sentence: str) -> Iterator[str]:
    for part in _SPLIT.split(_TOGETHER.sub(r"I with \1", _CALLED.sub("", sentence))):
        before = ""
        while part != before:
            before = part
            part = LEADS.sub("", _TAIL.sub("", part)).strip(" ,:\"'.!…")
            part = REPORTS.sub("", part)
        yield part


def _read(part: str, framed: bool, before: Clause | None) -> Clause | None:
    said = TO_BE_TOLD.sub(r"\1", _RELATIVE.sub("", part) or part)
    original = _WORD.findall(said)
    tokens = [word.lower() for word in original]
    if not tokens or (tokens[0] == "what" and tokens[1:2] in (["a"], ["an"])):
        return None
    topic = part.endswith("?")
    subject = _meant(_subject(original, tokens), tokens, before)
    line = " ".join(tokens)
    unreal = framed or UNREAL.search(line) or (subject.kind != THING and FUTURE.search(line))
    return Clause(
        kind=subject.kind,
        noun=subject.noun,
        owned=subject.owned,
        mine=bool(FIRST.intersection(tokens[subject.length :])),
        tells=not (unreal or topic) and _tells(subject, tokens),
        ends=bool(ENDS.search(line)),
        words=frozenset(word.removesuffix("'s") for word in tokens),
        stems=frozenset(stems(said)),
    )


def _meant(subject: Subject, tokens: Sequence[str], before: Clause | None) -> Subject:
    """Return whom a pronoun, or a clause without a subject, means after the clause before."""
    if subject.kind == SAME:
        if before is None or before.kind == YOU:
            return subject._replace(kind=THING)
        return Subject(before.kind, before.noun, before.owned, subject.length)
    if subject.kind == THEY:
        if before is not None and before.kind == NAME:
            return subject._replace(kind=NAME, noun=before.noun)
        nobody = tokens[0] == "they" and any(map(_is_past, tokens[1:4]))  # "They moved the fair"
        return subject._replace(kind=THING if nobody else PERSON)
    return subject


def _subject(original: Sequence[str], tokens: Sequence[str]) -> Subject:
    first = tokens[0]
    kind = PRONOUNS.get(first) or PRONOUNS.get(first.partition("'")[0])
    if kind:
        return Subject(kind, first if kind == PERSON else "")
    if first in ("my", "our"):
        person = _person(tokens[1:4])
        return Subject(PERSON, person, "i", 2) if person else Subject(SELF, length=2)
    if first in DETERMINERS:
        person = _person(tokens[1:4])
        place = 3 if tokens[2:3] == ["of"] and len(tokens) > 3 else 1  # "a pair of shoes"
        thing = tokens[place] if len(tokens) > place else ""
        return Subject(PERSON, person, "", 2) if person else Subject(THING, thing, "", 2)
    if first in PREPOSITIONS or tokens[1:2] == ["and"]:
        inside = next((place for place, one in enumerate(tokens) if one in WE), -1)
        return Subject(SELF, length=inside + 1) if inside >= 0 else Subject(PERSON, NOBODY)
    return _named(original, tokens)


def _named(original: Sequence[str], tokens: Sequence[str]) -> Subject:
    """Return the subject of a clause that begins with a name, or with its verb."""
    first = tokens[0]
    if not original[0][:1].isupper() or _is_past(first) or first in BE:
        return Subject(SAME, length=0)
    given, length = first.partition("'")[0], _name_length(original)
    if tokens[length - 1].endswith("'s"):
        person = _person(tokens[length : length + 2])
        kind, noun, owner = (PERSON, person, given) if person else (NAME, given, "")
        return Subject(kind, noun, owner, length + 1)
    if length < len(tokens) and _may_follow_a_name(tokens[length]):
        return Subject(NAME, given, "", length)
    return Subject(SAME, length=0)


def _name_length(original: Sequence[str]) -> int:
    """Return of how many words a name at the beginning is: "Dorin Ashe's house" → 2."""
    for place, word in enumerate(original):
        if not word[:1].isupper():
            return place
        if word.endswith("'s"):
            return place + 1
    return len(original)


def _may_follow_a_name(word: str) -> bool:
    known = word in BE or word in MODALS or word in HAVE or word in ADVERBS or _is_past(word)
    return known or word == "will" or (word.endswith("s") and not word.endswith("ss"))


def _person(near: Sequence[str]) -> str:
    """Return the first word that means a person, before any verb."""
    for word in near:
        if word.removesuffix("'s") in PERSONS:
            return word.removesuffix("'s")
        if word in BE or word in MODALS or word in HAVE:
            break
    return ""


def _is_past(word: str) -> bool:
    regular = len(word) > 3 and word.endswith("ed") and not word.endswith("eed")
    return regular or word in IRREGULAR_PAST


def _tells(subject: Subject, tokens: Sequence[str]) -> bool:
    """Is the verb of a clause in the present, or has something changed by it?"""
    rest = [one for one in tokens[subject.length :] if one not in ADVERBS]
    if subject.length == 1 and (short := tokens[0].partition("'")[2]) in CONTRACTED:
        rest = [CONTRACTED[short], *rest]
    for place, word in enumerate(rest):
        told = _by_verb(word, rest[place + 1 :])
        if told is not None:
            return told
        if subject.kind == SELF and subject.length == 1 and rest[0] != "with":
            return True  # "I" is followed by its verb
    return True


def _by_verb(word: str, after: Sequence[str]) -> bool | None:
    """Return what a verb says of that; None where the word is none."""
    if word in HAVE:
        return _has_become(after)
    if word == "been":
        return _has_become([word, *after])
    if word in ("was", "were"):
        return bool(MADE.intersection(after[:2]))
    if word in BE or word in MODALS or word == "got":
        return True
    if word in ("did", "didn't"):
        return False
    return _changes(word, after) if _is_past(word) else None


def _has_become(after: Sequence[str]) -> bool:
    """Is what follows "have" something that one has, or a change that has happened?"""
    if after[:1] == ["been"]:
        return after[1:2] != ["to"] and (after[1:2] != ["in"] or "since" in after)
    if not after or not _is_past(after[0]):
        return True
    return _changes(after[0], after[1:])


def _changes(verb: str, after: Sequence[str]) -> bool:
    """Has somebody's state become another by this verb of the past?"""
    if verb in SETTLES:
        return bool(SETTLES[verb].search(" ".join(after)))
    return verb not in PASSING or bool(NOT_PASSING.search(" ".join(after)))
