"""Story acts: what members do with a story's things and places is shown to those with them.

Nothing in the game changes. A room of the game may stand for a place of stories: whoever walks
there goes to that place in the story, and the story goes with its leader.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Any

from ai_assistant.core.errors import AssistantError
from ai_assistant.core.text import clean
from ai_assistant.game.consent import has_opted_out
from ai_assistant.game.identity import CATEGORY, entity_id, find, name_of
from ai_assistant.roleplay.knowledge import WITNESSES, what_of
from ai_assistant.roleplay.props import ACTS, arrive
from ai_assistant.roleplay.scene import place_of
from ai_assistant.roleplay.scene_values import set_value
from ai_assistant.scenes.live_scenes import SCENES

STORY_PLACE = "story_place"
"""The Attribute of a room that names the place of stories for which it stands."""
LONGEST_PLACE = 60
THERE = "You are there already."


def act_in_story(who: str, session: str, act: str, thing: str, to: str = "") -> str:
    """Do something in a running scene as one of its members; return what was done.

    `act` is a name of `roleplay.props.ACTS`, `to` the id or name of whoever gets something. Those
    who see it are told on their screens. Raises `StoreError`, and `AssistantError` if it cannot be
    done.
    """
    scene = SCENES.get(session)
    member = next((member for member in scene.members if member.id == who), None)
    if member is None or not scene.is_running:
        raise AssistantError("You play in no scene that runs.")
    changed = ACTS[act](scene, member, thing, to, SCENES.day(scene), time.time())
    if not changed.updates:
        return THERE
    SCENES.save(changed.scene, changed.updates, by=member.name)
    (update,) = changed.updates
    told = f"{what_of(update)}."
    show(update.meta[WITNESSES], told)
    return told


def link_room(room: Any, place: str) -> None:
    """Let a room stand for a place of stories; an empty place ends that."""
    if place:
        room.attributes.add(STORY_PLACE, clean(place, LONGEST_PLACE), category=CATEGORY)
    else:
        room.attributes.remove(STORY_PLACE, category=CATEGORY)


def walk_in_story(body: Any) -> None:
    """Move a member who entered such a room in the story, and the story with its leader.

    Raises `StoreError`, and `AssistantError` if the place cannot be.
    """
    room, who = body.location, entity_id(body)
    scene = SCENES.of(who)
    place = room.attributes.get(STORY_PLACE, "", category=CATEGORY) if room else ""
    if not (scene.id and place) or place_of(scene, who) == place or has_opted_out(body):
        return
    day, at = SCENES.day(scene), time.time()
    if SCENES.leader(scene) == who:
        changed = set_value(scene, "location", place, day=day, at=at)
    else:
        member = next(member for member in scene.members if member.id == who)
        changed = arrive(scene, member, place, day, at)
    SCENES.save(changed.scene, changed.updates, by=name_of(body))
    show(changed.scene.participants(), f"{what_of(changed.updates[0])}.")


def show(who: Iterable[str], line: str) -> None:
    """Show a line about the story on the screens of these people."""
    for body in filter(None, map(find, who)):
        body.msg(f"|x{line}|n")
