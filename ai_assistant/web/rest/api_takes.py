"""What the API does about what scenes hold: takes, branches, roles, records, corrections, cards."""

from __future__ import annotations

import json

from django.http import Http404
from rest_framework import serializers
from twisted.internet.defer import Deferred

from ai_assistant.api import staging
from ai_assistant.api.stories import looking, scene_cards
from ai_assistant.api.stories.who_was_there import (
    bodies_concerned,
    correct_participants,
    who_was_there,
)
from ai_assistant.commands import rows_shown, scene_shown
from ai_assistant.commands.staff.aiscene_cards import give_role
from ai_assistant.commands.staff.aiscene_desk import fork_scene, rewind_scene
from ai_assistant.core.contracts import Json, MemoryRow
from ai_assistant.core.errors import AssistantError
from ai_assistant.game.identity import entity_id, find, unstyled
from ai_assistant.roleplay.scene_files.scene_card import MOST_BYTES, scene_from_bytes
from ai_assistant.roleplay.takes import MOST_LINES
from ai_assistant.scenes.updates import record_update
from ai_assistant.storage import Container, WorldContainer
from ai_assistant.storage.scene_rows import owner_of_row
from ai_assistant.web.rest.api_endpoint import ApiCall, Takes, or_not_found
from ai_assistant.web.rest.api_mind import TEXT, row_told
from ai_assistant.web.rest.api_scenes import (
    HowMany,
    NewScene,
    WhoPlays,
    must_change,
    person_meant,
    scene_of,
    told_of,
)

ROW = {"min_value": 1, "max_value": 999_999_999}
NAME = 100


class LinesBack(Takes):
    """How many of the last lines, or a row of the record: that line and all since."""

    lines = serializers.IntegerField(min_value=1, max_value=MOST_LINES, default=1)
    row = serializers.IntegerField(**ROW, required=False)


class NewBranch(NewScene):
    """What the branch is called, and the row of the record from which it goes on; else from now."""

    row = serializers.IntegerField(**ROW, required=False)


class GivenRole(WhoPlays):
    """Which member plays which role of the card."""

    role = serializers.CharField(max_length=NAME)


class WhatBecame(WhoPlays):
    """Of whom, and what became of that one."""

    text = serializers.CharField(max_length=TEXT)


class PassedOn(Takes):
    """A memory of the teller's, by its number, and who is told."""

    row = serializers.IntegerField(**ROW)
    teller = serializers.CharField(max_length=NAME)
    hearer = serializers.CharField(max_length=NAME)


class FoldedDays(WhoPlays):
    """Whose memories of before which day."""

    before = serializers.IntegerField(min_value=0, max_value=999_999_999)


class RightWords(Takes):
    """The words in which somebody remembers it."""

    text = serializers.CharField(max_length=TEXT)


class WhoWasThere(Takes):
    """Who took part in a line, beside its speaker."""

    who = serializers.ListField(
        child=serializers.CharField(max_length=NAME), max_length=50, allow_empty=True
    )


class WhichDay(HowMany):
    """Until the end of which day."""

    day = serializers.IntegerField(min_value=0, max_value=999_999_999, required=False)


class WhichRows(WhichDay):
    """Of the record the rows with these words."""

    q = serializers.CharField(max_length=200, default="", allow_blank=True)


class KnownWords(Takes):
    """Words as they stand in a memory."""

    q = serializers.CharField(max_length=200)


class SceneCard(Takes):
    """The card of a scene, as `scenes/{scene}/card/` returns one."""

    card = serializers.DictField()


# -- takes and branches


def rewind_lines(call: ApiCall) -> Deferred[Json]:
    """Take the last lines of a scene back, with all that came of them."""
    count, row = call.given["lines"], call.given.get("row", 0)
    work = rewind_scene(scene_of(call), count, row, by=call.by)
    return work.addCallback(lambda done: told_of(done[0]) | {"lines": done[1]})


def branch_off(call: ApiCall) -> Json:
    """Let a scene go on as another, which is returned; the first one rests."""
    title, row = call.given["title"], call.given.get("row", 0)
    return told_of(fork_scene(scene_of(call), title, row, by=call.by))


# -- what is told of it, and to whom


