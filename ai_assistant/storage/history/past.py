"""The past as it is read: the moments, and the parts at one of them."""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from functools import reduce
from operator import or_

from django.db.models import Max, Q, QuerySet

from ai_assistant.core.contracts import Json
from ai_assistant.memory.moments.deltas import CHECKPOINT, state_after
from ai_assistant.models import AssistantEvent, StateChange
from ai_assistant.storage.history.state_log import ROWS, Address
from ai_assistant.storage.ledgers import STATE_CHANGED
from ai_assistant.storage.statements import refusals

AT_ONCE = 50
"""States that are read by one query."""


@dataclass(frozen=True, slots=True)
class Moment:
    """One commit that changed any state."""

    seq: int
    """Its number in the sequence."""
    at: float
    """When it happened."""
    turn_id: str
    """The turn that it ended; empty outside of turns."""
    parts: list[tuple[str, str]]
    """What it changed: parts and keys."""


def moments(sequence: str, count: int, before: int = 0, turn: str = "") -> list[Moment]:
    """Return the last moments of a sequence, those before a number or of a turn, newest first."""
    with refusals():
        found = AssistantEvent.objects.filter(assistant=sequence, type=STATE_CHANGED)
        found = found.filter(seq__lt=before) if before else found
        found = found.filter(turn_id=turn) if turn else found
        rows = found.order_by("-seq").values_list("seq", "at", "turn_id", "data")[:count]
        return [
            Moment(seq, at, turn_id, [(part, key) for part, key in data["parts"]])
            for seq, at, turn_id, data in rows
        ]


def moment_by(sequence: str, at: float) -> int | None:
    """Return the last moment until a time, in seconds since the epoch; None where none is known."""
    with refusals():
        found = AssistantEvent.objects.filter(assistant=sequence, type=STATE_CHANGED, at__lte=at)
        return found.order_by("-seq").values_list("seq", flat=True).first()


def first_moment(sequence: str) -> int:
    """Return the first moment at which any state is still known; past all numbers for none."""
    with refusals():
        told = StateChange.objects.filter(sequence=sequence).order_by("seq")
        return told.values_list("seq", flat=True).first() or sys.maxsize


def audit_log(sequence: str, *, with_states: bool) -> QuerySet[AssistantEvent]:
    """Return the audit log as it is listed: which states changed is in it only if asked for."""
    found = AssistantEvent.objects.filter(assistant=sequence)
    return found if with_states else found.exclude(type=STATE_CHANGED)


def logged(sequence: str, after: int, count: int, *, with_states: bool) -> list[Json]:
    """Return the audit log after a number, oldest first, `with_states` that changed or without."""
    with refusals():
        found = audit_log(sequence, with_states=with_states).filter(seq__gt=after)
        names = ("seq", "type", "at", "turn_id", "readers", "data")
        page: list[Json] = list(found.order_by("seq").values(*names)[:count])
        if with_states and page:
            seqs = [record["seq"] for record in page]
            told = StateChange.objects.filter(sequence=sequence, seq__in=seqs)
            changes = defaultdict(list)
            for seq, part, key, data in told.values_list("seq", "part", "key", "data"):
                changes[seq].append({"part": part, "key": key, "change": data})
            page = [{**record, "states": changes[record["seq"]]} for record in page]
        return page


def moments_of(sequence: str, part: str, count: int) -> list[tuple[int, float]]:
    """Return number and time of the last commits that changed a part without keys, newest first."""
    with refusals():
        told = StateChange.objects.filter(sequence=sequence, part=part, key="")
        return list(told.order_by("-seq").values_list("seq", "at")[:count])


def known_parts(sequence: str) -> list[tuple[str, str]]:
    """Return the parts and keys of which any moment is known, but for rows."""
    with refusals():
        told = StateChange.objects.filter(sequence=sequence).exclude(part=ROWS)
        return list(told.order_by("part", "key").values_list("part", "key").distinct())


def state_at(sequence: str, part: str, key: str, seq: int) -> Json | None:
    """Return a state as it was right after a commit; None where nothing is told of it by then."""
    with refusals():
        told = StateChange.objects.filter(sequence=sequence, part=part, key=key, seq__lte=seq)
        newest = told.order_by("-seq").values_list("since", "data")[:CHECKPOINT]
        deltas = list(newest)
    whole = next((at for at, (since, _) in enumerate(deltas) if not since), None)
    return None if whole is None else state_after(data for _, data in deltas[whole::-1])


def rebuilt_states(sequence: str, seq: int, part: str = "") -> dict[Address, Json]:
    """Return all states of a sequence, or those of one part, as they were right after a commit.

    It takes a query for each `AT_ONCE` of them, not one for each.
    """
    known = StateChange.objects.filter(sequence=sequence, seq__lte=seq).exclude(part=ROWS)
    known = known.filter(part=part) if part else known
    found: dict[Address, Json] = {}
    with refusals():
        wholes = known.filter(since=0).order_by("part", "key").values_list("part", "key")
        newest = list(wholes.annotate(newest=Max("seq")))
        for start in range(0, len(newest), AT_ONCE):
            some = newest[start : start + AT_ONCE]
            told: dict[Address, list[Json]] = {(name, key): [] for name, key, _ in some}
            ranges = (Q(part=name, key=key, seq__gte=first) for name, key, first in some)
            for row in known.filter(reduce(or_, ranges)).order_by("seq"):
                told[row.part, row.key].append(row.data)
            found |= {address: state_after(deltas) for address, deltas in told.items()}
    return found


def names_told(sequence: str, part: str, keys: Collection[str]) -> dict[str, str]:
    """Return the last name under which each of these keys was told of in a part, where any was."""
    with refusals():
        told = StateChange.objects.filter(sequence=sequence, part=part, key__in=keys, since=0)
        wholes = told.order_by("seq").values_list("key", "data__set__name")
        return {key: name for key, name in wholes if name}
