"""What the API does about what an owner writes for prompts: templates, components, guidelines."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import get_args

from rest_framework import serializers

from ai_assistant.agent.prompt import templates
from ai_assistant.agent.prompt.component import MAX_CONTENT, MAX_DEPTH, MAX_ORDER, Role
from ai_assistant.api.desk import owner_writings
from ai_assistant.api.desk.owner_writings import Writing, write_down
from ai_assistant.api.turns.opened_calls import ROLES
from ai_assistant.core.contracts import Json
from ai_assistant.memory.inner import guidelines
from ai_assistant.web.rest.api_endpoint import (
    ApiCall,
    Takes,
    or_not_found,
    string,
    takes,
    whole,
)

KEY_LENGTH = 30
"""Characters of the key of a component."""


class ComponentChange(Takes):
    """What changes of a component."""

    content = string(MAX_CONTENT, label="What it says", required=False)
    role = serializers.ChoiceField(
        choices=[(name, ROLES[name]) for name in get_args(Role)], required=False
    )
    enabled = serializers.BooleanField(label="Shown", required=False, initial=True)
    injection_depth = whole(
        0,
        MAX_DEPTH,
        label="Messages from the end of the talk; 0: by its id",
        required=False,
        initial=0,
    )
    injection_order = whole(0, MAX_ORDER, label="Order at that place", required=False, initial=100)


def show_templates(call: ApiCall) -> Json:
    """Return the templates of an assistant, and which one is applied."""
    prompting = owner_writings.prompting_of(call.character)
    return {"applied": prompting["applied_template"], "templates": prompting["templates"]}


@takes(
    text=string(
        templates.MAX_TEMPLATE,
        label="Instructions",
        required=False,
        help_text="Placeholders such as {name}, {speech}, {tool_schemas} and options are filled.",
    ),
    native=string(
        templates.MAX_TEMPLATE,
        label="The same for models with tool calls of their own",
        required=False,
        allow_blank=True,
    ),
)
def write_template(call: ApiCall) -> Json:
    """Write a template: a new one, or texts of one; it is the instructions once it is applied."""
    made = owner_writings.template_of(call.character, call.named["template"], **call.given)
    return _written(call, made, show_templates)


def use_template(call: ApiCall) -> Json:
    """Let a template be the instructions."""
    with or_not_found():
        made = owner_writings.applying(call.character, call.named["template"])
    return _written(call, made, show_templates)


def delete_template(call: ApiCall) -> Json:
    """Delete a template; where it was applied, the default one is."""
    with or_not_found():
        made = owner_writings.without_template(call.character, call.named["template"])
    return _written(call, made, show_templates)


def show_components(call: ApiCall) -> Json:
    """Return the components of an assistant's owner, by their keys."""
    own = owner_writings.own_components(call.character)
    return {"components": {component.key: dataclasses.asdict(component) for component in own}}


@takes(
    ComponentChange,
    id=whole(1, help_text="Its place among the others; not one of ours."),
    key=string(KEY_LENGTH, help_text="Small letters and digits, such as mood."),
    content=string(MAX_CONTENT, label="What it says"),
)
def make_component(call: ApiCall) -> Json:
    """Make a component."""
    given = dict(call.given)
    id, key, text = str(given.pop("id")), given.pop("key"), given.pop("content")
    made = owner_writings.component_added(call.character, id, key, text, **given)
    return _written(call, made, show_components)


@takes(ComponentChange)
def change_component(call: ApiCall) -> Json:
    """Change a component: its text, role, place, or whether it is shown."""
    with or_not_found():
        owner_writings.component_fields(call.character, call.named["component"])
    made = owner_writings.component_changed(call.character, call.named["component"], **call.given)
    return _written(call, made, show_components)


def delete_component(call: ApiCall) -> Json:
    """Delete a component."""
    with or_not_found():
        made = owner_writings.without_component(call.character, call.named["component"])
    return _written(call, made, show_components)


def show_guidelines(call: ApiCall) -> Json:
    """Return the guidelines of an assistant, and those that it proposed itself."""
    kept = owner_writings.guidelines_of(call.character)
    return {"accepted": kept["accepted"], "proposed": kept["proposed"]}


@takes(text=string(guidelines.MAX_CONTENT, label="Guideline"))
def new_guideline(call: ApiCall) -> Json:
    """Give an assistant a guideline in the words of staff."""
    made = owner_writings.guideline_of(call.character, call.given["text"])
    return _written(call, made, show_guidelines)


def accept_guideline(call: ApiCall) -> Json:
    """Let what an assistant proposed be a guideline."""
    return _decided(call, accepts=True)


def reject_guideline(call: ApiCall) -> Json:
    """Let a proposal, or what is a guideline, be none."""
    return _decided(call, accepts=False)


def _decided(call: ApiCall, *, accepts: bool) -> Json:
    number = call.named["guideline"]
    with or_not_found():
        owner_writings.find_guideline(call.character, number, accepts=accepts)
    made = owner_writings.guideline_decided(call.character, number, accepts=accepts)
    return _written(call, made, show_guidelines)


def _written(call: ApiCall, made: Writing, show: Callable[[ApiCall], Json]) -> Json:
    """Write something down; returns what stands then, and the macros in it that nobody knows."""
    write_down(call.character, made, by=call.by)
    words = " ".join(map(str, call.given.values()))
    return show(call) | {"unknown_macros": owner_writings.unknown_macros(words)}
