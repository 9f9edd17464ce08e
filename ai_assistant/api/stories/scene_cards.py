"""Scenes from cards and into cards, and roles: all of it belongs on the game's thread."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from uuid import uuid4

from ai_assistant.api.card_exchange import file_name, new_file
from ai_assistant.api.lifecycle import all_assistants
from ai_assistant.api.staging import member
from ai_assistant.core.contracts import Commit
from ai_assistant.core.errors import AssistantError, CardError
from ai_assistant.game.identity import entity_id, name_of
from ai_assistant.roleplay.permanent import role_rows
from ai_assistant.roleplay.props import cast
from ai_assistant.roleplay.scene import GAME, SceneState, join
from ai_assistant.roleplay.scene_files.scene_card import (
    MOST_BYTES,
    scene_from_bytes,
    scene_to_bytes,
)
from ai_assistant.scenes.live_scenes import SCENES, step_of
from ai_assistant.storage import Container

SUFFIXES = (".json", ".yaml", ".yml")


@dataclass(frozen=True, slots=True)
class Imported:
    """A scene from a card, and the roles for whom nobody was found."""

    scene: SceneState
    """The scene as it was made."""
    missing: dict[str, str]
    """By role: the name of the character that it is for."""


def read_scene_file(path: Path) -> SceneState:
    """Return the scene in a file. Raises `CardError` saying what is wrong with it."""
    try:
        if path.stat().st_size > MOST_BYTES:
            raise CardError(f"The file has more than {MOST_BYTES} bytes.")
        return scene_from_bytes(path.read_bytes(), path.name)
    except OSError as error:
        raise CardError(f"The file cannot be read ({type(error).__name__}).") from error


def import_scene(card: SceneState, *, may_edit: Callable[[Any], bool], by: str = "") -> Imported:
    """Make the scene of a card, with the assistants that its roles are for: all of it, or nothing.

    Of those the ones that `may_edit` allows, and that play nowhere else. `by` is named in its log.
    Raises `AssistantError`.
    """
    scene, missing = replace(card, id=uuid4().hex), {}
    bodies = {name_of(body).casefold(): body for body in all_assistants()}
    for name, role in card.roles.items():
        if not (wanted := role["for"]):
            continue
        body = bodies.get(wanted.casefold())
        if body is None or not may_edit(body) or SCENES.of(entity_id(body)).id != GAME:
            missing[name] = wanted
            continue
        scene = cast(join(scene, member(body)), member(body), name)
    SCENES.save(scene, by=by)
    return Imported(scene, missing)


def export_scene(scene: SceneState, file: str) -> str:
    """Write the card of a scene into the folder of cards; returns its name. Raises `CardError`."""
    file = file or f"{file_name(scene.title)}.yaml"
    return new_file(file, scene_file(scene, file))


def scene_file(scene: SceneState, file: str) -> bytes:
    """Return the card of a scene as a file of that name. Raises `CardError`."""
    if scene.id == GAME:
        raise CardError("The game itself has no card.")
    if not file.lower().endswith(SUFFIXES):
        raise CardError(f"The name of the file ends in {', '.join(SUFFIXES)}.")
    return scene_to_bytes(scene, file)


def cast_role(session: str, who: str, role: str, *, by: str) -> SceneState:
    """Let a member play a role, and have what comes with it; the others learn who plays it.

    Before a scene starts, its members have that from its start. `by` is named in its log. Raises
    `AssistantError` where `who` (an id) does not play in it, the scene is over, or the role is not
    free.
    """
    before = SCENES.get(session)
    body = next((member for member in before.members if member.id == who), None)
    if body is None or before.is_over:
        raise AssistantError("Only who plays in a scene has a role in it.")
    after = cast(before, body, role)
    if not after.is_running:
        return SCENES.save(after, by=by)
    day, at = SCENES.day(after), time.time()
    rows = role_rows(after, who, day=day, at=at)
    told = f"{body.name} plays the role {after.parts[who]}"
    step = step_of(after, told, after.participants())
    return SCENES.save(after, [step], {Container(session, who): Commit(at=at, rows=rows)}, by)
