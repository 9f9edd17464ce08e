"""What the API does about execution, the audit log, versions of blocks, and the world."""

from __future__ import annotations

import dataclasses
from typing import Any

from django.http import Http404
from rest_framework import serializers

from ai_assistant.api import blocks, past_states
from ai_assistant.api.execution import (
    MOST_REASON,
    clear_emergency_stop,
    execution_of,
    trigger_emergency_stop,
)
from ai_assistant.commands.blocks.aiblock import block_named
from ai_assistant.commands.blocks.meant_blocks import (
    Meant,
    line_readers,
    undo_last_change,
    version_rows,
)
from ai_assistant.core.contracts import Json
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.times import iso
from ai_assistant.game.identity import name_of
from ai_assistant.memory.blocks.global_knowledge import MAX_DESCRIPTION, MAX_LORE, find_place
from ai_assistant.memory.blocks.items import MAX_CONTENT
from ai_assistant.memory.blocks.visible import visible_form
from ai_assistant.storage import read_block
from ai_assistant.storage.block_rows import LEAST_LIMIT, MOST_LIMIT, set_limit
from ai_assistant.web.rest.api_endpoint import ApiCall, Takes, or_not_found

MOMENT = 40
"""Characters of a moment: its number, or a time."""


class StopReason(Takes):
    """Why an assistant is stopped at once."""

    reason = serializers.CharField(max_length=MOST_REASON, default="", allow_blank=True)


class WhichMoments(Takes):
    """How many of the last moments, or of which turn."""

    turn = serializers.CharField(max_length=100, default="")
    limit = serializers.IntegerField(min_value=1, max_value=200, default=50)


class OneMoment(Takes):
    """A moment, by its number or a time (UTC), and of which part."""

    moment = serializers.CharField(max_length=MOMENT)
    part = serializers.CharField(max_length=MOMENT, default="")


class TwoMoments(OneMoment):
    """The same of two moments."""

    then = serializers.CharField(max_length=MOMENT)


class BlockLimit(Takes):
    """Characters that a block may hold."""

    limit = serializers.IntegerField(min_value=LEAST_LIMIT, max_value=MOST_LIMIT)


class WorldNews(Takes):
    """News that everybody hears of."""

    text = serializers.CharField(max_length=MAX_CONTENT)


class WorldLore(Takes):
    """The lore, in place of what it was."""

    text = serializers.CharField(max_length=MAX_LORE)


class WorldPlace(Takes):
    """What a place on the map is, and where; what is left out stays."""

    description = serializers.CharField(max_length=MAX_DESCRIPTION, required=False)
    coordinates = serializers.ListField(
        child=serializers.FloatField(), min_length=1, max_length=4, required=False
    )


# -- execution


def show_execution(call: ApiCall) -> Json:
    """Return how an assistant executes now, and what is set about that."""
    found = execution_of(call.character)
    options = [
        {"key": key, "value": value, "is_set": is_set} for key, value, is_set in found.options
    ]
    return {"state": dict(found.state), "options": options, "is_stopped": found.is_stopped}


def stop_at_once(call: ApiCall) -> Json:
    """Trigger the emergency stop of an assistant."""
    trigger_emergency_stop(call.character, call.given["reason"], call.by)
    return show_execution(call)


def let_go_on(call: ApiCall) -> Json:
    """Clear the emergency stop of an assistant."""
    clear_emergency_stop(call.character, call.by)
    return show_execution(call)


# -- the audit log


def list_moments(call: ApiCall) -> list[Json]:
    """Return the last commits that changed any state of an assistant, or those of a turn."""
    moments = past_states.last_moments(call.character, call.given["limit"], call.given["turn"])
    return [dataclasses.asdict(moment) | {"at": iso(moment.at)} for moment in moments]


def show_past(call: ApiCall) -> Json:
    """Return the states of an assistant right after a commit, by part and key."""
    moment = past_states.moment_of(call.character, call.given["moment"])
    states = past_states.states_at(call.character, moment, call.given["part"])
    return {"moment": moment, "states": states}


