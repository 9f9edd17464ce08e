"""What the API does about scenes: list, make, fill, start, end, set; who took part, who knows."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from django.http import Http404
from evennia.objects.models import ObjectDB
from rest_framework import serializers
from rest_framework.exceptions import PermissionDenied

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
from ai_assistant.game.identity import entity_id, name_of
from ai_assistant.roleplay.scene import GAME, SceneState, scene_facts
from ai_assistant.scenes.live_scenes import SCENES
from ai_assistant.storage.scene_rows import holders_of, load_scene
from ai_assistant.web.rest.api_endpoint import ApiCall, Takes, assistant_named

THE_GAME = "game"
"""What stands in an address for the game itself; other scenes are named by their lasting id."""


class NewScene(Takes):
    """What a scene is called."""

    title = serializers.CharField(max_length=staging.TITLE_LIMIT)


class WhoPlays(Takes):
    """Who is to play: an assistant by name, or anybody by the number of their character."""

    who = serializers.CharField(max_length=100)


class SceneValue(Takes):
    """The name of a value, and what it is to be; nothing takes it back."""

    name = serializers.CharField(max_length=60)
    value = serializers.CharField(max_length=2000, allow_blank=True)


class SceneDay(Takes):
    """The day of the story; 0 follows the game's clock."""

    day = serializers.IntegerField(min_value=0, max_value=999_999_999)


class HowMany(Takes):
    """How many of the newest lines."""

    limit = serializers.IntegerField(min_value=1, max_value=looking.MOST_SHOWN, default=50)


class WhoKnew(WhoPlays):
    """Whose memories, and those that they had at the end of which day."""

    day = serializers.IntegerField(min_value=0, max_value=999_999_999, required=False)


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
    named = call.named["scene"]
    scene = SCENES.get(GAME) if named == THE_GAME else load_scene(named)
    if scene is None:
        raise Http404("There is no such scene, or not any more.")
    return scene


def make_scene(call: ApiCall) -> Json:
    """Make a scene with nobody in it."""
    return told_of(staging.create_scene(call.given["title"], by=call.by))


def add_member(call: ApiCall) -> Json:
    """Put somebody into a scene."""
    who = person_meant(call.given["who"])
    must_change(call, who)
    return told_of(cast_in_scene(scene_of(call), who, by=call.by))


def person_meant(typed: str) -> Any:
    """Return who is meant: anybody by number, or an assistant by name. Raises `Http404`."""
    typed = typed.removeprefix("#")
    if typed.isdecimal() and len(typed) < 19:
        body = ObjectDB.objects.filter(pk=int(typed)).first()
        if body is None:
            raise Http404("There is nobody of that number.")
        return body
    return assistant_named(typed)


def must_change(call: ApiCall, who: Any) -> None:
    """Raise `PermissionDenied` where the visitor may not change somebody."""
    if not call.visitor.passes_lock(who):
        raise PermissionDenied(f"You may not change {name_of(who)}.")


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


def set_in_scene(call: ApiCall) -> Json:
    """Set a value of a scene, or take it back."""
    value = call.given["value"] or None
    scene, name = scene_of(call), call.given["name"]
    return told_of(staging.set_scene(scene.id, name, value, staff=call.by))


def set_its_day(call: ApiCall) -> Json:
    """Set the day of a story."""
    return told_of(turn_day(scene_of(call), call.given["day"], by=call.by))


def show_its_lines(call: ApiCall) -> Json:
    """Return the newest lines of a scene: who took part, by which rule, and who learnt what."""
    return looking.lines_report(scene_of(call), call.given["limit"], "lines")


def show_its_log(call: ApiCall) -> list[Json]:
    """Return what was changed of a scene, the newest first: what it was, what it is, by whom."""
    return [asdict(one) for one in scene_log(scene_of(call), call.given["limit"])]


def show_its_memories(call: ApiCall) -> Json:
    """Return what somebody remembers of a scene, or knew at the end of a day."""
    scene, who = scene_of(call), person_meant(call.given["who"])
    seen = looking.known_by(scene, who, day=call.given.get("day"))
    held = {entity_id(who): seen.rows}
    return looking.rows_report(scene, held, "memories", is_whole=seen.is_whole)
