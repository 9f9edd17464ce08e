"""Reconciling: what was noted of somebody meets what is known already, by rules alone.

The same again adds evidence; another value of the same thing replaces the older one, which goes on
as the trait's past; all else is new. What was only told never replaces what was seen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from ai_assistant.contracts import Json
from ai_assistant.memory.labelled import joint_author
from ai_assistant.memory.parts import epoch, iso
from ai_assistant.memory.redaction import fingerprint
from ai_assistant.memory.slots import compare, slot_of, type_of
from ai_assistant.memory.traits import MAX_PAST

SEEN, TOLD = "seen", "told"
MOST_EVIDENCE = 8


@dataclass(frozen=True, slots=True)
class Candidate:
    """Something that may become a trait: when it was learned (seconds), from whom, and on what."""

    value: str
    at: float
    basis: str
    evidence: tuple[Any, ...]
    author: str = ""
    type: str = ""


@dataclass(slots=True)
class Outcome:
    """What consolidation does to the traits of one label, and what it tells of that."""

    drop: list[str] = field(default_factory=list)
    add: list[Json] = field(default_factory=list)
    learned: list[str] = field(default_factory=list)
    merged: list[str] = field(default_factory=list)
    changed: list[Json] = field(default_factory=list)
    doubted: list[str] = field(default_factory=list)


def reconcile(
    name: str, traits: Sequence[Json], candidates: Sequence[Candidate], readers: str
) -> Outcome:
    """Return what becomes of the traits (all of one label) of the one called `name`."""
    outcome = Outcome()
    now = [dict(one) for one in traits]
    for candidate in sorted(candidates, key=lambda one: one.at):
        _take(name, now, candidate, readers, outcome)
    outcome.drop = [fingerprint(one) for one in traits if one not in now]
    outcome.add = [one for one in now if one not in traits]
    return outcome


def _take(name: str, now: list[Json], new: Candidate, readers: str, outcome: Outcome) -> None:
    slot = slot_of(new.value, name)
    verdicts = [(compare(slot_of(one["value"], name), slot), one) for one in now]
    same = next((one for verdict, one in verdicts if verdict == "same"), None)
    if same is not None:
        _merge(same, new)
        outcome.merged.append(new.value)
        return
    old = [one for verdict, one in verdicts if verdict == "changed"]
    if any(one.get("basis", SEEN) == SEEN for one in old) and new.basis == TOLD:
        outcome.doubted.append(new.value)
        return
    later = [one for one in old if epoch(one.get("created", "")) > new.at]
    if later:  # what stands there was learned, or set by staff, after this
        _remember(later[-1], new.value)
        return
    now.append(_trait(name, new, readers, old))
    for one in old:
        now.remove(one)
        outcome.changed.append({"before": one["value"], "after": new.value})
    if not old:
        outcome.learned.append(new.value)


def _merge(trait: Json, new: Candidate) -> None:
    evidence = [*trait.get("evidence", ()), *new.evidence]
    trait["evidence"] = [*evidence[:1], *evidence[1:][1 - MOST_EVIDENCE :]]
    trait["author"] = joint_author([trait.get("author", ""), new.author])
    if new.basis == SEEN:
        trait["basis"] = SEEN


def _remember(trait: Json, value: str) -> None:
    """Add what was so before a trait to its past."""
    past = [*trait.get("was", ()), {"value": value, "until": trait.get("created", "")}]
    trait["was"] = past[-MAX_PAST:]


def _trait(name: str, new: Candidate, readers: str, old: Sequence[Json]) -> Json:
    past = [one for trait in old for one in trait.get("was", ())]
    past += [{"value": trait["value"], "until": iso(new.at)} for trait in old]
    return {
        "type": new.type or type_of(new.value, name),
        "value": new.value,
        "source": "consolidation",
        "created": iso(new.at),
        "evidence": list(new.evidence),
        "author": new.author,
        "readers": readers,
        "basis": new.basis,
        "was": past[-MAX_PAST:],
    }
