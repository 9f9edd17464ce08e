"""The past as it is read: the moments, and the parts at one of them."""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_

from django.db.models import Max, Min, Q, QuerySet

from ai_assistant.core.contracts import Json
from ai_assistant.memory.blocks.rules import STATUS
from ai_assistant.memory.moments.deltas import CHECKPOINT, state_after
from ai_assistant.models import AssistantEvent, Memory, StateChange
from ai_assistant.storage.history.state_log import AMENDED, LAST, ROWS, Address
from ai_assistant.storage.ledgers import STATE_CHANGED
from ai_assistant.storage.statements import refusals

AT_ONCE = 50
"""States that are read by one query."""


@dataclass(frozen=True, slots=True)
class Moment:
    """One commit that changed any state."""

    record: int
    """Its place among the records of all sequences."""
    seq: int
    """Its number in the sequence."""
    at: float
    """When it happened."""
    turn_id: str
    """The turn that it ended; empty outside of turns."""
    parts: list[tuple[str, str]]
    """What it changed: parts and keys."""


def moments(sequence: str, count: int, before: int = 0, turn: str = "") -> list[Moment]:
    """Return the last moments of a sequence, those before a record or of a turn, newest first."""
    with refusals():
        found = AssistantEvent.objects.filter(assistant=sequence, type=STATE_CHANGED)
        found = found.filter(pk__lt=before) if before else found
        found = found.filter(turn_id=turn) if turn else found
        return _moments(found, count)


def block_moments(sequence: str, count: int, before: int = 0) -> list[Moment]:
    """Return the last moments of somebody's blocks, or those before a record, newest first; what
    only its status became, in every fight, is none."""
    told = StateChange.objects.filter(sequence=sequence).exclude(key=STATUS)
    with refusals():
        told = told.filter(seq__lte=last_number(sequence, before)) if before else told
        seqs = list(told.order_by("-seq").values_list("seq", flat=True)[:count])
        found = AssistantEvent.objects.filter(assistant=sequence, type=STATE_CHANGED, seq__in=seqs)
        return _moments(found, count)


def last_number(sequence: str, before: int = 0) -> int:
    """Return the number of the last record of a sequence, or before another's record; 0: none."""
    with refusals():
        found = AssistantEvent.objects.filter(assistant=sequence)
        found = found.filter(pk__lt=before) if before else found
        return found.order_by("-seq").values_list("seq", flat=True).first() or 0


def _moments(found: QuerySet[AssistantEvent], count: int) -> list[Moment]:
    rows = found.order_by("-seq").values_list("pk", "seq", "at", "turn_id", "data")[:count]
    return [Moment(*rest, [(part, key) for part, key in data["parts"]]) for *rest, data in rows]


def written_with(sequence: str, seq: int, *, is_before: bool = False) -> int:
    """Return how far the log of states of all sequences went right after a moment of one of them,
    or right before it."""
    told = StateChange.objects.filter(sequence=sequence)
    with refusals():
        if is_before:
            first = told.filter(seq__gte=seq).aggregate(first=Min("pk"))["first"]
            return (first or sys.maxsize) - 1
        return told.filter(seq__lte=seq).aggregate(last=Max("pk"))["last"] or 0


def moment_within(sequence: str, reach: int) -> int:
    """Return the last moment of a sequence when the log of states went so far; 0 for none."""
    with refusals():
        told = StateChange.objects.filter(sequence=sequence, pk__lte=reach)
        return told.aggregate(last=Max("seq"))["last"] or 0


def moment_by(sequence: str, at: float) -> int | None:
    """Return the last moment until a time, in seconds since the epoch; None where none is known."""
    with refusals():
        found = AssistantEvent.objects.filter(assistant=sequence, type=STATE_CHANGED, at__lte=at)
        return found.order_by("-seq").values_list("seq", flat=True).first()


def change_after(sequence: str, part: str, seq: int, count: int) -> int:
    """Return the number of the last of the next so many commits that changed a part without keys.

    It is `seq` itself where none came after that.
    """
    with refusals():
        told = StateChange.objects.filter(sequence=sequence, part=part, key="", seq__gt=seq)
        return max(told.order_by("seq").values_list("seq", flat=True)[:count], default=seq)


