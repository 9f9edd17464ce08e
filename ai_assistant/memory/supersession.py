"""Changed values: of several statements about the same thing, the latest stands first.

Nothing is overwritten. At query time an older statement gives way to a newer one by, or about, the
same person, where both speak of what the question asks and say different things about it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from ai_assistant.memory.lexicon import asks, plain, stem, stems, words
from ai_assistant.memory.related import related

ENOUGH = 0.6
"""The share of the question's meaning, as far as any statement has it, that one must speak of."""
ENOUGH_OF_A_STATE = 0.4
"""The same for a line that tells of a state, or of its change, and not of a mere event."""
_STATE = re.compile(
    r"\b(?:is|are|am|have|has|now|new|instead|since|until|lately|any ?more|longer|actually|sorry|"
    r"wrong|became|become|left|joined?|gave|took|quit|sold|bought|got|lost|became|"
    r"(?:chang|swapp?|switch|replac|trad|mov|delay|postpon|promot|settl|relocat|renam|turn|exchang|"
    r"reschedul|shift|mov)(?:e|es|ed|ing)?)\b|'(?:s|m|re|ve)\b"
)
LIGHT_WEIGHT = 0.4
_LIGHT = frozenset(
    map(stem, "hold have carry keep own wear use take make bear possess bring".split())
)
"""Verbs that say little beside what they are said of."""
_SORT = re.compile(
    r"\b(?:what|which) (days?|dates?|times?|hours?|months?|years?|seasons?|town|city|village|place|"
    r"street|room|house|colou?r|people|person|number|animals?)\b(?= \w)"
)
"""The sort of thing asked for ("what day"): the answer itself is one, and need not say so."""
_PAST = re.compile(
    r"\bused to\b|\b(?:before|formerly|previous(?:ly)?|original(?:ly)?|first|earlier|once|past|"
    r"back then|at the time|history|all|ever|every|when (?:did|was|were|had)|"
    r"how (?:many|often|long))\b"
)
_DID = frozenset("did was were had".split())
_UNREAL = re.compile(
    r"\b(?:would|wouldn't|i'd|he'd|she'd|they'd|we'd|might|maybe|perhaps|wish|wished|dream\w*|"
    r"hope|hoped|hoping|someday|one day|if|if only|almost|nearly|thinking (?:of|about)|think about|"
    r"consider\w*|want to|wants to|wanted to|plan to|plans to|planning|imagine|pretend\w*|joked?|"
    r"supposed to|tempted|could|never)\b"
)
_OVER = re.compile(r"\bused to\b|\b(?:once|formerly|back when|in the old days|years ago)\b")
_BUT_NOW = re.compile(r"\b(?:but|now|these days|any ?more|since|then)\b")
_FIRST = frozenset("i i'm i've i'll my mine me we we're we've our us myself".split())
_OTHERS = frozenset(
    "he he's she she's brother sister friend mother father "
    "mom mum dad cousin uncle aunt neighbour neighbor son daughter husband wife boss master "
    "grandmother grandfather nephew niece partner colleague apprentice roommate".split()
)
_CORRECTS = re.compile(
    r"^\W*(?:no|nope|wait|sorry|actually|i mean|correction|scratch that|forget that|rather|"
    r"my mistake|i misspoke|not quite|oh,? wait|hold on)\b"
)


_OF = re.compile(r"'s$|'$")
_CALLED = re.compile(r"\W*(?:\w+\W+){1,3}?(?<=[,:!.]) ")
_OF_WHOM = re.compile(
    r"\b(?:think|believe|heard|hear|guess|know|says?|said|that) ([A-Z][a-z]{2,})\b"
)
_REPORTED = frozenset(
    "think thinks believe heard hear guess know says said that because and".split()
)


@dataclass(frozen=True, slots=True)
class Statement:
    """A line that may answer: its row, when and by whom it was said, and the talk it is from."""

    place: int
    text: str
    at: float
    speaker: str
    talk: int


