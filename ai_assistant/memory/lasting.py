"""What lasts: whether that which is said of somebody still matters when the day is over.

Verbs decide first: what people do day in, day out, and what changes a life. Then their objects: a
mule is something to have, a headache is not, whatever the verb.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ai_assistant.memory.claim_words import (
    CHANGES,
    COPULAS,
    LASTING,
    LONG_DONE,
    PASSING,
    STATES,
    TAKEN,
    TAKES,
    TAKING_OVER,
    VAGUE,
    is_adverb,
)
from ai_assistant.memory.grammar import base
from ai_assistant.memory.passing_words import NOUNS, PHRASE_ENDS, POINTERS, PRONOUNS

_WORD = re.compile(r"[\w'-]+")
_LIKE_THIS = re.compile(r"\blike (?:this|that|these|those)\b")
_HAVE = ("has", "have", "had")
_FEELS = frozenset("like love adore enjoy hate dislike detest despise prefer fear dread".split())
"""Verbs whose objects may be of any sort: one may fear storms and love songs."""


def lasts(predicate: str) -> bool:
    """Does what is said of somebody ("is a smith", "bought a mule") last beyond the day?"""
    words = _WORD.findall(predicate)
    while words and is_adverb(words[0]):
        words = words[1:]
    rest = [one for one in words[1:] if not is_adverb(one)]
    if not rest or rest[-1] in PRONOUNS:
        return False
    if words[0] in COPULAS:
        what = " ".join(rest)
        return bool(LASTING.match(what)) and not passes(what)
    if rest[-1] in POINTERS or predicate.rstrip(". ").endswith(" again"):
        return False
    if words[0] in _HAVE and rest[0] == "been":
        return _went_on(rest[1:])
    if words[0] in _HAVE and (rest[0] in CHANGES or rest[0] in LONG_DONE):
        return _is_worth_it(rest[0], rest[1:])
    if words[0] in _HAVE:
        return len(rest) > 1 and _is_worth_it("have", rest)
    verb = words[0]
    known = verb in CHANGES or verb in TAKEN or base(verb) in STATES or verb in STATES
    return known and _is_worth_it(base(verb), rest)


def _is_worth_it(verb: str, what: Sequence[str]) -> bool:
    """Is this something to do, to have or to lose, and no passing matter?"""
    said = " ".join(what)
    if not what or VAGUE.match(said) or (verb == "keep" and what[0].endswith("ing")):
        return False
    if verb in _FEELS:
        return not _LIKE_THIS.search(said)
    if what[0] not in PHRASE_ENDS and head(what) in NOUNS:
        return False
    if verb in ("have", "had"):
        return bool(TAKING_OVER.match(said))
    return verb not in TAKEN or bool(TAKES.match(said))


def head(what: Sequence[str]) -> str:
    """Return the noun that an object is about: "a sore throat from the dust" → "throat"."""
    if "of" in what and what[what.index("of") - 1] in ("bit", "lot", "deal", "couple", "pair"):
        what = what[what.index("of") + 1 :] or what
    end = next((at for at, one in enumerate(what) if at and one in PHRASE_ENDS), len(what))
    return what[end - 1]


def _went_on(words: Sequence[str]) -> bool:
    """Does what somebody has been, or has been doing, last?"""
    doing = words[0][:-3] if len(words) > 1 and words[0].endswith("ing") else ""
    if doing in STATES or f"{doing}e" in STATES:
        return _is_worth_it(doing, words[1:])
    return lasts(" ".join(("is", *words)))


def passes(words: str) -> bool:
    """Is what follows "is" over by tomorrow?"""
    return bool(PASSING.match(words.strip().lower()))
