"""What a model proposes as traits, held against the observations that it was shown.

A trait counts only with evidence that says so: most of its words, every name and every number in
it must stand there. An answer that covers too few of the observations is refused as a whole.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from ai_assistant.contracts import Json
from ai_assistant.language.words import stems
from ai_assistant.llm.answers import answer_objects
from ai_assistant.memory.lasting import tells
from ai_assistant.memory.persona_guard import self_reference
from ai_assistant.memory.slots import compare, slot_of
from ai_assistant.text import clean

SUPPORT = 0.5
"""The share of an insight's words that its evidence must hold."""
TRAIT_SUPPORT = 0.8
"""The same for a trait, which is to be told in the words of the notes."""
MOST_LOSS = 0.5
"""Share of the observations that an answer may leave out before it is refused."""
COVER = 0.33
"""The share of an observation's words that a trait must hold to stand for it."""
LONGEST = 200
MOST_TRAITS = 30
_AND = re.compile(r",? and (?:also )?")
_NUMBER = re.compile(r"\d+")
_NAME = re.compile(r"\b[A-Z][a-z]+")


@dataclass(frozen=True, slots=True)
class Proposed:
    """A trait with the places of the observations that it rests on."""

    type: str
    value: str
    evidence: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Proposal:
    """What is left of an answer; `refused` says why nothing is, if so.

    `nothing` are the places of observations that two looks found to tell nothing that lasts.
    """

    traits: tuple[Proposed, ...] = ()
    refused: str = ""
    nothing: tuple[int, ...] = ()

    @property
    def covered(self) -> set[int]:
        """The places of the observations that a trait stands for."""
        return {place for one in self.traits for place in one.evidence}


def read_proposal(text: str, observations: Sequence[Json], names: Sequence[str]) -> Proposal:
    """Return the traits of an answer that their evidence supports.

    Args:
        text: The answer: a JSON list of ``{"type", "value", "evidence": [id, …]}``.
        observations: What the model was shown; ids count from 1.
        names: The name of whom it is about, and that of the character.
    """
    items = answer_objects(text)
    if not items:
        return Proposal(refused="empty or not readable")
    answer = Proposal(_traits(items, observations, names))
    if len(answer.covered) < (1 - MOST_LOSS) * len(observations):
        return Proposal(refused=f"only {len(answer.covered)} of {len(observations)} notes kept")
    return answer


def looked_again(
    first: Proposal, text: str, observations: Sequence[Json], names: Sequence[str]
) -> Proposal:
    """Return the first answer with what a second look at the notes that it left out adds.

    What both leave out tells nothing that lasts. An answer that is no list changes nothing.
    """
    places = left_out(first, observations)
    if "[" not in text or "]" not in text:
        return first
    some = [observations[place] for place in places]
    more = [
        replace(one, evidence=tuple(places[place] for place in one.evidence))
        for one in _traits(answer_objects(text), some, names)
    ]
    both = replace(first, traits=(*first.traits, *more))
    return replace(both, nothing=left_out(both, observations))


def left_out(answer: Proposal, observations: Sequence[Json]) -> tuple[int, ...]:
    """Return the places of the observations that no trait of an answer stands for."""
    covered = answer.covered
    return tuple(place for place in range(len(observations)) if place not in covered)


def _traits(
    items: Sequence[Json], observations: Sequence[Json], names: Sequence[str]
) -> tuple[Proposed, ...]:
    single = [part for one in items[:MOST_TRAITS] for part in _parts(one, names[0])]
    found = [_read(one, observations, names) for one in single]
    return tuple(one for one in found if one is not None)


def _parts(item: Json, name: str) -> list[Json]:
    """Return an item once for each fact in it, since a trait must tell one thing only."""
    facts = [""]
    for part in _AND.split(str(item.get("value") or "")):
        if facts[-1] and tells(part):
            facts.append(f"{name} {part}")
        else:
            facts[-1] += f" and {part}" if facts[-1] else part
    return [{**item, "value": one} for one in facts]


def _read(item: Json, observations: Sequence[Json], names: Sequence[str]) -> Proposed | None:
    value = clean(item.get("value") or "", LONGEST)
    given = item.get("evidence")
    ids = given if isinstance(given, list) else []
    places = tuple(
        dict.fromkeys(one - 1 for one in ids if type(one) is int and 1 <= one <= len(observations))
    )
    if not value or self_reference(value, names[1:]):
        return None
    places = tuple(
        one for one in places if _supports(observations[one]["content"], value, names[0])
    )
    notes = [observations[place]["content"] for place in places]
    in_words = is_supported(value, " ".join(notes), names[:1], share=TRAIT_SUPPORT)
    if not notes or not (in_words or _is_put_otherwise(value, notes, names[0])):
        return None
    return Proposed(clean(item.get("type") or "", 40).lower(), value, places)


def _supports(content: str, value: str, name: str) -> bool:
    """Is a note used up by a trait: does this hold much of it, and nothing against it?"""
    noted = set(stems(content)) - set(stems(name))
    covers = len(noted & set(stems(value))) >= COVER * len(noted)
    return (
        bool(noted)
        and covers
        and compare(slot_of(content, name), slot_of(value, name)) != "changed"
    )


def _is_put_otherwise(value: str, notes: Sequence[str], name: str) -> bool:
    """Does a note tell the same in other words, and all of it?"""
    new = slot_of(value, name)
    unknown = set(stems(value)) - set(stems(" ".join((name, *notes))))
    if len(unknown) > 1 or unknown & _after(value, new.value):
        return False
    told = [slot_of(note, name) for note in notes]
    return bool(new.kind) and any(
        compare(one, new) == "same" and new.value <= one.value and new.numbers <= one.numbers
        for one in told
    )


def _after(text: str, value: Collection[str]) -> set[str]:
    """Return the stems that follow a value: what is added there is no other way to say it."""
    found = stems(text)
    last = max((at for at, one in enumerate(found) if one in value), default=-1)
    return set(found[last + 1 :])


def is_supported(
    value: str, said: str, names: Sequence[str] = (), *, share: float = SUPPORT
) -> bool:
    """Does `said` hold this share of the words of `value`, and each of its numbers and names?"""
    known = {*stems(said), *stems(" ".join(names))}
    words = set(stems(value)) - set(stems(" ".join(names)))
    if not words or len(words & known) < share * len(words):
        return False
    if set(_NUMBER.findall(value)) - set(_NUMBER.findall(said)):
        return False
    called = {one.lower() for one in _NAME.findall(value[1:])}
    there = " ".join((said, *names)).lower()
    return all(one in there for one in called)