@dataclass(frozen=True, slots=True)
class Asked:
    """What a question asks: its stems, its words, who is named in it, and all names there are."""

    stems: tuple[str, ...]
    words: frozenset[str]
    named: frozenset[str]
    people: frozenset[str]
    sort: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a closer look found: the places that answer, and {older place: newer place} of them."""

    fitting: tuple[int, ...]
    outdated: dict[int, int]


def sort_asked_for(query: str) -> frozenset[str]:
    """Return the stem of the sort of thing that a question asks for, if it names one."""
    return frozenset(stem(found) for found in _SORT.findall(plain(query)))


def wants_the_latest(query: str) -> bool:
    """Does a question ask how things are, and not how they were?"""
    return not _PAST.search(plain(query))


def judge(asked: Asked, lines: Sequence[Statement]) -> Verdict:
    """Look closely at the best rows of a search, given in the order of their talk."""
    spoken = {line.place: _meaning_of(line, lines, asked.stems) for line in lines}
    weights = _weights(asked)
    most = max((_weigh(found, weights) for found in spoken.values()), default=0.0)
    if not most:
        return Verdict((), {})
    fitting = [
        line
        for line in lines
        if _weigh(spoken[line.place], weights) >= _enough(line.text, asked) * most
        and is_stated(line.text)
        and _is_about(line, asked)
    ]
    fitting.sort(key=lambda line: (line.at, line.place))
    found: dict[int, int] = {}
    for number, older in enumerate(fitting):
        for newer in reversed(fitting[number + 1 :]):
            shared = _weigh(spoken[older.place] & spoken[newer.place], weights)
            if shared < _enough(newer.text, asked) * most:
                continue
            if _same_subject(older, newer, asked) and _says_otherwise(older, newer):
                found[older.place] = newer.place
                break
    return Verdict(tuple(line.place for line in fitting), found)


def _meaning_of(
    line: Statement, lines: Sequence[Statement], query_stems: tuple[str, ...]
) -> frozenset[str]:
    """Return the query's stems that a line speaks of, itself or by correcting the line before."""
    found = _shared(line.text, query_stems)
    if _CORRECTS.match(plain(line.text)):
        for other in lines:
            apart = line.place - other.place
            if other.talk == line.talk and other.speaker == line.speaker and 0 < apart <= 2:
                found |= _shared(other.text, query_stems)
    return found


@lru_cache(maxsize=4096)
def _shared(text: str, query_stems: tuple[str, ...]) -> frozenset[str]:
    said = frozenset(stems(text))
    return frozenset(one for one in query_stems if one in said or related(one) & said)


def _weights(asked: Asked) -> dict[str, float]:
    """Weigh the stems of a question: light verbs, and the sort of its answer, say little."""
    weights = {}
    for one in asked.stems:
        weights[one] = LIGHT_WEIGHT if one in _LIGHT else 0.0 if one in asked.sort else 1.0
    return weights if any(weights.values()) else dict.fromkeys(weights, 1.0)


def _enough(text: str, asked: Asked) -> float:
    """Return the share that a line must speak of; where nobody is named, more is left to chance."""
    of_a_state = asked.named and not asked.words & _DID and _STATE.search(plain(text))
    return ENOUGH_OF_A_STATE if of_a_state else ENOUGH


def _weigh(found: frozenset[str], weights: dict[str, float]) -> float:
    return sum(weights[stem] for stem in found)


@lru_cache(maxsize=4096)
def is_stated(text: str) -> bool:
    """Does a line say how things are, and not ask, wish, suppose or look back?"""
    line = plain(text)
    over = _OVER.search(line) and not _BUT_NOW.search(line)
    return not (asks(text) or _UNREAL.search(line) or over)


def _is_about(line: Statement, asked: Asked) -> bool:
    """Is a line about whom the question names, and about nobody else whom it does not?"""
    said = [_OF.sub("", word) for word in words(_unaddressed(line.text, asked.people))]
    reported = frozenset(name.lower() for name in _OF_WHOM.findall(line.text))
    if (_subjects(said, asked.people | _OTHERS) | reported) - asked.words - asked.named:
        return False
    if not asked.named:
        return True
    return bool(asked.named & frozenset(said)) or _is_by(line, asked.named)


def _unaddressed(text: str, people: frozenset[str]) -> str:
    """Return a line without the name of whom it is said to ("Tansy, …", "Hello Tansy, …")."""
    called = _CALLED.match(text)
    return text[called.end() :] if called and people & frozenset(words(called[0])) else text


def _subjects(said: Sequence[str], names: frozenset[str]) -> frozenset[str]:
    """Return who leads a clause of these: "My brother lives …", "I think Hal works …"."""
    found = set()
    for place, word in enumerate(said[:-1]):
        before = said[place - 1] if place else ""
        before_that = said[place - 2] if place > 1 else ""
        leads = place == 0 or before in _REPORTED
        leads |= before in ("my", "his", "her") and (place == 1 or before_that in _REPORTED)
        if word in names and leads:
            found.add(word)
    return frozenset(found)


def _same_subject(one: Statement, other: Statement, asked: Asked) -> bool:
    if asked.named:  # what others say of somebody does not outdate their own word
        return _is_by(other, asked.named) or not _is_by(one, asked.named)
    first = (_FIRST & frozenset(words(line.text)) for line in (one, other))
    return one.speaker == other.speaker or not any(first)


def _is_by(line: Statement, named: frozenset[str]) -> bool:
    return bool(named & frozenset(words(line.speaker)))


def _says_otherwise(older: Statement, newer: Statement) -> bool:
    """Does the newer line hold something that the older does not?"""
    return bool(frozenset(stems(newer.text)) - frozenset(stems(older.text)))
