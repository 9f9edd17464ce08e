"""Reconciling: what was noted of somebody meets what is known already, by rules alone.

The same again adds evidence; another value of the same thing replaces the older one, which goes on
as the trait's past; all else is new. What was only told never replaces what was seen.

What wider labels hold is known to the readers of a narrower one too: told to them again it adds
nothing, and news of it makes their copy outdated (`wider.py`). It never goes the other way.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ai_assistant.contracts import Json
from ai_assistant.memory.labelled import joint_author
from ai_assistant.memory.parts import epoch, iso
from ai_assistant.memory.redaction import fingerprint
from ai_assistant.memory.slots import compare, slot_of, type_of
from ai_assistant.memory.traits import MAX_PAST
from ai_assistant.sleep.wider import SEEN, Candidate, against_wider, as_candidate, is_stronger

MOST_EVIDENCE = 8


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
    name: str,
    traits: Sequence[Json],
    candidates: Sequence[Candidate],
    readers: str,
    wider: Sequence[Candidate] = (),
) -> Outcome:
    """Return what becomes of the traits (all of one label) of the one called `name`.

    `wider` is what its readers know besides, see `known_wider`; nothing becomes of that.
    """
    outcome = Outcome()
    now = _up_to_date(name, traits, wider, outcome)
    for candidate in sorted(candidates, key=lambda one: one.at):
        if not _is_settled(name, now, candidate, wider, outcome):
            _take(name, now, candidate, readers, outcome)
    outcome.drop = [fingerprint(one) for one in traits if one not in now]
    outcome.add = [one for one in now if one not in traits]
    return outcome


def _up_to_date(
    name: str, traits: Sequence[Json], wider: Sequence[Candidate], outcome: Outcome
) -> list[Json]:
    """Return copies of the traits of which wider labels hold neither the same nor newer news."""
    now = []
    for one in traits:
        verdict, by = against_wider(name, as_candidate(one), wider)
        if verdict == "same":
            outcome.merged.append(one["value"])
        elif by and verdict == "outdated":
            outcome.changed.append({"before": one["value"], "after": by.value})
        else:
            now.append(dict(one))
    return now


def _is_settled(
    name: str, now: Sequence[Json], new: Candidate, wider: Sequence[Candidate], outcome: Outcome
) -> bool:
    """Is there nothing to make of a candidate, by what is known under wider labels?

    Not where it takes back what its own label holds, though all of it is known widely.
    """
    verdict, by = against_wider(name, new, wider)
    slot = slot_of(new.value, name)
    own = (compare(slot_of(one["value"], name), slot) for one in now)
    if verdict == "same" and "changed" in own:
        return False
    if by and verdict == "outdated":
        outcome.changed.append({"before": new.value, "after": by.value})
    elif verdict == "same":
        outcome.merged.append(new.value)
    elif verdict == "doubtful":
        outcome.doubted.append(new.value)
    return verdict != "news"


def _take(name: str, now: list[Json], new: Candidate, readers: str, outcome: Outcome) -> None:
    slot = slot_of(new.value, name)
    verdicts = [(compare(slot_of(one["value"], name), slot), one) for one in now]
    same = next((one for verdict, one in verdicts if verdict == "same"), None)
    if same is not None:
        _merge(same, new)
        outcome.merged.append(new.value)
        return
    old = [one for verdict, one in verdicts if verdict == "changed"]
    if any(is_stronger(as_candidate(one), new) for one in old):
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
        "type": type_of(new.value, name, new.type),
        "value": new.value,
        "source": "consolidation",
        "created": iso(new.at),
        "evidence": list(new.evidence),
        "author": new.author,
        "readers": readers,
        "basis": new.basis,
        "was": past[-MAX_PAST:],
    }
