"""What the API does about scenes: list, make, fill, start, end, set; who took part, who knows."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import asdict
from typing import Any

from django.http import Http404
from evennia.objects.objects import DefaultCharacter

from ai_assistant.api import staging
from ai_assistant.api.stories import looking
from ai_assistant.api.stories.scene_log import scene_log
from ai_assistant.commands import scene_shown
from ai_assistant.commands.staff.aiscene_desk import (
    cast_in_scene,
    drop_curtain,
    raise_curtain,
    turn_day,
)
from ai_assistant.core.contracts import Json
from ai_assistant.game.identity import entity_id
from ai_assistant.roleplay.scene import SceneState, scene_facts
from ai_assistant.scenes.live_scenes import SCENES
from ai_assistant.storage.scene_rows import holders_of
from ai_assistant.web.rest.api_endpoint import (
    ApiCall,
    Takes,
    assistant_named,
    object_meant,
    or_not_found,
    string,
    takes,
    whole,
)
from ai_assistant.web.stories import THE_GAME, scene_in


class NewScene(Takes):
    """What a scene is called."""

    title = string(staging.TITLE_LIMIT)


class WhoPlays(Takes):
    """Who is to play: a character by name, or by number."""

    who = string(100, help_text="A character by the whole name, or by number as in #12.")


class HowMany(Takes):
    """How many of the newest lines."""

    limit = whole(1, looking.MOST_SHOWN, default=50)


def show_scenes(call: ApiCall) -> list[Json]:
    """Return all scenes, the game itself first."""
    return [told_of(scene) for scene in scene_shown.listed_scenes()]


def told_of(scene: SceneState) -> Json:
    """Return what the API says of a scene."""
    return {
        "scene": scene.id or THE_GAME,
        "title": scene_shown.title_of(scene),
        "state": scene_shown.scene_state_word(scene),
        "day": SCENES.day(scene),
        "members": [{"id": member.id, "name": member.name} for member in scene.members],
    }


def show_scene(call: ApiCall) -> Json:
    """Return how a scene stands, and who remembers how much of it."""
    scene = scene_of(call)
    held = [{"id": own.character, "memories": own.rows} for own in holders_of(scene.id)]
    return told_of(scene) | {"values": scene_facts(scene, SCENES.day(scene)), "held": held}


def scene_of(call: ApiCall) -> SceneState:
    """Return the scene that an address names. Raises `Http404`."""
    return scene_in(call.named)


@takes(NewScene)
def make_scene(call: ApiCall) -> Json:
    """Make a scene with nobody in it."""
    return told_of(staging.create_scene(call.given["title"], by=call.by))


@takes(WhoPlays)
def add_member(call: ApiCall) -> Json:
    """Put somebody into a scene."""
    who = person_meant(call.given["who"])
    call.visitor.must_change(who)
    return told_of(cast_in_scene(scene_of(call), who, by=call.by))


def person_meant(typed: str) -> Any:
    """Return who is meant by a number or a whole name; an assistant first. Raises `Http404`."""
    with suppress(Http404):
        return assistant_named(typed)
    with or_not_found():
        return object_meant(typed, DefaultCharacter, f"There is no character {typed}.")


def drop_member(call: ApiCall) -> Json:
    """Take a member out of a scene, by name or lasting id."""
    scene, typed = scene_of(call), call.named["who"]
    known = next((member for member in scene.members if member.id == typed), None)
    member = known or scene_shown.member_named(scene, typed)
    return told_of(staging.remove_member(scene.id, member.id, by=call.by))


def start_a_scene(call: ApiCall) -> Json:
    """Let a scene run."""
    return told_of(raise_curtain(scene_of(call), by=call.by))


def stop_a_scene(call: ApiCall) -> Json:
    """End a scene."""
    return told_of(drop_curtain(scene_of(call), by=call.by))


@takes(
    name=string(60, help_text="Such as quest, weather or thing sword."),
    value=string(2000, allow_blank=True, help_text="Nothing takes it back."),
)
def set_in_scene(call: ApiCall) -> Json:
    """Set a value of a scene, or take it back."""
    value = call.given["value"] or None
    scene, name = scene_of(call), call.given["name"]
    return told_of(staging.set_scene(scene.id, name, value, staff=call.by))


@takes(day=whole(0, 999_999_999, help_text="0 follows the game's clock."))
def set_its_day(call: ApiCall) -> Json:
    """Set the day of a story."""
    return told_of(turn_day(scene_of(call), call.given["day"], by=call.by))


@takes(HowMany)
def show_its_lines(call: ApiCall) -> Json:
    """Return the newest lines of a scene: who took part, by which rule, and who learnt what."""
    return looking.lines_report(scene_of(call), call.given["limit"], "lines")


@takes(HowMany)
def show_its_log(call: ApiCall) -> list[Json]:
    """Return what was changed of a scene, the newest first: what it was, what it is, by whom."""
    return [asdict(one) for one in scene_log(scene_of(call), call.given["limit"])]


@takes(WhoPlays, day=whole(0, 999_999_999, required=False))
def show_its_memories(call: ApiCall) -> Json:
    """Return what somebody remembers of a scene, or knew at the end of a day."""
    scene, who = scene_of(call), person_meant(call.given["who"])
    seen = looking.known_by(scene, who, day=call.given.get("day"))
    held = {entity_id(who): seen.rows}
    return looking.rows_report(scene, held, "memories", is_whole=seen.is_whole)
