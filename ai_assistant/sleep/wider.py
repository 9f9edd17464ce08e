"""What the readers of a narrow label know besides: what wider labels hold of the same person.

Told to them again it adds nothing, and newer news of it outdates their copy. What was never told
but to them stays, whatever is told widely since: that may be what all are meant to think. It never
goes the other way: nothing here is written anywhere, and wider labels learn nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from ai_assistant.contracts import Json
from ai_assistant.memory.parts import epoch
from ai_assistant.memory.slots import Slot, compare, slot_of
from ai_assistant.readers import members, usable

SEEN, TOLD = "seen", "told"
Standing = Literal["news", "same", "outdated", "doubtful"]


@dataclass(frozen=True, slots=True)
class Candidate:
    """Something that may become a trait: when it was learned (seconds), from whom, and on what."""

    value: str
    at: float
    basis: str
    evidence: tuple[Any, ...]
    author: str = ""
    type: str = ""


def as_candidate(item: Json) -> Candidate:
    """Return a trait or an observation as what may be compared with others."""
    if "content" in item:
        basis = SEEN if item["source"] == "direct" else TOLD
        return Candidate(item["content"], epoch(item["timestamp"]), basis, ())
    return Candidate(item["value"], epoch(item.get("created", "")), item.get("basis", SEEN), ())


def known_wider(profile: Json, readers: str) -> list[Candidate]:
    """Return what labels hold, or held, that all who may read `readers` may read, oldest first.

    What was noted awake is left out: it gives way to what is gathered from the rows.
    """
    items = [
        *profile["attributes"],
        *(one for one in profile["observations"] if _is_waiting(one)),
    ]
    wider = [one for one in items if _is_wider(one.get("readers", readers), readers)]
    past = (
        Candidate(was["value"], epoch(was["until"]), one.get("basis", SEEN), ())
        for one in wider
        for was in one.get("was", ())
    )
    return sorted([*past, *map(as_candidate, wider)], key=lambda one: one.at)


def _is_waiting(observation: Json) -> bool:
    """Was it gathered, and neither made into a trait nor given back by undo?"""
    return bool(observation.get("evidence")) and not observation.get("consolidated")


def _is_wider(label: str, readers: str) -> bool:
    return label != readers and usable(label, members(readers))


def against_wider(
    name: str, new: Candidate, wider: Sequence[Candidate]
) -> tuple[Standing, Candidate | None]:
    """Say how a value under a narrow label stands, by the newest of `wider` on the same thing.

    ``same`` only where that tells all of it: a detail told to few is not lost. What was only told
    says nothing of what was seen. The second is what decided, if anything did.
    """
    slot = slot_of(new.value, name)
    for place, one in reversed(list(enumerate(wider))):
        known = slot_of(one.value, name)
        is_newer = one.at > new.at
        verdict = compare(slot, known) if is_newer else compare(known, slot)
        if verdict == "other" or is_stronger(new, one):
            continue
        if verdict == "same":
            return "same" if _tells_all(known, slot) else "news", one
        if is_newer:
            before = (slot_of(was.value, name) for was in wider[:place])
            copied = any(compare(was, slot) == "same" for was in before)
            return "outdated" if copied else "news", one
        return "doubtful" if is_stronger(one, new) else "news", one
    return "news", None


def is_stronger(one: Candidate, other: Candidate) -> bool:
    """Was one seen, and the other only told?"""
    return one.basis == SEEN and other.basis == TOLD


def _tells_all(known: Slot, new: Slot) -> bool:
    there = known.value | known.numbers | known.names
    return new.core | new.numbers | new.names <= there
