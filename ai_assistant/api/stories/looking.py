"""Who took part and who knows what of a scene, looked up once for the screen and for a file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from ai_assistant.api.card_exchange import new_file
from ai_assistant.core.contracts import Json, MemoryRow
from ai_assistant.core.errors import CardError
from ai_assistant.game.identity import entity_id, person
from ai_assistant.memory.search.filters import WHEN
from ai_assistant.roleplay.cards.card_files import json_to_bytes
from ai_assistant.roleplay.knowledge import MOST_AT_ONCE
from ai_assistant.roleplay.message_formats import WORLD
from ai_assistant.roleplay.places import places_in
from ai_assistant.roleplay.scene import SceneState
from ai_assistant.roleplay.scene_files.scene_report import (
    as_markdown,
    ids_told,
    scene_told,
    told_container,
    told_line,
)
from ai_assistant.scenes.live_scenes import SCENES
from ai_assistant.storage import Container, WorldContainer
from ai_assistant.storage.scene_rows import as_of, who_knows

MOST_SHOWN = 500
"""Lines or memories that one look shows, the newest; a file has up to `LOOKED_THROUGH`."""
LOOKED_THROUGH = 2000
"""Rows of a container, the newest first, among which a look for a place or for words goes."""
FORMS = (".json", ".md")
"""Endings of files that a report is written to."""


@dataclass(frozen=True, slots=True)
class Look:
    """What a look found."""

    rows: list[MemoryRow]
    """The memories, oldest first."""
    is_whole: bool
    """Are these all? Else there are older rows that the look did not go through."""


def known_by(
    scene: SceneState,
    who: Any,
    *,
    day: int | None = None,
    until: float | None = None,
    place: str = "",
    fits: Callable[[list[MemoryRow]], list[MemoryRow]] = list,
) -> Look:
    """Return what somebody remembers of a scene, or knew by the end of a day and until a moment.

    `place` is meant with all that lies in it; `fits` returns those of some rows that are wanted.
    """
    container = Container(scene.id, entity_id(who))
    if day is None and until is None:
        found = container.find(limit=LOOKED_THROUGH)[::-1]
    else:
        found = as_of(container, day=day, at=until, limit=LOOKED_THROUGH)
    rows = fits(found)
    there = at_place(rows, place, scene) if place else rows
    return Look(there, len(found) < LOOKED_THROUGH)


def knowers(scene: SceneState, words: str, limit: int) -> tuple[dict[str, list[MemoryRow]], bool]:
    """Return who remembers these words as they stand, each with the rows; then whether that is all.

    Among the newest rows of the scene, `limit` of them at most.
    """
    found = who_knows(scene.id, words, limit + 1)
    held: dict[str, list[MemoryRow]] = {}
    for row in reversed(found[:limit]):
        held.setdefault(row.container, []).append(row)
    return held, len(found) <= limit


def at_place(rows: Iterable[MemoryRow], place: str, scene: SceneState) -> list[MemoryRow]:
    """Return the rows of a place, with all that lies in it."""
    there = {inner.casefold() for inner in places_in(place.strip(), scene.places)}
    return [row for row in rows if row.location.casefold() in there]


# -- as files


def lines_report(scene: SceneState, count: int, asked: str) -> Json:
    """Return who took part in the last lines of a scene, and what each learnt with them."""
    world = WorldContainer(scene.id)
    made = world.participations(count + 1)
    shown = made[:count][::-1]
    said = {row.id: row for row in world.rows([decision["row"] for decision in shown])}
    learnt = _learnt(scene.id, shown)
    told = [
        told_line(decision, said.get(decision["row"]), learnt[decision["event"]])
        for decision in shown
    ]
    return _report(scene, asked, len(made) <= count, messages=told)


def rows_report(
    scene: SceneState, held: dict[str, list[MemoryRow]], asked: str, *, is_whole: bool
) -> Json:
    """Return what some have of a scene, by the ids of whom."""
    told = [told_container(scene.id, who, rows) for who, rows in held.items()]
    return _report(scene, asked, is_whole, containers=told)


def write_report(found: Json, file: str) -> str:
    """Write a report into the folder of cards; returns the name. Raises `CardError`."""
    if not file.lower().endswith(FORMS):
        raise CardError(f"The name of the file ends in {' or '.join(FORMS)}.")
    if file.lower().endswith(".md"):
        return new_file(file, as_markdown(found, _named).encode())
    named = {"names": {who: _named(who) for who in ids_told(found)}}
    return new_file(file, json_to_bytes({**found, **named}))


def _named(who: str) -> str:
    return "the world" if who == WORLD else person(who)


def _report(scene: SceneState, asked: str, is_whole: bool, **found: Sequence[Json]) -> Json:
    return scene_told(scene, SCENES.day(scene), asked, is_whole=is_whole, **found)


def _learnt(session: str, decisions: Sequence[Json]) -> dict[str, Json]:
    """Return what those who took part learnt with some lines: by event, then by whom.

    What fewer may know than the line stands beside it, in a row of the same moment.
    """
    learnt: dict[str, Json] = {made["event"]: {} for made in decisions}
    for who in {participant["id"] for made in decisions for participant in made["participants"]}:
        where = {"event": ("in", list(learnt))}
        kept = Container(session, who).known_to_meet(where=where, readers=None, limit=len(learnt))
        times = [row.learned_at for row in kept] or [0.0]
        news = {"source": "world", WHEN: [(">=", min(times)), ("<=", max(times))]}
        most = len(kept) * MOST_AT_ONCE
        own = Container(session, who).known_to_meet(where=news, readers=None, limit=most)
        for row in kept:
            beside = [new.content for new in own if new.learned_at == row.learned_at]
            if knowledge := [*dict.fromkeys([*row.meta.get("knowledge", ()), *beside])]:
                learnt[row.meta["event"]][who] = knowledge
    return learnt
