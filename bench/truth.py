"""What is true of everybody by now, and a judge of what a character keeps as knowledge of them."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import lru_cache

from ai_assistant.core.contracts import Json, MemoryRow
from ai_assistant.testing import Stage
from bench.things import SINGLE, Saying, Statement, Thing

_NO = re.compile(r"\b(?:no longer|not|never|stopped)\b|n't\b|\bgone off\b", re.I)
_DISLIKE = re.compile(
    r"\b(?:hat|dislik|detest|despis|loath)\w*|can(?:'t|not) (?:stand|bear|abide)", re.I
)
_OVER = {
    "owns": r"\b(?:sold|lost|gave|given|donated|stolen|parted|traded|pawned|has died|is gone|rid "
    r"of|no longer|not|doesn't)\b",
    "owes": r"\b(?:paid|repaid|settled|cleared|no longer|not|nothing)\b",
    "member": r"\b(?:left|quit|thrown|threw|expelled|resigned|no longer|not|dismissed)\b",
}
_WORD = re.compile(r"[\w'-]+")


@lru_cache(maxsize=65_536)
def words(text: str) -> frozenset[str]:
    """Return the words of a text in small letters."""
    return frozenset(_WORD.findall(text.lower()))


@lru_cache(maxsize=65_536)
def holds(text: str, value: str) -> bool:
    """Does a text hold this value, word for word?"""
    return bool(
        re.search(rf"(?<!\w){re.escape(value.lower())}(?!\w|'s (?:wife|husband)\b)", text.lower())
    )


@dataclass(frozen=True)
class Item:
    """Something that is kept of somebody: where, and in which words."""

    subject: str
    readers: str
    text: str
    where: str


@dataclass
class Judgement:
    """How many items there are, which of them are junk and why, and which things they tell."""

    items: int = 0
    junk: list[tuple[str, Item]] = field(default_factory=list)
    kept: set[Thing] = field(default_factory=set)
    stale: set[Thing] = field(default_factory=set)
    twins: list[tuple[str, str]] = field(default_factory=list)
    """What is told twice: both wordings."""

    @property
    def reasons(self) -> Counter[str]:
        """How many items are junk for which reason."""
        return Counter(reason for reason, _ in self.junk)


class Truth:
    """What was said so far, by whom it is and for whom; `hear` everything that is said."""

    def __init__(self) -> None:
        self._said: dict[tuple[str, str], dict[Thing, list[tuple[Statement, str]]]]
        self._said = defaultdict(lambda: defaultdict(list))
        self.inventions: set[str] = set()
        """Texts that a model made up, whatever else they say."""

    def hear(self, saying: Saying) -> None:
        """Take note of what a line states."""
        if one := saying.statement:
            said = self._said[one.thing.who.id, one.thing.readers][one.thing]
            if (one, saying.text) not in said:
                said.append((one, saying.text))

    def things(self) -> list[Thing]:
        """Return all that was told of at least once, and not only in lies."""
        return [one for about in self._said.values() for one in about if one.told]

    def read(self, subject: str, readers: str, text: str) -> list[Statement]:
        """Return what a text states of somebody: for each thing, what was said most like it."""
        found = []
        for said in self._said[subject, readers].values():
            fit = [one for one in said if holds(text, one[0].value)]
            if fit:
                now = [one for one in fit if one[0].value == one[0].thing.values[-1]]
                best = max(now or fit, key=lambda one: _alike(one[1], text))[0]
                found.append(replace(best, ended=says_over(best.thing.kind, text)))
        return found

    def judge(self, items: Iterable[Item]) -> Judgement:
        """Judge all that is kept: it must say something true, say it now, and say it once."""
        told = Judgement()
        covered: dict[Thing, str] = {}
        for item in items:
            told.items += 1
            stated = self.read(item.subject, item.readers, item.text)
            if reason := self._wrong(item, stated, covered):
                told.junk.append((reason, item))
                if reason == "twice":
                    told.twins += [(covered[one.thing], item.text) for one in stated]
                if reason == "outdated":
                    told.stale.update(one.thing for one in stated if not is_current(one))
            for one in filter(is_current, stated):
                covered.setdefault(one.thing, item.text)
        told.kept = set(covered)
        return told

    def _wrong(self, item: Item, stated: list[Statement], covered: dict[Thing, str]) -> str:
        if item.text in self.inventions:
            return "invented"
        if not stated:
            return "no fact"
        if not all(map(is_current, stated)):
            return "outdated" if all(one.true for one in stated) else "lie"
        return "twice" if all(one.thing in covered for one in stated) else ""


def says_over(kind: str, text: str) -> bool:
    """Does a text say that something of this kind is over?"""
    if kind in ("likes", "dislikes"):
        against = bool(_DISLIKE.search(text))
        if not re.search(r"can(?:'t|not) ", text):
            against ^= bool(_NO.search(text))
        return against == (kind == "likes")
    return kind in _OVER and bool(re.search(_OVER[kind], text, re.I))


def _alike(one: str, other: str) -> float:
    return len(words(one) & words(other)) / len(words(one) | words(other))


def is_current(one: Statement) -> bool:
    """Does what a line said hold still?"""
    return one.value == one.thing.values[-1] and one.ended == one.thing.ended


def has_changed(thing: Thing) -> bool:
    """Has somebody said something else of it since?"""
    return thing.ended or (thing.kind in SINGLE and len(thing.values) > 1)


def knowledge(stage: Stage) -> list[Item]:
    """Return all that counts as knowledge of people: traits, what is noted, and what spilled."""
    found = []
    for key, profile in stage.store.read_all("profile").items():
        for one in profile["attributes"]:
            found.append(Item(key, one["readers"], one["value"], "trait"))
        for one in profile["observations"]:
            if not one.get("consolidated"):
                found.append(Item(key, one["readers"], one["content"], "noted"))
    rows = stage.store.memories.values()
    return found + [_spilled(row) for row in rows if row.kind == "trait"]


def _spilled(row: MemoryRow) -> Item:
    return Item(row.subject, row.readers, row.content, "spilled")


def derived(stage: Stage) -> Iterable[tuple[str, str, str]]:
    """Yield (readers, text, where) of everything that was made of what was heard."""
    for key, profile in stage.store.read_all("profile").items():
        items = (*profile["attributes"], *profile["observations"])
        yield from ((one["readers"], str(one), f"profile {key}") for one in items)
    for row in stage.store.memories.values():
        yield row.readers, row.content, row.kind
    for record in stage.store.audit:
        yield record.readers, str(record.data), record.type
    for talk in stage.store.read_all("working").values():
        yield talk["readers"], str(talk), "talk"
    entries: list[Json] = stage.store.read("journal")["entries"]
    yield from ((one["readers"], one["content"], "journal") for one in entries)