def compare_past(call: ApiCall) -> Json:
    """Return how states differ between two moments, as lines of a unified diff."""
    first, then = (
        past_states.moment_of(call.character, call.given[name]) for name in ("moment", "then")
    )
    lines = past_states.changed_between(call.character, first, then, call.given["part"])
    return {"moment": first, "then": then, "changes": [*lines]}


# -- versions of blocks


def show_block(call: ApiCall) -> Json:
    """Return one block: what it holds, as its model sees it, who may read which lines, its limit.

    That of one person is `private@<person>`.
    """
    with or_not_found():
        meant = block_named(call.character, call.named["block"])
    block, value = read_block(meant.row, meant.owner), meant.value()
    return {
        "block": meant.label,
        "value": value,
        "visible": visible_form({meant.kind: value}),
        "readers": [{"readers": who, "lines": count} for who, count in line_readers(meant)],
        "limit": None if meant.is_view else block.limit,
        "version": block.version,
    }


def limit_block(call: ApiCall) -> Json:
    """Set how many characters a block may hold."""
    meant = _meant(call)
    set_limit(meant.row, meant.owner, call.given["limit"])
    return show_block(call)


def list_versions(call: ApiCall) -> list[Json]:
    """Return the last versions of a block: when, by whom, and what was done."""
    names = ("version", "at", "writer", "by", "did", "characters")
    return [dict(zip(names, row, strict=True)) for row in version_rows(_meant(call))]


def undo_block(call: ApiCall) -> Json:
    """Bring back what a block held before its last change."""
    return {"version": undo_last_change(_meant(call), by=call.by)}


def _meant(call: ApiCall) -> Meant:
    with or_not_found():
        found = block_named(call.character, call.named["block"])
    found.must_be_stored()
    return found


# -- blocks of the game's own


class NewBlock(Takes):
    """The name of a block of the game's own, and whether others may join and share it."""

    block = serializers.CharField(max_length=MOMENT)
    shared = serializers.BooleanField(default=False)


def make_block(call: ApiCall) -> Json:
    """Make a block of the game's own, which an assistant has alone or lets others share."""
    label = call.given["block"]
    if call.given["shared"]:
        blocks.get_or_create_shared_block(label, [call.character])
    else:
        blocks.create_block_by_type("private", label, npc=call.character)
    return _sharing(label, call.character)


def share_block(call: ApiCall) -> Json:
    """Let an assistant share a block that others share."""
    blocks.join_block(call.named["block"], call.character)
    return _sharing(call.named["block"], call.character)


def stop_sharing(call: ApiCall) -> Json:
    """Let an assistant share a block no more."""
    blocks.leave_block(call.named["block"], call.character)
    return {"block": call.named["block"]}


def drop_block(call: ApiCall) -> Json:
    """Delete a block of the game's own, for all who have it."""
    blocks.delete_own_block(call.named["block"], call.character, by=call.by)
    return {"deleted": call.named["block"]}


def _sharing(label: str, character: Any) -> Json:
    return {"block": label, "shared_by": [*map(name_of, blocks.sharing(label, character))]}


# -- what everybody knows


def show_world(call: ApiCall) -> Json:
    """Return the lore, the news and the map, which everybody knows."""
    return blocks.read_world()


def tell_news(call: ApiCall) -> Json:
    """Let everybody hear of an event."""
    blocks.announce(call.given["text"], by=call.by)
    return show_world(call)


def write_lore(call: ApiCall) -> Json:
    """Replace the lore."""
    blocks.set_lore(call.given["text"], by=call.by)
    return show_world(call)


def put_place(call: ApiCall) -> Json:
    """Put a place on the map, or change it."""
    given = call.given
    if not given:
        raise AssistantError("Give its description, its coordinates or both.")
    description, where = given.get("description", ""), given.get("coordinates", ())
    blocks.set_location(call.named["place"], description, where, by=call.by)
    return show_world(call)


def sync_map(call: ApiCall) -> Any:
    """Write the game's rooms on the map that are tagged for it, and take off those that left."""
    return blocks.sync_places(by=call.by)


def drop_from_map(call: ApiCall) -> Json:
    """Take a place off the map."""
    if find_place(blocks.read_world(), call.named["place"]) is None:
        raise Http404("There is no such place on the map.")
    blocks.remove_location(call.named["place"], by=call.by)
    return show_world(call)