def show_its_record(call: ApiCall) -> list[Json]:
    """Return the newest of the world's record of a scene, oldest first."""
    words = call.given["q"].casefold()
    rows = _record(call, looking.LOOKED_THROUGH if words else call.given["limit"])
    found = [row for row in rows if words in row.content.casefold()]
    return [row_told(row, f"#{row.id}") for row in found[-call.given["limit"] :]]


def show_tale(call: ApiCall) -> list[str]:
    """Return the newest of a scene as a tale, line by line; or as it stood at the end of a day."""
    rows = _record(call, call.given["limit"])
    return [unstyled(line) for row in rows for line in rows_shown.recorded(row)]


def _record(call: ApiCall, limit: int) -> list[MemoryRow]:
    until = {"game_day": ("<=", call.given["day"])} if "day" in call.given else {}
    return WorldContainer(scene_of(call).id).find(where=until, limit=limit)[::-1]


def show_knowers(call: ApiCall) -> Json:
    """Return who knows these words of a scene, from whom, and how far it is believed."""
    scene, words = scene_of(call), call.given["q"]
    held, is_whole = looking.knowers(scene, words, looking.MOST_SHOWN)
    return looking.rows_report(scene, held, "who", is_whole=is_whole)


def record_fate(call: ApiCall) -> Json:
    """Record what became of somebody."""
    scene, who = scene_of(call), person_meant(call.given["who"])
    must_change(call, who)
    row = record_update(who, call.given["text"], "staff", session=scene.id)
    return row_told(row, f"#{row.id}")


def pass_on_memory(call: ApiCall) -> Json:
    """Let one pass a memory on to another; returns what that one has of it."""
    teller, hearer = (person_meant(call.given[name]) for name in ("teller", "hearer"))
    must_change(call, hearer)
    found = Container(scene_of(call).id, entity_id(teller)).rows([call.given["row"]])
    if not found:
        raise AssistantError("The teller remembers nothing under that number there.")
    told = staging.tell(found[0], teller, hearer)
    return row_told(told, f"#{told.id}")


def fold_memories(call: ApiCall) -> Json:
    """Summarise somebody's old days of a scene."""
    scene, who = scene_of(call), person_meant(call.given["who"])
    must_change(call, who)
    return {"folded": staging.fold_container(scene.id, entity_id(who), call.given["before"])}


# -- corrections


def correct_its_memory(call: ApiCall) -> Json:
    """Let somebody remember it in other words, from the scene's day of today on."""
    scene, row = scene_of(call), _row(call)
    who = find(owner_of_row(scene.id, row))
    if who is None:
        raise Http404("Nobody remembers anything under that number there.")
    must_change(call, who)
    new = staging.correct_by_staff(scene, who, row, call.given["text"], by=call.by)
    return row_told(new, f"#{new.id}")


def correct_its_people(call: ApiCall) -> Json:
    """Put right who took part in a line of the record, and with it who knows it."""
    scene, row = scene_of(call), _row(call)
    people = list(map(person_meant, call.given["who"]))
    ids = list(map(entity_id, people))
    made = who_was_there(scene, row, ids)
    for body in bodies_concerned(made):
        must_change(call, body)
    made = correct_participants(scene, row, ids, by=call.by)
    return {"participants": list(made.participants), "rows": [row.id for row in made.rows]}


def _row(call: ApiCall) -> int:
    typed = call.named["row"]
    return int(typed) if typed.isdecimal() and len(typed) < 10 else 0


# -- roles and cards


def cast_member(call: ApiCall) -> Json:
    """Let a member play a role of the scene's card."""
    scene = scene_of(call)
    member = scene_shown.member_named(scene, call.given["who"])
    after = give_role(scene, member, call.given["role"], by=call.by)
    return told_of(after) | {"roles": dict(after.parts)}


def show_card(call: ApiCall) -> Json:
    """Return a scene as a card."""
    with or_not_found():
        card: Json = json.loads(scene_cards.scene_file(scene_of(call), "scene.json"))
    return card


def make_scene_of_card(call: ApiCall) -> Json:
    """Make a scene of a card, with the assistants that its roles are for."""
    data = json.dumps(call.given["card"]).encode()
    if len(data) > MOST_BYTES:
        raise AssistantError(f"A card has at most {MOST_BYTES} bytes.")
    made = scene_cards.import_scene(
        scene_from_bytes(data, "scene.json"), may_edit=call.visitor.passes_lock, by=call.by
    )
    return told_of(made.scene) | {"missing": made.missing}
