"""Antecedents: what "it", "them" or "that" may mean, once a clause has been said.

"Clowns? They terrify me", "You know the key that was stolen? I took it": a clause leaves behind its
subject, its objects and its names. Which of them is meant, the relation decides (`memory.values`).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from ai_assistant.language.words import meaning
from ai_assistant.memory.claim_words import LEADS
from ai_assistant.memory.passing_words import is_passing
from ai_assistant.memory.verbs import is_verb
from ai_assistant.memory.wording import COLOUR, words_of

INTERJECTIONS = frozenset(
    "easy well why yes simple hm oh ah ooh ugh me right funny um uh er haha lol".split()
)
_ARTICLES = ("a", "an", "the")
_POINTS = frozenset("it that they those she he there this yeah yes no".split())
"""First words of clauses that only speak on of what was spoken of."""
_HELPERS = frozenset("have has had must may might can could would will should do did not".split())
_BEFORE_THINGS = frozenset(
    "a an the my your some any of about to with from for in on at this around you".split()
)


@lru_cache(maxsize=1024)
def topics_of(clause: str) -> tuple[str, ...]:
    """Return what the next "it" or "them" may mean after a clause, the likeliest first."""
    said = list(words_of(clause).said)
    low = [one.lower() for one in said]
    if not said or low[0] in _POINTS or LEADS.sub("", f"{clause}, x") == "x":
        return ()
    after = _after_subject(low)
    verbs = [at for at, one in enumerate(low) if at and (is_verb(one) or at == after)]
    subject = said[: verbs[0]] if verbs and low[0] not in ("i", "my", "we") else []
    ends = [at for at, one in enumerate(said) if one in _BEFORE_THINGS or at in verbs]
    objects = [said[at + (said[at] not in _ARTICLES) :] for at in ends]
    whole = [] if verbs else [said]
    found = map(_phrase, (subject, *whole, *objects[::-1], _names(said)))
    return tuple(" ".join(one) for one in found if _is_thing(one))


def _after_subject(low: Sequence[str]) -> int:
    """Return the place of the verb after "I" or "you", whichever verb it is; 0 if there is none."""
    if low[0] not in ("i", "we", "you"):
        return 0
    words = (
        at for at, one in enumerate(low) if at and one not in _HELPERS | COLOUR and one[-2:] != "ly"
    )
    return next(words, 0)


def _phrase(words: Sequence[str]) -> Sequence[str]:
    """Return the words before the next verb or pronoun."""
    ends = (
        at
        for at, one in enumerate(words)
        if at and (one in _POINTS or one == "me" or (is_verb(one) and not one.endswith("ing")))
    )
    return words[: next(ends, len(words))]


def _is_thing(words: Sequence[str]) -> bool:
    first = next((one.lower() for one in words if one.lower() not in _ARTICLES), "")
    named = bool(meaning(first)) and not first.endswith("ly") and first not in COLOUR
    named = named and first not in INTERJECTIONS and not is_passing(words[-1].lower())
    return named and (first.endswith("ing") or not is_verb(first))


def _names(said: Sequence[str]) -> list[str]:
    """Return the first name among words, as long as it goes on."""
    found: list[str] = []
    for at, one in enumerate(said):
        is_title = one == "The" and said[at + 1 : at + 2] and said[at + 1][:1].isupper()
        if one[:1].isupper() and (is_title or _is_thing([one])):
            found.append(one)
        elif found:
            break
    return found
