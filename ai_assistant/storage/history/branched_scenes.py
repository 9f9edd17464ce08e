"""A second scene that holds what one holds: its rows, decisions, news, state and its past."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any
from uuid import uuid4

from django.db.models import Model

from ai_assistant.core.contracts import Json, MemoryRow
from ai_assistant.core.errors import AssistantError
from ai_assistant.memory.renumbering import Numbers
from ai_assistant.models import AssistantEvent, Memory, Participation, Scene, StateChange, Told
from ai_assistant.roleplay.day_summaries import WITHDRAWN
from ai_assistant.roleplay.message_formats import WORLD
from ai_assistant.roleplay.scene import SceneState
from ai_assistant.roleplay.takes import UNDONE
from ai_assistant.storage import memory_rows
from ai_assistant.storage.history.commit_pieces import of_rows
from ai_assistant.storage.history.state_log import StateLog, ToldSequence
from ai_assistant.storage.statements import refusals

MOST_COPIED = 4_000
"""Rows of a scene that can be branched from: the game stands still for half a second then."""
_AT_ONCE = 500


def copy_scene(scene: SceneState, new: str, at: float) -> dict[str, str]:
    """Copy all that stands of a scene to the session `new`, part of the caller's transaction.

    Returns the ids that its lines have there, by those they have here: so nothing that is done to
    the one touches the other. Raises `AssistantError` where that is too much.
    """
    with refusals():
        standing = Participation.objects.filter(session=scene.id).exclude(by=UNDONE)
        events = {event: uuid4().hex for event in standing.values_list("event", flat=True)}
        ids = _copy_rows(scene.id, new, events, at)
        decisions = [made for made in standing.order_by("pk") if made.row in ids]
        for made in decisions:
            made.event, made.row = events[made.event], ids[made.row]
        _insert(Participation, decisions, session=new)
        here = sorted(ids)
        told = list(Told.objects.filter(session=scene.id).order_by("pk"))
        for known in told:
            known.told = _marks_moved(known.told, lambda last: _mark(here, ids, last))
        _insert(Told, told, session=new)
        for kind, name in ((AssistantEvent, "assistant"), (StateChange, "sequence")):
            past = list(kind.objects.filter(**{name: f"scene:{scene.id}"}).order_by("pk"))
            _insert(kind, past, **{name: f"scene:{new}"})
        own = list(Scene.objects.filter(session=scene.id))
        _insert(Scene, own, session=new, created=at)
        return events


def lines_of_family(scene: SceneState) -> tuple[frozenset[str], frozenset[str]]:
    """Return the ids of the lines of a scene, and of all that it shares a beginning with."""
    with refusals():
        kin = Scene.objects.filter(state__family=scene.family).values("session")
        standing = Participation.objects.filter(session__in=kin).exclude(by=UNDONE)
        lines = [*standing.values_list("session", "event")]
    own = frozenset(event for session, event in lines if session == scene.id)
    return own, frozenset(event for _, event in lines) - own


def _copy_rows(session: str, new: str, events: Mapping[str, str], at: float) -> dict[int, int]:
    """Copy the rows but those that count as never known; returns their new ids."""
    own = Memory.objects.filter(session=session).order_by("pk")
    if own[: MOST_COPIED + 1].count() > MOST_COPIED:
        raise AssistantError(f"More than {MOST_COPIED} memories are too many to branch from.")
    all_of_it = memory_rows.read(own, MOST_COPIED)
    rows = [row for row in all_of_it if not row.meta.keys() & WITHDRAWN.keys()]
    copies = [_copied(row, new, events) for row in rows]
    made = memory_rows.insert(copies, "", 0.0)
    whose = {copy.container for copy in made} - {WORLD}
    StateLog().append(*(ToldSequence(who, of_rows(who, made, {}), at) for who in sorted(whose)))
    ids = {row.id: copy.id for row, copy in zip(rows, made, strict=True)}
    numbers = Numbers(ids.get, lambda last: last)
    linked = [row for row in copies if row.parents or {"corrects", "update"} & row.meta.keys()]
    for row in linked:
        told = numbers.renumbered({"parents": list(row.parents), "meta": row.meta})
        if "update" in row.meta:
            told["meta"]["update"] = ids.get(row.meta["update"], 0)
        Memory.objects.filter(pk=ids[row.id]).update(**told)
    for pk, at in own.filter(archived_at__isnull=False).values_list("pk", "archived_at"):
        Memory.objects.filter(pk=ids.get(pk, 0)).update(archived_at=at)
    return ids


def _copied(row: MemoryRow, new: str, events: Mapping[str, str]) -> MemoryRow:
    meta = _with_new_ids(row.meta, events)
    return replace(row, session=new, meta=meta | ({"turn": ""} if meta.get("turn") else {}))


def _with_new_ids(value: Any, events: Mapping[str, str]) -> Any:
    if isinstance(value, dict):
        return {name: _with_new_ids(part, events) for name, part in value.items()}
    if isinstance(value, list):
        return [_with_new_ids(part, events) for part in value]
    return events.get(value, value) if isinstance(value, str) else value


def _mark(here: Sequence[int], ids: Mapping[int, int], last: int) -> int:
    """Return the new number of the last row up to one; 0 where there is none."""
    place = bisect_right(here, last)
    return ids[here[place - 1]] if place else 0


def _marks_moved(told: Json, moved: Callable[[int], int]) -> Json:
    of = {subject: moved(last) for subject, last in told.get("of", {}).items()}
    return {**told, "upto": moved(told.get("upto", 0)), "of": of}


def _insert(kind: type[Model], made: list[Any], **changed: Any) -> None:
    """Insert these again as other rows of their table."""
    for row in made:
        row.pk = None
        vars(row).update(changed)
    kind._default_manager.bulk_create(made, batch_size=_AT_ONCE)
