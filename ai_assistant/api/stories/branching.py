"""Branches: a scene goes on twice from one line, as a copy of it that is put back to there.

The one it began as rests as it is, with the feelings that it moved, and can be started again; what
is done in either touches nothing of the other. All of it is one transaction.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from itertools import chain
from typing import Any
from uuid import uuid4

from twisted.internet.defer import Deferred

from ai_assistant.api.handlers import save, store_of
from ai_assistant.api.slices import in_slices
from ai_assistant.api.stories.undoing import check_idle, note_everybody, rewind
from ai_assistant.core.contracts import Change, Commit
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.text import clean, counted
from ai_assistant.game.identity import entity_id, find, is_assistant
from ai_assistant.game.log import report
from ai_assistant.roleplay.scene import GAME, OPEN, SceneState
from ai_assistant.scenes.live_scenes import RECALLS, SCENES, step_of
from ai_assistant.storage import Container
from ai_assistant.storage.history.branched_scenes import MOST_COPIED, copy_scene, lines_of_family
from ai_assistant.storage.history.taken_lines import (
    LinePlace,
    LinesElsewhere,
    last_lines,
    taken_since,
)
from ai_assistant.storage.server_lease import writing

TITLE_LIMIT = 100
FOUND_AT_ONCE = 20
TALK = 60
"""The newest lines that assistants had with the scene, which they have with the branch as well."""


def branch_scene(
    session: str, title: str, count: int = 0, *, row: int = 0, by: str = ""
) -> SceneState:
    """Let a running scene go on as another, which is returned; its members play in that one then.

    It is without the last `count` lines, or has those up to a `row` of the world. `by` is named in
    the record. Raises `AssistantError` where the scene does not run, there is no title or no such
    line, or somebody is thinking of an answer, and `StoreError`; nothing is changed then.
    """
    scene, name = SCENES.get(session), clean(title, TITLE_LIMIT)
    if scene.id == GAME or not scene.is_running:
        raise AssistantError("One branches from a scene that runs.")
    if not name:
        raise AssistantError("What is the branch called?")
    note_everybody(scene)
    later = len(_lines_after(scene, count, row))
    check_idle(scene.participants())
    scene = replace(scene, family=scene.family or scene.id)
    made = replace(scene, id=uuid4().hex, title=name, owed=())
    try:
        made = _branched(scene, made, later, by)
    except Exception:
        SCENES.reset()
        raise
    found = chain.from_iterable(_found(made, entity_id(body)) for body in _minds(made))
    work = Deferred.fromCoroutine(in_slices(found))
    work.addErrback(lambda failure: report("branch", failure.value))
    return made


def _found(made: SceneState, who: str) -> Iterator[None]:
    """Let an assistant find what it remembers of a branch, some memories at a step."""
    own, last = Container(made.id, who), 0
    while (recall := RECALLS.get(who)) is not None and (rows := own.oldest(FOUND_AT_ONCE, last)):
        recall.learn_stored(rows)
        last = rows[-1].id
        yield None


def _lines_after(scene: SceneState, count: int, row: int) -> list[LinePlace]:
    """Return the lines that the branch is without, newest first."""
    said = last_lines(scene.id, MOST_COPIED, row)
    if (row and not said) or not 0 <= count <= len(said):
        raise AssistantError("There is no such line to branch from.")
    return said[:-1] if row else said[:count]


def _branched(scene: SceneState, made: SceneState, later: int, by: str) -> SceneState:
    minds = _minds(scene)
    for body in minds:
        store_of(body).make_ready(Commit(at=0.0, changes=[Change("stream", "", "append", {})]))
    with writing():
        _rest(scene, made, by)
        events = copy_scene(scene, made.id, time.time())
        told = f"It branches from '{scene.title}'"
        SCENES.save(made, [step_of(made, told)], by=by)
        for body in minds:
            _keep_talk(body, scene, made, events)
        gone: frozenset[str] = frozenset()
        if later:
            told = f"It goes back to before {counted(later, 'line')}"
            first = min(last_lines(made.id, later)[:later])
            taken = taken_since(made.id, first, LinesElsewhere(made.id, first).found())
            made, gone = rewind(made, taken, told, by), taken.events
        for body in minds:
            again = {old: new for old, new in events.items() if new not in gone}
            _feel(body, events, again)
        return made


def feel_again(scene: SceneState) -> None:
    """Let assistants feel as they did when that scene was left, and nothing of its branches.

    Part of the caller's transaction, in which the scene is played again. Raises `StoreError`.
    """
    if scene.family:
        own, others = lines_of_family(scene)
        for body in _minds(scene):
            _feel(body, others, {event: event for event in own})


def _feel(body: Any, resting: Collection[str], again: Mapping[str, str]) -> None:
    """Let an assistant feel nothing of these lines for now, and what rested of those `again`."""
    at, changes = time.time(), list[Change]()
    for key, profile in store_of(body).read_all("profile").items():
        bond = profile["relationship"]
        felt = {change["event"] for change in (*bond["history"], *bond.get("promises", ()))}
        moved = felt.intersection(resting)
        rested = {change["event"] for change in bond.get("resting", ())} | moved
        lines = {event: again[event] for event in sorted(rested.intersection(again))}
        if moved:
            args = {"events": sorted(moved), "at": at}
            changes.append(Change("profile", key, "set_aside", args))
        if lines:
            changes.append(Change("profile", key, "take_up", {"lines": lines, "at": at}))
    if changes:
        save(body, Commit(at=at, changes=changes))


def _minds(scene: SceneState) -> list[Any]:
    bodies = filter(None, map(find, scene.participants()))
    return [body for body in bodies if is_assistant(body)]


def _rest(scene: SceneState, made: SceneState, by: str) -> None:
    told = f"{by or 'The game'} branches into '{made.title}', and this scene rests"
    SCENES.save(replace(scene, status=OPEN), [step_of(scene, told)], by=by)


def _keep_talk(body: Any, scene: SceneState, made: SceneState, events: dict[str, str]) -> None:
    """Let an assistant have the last lines of the scene as those of the branch, too."""
    entries = store_of(body).read("stream")["entries"]
    own = [line for line in entries if line.get("session", "") == scene.id and line["id"] in events]
    copies = [
        {**entry, "id": events[entry["id"]], "session": made.id, "turn_id": ""}
        for entry in own[-TALK:]
    ]
    if copies:
        change = Change("stream", "", "append", {"added": copies})
        save(body, Commit(at=time.time(), changes=[change]))
