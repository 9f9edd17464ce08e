"""Slots: what a fact tells of somebody, so that two facts can be told to be one, or to disagree.

"Alice lives in Oakvale" and "Alice has moved to Riverton" fill the same slot, her home, with other
values; "Alice likes tea" and "Alice likes apples" do not. A fact of no known pattern is compared by
all of its words. Likeness of meaning alone never merges two facts: names and numbers must agree.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from ai_assistant.memory.lexicon import plain, stems
from ai_assistant.memory.slot_forms import COIN, TAIL, plain_form
from ai_assistant.memory.slot_patterns import (
    FAVOURITE,
    GOODS,
    KINDS,
    MANY,
    NEGATIVE,
    OWNED,
    PREFERS,
    SAME_THING,
    SINGLE,
    TRADE,
    TYPES,
    VAGUE_KINDS,
    WEAK,
)

Verdict = Literal["other", "same", "changed"]
ALIKE = 0.6
"""The share of words that two values of one slot must have in common to be the same value."""
ALIKE_WITHOUT_SLOT = 0.75
_NUMBER = re.compile(
    r"\b(?:\d+(?:st|nd|rd|th)?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|"
    r"dozen|twenty|"
    r"thirty|forty|fifty|hundred|first|second|third|fourth|fifth)\b"
)
_NAME = re.compile(r"(?<![.!?] )(?<!\A)\b[A-Z][a-z]{2,}")
_MEANT = frozenset({"profess", "appoint", "resid"})
"""Stems that retrieval adds for the meaning of a phrase; here the kind says that already."""
_WHEN = re.compile(
    r"(?:,? not an? \w+\Z)|\b(?:now(?:adays)?|these days|at the moment|currently|last (?:week|"
    r"month|year|night|"
    r"spring|summer|autumn|winter)|this (?:week|month|year|morning)|yesterday|today|recently|"
    r"(?:since|for) (?:the )?(?:spring|summer|autumn|winter|years?|months?|weeks?|days?|then)|"
    r"(?:a few |two |three )?(?:days?|weeks?|months?|years?) ago|any ?more|anymore|at last|after "
    r"all|for "
    r"(?:\w+ )?(?:ages|years)|since (?:i|he|she|they) (?:was|were) \w+|"
    r"by trade|honestly|really|too|actually|instead|already|again)\b"
)


@dataclass(frozen=True, slots=True)
class Slot:
    """What a fact is about: a `kind` (``home``, ``likes``…) and the value's stems.

    `single`: the kind has one value at a time. `negative`: the fact says that it is not so.
    """

    kind: str
    value: frozenset[str]
    single: bool
    negative: bool
    numbers: frozenset[str]
    names: frozenset[str]

    @property
    def core(self) -> frozenset[str]:
        """The stems that say what it is about, without those that any such fact may hold."""
        return self.value - WEAK or self.value

    @property
    def is_vague(self) -> bool:
        """Does the kind say little of what is meant?"""
        return self.kind in VAGUE_KINDS or self.kind.startswith("own:")


@lru_cache(maxsize=4096)
def slot_of(content: str, name: str) -> Slot:
    """Return what a fact about the one called `name`, in the third person, tells of them."""
    text = plain(content).rstrip(".! ")
    own, rest = _without_name(text, plain(name))
    rest = " ".join(_WHEN.sub(" ", rest).split())
    names = frozenset(one.lower() for one in _NAME.findall(content)) - set(plain(name).split())
    own, rest = plain_form(rest, owned=own)
    negative = bool(NEGATIVE.search(rest))
    bare = " ".join(NEGATIVE.sub(" ", rest).split())
    kind, value, single, opposite = _owned(bare, names) if own else _said(bare)
    value = TAIL.sub("", value) or value
    if kind == "owes":
        value = COIN.sub(" ", value)
    numbers = frozenset(_NUMBER.findall(value))
    return Slot(kind, _stems(_NUMBER.sub(" ", value)), single, negative != opposite, numbers, names)


def compare(one: Slot, other: Slot) -> Verdict:
    """Say what a later fact (`other`) about the same person does to an earlier one (`one`)."""
    if one.kind != other.kind:
        return _across(one, other)
    alike = _alike(one, other)
    if one.single:
        if one.negative and other.negative:
            return "same" if alike else "other"
        if other.negative:  # who is a cook by now is no smith any more: that tells nothing new
            return "changed" if alike or not (one.value and other.value) else "same"
        if one.negative:  # and whatever they are next takes its place
            return "changed"
        return "same" if alike and _details_agree(one, other) else "changed"
    if not alike:
        return "other"
    counted = one.numbers and other.numbers and one.numbers != other.numbers
    if one.negative != other.negative or counted:
        return "changed"
    return "same" if _details_agree(one, other) else "other"


def _across(one: Slot, other: Slot) -> Verdict:
    """Compare facts of different kinds: only what is told of no certain kind may mean the same."""
    both = (one, other)
    if not any(slot.is_vague for slot in both) or not all(slot.core for slot in both):
        return "other"
    if not (one.core <= other.core or other.core <= one.core) or not _details_agree(one, other):
        return "other"
    if one.negative == other.negative:
        return "same"
    return "changed" if all(slot.is_vague or slot.kind in GOODS for slot in both) else "other"


def type_of(content: str, name: str) -> str:
    """Return the type of a trait for a fact: home, work, preference, possession and so on."""
    kind = slot_of(content, name).kind
    return TYPES.get(kind, TYPES.get(kind.partition(":")[0], "trait"))


def _alike(one: Slot, other: Slot) -> bool:
    if not one.value or not other.value:
        return one.value == other.value
    if one.kind == "":
        return len(one.value & other.value) / len(one.value | other.value) >= ALIKE_WITHOUT_SLOT
    common = len(one.core & other.core)
    return common / min(len(one.core), len(other.core)) >= ALIKE


def _details_agree(one: Slot, other: Slot) -> bool:
    """Do names and numbers agree, as far as both tell any?"""
    names = not one.names or not other.names or one.names & other.names
    numbers = not one.numbers or not other.numbers or one.numbers == other.numbers
    return bool(names and numbers)


def _without_name(text: str, name: str) -> tuple[bool, str]:
    """Return (is it about what is theirs?, the text without their name at its beginning)."""
    for form in (name, name.split(" ")[0] if name else ""):
        if form and text.startswith(form):
            rest = text[len(form) :]
            if rest.startswith("'s "):
                return True, rest[3:]
            return False, rest.strip(' :"')
    return False, text


def _stems(text: str) -> frozenset[str]:
    return frozenset(stems(text)) - _MEANT


def _owned(rest: str, names: Collection[str]) -> tuple[str, str, bool, bool]:
    """Take apart "'s favourite drink is mead" or "'s brother lives in Oakvale"."""
    if found := FAVOURITE.match(rest):
        what = found["what"].replace(" now", "")
        return f"favourite:{_key(SAME_THING.get(what, what))}", found["value"], True, False
    if found := OWNED.match(rest):
        what, verb, value = _key(found["what"]), found["verb"], found["value"]
        if found["what"] in KINDS:
            return KINDS[found["what"]], value, True, False
        if verb in ("is", "was", "are", "were"):
            named = re.match(r"(?:called|named) (?P<name>.+)", value)
            sort = "name" if value in names else _sort(value)
            return f"own:{what}:{sort}", named["name"] if named else value, True, False
        inner, value, single, opposite = _said(f"{verb} {value}")
        return f"own:{what}:{inner}", value, single, opposite
    return "", rest, False, False


def _sort(value: str) -> str:
    if re.match(r"(?:called|named)\b", value):
        return "name"
    return "a" if re.match(r"an?\b", value) else "is"


def _key(words: str) -> str:
    return " ".join(sorted(stems(words))) or words


def _said(rest: str) -> tuple[str, str, bool, bool]:
    """Take apart "lives in Oakvale", "likes apples", "sold a mule" (the opposite of having it)."""
    if found := PREFERS.match(rest):
        both = _key(f"{found['value']} {found['than']}")
        return f"prefers:{both}", found["value"], True, False
    for kind, pattern in SINGLE:
        if found := pattern.match(rest):
            return kind, found["value"], True, False
    if found := TRADE.match(rest):
        return "work", found["value"], True, False
    for kind, pattern, opposite in MANY:
        if found := pattern.match(rest):
            return kind, found["value"], False, opposite
    return "", rest, False, False
