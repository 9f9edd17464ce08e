"""What the API does about execution, the audit log, and the world."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
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
from ai_assistant.core.contracts import Json
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.times import iso
from ai_assistant.memory.blocks.global_knowledge import MAX_DESCRIPTION, MAX_LORE, find_place
from ai_assistant.memory.blocks.items import MAX_CONTENT
from ai_assistant.web.rest.api_endpoint import (
    ApiCall,
    Takes,
    may_be_empty,
    string,
    takes,
    whole,
)

MOMENT = 40
"""Characters of a moment: its name, or a time."""


class OneMoment(Takes):
    """A moment, by its name or a time (UTC), and of which part."""

    moment = string(MOMENT)
    part = string(MOMENT, default="")


# -- execution


def show_execution(call: ApiCall) -> Json:
    """Return how an assistant executes now, and what is set about that."""
    found = execution_of(call.character)
    options = [
        {"key": key, "value": value, "is_set": is_set} for key, value, is_set in found.options
    ]
    return {"state": dict(found.state), "options": options, "is_stopped": found.is_stopped}


@takes(reason=may_be_empty(MOST_REASON))
def stop_at_once(call: ApiCall) -> Json:
    """Trigger the emergency stop of an assistant."""
    trigger_emergency_stop(call.character, call.given["reason"], call.by)
    return show_execution(call)


def let_go_on(call: ApiCall) -> Json:
    """Clear the emergency stop of an assistant."""
    clear_emergency_stop(call.character, call.by)
    return show_execution(call)


# -- the audit log


@takes(
    turn=string(100, default=""),
    before=whole(1, default=0, help_text="A `record` that was seen."),
    limit=whole(1, 200, default=50),
)
def list_moments(call: ApiCall) -> Callable[[], list[Json]]:
    """Return the last commits that changed any state of an assistant, or those of a turn."""
    whose, given = past_states.whose_past(call.character), call.given

    def read() -> list[Json]:
        moments = past_states.last_moments(whose, given["limit"], given["turn"], given["before"])
        return [dataclasses.asdict(moment) | {"at": iso(moment.at)} for moment in moments]

    return read


@takes(OneMoment)
def show_past(call: ApiCall) -> Callable[[], Json]:
    """Return the states of an assistant right after a commit, by part and key."""
    whose, given = past_states.whose_past(call.character), call.given

    def read() -> Json:
        moment = past_states.moment_of(whose, given["moment"], given["part"])
        states = past_states.states_at(whose, moment, given["part"])
        return {"moment": moment.name, "states": states}

    return read


@takes(OneMoment, then=string(MOMENT))
def compare_past(call: ApiCall) -> Callable[[], Json]:
    """Return how states differ between two moments, as lines of a unified diff."""
    whose, given = past_states.whose_past(call.character), call.given

    def read() -> Json:
        part, typed = given["part"], (given["moment"], given["then"])
        first, then = (past_states.moment_of(whose, each, part) for each in typed)
        lines = past_states.changed_between(whose, first, then, part)
        return {"moment": first.name, "then": then.name, "changes": [*lines]}

    return read


# -- what everybody knows


def show_world(call: ApiCall) -> Json:
    """Return the lore, the news and the map, which everybody knows."""
    return blocks.read_world()


@takes(text=string(MAX_CONTENT, label="What happened"))
def tell_news(call: ApiCall) -> Json:
    """Let everybody hear of an event."""
    blocks.announce(call.given["text"], by=call.by)
    return show_world(call)


@takes(text=string(MAX_LORE, label="Lore"))
def write_lore(call: ApiCall) -> Json:
    """Replace the lore."""
    blocks.set_lore(call.given["text"], by=call.by)
    return show_world(call)


@takes(
    description=string(MAX_DESCRIPTION, required=False),
    coordinates=serializers.ListField(
        child=serializers.FloatField(), min_length=1, max_length=4, required=False
    ),
)
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
