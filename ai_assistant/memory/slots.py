"""Slots: what a fact tells of somebody, so that two facts can be told to be one, or to disagree.

"Alice lives in Oakvale" and "Alice has moved to Riverton" fill the same slot, her home, with other
values; "Alice likes tea" and "Alice likes apples" do not. A fact of no known pattern is compared by
all of its words. Likeness of meaning alone never merges two facts: names and numbers must agree.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from ai_assistant.language.words import plain, stems
from ai_assistant.memory.facts import in_first_person
from ai_assistant.memory.readings import Around, Reading, read
from ai_assistant.memory.wording import clauses, words_of

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
SINGLE = frozenset("home work workplace origin spouse name age birthday".split())
GOODS = frozenset({"has", "owes", "member"})
"""Kinds of what can be had and lost."""
VAGUE_KINDS = frozenset({"", "is", "left", "learns"})
WEAK = frozenset(
    "own possess proud stand live hous home cottag room rent keep work trade job love like fond "
    "hate fear "
    "play speak spoken tongu mother teach taught learn sister brother call name clever collect "
    "start "
    "die uncl aunt father grandmoth win won dice old new young littl big small fine nice good "
    "great splendid lovely beautiful gift child year money "
    "debt owe borrow lend coin true heir born birth peopl right lost famili favourit prefer "
    "drink song "
    "favorit".split()
)
"""Stems that tell of what kind a fact is, or nothing, rather than what it is about."""
TYPES = {
    "home": "home", "workplace": "work", "origin": "origin", "work": "work",
    "name": "identity", "age": "identity",
    "birthday": "identity", "spouse": "relation", "favourite": "preference",
    "prefers": "preference", "likes": "preference", "eats": "preference", "fears": "fear",
    "allergy": "health", "has": "possession", "skill": "skill", "learns": "skill",
    "faith": "belief", "member": "allegiance", "allegiance": "allegiance", "owes": "debt",
    "own": "relation", "collects": "preference",
}  # fmt: skip
"""Kind → the type of the trait that it makes."""
SMALL = frozenset("has owes likes fears collects".split())
_OWNED = re.compile(r"my (?P<what>.+?) be (?P<value>.+)")
_IS = re.compile(r"i (?:have )?(?:be|become) (?P<value>.+)")
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

    `single`: the kind has one value at a time. `negative`: the fact says that it is not so;
    `ended`: that it was otherwise before.
    """

    kind: str
    value: frozenset[str]
    single: bool
    negative: bool
    numbers: frozenset[str]
    names: frozenset[str]
    ended: bool = False

    @property
    def core(self) -> frozenset[str]:
        """The stems that say what it is about, without those that any such fact may hold."""
        return self.value - WEAK or self.value

    @property
    def is_mere_end(self) -> bool:
        """Does it only say that something small is over, which is no news if nobody knew of it?"""
        return self.ended and self.kind in SMALL

    @property
    def is_vague(self) -> bool:
        """Does the kind say little of what is meant?"""
        return self.kind in VAGUE_KINDS or self.kind.startswith("own:")


@lru_cache(maxsize=4096)
def slot_of(content: str, name: str) -> Slot:
    """Return what a fact about the one called `name`, in the third person, tells of them."""
    said = in_first_person(content, name)
    names = frozenset(one.lower() for one in _NAME.findall(content)) - set(plain(name).split())
    found = _reading(said)
    if found:
        kind, value, negative = found.kind, found.value, not found.good
    else:
        kind, value, negative = _other(said or content)
    value = _WHEN.sub(" ", plain(value))
    numbers = frozenset(_NUMBER.findall(value))
    stems = _stems(_NUMBER.sub(" ", value))
    return Slot(
        kind, stems, _is_single(kind), negative, numbers, names, bool(found and found.ended)
    )


def _reading(said: str) -> Reading | None:
    """Return what a fact of one or more clauses tells: rather what holds than what is over."""
    found = [one for part in clauses(said) if (one := read(part.text, Around(line=said)))]
    return next((one for one in found if one.value), None) or next(iter(found), None)


def _is_single(kind: str) -> bool:
    return kind in SINGLE or kind.startswith(("favourite:", "own:"))


def _other(said: str) -> tuple[str, str, bool]:
    """Take apart a fact that tells no known relation: (kind, value, is it not so?)."""
    words = words_of(said)
    line = words.line.rstrip()
    if found := _OWNED.match(line):
        return f"own:{found['what']}:{_sort(found['value'])}", found["value"], words.negative
    if found := _IS.match(line):
        return "is", found["value"], words.negative
    return "", line.removeprefix("i ").removeprefix("my "), words.negative


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


def type_of(content: str, name: str, other: str = "") -> str:
    """Return the type of a trait for a fact: home, work, preference, possession and so on.

    What is of no known kind is called `other`, or just a trait.
    """
    kind = slot_of(content, name).kind
    return TYPES.get(kind, TYPES.get(kind.partition(":")[0], other or "trait"))


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


def _stems(text: str) -> frozenset[str]:
    return frozenset(stems(text)) - _MEANT


def _sort(value: str) -> str:
    if re.match(r"(?:called|named)\b", value):
        return "name"
    return "a" if re.match(r"an?\b", value) else "is"
