"""Questions: what one asks, of whom, and what its answer must hold."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ai_assistant.memory.clause_words import PERSONS
from ai_assistant.memory.lexicon import plain, stem, words

_SORT = re.compile(
    r"\b(?:what|which) (days?|dates?|times?|hours?|months?|years?|seasons?|town|city|village|place|"
    r"street|room|house|colou?r|people|person|number)\b(?= \w)"
)
"""The sort of thing asked for ("what day"): the answer itself is one, and need not say so."""
_PAST = re.compile(
    r"\bused to\b|\b(?:before|formerly|previous(?:ly)?|original(?:ly)?|first|earlier|once|past|"
    r"back then|at the time|history|all|ever|every|when (?:did|was|were|had)|"
    r"how (?:many|often|long))\b"
)
_COUNT = (
    r"\d|\b(?:half|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|"
    r"\w+ty|hundreds?|thousands?|dozens?|nothing|none|no|few|many|much)\b"
)
_NUMBER = rf"{_COUNT}|\b(?:an?)\b"
_NAME = r"(?<=[\w,:] )(?!I\b)[A-Z]|\b(?!I\b)[A-Z]\w+(?:'s\b| (?:and|is)\b)"
_ANSWERS = (
    (
        re.compile(
            r"\s*(?:when|at what|(?:on )?(?:what|which) (?:day|date|time|hour|month|year))\b"
        ),
        re.compile(
            rf"{_COUNT}|\b(?:\w+day|tomorrow|tonight|noon|midnight|dawn|dusk|morning|evening|night|"
            r"week|month|year|spring|summer|autumn|winter|january|february|march|april|may|june|"
            r"july|august|september|october|november|december|moon|soon|never)\b",
            re.I,
        ),
    ),
    (re.compile(r"\s*how (?:much|old|many)\b"), re.compile(_NUMBER, re.I)),
    (
        re.compile(r"\s*(?:who|whom|whose)\b"),
        re.compile(rf"\b(?:nobody|no one|single)\b|{_NAME}"),
    ),
)
"""Questions for a time, a number or a person, and what their answer holds."""
_DID = frozenset("did was were had".split())
_OWN_FAMILY = frozenset("wife husband lover partner boss".split())
_KIN = re.compile(rf"\b(\w+)'s (?:[a-z]+ )?({'|'.join(sorted(PERSONS - _OWN_FAMILY))})\b")
"""Whose relative a question is about: it is then about nobody else."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What a question asks, and of whom.

    Its stems, its words, who is named in it, all names there are, the stems of the sort of thing
    it asks for, the word for a relative whom it is about ("Alice's brother"), and what its answer
    must hold, if that is a time, a number or a person.
    """

    stems: tuple[str, ...]
    words: frozenset[str]
    named: frozenset[str]
    people: frozenset[str]
    sort: frozenset[str] = frozenset()
    kin: str = ""
    holds: re.Pattern[str] | None = None

    @property
    def of_a_state(self) -> bool:
        """Does it ask how things are with somebody, and not what happened?"""
        return bool(self.named) and not self.words & _DID


def asked_of(
    query: str, query_stems: tuple[str, ...], named: frozenset[str], people: frozenset[str]
) -> Asked:
    """Return what a question asks; its stems are those without the names in it."""
    line = plain(query)
    kin = [who for owner, who in _KIN.findall(line) if owner in named]
    return Asked(
        stems=query_stems,
        words=frozenset(words(line)),
        named=named,
        people=people,
        sort=frozenset(stem(found) for found in _SORT.findall(line)),
        kin="" if not kin or line.startswith("who") else kin[0],
        holds=next((answer for question, answer in _ANSWERS if question.match(line)), None),
    )


def wants_the_latest(query: str) -> bool:
    """Does a question ask how things are, and not how they were?"""
    return not _PAST.search(plain(query))
