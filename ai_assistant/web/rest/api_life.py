"""What the API does about the life of assistants: list, make, start, stop, silence, set, delete."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from evennia.objects.objects import DefaultRoom
from rest_framework import serializers
from twisted.internet.defer import Deferred

from ai_assistant.agent.config import OPTIONS, find_option
from ai_assistant.api import card_exchange, execution, lifecycle
from ai_assistant.api.blocks import change_persona
from ai_assistant.api.desk.jobs import JOBS
from ai_assistant.api.forgetting.reset import SCOPES, reset
from ai_assistant.api.overview import Glance, faults, glances, outages, trouble
from ai_assistant.api.release import release
from ai_assistant.api.slices import in_slices
from ai_assistant.commands.blocks.block_edits import (
    LISTS,
    MAX_PERSONA_TEXT,
    PERSONA_FIELDS,
    persona_value,
)
from ai_assistant.commands.choosing import new_name
from ai_assistant.commands.command_base import let_edit
from ai_assistant.core.contracts import Json
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.text import clean
from ai_assistant.game.identity import entity_id, name_of
from ai_assistant.game.quiet import QUIET
from ai_assistant.web.rest.api_endpoint import ApiCall, Takes, object_meant, string, takes

ROLE = 200
"""Characters of a role, as the command has it."""


class Sure(Takes):
    """What confirms that something goes for good."""

    sure = serializers.CharField()


class Silence(Takes):
    """Whether there is to be silence."""

    quiet = serializers.BooleanField()


def _persona_field(name: str) -> serializers.Field:
    if name in LISTS:
        item = string(MAX_PERSONA_TEXT)
        return serializers.ListField(child=item, max_length=100, required=False)
    return string(MAX_PERSONA_TEXT, allow_blank=True, required=False)


PersonaFields = type(
    "PersonaFields", (Takes,), {name: _persona_field(name) for name in PERSONA_FIELDS}
)
"""Fields of a persona; an empty one is taken out."""


def list_assistants(call: ApiCall) -> Deferred[Json]:
    """Return all assistants with their state, and what is wrong with all of them."""

    async def gathered() -> Json:
        seen = list[Glance]()
        await in_slices(map(seen.extend, glances()))
        return {
            "assistants": [_shown(glance) for glance in seen],
            "trouble": trouble(),
            "outages": outages(),
            "faults": faults(),
            "quiet": QUIET.everywhere,
        }

    return Deferred.fromCoroutine(gathered())


def _shown(glance: Glance) -> Json:
    row = glance.row
    return {
        "number": glance.number,
        "name": row.name,
        "place": row.place,
        "state": row.state,
        "waiting": row.queue,
        "model": row.model,
        "today": {
            "calls": row.calls,
            "tokens": row.tokens,
            "free": row.free,
            "free_tokens": row.free_tokens,
        },
        "last_error": glance.error,
    }


@takes(
    name=string(100),
    room=string(100, help_text="Its name, or its number as in #12."),
    role=string(ROLE, default="villager"),
    desc=string(4000, label="Description", default="", help_text="What one sees who looks at it."),
)
def make(call: ApiCall) -> Json:
    """Make an assistant in a room, and start it."""
    given, name = call.given, new_name(call.given["name"])
    room = room_meant(given["room"])
    role = clean(given["role"], ROLE)
    made = lifecycle.create_assistant(
        name,
        location=room,
        persona={"name": name, "role": role},
        desc=given["desc"] or f"{name}, {role}.",
        by=call.by,
    )
    let_edit(made, *call.visitor.characters)
    return about(made)


def room_meant(typed: str) -> Any:
    """Return the room of this name or number. Raises `AssistantError` where there is none."""
    return object_meant(typed, DefaultRoom, f"{typed} is no room; an assistant needs one.")


def show_assistant(call: ApiCall) -> Json:
    """Return the state of one assistant."""
    return about(call.character)


def about(character: Any) -> Json:
    """Return what the API says of an assistant."""
    found = next(glance for some in glances([character]) for glance in some)
    place = character.location
    return _shown(found) | {
        "id": entity_id(character),
        "room": place.pk if place else None,
        "enabled": bool(lifecycle.script_of(character).db.enabled),
        "silence": QUIET.reason(character),
        "last_line": found.last,
    }


@takes(Sure)
def delete(call: ApiCall) -> Json:
    """Delete an assistant with its memory; `sure` is its whole name."""
    name = must_be_sure(call, name_of(call.character))
    lifecycle.delete(call.character, by=call.by)
    return {"deleted": name}


def must_be_sure(call: ApiCall, name: str) -> str:
    """Return the name of what goes for good. Raises `AssistantError` where `sure` is another."""
    if call.given["sure"] != name:
        raise AssistantError(f"What goes is gone for good: to be sure, give sure={name}.")
    return name


@takes(
    Sure,
    scope=serializers.ChoiceField(
        choices=list(SCOPES), help_text="Its talk, all that it remembers, or its goals as well."
    ),
)
def begin_anew(call: ApiCall) -> Json:
    """Take from an assistant its talk, all it remembers, or its goals as well."""
    must_be_sure(call, name_of(call.character))
    reset(call.character, call.given["scope"], by=call.by)
    return about(call.character)


@takes(Sure, keep=serializers.BooleanField(help_text="Its mind rests; else it is deleted."))
def give_back(call: ApiCall) -> Json:
    """Let an assistant be a character without a mind again, which is kept at rest or deleted."""
    name = must_be_sure(call, name_of(call.character))
    path = release(call.character, keep=call.given["keep"], by=call.by)
    return {"released": name, "typeclass": path}


def start(call: ApiCall) -> Json:
    """Let a stopped assistant live."""
    lifecycle.start(call.character, by=call.by)
    return about(call.character)


def stop(call: ApiCall) -> Json:
    """Stop an assistant until it is started again."""
    lifecycle.stop(call.character, by=call.by)
    return about(call.character)


@takes(Silence)
def silence_one(call: ApiCall) -> Json:
    """Let one assistant be quiet, or end that: it hears, but neither speaks nor acts."""
    return _silenced(call, call.character)


@takes(Silence)
def silence_all(call: ApiCall) -> Json:
    """Let all assistants of the game be quiet, or end that."""
    return _silenced(call, None)


def _silenced(call: ApiCall, what: Any) -> Json:
    is_quiet, dropped = call.given["quiet"], 0
    if is_quiet:
        dropped = execution.silence(what, by=call.by)
    else:
        execution.end_silence(what, by=call.by)
    return {"quiet": is_quiet, "turns_dropped": dropped}


def config(call: ApiCall) -> Json:
    """Return all options of an assistant, with what each is for and takes."""
    values = lifecycle.script_of(call.character).config
    return {
        key: {
            "value": values[key],
            "default": option.default,
            "is_set": key in values.values,
            "source": values.source(key),
            "about": option.about,
            "takes": option.takes(),
        }
        for key, option in OPTIONS.items()
    }


@takes(key=serializers.ChoiceField(choices=sorted(OPTIONS)), value=string(4000, allow_blank=True))
def set_option(call: ApiCall) -> Json:
    """Set one option, from a value as `ai/config` takes it; `default` takes that back."""
    key, text = call.given["key"], call.given["value"]
    find_option(key)
    return {"key": key, "value": lifecycle.configure(call.character, key, text, by=call.by)}


def show_persona(call: ApiCall) -> Json:
    """Return who an assistant is, and the version of that."""
    block = lifecycle.read_persona(call.character)
    return {"fields": block.value, "version": block.version}


@takes(PersonaFields)
def set_persona(call: ApiCall) -> Json:
    """Change fields of a persona; an empty text or list takes one out."""
    if not call.given:
        raise AssistantError(f"Give at least one of its fields: {', '.join(PERSONA_FIELDS)}.")
    changed = {
        name: persona_value(name, "\n".join(value) if name in LISTS else value) if value else None
        for name, value in call.given.items()
    }
    change_persona(call.character, changed, by=call.by)
    return show_persona(call)


def export_card(call: ApiCall) -> Json:
    """Return an assistant as a character card."""
    return card_exchange.exported(call.character).raw


def job(call: ApiCall) -> Json:
    """Return what became of a job of one's own."""
    found = JOBS.job_of(call.visitor.account, call.named["job"])
    if found is None:
        raise Http404("There is no such job of yours, or not any more.")
    return found.told()
