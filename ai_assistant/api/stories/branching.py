"""Branches: a scene goes on twice from one line, as a copy of it that is put back to there.

The one it began as rests as it is, and can be started again; what is done in either touches nothing
of the other. All of it is one transaction.
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any
from uuid import uuid4

from ai_assistant.api.handlers import save, store_of
from ai_assistant.api.stories.undoing import check_idle, note_everybody, rewind
from ai_assistant.core.contracts import Change, Commit, MemoryRow
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.text import clean, counted
from ai_assistant.game.identity import entity_id, find, is_assistant
from ai_assistant.roleplay.knowledge import scene_step
from ai_assistant.roleplay.scene import GAME, OPEN, SceneState
from ai_assistant.scenes.live_scenes import RECALLS, SCENES
from ai_assistant.storage import Container
from ai_assistant.storage.history.branched_scenes import MOST_COPIED, copy_scene
from ai_assistant.storage.history.taken_lines import Line, LinesElsewhere, last_lines, taken_since
from ai_assistant.storage.server_lease import writing

TITLE_LIMIT = 100
TALK = 60
"""The newest lines that assistants had with the scene, which they have with the branch as well."""


def branch_scene(
    session: str, title: str, count: int = 0, *, row: int = 0, by: str = ""
) -> SceneState:
    """Let a running scene go on as another, without its last lines, or from that of a `row` on.

    Its members play in the branch then. Returns that. Raises `AssistantError` saying why it cannot
    be, and `StoreError`; nothing is changed then.
    """
    scene, name = SCENES.get(session), clean(title, TITLE_LIMIT)
    if scene.id == GAME or not scene.is_running:
        raise AssistantError("One branches from a scene that runs.")
    if not name:
        raise AssistantError("What is the branch called?")
    note_everybody(scene)
    later = len(_lines_after(scene, count, row))
    check_idle(scene.participants())
    made = replace(scene, id=uuid4().hex, title=name, owed=())
    try:
        made = _branched(scene, made, later, by)
    except Exception:
        SCENES.reset()
        raise
    for body in _minds(made):
        if (recall := RECALLS.get(entity_id(body))) is not None:
            recall.learn_stored(Container(made.id, entity_id(body)).oldest(MOST_COPIED))
    return made


def _lines_after(scene: SceneState, count: int, row: int) -> list[Line]:
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
        SCENES.save(made, [_step(made, told)])
        for body in minds:
            _keep_talk(body, scene, made, events)
        if not later:
            return made
        told = f"It goes back to before {counted(later, 'line')}"
        first = min(last_lines(made.id, later)[:later])
        taken = taken_since(made.id, first, LinesElsewhere(made.id, first).found())
        return rewind(made, taken, told, by)


def _minds(scene: SceneState) -> list[Any]:
    bodies = filter(None, map(find, scene.participants()))
    return [body for body in bodies if is_assistant(body)]


def _step(scene: SceneState, told: str) -> MemoryRow:
    return scene_step(told, day=SCENES.day(scene), at=time.time(), location=scene.scene)


def _rest(scene: SceneState, made: SceneState, by: str) -> None:
    told = f"{by or 'The game'} branches into '{made.title}', and this scene rests"
    SCENES.save(replace(scene, status=OPEN), [_step(scene, told)])


def _keep_talk(body: Any, scene: SceneState, made: SceneState, events: dict[str, str]) -> None:
    """Let an assistant have the last lines of the scene as those of the branch, too."""
    entries = store_of(body).read("stream")["entries"]
    own = [one for one in entries if one.get("session", "") == scene.id and one["id"] in events]
    copies = [
        {**one, "id": events[one["id"]], "session": made.id, "turn_id": ""} for one in own[-TALK:]
    ]
    if copies:
        change = Change("stream", "", "append", {"added": copies})
        save(body, Commit(at=time.time(), changes=[change]))
