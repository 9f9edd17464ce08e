"""Values: which words of a clause say what is liked, had or feared, and whether they can be it.

A value ends where circumstances begin ("a mule | from my aunt"). What only the moment explains
("this soup", "how quiet it is"), what nobody keeps ("a headache") and what is no such thing (a
home that is no place) is none.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from ai_assistant.language.words import meaning
from ai_assistant.memory.claim_words import is_adverb
from ai_assistant.memory.nouns import TRADES
from ai_assistant.memory.passing_words import is_passing
from ai_assistant.memory.relations import GOOD, Told
from ai_assistant.memory.verbs import is_past, is_verb
from ai_assistant.memory.wording import LIMITS, Words

PRONOUNS = frozenset(
    "it which she he them that those this these one him her some mine any they".split()
)
_ARTICLES = ("a", "an", "the")
_DEICTIC = frozenset(
    "this that these those it how what when where why you your yours here there everything "
    "nothing something anything everyone everybody someone somebody anyone being to i he she they "
    "myself yourself such all both each every him her them one we tonight's today's for of with "
    "about from around up at if unless although though because and but or so".split()
)
"""First words of what only the moment explains, or of no thing at all."""
_CUT = frozenset(
    "that which who whom when while as since because before after if unless until though although "
    "but so now nowadays anyway too again for from with these and not or at in on by to over "
    "like more most best any all yesterday today tonight last earlier lately every each even "
    "going pretty very rather quite well than above instead while forever wherever whenever "
    "always".split()
)
"""Words with which circumstances begin."""
_LOOSE_ENDS = frozenset(
    "really honestly still just now the a much very quite is are do does did money back too".split()
)
_A_LITTLE = frozenset("little bit lot while few".split())
_SUMS = frozenset(
    "some any a one two three four five six seven eight nine ten eleven twelve fifteen twenty "
    "thirty forty fifty hundred money silver gold coins coin anything something several".split()
)
MONEY = frozenset("lot debt debts coins money back silver gold coin bill bills".split())
_LIKE_THIS = re.compile(r"\blike (?:this|that|these|those)\b|\bagain\Z")
_SOME = frozenset(
    "a an my our another one two three four five six seven eight nine ten several some many the "
    "no any his her their".split()
)
_EASILY = frozenset("have get find win receive end lose break pick".split())
"""Verbs that take anything for an object: what is had needs an article, or a number."""
NAMED = frozenset({"spouse", "home", "origin"})
"""Kinds whose values are names."""


@dataclass(frozen=True, slots=True)
class Fit:
    """A clause that fits a way to tell something."""

    told: Told
    words: Words
    found: re.Match[str]

    def part(self, name: str) -> str:
        """Return a named part of what was matched; empty where there is none."""
        return self.found.groupdict(default="").get(name) or ""

    @property
    def helpers(self) -> frozenset[str]:
        """The verbs before the one that says it: "be", "have", "stop"…"""
        return frozenset(self.part("aux").split())

    @property
    def verb(self) -> str:
        """The verb that says it, in plain form."""
        return self.words.plain[self.part("aux").count(" ")]

    @property
    def verb_said(self) -> str:
        """The verb that says it, as it was said."""
        return self.words.said[self.words.places[self.part("aux").count(" ")]].lower()

    @property
    def has_none(self) -> bool:
        """Does this way to tell it take no value ("I quit my job")?"""
        return self.found.groupdict().get("v") == ""

    @property
    def value(self) -> list[str]:
        """The words of the value, as they were said."""
        if not self.part("v"):
            return []
        return self.words.said_from(self.found.start("v"), self.found.end("v"))


def cut(kind: str, said: Sequence[str]) -> list[str]:
    """Return the words of a value up to where only circumstances follow."""
    kept = [*said[:1]]
    for at, word in enumerate(said[1:], start=1):
        low = word.lower()
        a_little = low in _ARTICLES and bool(_A_LITTLE.intersection(said[at + 1 : at + 2]))
        if a_little or (kind == "owes" and low in _SUMS):
            break
        if low.endswith("ly") and word == low and low not in LIMITS:
            break
        if low in _CUT and not _belongs(kind, said, at):
            break
        kept.append(word)
    while kept and kept[-1].lower() in _LOOSE_ENDS:
        kept.pop()
    return kept


def _belongs(kind: str, said: Sequence[str], at: int) -> bool:
    """Does a word within a value go on with it: "fish and chips", "Over the Moor"?"""
    word, after = said[at], next(iter(said[at + 1 : at + 2]), "")
    if word[:1].isupper():
        return True
    if word == "and" and kind not in NAMED and after:
        return not is_verb(after.lower()) and after.lower() not in ("i", "my", "the", "it")
    inner = word in ("in", "on", "at", "by", "over", "with", "for", "to")
    return inner and kind.startswith(("favourite", "is", "stole")) and after not in ("", "the")


def fits(kind: str, said: Sequence[str], fit: Fit) -> bool:
    """Is this a value that such a relation can have, for longer than today?"""
    low = [one.lower() for one in said]
    if not low or low[0] in _DEICTIC or {"you", "your", "yours"}.intersection(low):
        return False
    if _LIKE_THIS.search(" ".join(fit.words.said).lower()):
        return False
    if said[0][:1].isupper() and len(said) > 2 and is_past(low[1]):
        return False
    gate = _GATES.get(kind)
    return gate is None or gate(said, low, fit)


def _is_taste(said: Sequence[str], low: Sequence[str], fit: Fit) -> bool:
    """Is this a taste: no meal that one enjoyed, and nothing of this evening?"""
    once = "aux" in fit.found.groupdict() and fit.verb in _TASTES
    once = once and fit.verb_said.endswith("ed") and "have" not in fit.helpers
    here = _HERE.search(" ".join(fit.words.said).lower())
    return not (once or here or (low[0] == "the" and is_passing(low[1] if low[1:] else "")))


def _is_name(said: Sequence[str], low: Sequence[str], fit: Fit) -> bool:
    return said[0][:1].isupper()


def _is_title(said: Sequence[str], low: Sequence[str]) -> bool:
    """Is this a name, with or without an article?"""
    return said[0][:1].isupper() or (low[0] == "the" and said[-1][:1].isupper())


def _is_place(said: Sequence[str], low: Sequence[str], fit: Fit) -> bool:
    return _is_title(said, low) or low[0] in _ARTICLES


def _is_origin(said: Sequence[str], low: Sequence[str], fit: Fit) -> bool:
    if "came" not in (one.lower() for one in fit.words.said):
        return _is_place(said, low, fit)
    for_good = {"here", "originally", "family", "people"}.intersection(fit.words.plain)
    return _is_title(said, low) and bool(for_good)


def _is_trade(said: Sequence[str], low: Sequence[str], fit: Fit) -> bool:
    if "aux" in fit.found.groupdict():
        bare = fit.verb != "be" and len(low) < 4 and bool(re.fullmatch(TRADES, low[-1]))
        return bare or low[0] in (*_ARTICLES, "another")
    return bool(_TRADE.fullmatch(low[-1])) and len(low) < 4


_TRADE = re.compile(rf"{TRADES}|\w+ing|\w+ry")


def _is_poison(said: Sequence[str], low: Sequence[str], fit: Fit) -> bool:
    return len(low) < 5 and not is_past(low[0]) and not is_passing(low[-1])


def _is_workplace(said: Sequence[str], low: Sequence[str], fit: Fit) -> bool:
    at_one = low[0] in (*_ARTICLES, "my") and len(low) < 5 and low[-1] not in ("bread", "keep")
    return at_one or _is_title(said, low)


def _is_creditor(said: Sequence[str], low: Sequence[str], fit: Fit) -> bool:
    return not MONEY.intersection(low[:2])


def _is_art(said: Sequence[str], low: Sequence[str], fit: Fit) -> bool:
    """Is this an instrument, or a language? Of much else one says that one knows or learns it."""
    if fit.verb in ("know", "pick"):
        the_one = low[0] == "the" and len(low) in (2, 3) and not is_passing(low[-1])
        return the_one or _is_title(said, low)
    if fit.verb == "play":
        once = fit.verb_said == "played" and "have" not in fit.helpers
        idle = low[0] in ("a", "an", "together") or low[-1] in ("games", "songs")
        return len(low) < 4 and not (once or idle or is_adverb(low[0]))
    return fit.verb not in ("learn", "speak") or _is_title(said, low) or low[0] == "the"


def _is_had(said: Sequence[str], low: Sequence[str], fit: Fit) -> bool:
    """Is this something to have: no meal, no idea, and not "my keys", which everybody has?"""
    if "favourite" in low or (said[0][:1].isupper() and low[0] not in _SOME):
        return False
    if low[0] == "some" and fit.verb != "have":
        return False
    if fit.verb in _EASILY and low[0] not in _SOME and not low[0].isdigit():
        return False
    if fit.verb == "keep" and low[0].endswith("ing"):
        return False
    return _is_kept(low, fit)


def _is_kept(low: Sequence[str], fit: Fit) -> bool:
    once = fit.verb_said == "had" and "have" not in fit.helpers
    holds = fit.told.sense == GOOD and not fit.words.negative
    if not holds and "going" in (one.lower() for one in fit.words.said):
        return False
    if (holds and once) or (holds and fit.verb in ("have", "get") and low[0] == "the"):
        return False
    bare = [one for one in low if one not in _SOME and one != "hundred"]
    return bool(bare) and not any(map(is_passing, (bare[0], bare[-1])))


_TASTES = frozenset("like love enjoy adore hate dislike".split())
_HERE = re.compile(r"\b(?:tonight|today|this \w+|in here|right now)\b")
_GATES: Mapping[str, Callable[[Sequence[str], Sequence[str], Fit], bool]] = {
    "likes": _is_taste,
    "spouse": _is_name,
    "home": _is_place,
    "member": _is_place,
    "origin": _is_origin,
    "work": _is_trade,
    "workplace": _is_workplace,
    "allergy": _is_poison,
    "owes": _is_creditor,
    "skill": _is_art,
    "has": _is_had,
}

_SAME = {
    "tune": "song", "ballad": "song", "beverage": "drink", "tipple": "drink", "dish": "food",
    "meal": "food", "eat": "food", "other drink": "drink", "other song": "song",
}  # fmt: skip
"""Words for what somebody has a favourite of."""
_SORT = re.compile(
    r"\b(drink|song|tune|food|meal|dish|colour|flower|season|game|book|story|animal|place|time)s?\b"
)


def favourite(what: str, line: str) -> str:
    """Return the kind of "my favourite …", empty where neither that nor the line says of what.

    A favourite of no sort at all ("my favourite thing in the world") is only liked.
    """
    what = (
        re.split(r" (?:of|in|since|by|ever|for)\b", what)[0]
        .removesuffix("s")
        .replace("thing to ", "")
    )
    first = what.partition(" ")[0]
    if first == "thing":
        return "likes"
    if first in ("", "by", "of", "in", "for", "ever"):
        found = _SORT.search(line.lower())
        what = found[1] if found else ""
    words = _SAME.get(what, what).split()
    return f"favourite:{' '.join(words)}" if 0 < len(words) < 3 and all(map(meaning, words)) else ""
