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
from ai_assistant.core.text import typed_number
from ai_assistant.game.identity import entity_id, find, unstyled
from ai_assistant.roleplay.scene_files.scene_card import MOST_BYTES, scene_from_bytes
from ai_assistant.roleplay.takes import MOST_LINES
from ai_assistant.scenes.updates import record_update
from ai_assistant.storage import Container, WorldContainer
from ai_assistant.storage.scene_rows import owner_of_row
from ai_assistant.web.rest.api_endpoint import (
    ApiCall,
    may_be_empty,
    or_not_found,
    string,
    takes,
    whole,
)
from ai_assistant.web.rest.api_mind import TEXT, row_told
from ai_assistant.web.rest.api_scenes import (
    HowMany,
    NewScene,
    WhoPlays,
    person_meant,
    scene_of,
    told_of,
)

MOST_ROW = 999_999_999
NAME = 100


class WhichDay(HowMany):
    """Until the end of which day."""

    day = whole(0, 999_999_999, required=False)


# -- takes and branches


@takes(
    lines=whole(1, MOST_LINES, default=1),
    row=whole(1, MOST_ROW, required=False, help_text="That line and all since."),
)
def rewind_lines(call: ApiCall) -> Deferred[Json]:
    """Take the last lines of a scene back, with all that came of them."""
    count, row = call.given["lines"], call.given.get("row", 0)
    work = rewind_scene(scene_of(call), count, row, by=call.by)
    return work.addCallback(lambda done: told_of(done[0]) | {"lines": done[1]})


@takes(NewScene, row=whole(1, MOST_ROW, required=False, help_text="From there; else now."))
def branch_off(call: ApiCall) -> Json:
    """Let a scene go on as another, which is returned; the first one rests."""
    title, row = call.given["title"], call.given.get("row", 0)
    return told_of(fork_scene(scene_of(call), title, row, by=call.by))


# -- what is told of it, and to whom


@takes(WhichDay, q=may_be_empty(200))
def show_its_record(call: ApiCall) -> list[Json]:
    """Return the newest of the world's record of a scene, oldest first."""
    words = call.given["q"].casefold()
    rows = _record(call, looking.LOOKED_THROUGH if words else call.given["limit"])
    found = [row for row in rows if words in row.content.casefold()]
    return [row_told(row) for row in found[-call.given["limit"] :]]


@takes(WhichDay)
def show_tale(call: ApiCall) -> list[str]:
    """Return the newest of a scene as a tale, line by line; or as it stood at the end of a day."""
    rows = _record(call, call.given["limit"])
    return [unstyled(line) for row in rows for line in rows_shown.recorded(row)]


def _record(call: ApiCall, limit: int) -> list[MemoryRow]:
    until = {"game_day": ("<=", call.given["day"])} if "day" in call.given else {}
    return WorldContainer(scene_of(call).id).find(where=until, limit=limit)[::-1]


@takes(q=string(200))
def show_knowers(call: ApiCall) -> Json:
    """Return who knows these words of a scene, from whom, and how far it is believed."""
    scene, words = scene_of(call), call.given["q"]
    held, is_whole = looking.knowers(scene, words, looking.MOST_SHOWN)
    return looking.rows_report(scene, held, "who", is_whole=is_whole)


@takes(WhoPlays, text=string(TEXT))
def record_fate(call: ApiCall) -> Json:
    """Record what became of somebody."""
    scene, who = scene_of(call), person_meant(call.given["who"])
    call.visitor.must_change(who)
    return row_told(record_update(who, call.given["text"], "staff", session=scene.id))


@takes(row=whole(1, MOST_ROW), teller=string(NAME), hearer=string(NAME))
def pass_on_memory(call: ApiCall) -> Json:
    """Let one pass a memory on to another; returns what that one has of it."""
    teller, hearer = (person_meant(call.given[name]) for name in ("teller", "hearer"))
    call.visitor.must_change(hearer)
    found = Container(scene_of(call).id, entity_id(teller)).rows([call.given["row"]])
    if not found:
        raise AssistantError("The teller remembers nothing under that number there.")
    return row_told(staging.tell(found[0], teller, hearer))


@takes(
    WhoPlays,
    before=whole(0, 999_999_999, help_text="The day from which on they stay as they are."),
)
def fold_memories(call: ApiCall) -> Json:
    """Summarise somebody's old days of a scene."""
    scene, who = scene_of(call), person_meant(call.given["who"])
    call.visitor.must_change(who)
    return {"folded": staging.fold_container(scene.id, entity_id(who), call.given["before"])}


# -- corrections


@takes(text=string(TEXT))
def correct_its_memory(call: ApiCall) -> Json:
    """Let somebody remember it in other words, from the scene's day of today on."""
    scene, row = scene_of(call), typed_number(call.named["row"])
    who = find(owner_of_row(scene.id, row))
    if who is None:
        raise Http404("Nobody remembers anything under that number there.")
    call.visitor.must_change(who)
    return row_told(staging.correct_by_staff(scene, who, row, call.given["text"], by=call.by))


@takes(who=serializers.ListField(child=string(NAME), max_length=50, allow_empty=True))
def correct_its_people(call: ApiCall) -> Json:
    """Put right who took part in a line of the record, and with it who knows it."""
    scene, row = scene_of(call), typed_number(call.named["row"])
    people = list(map(person_meant, call.given["who"]))
    ids = list(map(entity_id, people))
    made = who_was_there(scene, row, ids)
    for body in bodies_concerned(made):
        call.visitor.must_change(body)
    made = correct_participants(scene, row, ids, by=call.by)
    return {"participants": list(made.participants), "rows": [row.id for row in made.rows]}


# -- roles and cards


@takes(WhoPlays, role=string(NAME))
def cast_member(call: ApiCall) -> Json:
    """Let a member play a role of the scene's card."""
    scene = scene_of(call)
    member = scene_shown.member_named(scene, call.given["who"])
    after = give_role(scene, member, call.given["role"], by=call.by)
    roles = {who: role for who, role in after.parts.items() if after.has(who)}
    return told_of(after) | {"roles": roles}


def show_card(call: ApiCall) -> Json:
    """Return a scene as a card."""
    with or_not_found():
        card: Json = json.loads(scene_cards.scene_file(scene_of(call), "scene.json"))
    return card


@takes(card=serializers.DictField())
def make_scene_of_card(call: ApiCall) -> Json:
    """Make a scene of a card, with the assistants that its roles are for."""
    data = json.dumps(call.given["card"]).encode()
    if len(data) > MOST_BYTES:
        raise AssistantError(f"A card has at most {MOST_BYTES} bytes.")
    made = scene_cards.import_scene(
        scene_from_bytes(data, "scene.json"), may_edit=call.visitor.passes_lock, by=call.by
    )
    return told_of(made.scene) | {"missing": made.missing}