def first_moment(sequence: str) -> int:
    """Return the first moment at which any state is still known; past all numbers for none."""
    with refusals():
        told = StateChange.objects.filter(sequence=sequence)
        return told.aggregate(first=Min("seq"))["first"] or sys.maxsize


def oldest_moment(sequence: str) -> int:
    """Return the first moment that is still on record; 0 for none.

    What was before it is folded, as far as it was too old.
    """
    with refusals():
        found = AssistantEvent.objects.filter(assistant=sequence, type=STATE_CHANGED)
        return found.order_by("seq").values_list("seq", flat=True).first() or 0


def folded_until(sequence: str, part: str = "") -> int:
    """Return the first commit after which all states, or those of a part, are known as they were;
    0 where none is folded."""
    told = StateChange.objects.filter(sequence=sequence, seq__lt=oldest_moment(sequence))
    with refusals():
        told = told.filter(part=part) if part else told
        return told.aggregate(last=Max("seq"))["last"] or 0


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


def moments_of(sequence: str, part: str, count: int, key: str = "") -> list[tuple[int, float]]:
    """Return number and time of the last commits that changed a part, or a key of one with keys,
    newest first."""
    with refusals():
        told = StateChange.objects.filter(sequence=sequence, part=part, key=key)
        return list(told.order_by("-seq").values_list("seq", "at")[:count])


def known_parts(sequence: str) -> set[str]:
    """Return the parts of which any moment is known."""
    with refusals():
        told = StateChange.objects.filter(sequence=sequence)
        return {*told.values_list("part", flat=True).distinct()}


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

    Of rows `rows_at` tells. It takes a query for each `AT_ONCE` of them, not one for each.
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


def rows_at(
    container: str,
    seq: int,
    wanted: Sequence[str],
    *,
    among: Collection[int] | None = None,
    most: int | None = None,
) -> list[Json]:
    """Return the rows that a container held right after a commit, oldest first.

    `wanted` are the names of columns, `id` among them; what is archived then bears `archived_at`.
    All of them, those `among` some ids, or the newest, at `most` so many. Rows that were forgotten
    since are not among them.
    """
    with refusals():
        own = Memory.objects.filter(container=container, pk__lte=_last_row(container, seq))
        if most is not None:  # which the index tells alone
            among = [*own.order_by("-pk").values_list("pk", flat=True)[:most]]
        own = own if among is None else own.filter(pk__in=among)
        rows = {row["id"]: row for row in own.order_by("pk").values(*wanted)}
        for data in _amended(container).filter(seq__gt=seq).order_by("-seq").iterator():
            for pk, told in data["set"]["rows"].items():
                row = rows.get(int(pk), {})
                row.update({name: was for name, was in told["was"].items() if name in row})
    return [*rows.values()]


def count_rows_at(container: str, seq: int) -> int:
    """Return how many rows a container held right after a commit, but for those forgotten since."""
    with refusals():
        return Memory.objects.filter(container=container, pk__lte=_last_row(container, seq)).count()


def rows_changed(container: str, first: int, then: int, most: int) -> tuple[list[int], int]:
    """Return which rows were written or amended from one commit to another: the ids of the newest
    of them, at `most` so many, and how many there are."""
    first, then = sorted((first, then))
    last = _last_row(container, first)
    with refusals():
        new = Memory.objects.filter(
            container=container, pk__gt=last, pk__lte=_last_row(container, then)
        )
        told = _amended(container).filter(seq__gt=first, seq__lte=then).iterator()
        older = {id for data in told for id in map(int, data["set"]["rows"]) if id <= last}
        ids = [*new.order_by("-pk").values_list("pk", flat=True)[:most]]
        return [*ids, *sorted(older, reverse=True)][:most], new.count() + len(older)


def _amended(container: str) -> QuerySet[StateChange, Json]:
    told = StateChange.objects.filter(sequence=container, part=ROWS, key=AMENDED)
    return told.values_list("data", flat=True)


def _last_row(container: str, seq: int) -> int:
    """Return the last row that a container had right after a commit; 0 for none."""
    reach = state_at(container, ROWS, LAST, seq)
    return reach["last"] if reach else 0
