"""Changed values: of several statements about the same thing, the latest stands first.

Nothing is overwritten. At query time an older statement gives way to a newer one by, or about, the
same person, where both speak of what the question asks and say different things about it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from ai_assistant.memory.asked import Asked
from ai_assistant.memory.clause_words import NAME, PERSON, SELF, THING, YOU
from ai_assistant.memory.clauses import Clause, clauses
from ai_assistant.memory.lexicon import plain, stem, stem_set, words
from ai_assistant.memory.related import members, related

ENOUGH = 0.6
"""The share of the question's meaning, as far as any statement has it, that one must speak of."""
ENOUGH_OF_ONE = 0.5
"""The same where the question names somebody, and asks how things are."""
SEVERAL, MOST = 3.0, 0.7
"""Of a question with more than so many words of meaning, a line must speak of this share."""
KINDRED = 0.8
"""What a word counts for that only means the same as one of the question."""
Meaning = Mapping[str, float]
"""Stems of a question that a line speaks of → how surely it does, up to 1."""
ROUNDS = 4
"""So many changes in a row are followed that share words with each other and not the question."""
LIGHT_WEIGHT = 0.4
_LIGHT = frozenset(
    map(stem, "hold have carry keep own wear use take make bear possess bring find".split())
)
"""Verbs that say little beside what they are said of."""
_SAYS_LITTLE = _LIGHT | frozenset(
    map(
        stem,
        "new old good bad best better big small little long last first next other another same "
        "own late take give get put come go find leave lose sell change move turn become start "
        "stop day week month year time morning night home way people man woman love like think "
        "know want need use work live instead again well since spring summer autumn winter swap "
        "trade switch one two three four five six seven eight nine ten twelve twenty hundred half "
        "silver gold copper coin crown penny shilling".split(),
    )
)
"""Words that many different things are told with: they lead from none to another."""
_POINTS_BACK = frozenset("it them that one there".split())
_CORRECTS = re.compile(
    r"^\W*(?:no|nope|wait|sorry|actually|i mean|correction|scratch that|forget that|rather|"
    r"my mistake|i misspoke|not quite|oh,? wait|hold on)\b"
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
class Verdict:
    """What a closer look found: the places that answer, and {older place: newer place} of them."""

    fitting: tuple[int, ...]
    outdated: dict[int, int]


Later = Callable[[frozenset[str], Statement], Sequence[Statement]]
"""Returns what was said later than a statement and holds one of these stems, if that is rare."""


def judge(asked: Asked, lines: Sequence[Statement], later: Later) -> Verdict:
    """Look closely at the best rows of a search, given in the order of their talk."""
    told = {line.place: told_by(line, asked) for line in lines}
    spoken = {line.place: _meaning_of(line, lines, told, asked) for line in lines}
    weights = _weights(asked)
    worth = {place: _weigh(found, weights) for place, found in spoken.items()}
    best = max(worth.values(), default=0.0)
    enough = best * (ENOUGH_OF_ONE if asked.of_a_state else ENOUGH)
    if not enough or best < _least(weights):
        return Verdict((), {})
    fitting = [line for line in lines if worth[line.place] >= enough and _answers(line, asked)]
    fitting.sort(key=lambda line: (line.at, line.place))
    outdated: dict[int, int] = {}
    for number, older in enumerate(fitting):
        for newer in reversed(fitting[number + 1 :]):
            both = _both(spoken[older.place], spoken[newer.place])
            if _weigh(both, weights) >= enough and _outdates(newer, older, asked):
                outdated[older.place] = newer.place
                break
    if asked.of_a_state:
        fitting += _followed(asked, fitting, outdated, later)
    return Verdict(tuple(line.place for line in fitting), outdated)


def _followed(
    asked: Asked, fitting: Sequence[Statement], outdated: dict[int, int], later: Later
) -> list[Statement]:
    """Return what outdates statements that nothing did so far, by the words they share.

    "I pawned the axe" answers nothing that was asked of weapons, but it outdates "I carry an axe".
    """
    known = {line.place for line in fitting}
    common = _SAYS_LITTLE.union(asked.stems, map(stem, asked.named), *map(related, asked.stems))
    newest = [line for line in fitting if line.place not in outdated]
    found: list[Statement] = []
    for _ in range(ROUNDS):
        added = []
        for older in newest:
            about = told_by(older, asked) - common
            for newer in later(about, older) if about else ():
                if newer.place != older.place and _ends(newer, older, asked):
                    outdated[older.place] = newer.place
                    if newer.place not in known:
                        known.add(newer.place)
                        added.append(newer)
        found += added
        newest = added
    return found


def _answers(line: Statement, asked: Asked) -> bool:
    """Does a line hold a time, a number or a name, where one is asked for?"""
    return asked.holds is None or bool(asked.holds.search(line.text.replace("’", "'")))


def _outdates(newer: Statement, older: Statement, asked: Asked) -> bool:
    """Are both about the same one, and does the newer hold something that the older does not?

    What speaks of nothing but the question ("I love this song!") holds no answer to it.
    """
    says_more = stem_set(newer.text) - stem_set(older.text)
    answers = told_by(newer, asked) - _meant_by(asked)
    over = any(one.ends for one in clauses(newer.text))
    return bool(says_more and (answers or over)) and _same_subject(older, newer, asked)


def _meant_by(asked: Asked) -> frozenset[str]:
    return frozenset(asked.stems).union(*map(related, asked.stems))


def _ends(newer: Statement, older: Statement, asked: Asked) -> bool:
    """Does a line tell of the same one that something is over, or has become new?"""
    over = any(one.ends for one in clauses(newer.text))
    return over and bool(told_by(newer, asked)) and _same_subject(older, newer, asked)


def told_by(line: Statement, asked: Asked) -> frozenset[str]:
    """Return the stems of what a line tells of how things are with whom the question names."""
    by_named = _is_by(line, asked.named)
    near = by_named or bool(asked.named & frozenset(words(line.text)))
    found: set[str] = set()
    before: frozenset[str] = frozenset()
    for one in clauses(line.text):
        if one.tells and _is_about(one, by_named, near, asked):
            found |= one.stems | (before if one.words & _POINTS_BACK else frozenset())
        elif one.kind == YOU and found and not one.tells:  # "you would not know that hair"
            found |= one.stems
        before = (one.stems or before) if one.kind not in (PERSON, YOU) else frozenset()
    return frozenset(found)


def _is_about(one: Clause, by_named: bool, near: bool, asked: Asked) -> bool:
    """Is a clause about whom the question names, and about nobody else whom it does not?"""
    if asked.kin:
        return one.noun == asked.kin and (
            one.owned in asked.named or (one.owned == "i" and by_named)
        )
    if not asked.named:
        return one.kind != YOU and (one.kind != PERSON or one.noun in asked.words or one.mine)
    if one.kind == SELF or (one.mine and by_named):
        return by_named
    if one.kind == NAME and one.noun in asked.people | asked.named:
        return one.noun in asked.named
    if one.owned:
        return False
    if asked.named & one.words:
        return True
    if one.kind == THING and one.noun:
        thing = stem(one.noun)
        return by_named and any(thing == word or thing in members(word) for word in asked.stems)
    return one.kind == THING and (by_named or (near and one.ends))


def _both(one: Meaning, other: Meaning) -> Meaning:
    return {stem: min(share, other[stem]) for stem, share in one.items() if stem in other}


def _meaning_of(
    line: Statement, lines: Sequence[Statement], told: dict[int, frozenset[str]], asked: Asked
) -> Meaning:
    """Return the query's stems that a line speaks of, itself or by correcting the line before."""
    found = shared(told[line.place], asked.stems)
    if _CORRECTS.match(plain(line.text)):
        for other in lines:
            apart = line.place - other.place
            if other.talk == line.talk and other.speaker == line.speaker and 0 < apart <= 2:
                found = {**found, **shared(told[other.place], asked.stems)}
    return found


@lru_cache(maxsize=4096)
def shared(said: frozenset[str], query_stems: tuple[str, ...]) -> Meaning:
    """Return the stems of a question that a statement speaks of, and how surely."""
    found = {one: KINDRED for one in query_stems if (related(one) | members(one)) & said}
    return found | {one: 1.0 for one in query_stems if one in said}


def _weights(asked: Asked) -> dict[str, float]:
    """Weigh the stems of a question: light verbs, and the sort of its answer, say little."""
    weights = {}
    for one in asked.stems:
        weights[one] = LIGHT_WEIGHT if one in _LIGHT else 0.0 if one in asked.sort else 1.0
    return weights if any(weights.values()) else dict.fromkeys(weights, 1.0)


def _least(weights: dict[str, float]) -> float:
    """Return how much of a question something must speak of, for it to be answered at all.

    Who asks with many words asks for something particular, not for how things are.
    """
    total = sum(weights.values())
    return MOST * total if total > SEVERAL else 0.0


def _weigh(found: Meaning, weights: dict[str, float]) -> float:
    return sum(weights[stem] * share for stem, share in found.items())


def _same_subject(one: Statement, other: Statement, asked: Asked) -> bool:
    if asked.named:  # what others say of somebody does not outdate their own word
        return _is_by(other, asked.named) or not _is_by(one, asked.named)
    selves = (any(part.kind == SELF for part in clauses(line.text)) for line in (one, other))
    return one.speaker == other.speaker or not any(selves)


def _is_by(line: Statement, named: frozenset[str]) -> bool:
    return bool(named & frozenset(words(line.speaker)))
