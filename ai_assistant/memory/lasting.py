"""What lasts of all else: whether what tells no known relation still matters tomorrow.

"I keep the lighthouse", "my father died at sea", "I am the heir of Vey": the verb decides first,
what people do day in, day out, and what changes a life; then the object. Verbs that belong to a
relation (`memory.relations`) are not looked at: they tell that, or nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ai_assistant.memory.claim_words import (
    CHANGES,
    COPULAS,
    EPHEMERAL_NOUNS,
    HABITUAL,
    LASTING,
    PASSING,
    STATES,
    UNREAL,
    VAGUE,
    is_adverb,
)
from ai_assistant.memory.grammar import base
from ai_assistant.memory.passing_words import PHRASE_ENDS, POINTERS, PRONOUNS, is_passing
from ai_assistant.memory.readings import read, subjects_of
from ai_assistant.memory.verbs import lemma
from ai_assistant.memory.wording import words_of

_WORD = re.compile(r"[\w'-]+")
_SECOND = re.compile(r"\b(?:you|your|yours|yourself|ye|thee|thou|thy)\b", re.I)
_MY = re.compile(
    r"my (?P<noun>[\w'-]+(?: [\w'-]+)?) (?P<verb>is|are|was|were|lives?|works?|died|"
    r"moved|loves|hates|runs|owns|keeps|became|married|serves?|plays|speaks|grew|comes|"
    r"taught|sells|bakes|passed|joined|sold|bought|opened|retired|fears)\b",
    re.I,
)
_SOON_OVER = re.compile(
    r"\b(?:it|them|this|these|those|today|tonight|yesterday|tomorrow|asleep|no (?!longer\b)\w+)\b|"
    r"\ban? (?:\w+ )?(?:member|mess|wreck|kid|child|boy|girl)\b(?! of)|\bin love\Z|\bborn\Z",
    re.I,
)
"""Words of what the moment explains, or what says too little to be kept."""
_RELATED = frozenset(
    "move relocate live dwell stay buy sell get lose have own keep find win pick leave quit join "
    "play speak learn know come like love hate enjoy dislike fear owe pay marry collect settle "
    "switch change turn sleep receive inherit adopt pawn trade give break raise steal "
    "borrow give".split()
)
"""Verbs that are judged by their relations only."""
_HELPERS = frozenset("have has had am are were was been is be not".split())


def lasting_of_i(clause: str) -> str:
    """Return what a clause in the first person says of "I" or "my", if that lasts; else nothing."""
    if UNREAL.search(clause) or _SECOND.search(clause):
        return ""
    said = (" ".join(words_of(clause).said[start:]) for start in subjects_of(clause))
    return next((one for one in said if _says_what_lasts(one)), "")


def _says_what_lasts(said: str) -> bool:
    own = _MY.match(said)
    return _owned_lasts(own) if own else _done_lasts(said)


def tells(predicate: str) -> bool:
    """Does what is said of somebody in the third person ("owns a mule") make a fact?"""
    return bool(read(f"I {predicate}") or _lasts(predicate.lower()))


def _owned_lasts(own: re.Match[str]) -> bool:
    nouns = own["noun"].lower().split()
    if EPHEMERAL_NOUNS.intersection(nouns) and not HABITUAL.intersection(nouns):
        return False
    rest = own.string[own.end() :].strip().lower()
    return own["verb"].lower() not in COPULAS or _is_lasting(rest)


def _is_lasting(what: str) -> bool:
    """Is this, after "is", so for long?"""
    return bool(
        LASTING.match(what) and not PASSING.match(what) and not is_passing(head(what.split()))
    )


def _done_lasts(said: str) -> bool:
    words = [one.lower() for one in _WORD.findall(said)]
    if words[:1] != ["i"] or _SOON_OVER.search(said):
        return False
    helpers = [one for one in words[1:] if one in _HELPERS]
    verb = next((one for one in words[1:] if not (one in _HELPERS or is_adverb(one))), "")
    if lemma(verb) in _RELATED or (
        helpers and helpers[-1] in ("have", "had") and verb in _ARTICLES
    ):
        return False
    return _lasts(_predicate(said.lower()))


_ARTICLES = ("a", "an", "the", "my")


def _predicate(said: str) -> str:
    """Return what is said of "I" in the third person: "I am a smith" → "is a smith"."""
    for opening, verb in (
        *(("i am ", "is "), ("i have ", "has "), ("i was ", "was ")),
        *(("i do not ", ""), ("i did not ", "never "), ("i ", "")),
    ):
        if said.startswith(opening):
            return verb + said[len(opening) :]
    return ""


def _lasts(predicate: str) -> bool:
    """Does what is said of somebody ("is a smith", "built a mill") last beyond the day?"""
    words = _WORD.findall(predicate)
    while words and is_adverb(words[0]):
        words = words[1:]
    rest = [one for one in words[1:] if not is_adverb(one)]
    if not rest or rest[-1] in PRONOUNS:
        return False
    if words[0] in COPULAS:
        return _is_lasting(" ".join(rest))
    if rest[-1] in POINTERS or predicate.rstrip(". ").endswith(" again"):
        return False
    if words[0] == "has" and rest[0] == "been":
        return _went_on(rest[1:])
    verb, what = (rest[0], rest[1:]) if words[0] == "has" else (words[0], rest)
    return (verb in CHANGES or base(verb) in STATES) and _is_worth_it(what)


def _went_on(words: Sequence[str]) -> bool:
    """Does what somebody has been, or has been doing, last?"""
    doing = words[0][:-3] if len(words) > 1 and words[0].endswith("ing") else ""
    if doing in STATES or f"{doing}e" in STATES:
        return _is_worth_it(words[1:])
    return _lasts(" ".join(("is", *words)))


def _is_worth_it(what: Sequence[str]) -> bool:
    """Is this no passing matter?"""
    if not what or VAGUE.match(" ".join(what)):
        return False
    return what[0] not in PHRASE_ENDS and not is_passing(head(what))


def head(what: Sequence[str]) -> str:
    """Return the noun that an object is about: "a sore throat from the dust" → "throat"."""
    if "of" in what and what[what.index("of") - 1] in ("bit", "lot", "deal", "couple", "pair"):
        what = what[what.index("of") + 1 :] or what
    end = next((at for at, one in enumerate(what) if at and one in PHRASE_ENDS), len(what))
    return what[end - 1]
