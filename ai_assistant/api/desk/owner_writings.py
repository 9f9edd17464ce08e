"""What an owner writes for one assistant: templates, components, guidelines; checked, on record."""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass
from typing import Any

from ai_assistant.agent.prompt import component, templates
from ai_assistant.agent.prompt.component import PromptComponent
from ai_assistant.api.handlers import store_of
from ai_assistant.api.handlers.handler_base import change
from ai_assistant.core.contracts import Change, Json
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.readers import OPEN
from ai_assistant.core.text import clean
from ai_assistant.game.identity import entity_id
from ai_assistant.memory.inner.guidelines import MAX_ACCEPTED, MAX_CONTENT
from ai_assistant.runtime.named_by_settings import load_macros
from ai_assistant.storage import ledgers
from ai_assistant.storage.history.past import moments_of, state_at

MOST_VERSIONS = 50
"""So many versions of templates and components can be brought back."""


@dataclass(frozen=True, slots=True)
class Writing:
    """One change of what the owner wrote, which was checked and is not made yet."""

    part: str
    """``prompt`` or ``guidelines``."""
    step: str
    """The step of that part."""
    given: Json
    """What the step takes."""
    what: str
    """What it is about, in words."""


def write_down(character: Any, writing: Writing, *, by: str) -> None:
    """Make a change that was checked, and put it on record. Raises `StoreError`."""
    given, step = writing.given, writing.step
    if writing.part == "guidelines":
        told: Json = {"step": step, "by": by, **given}
        given, record = given | {"at": time.time(), "by": by}, ("GuidelineDecided", told)
    else:
        record = ("ConfigurationChanged", {"key": writing.what, "step": step, "by": by})
    change(character, [Change(writing.part, "", step, given)], record)


# -- templates and components


def prompting_of(character: Any) -> Json:
    """Return the templates and components of an assistant, as they are stored."""
    found: Json = store_of(character).read("prompt")
    return found


def unknown_macros(text: str) -> list[str]:
    """Return the macros in a text that nobody knows, which stay as they stand."""
    return [f"{{{{{name}}}}}" for name in load_macros().unknown(text)]


def template_of(character: Any, name: str, **texts: str) -> Writing:
    """Return the change to a template: its `text`, or `native` for models with tool calls.

    Raises `ConfigurationError` for a name or a text that does not fit, and where there are too many
    templates; `AssistantError` for a `native` text of a template that does not exist yet.
    """
    name, prompting = templates.check_name(name), prompting_of(character)
    values = {"text": "", "native": "", **prompting["templates"].get(name, {})}
    for kind, words in texts.items():
        is_none = kind == "native" and not words.strip()
        values[kind] = "" if is_none else templates.check_template(words, load_macros())
    if not values["text"]:
        raise AssistantError(f"Create {name} first; then give it a native text.")
    templates.check_room(prompting, name)
    return Writing("prompt", "put_template", {"name": name, **values}, f"template {name}")


def applying(character: Any, name: str) -> Writing:
    """Return the change that makes a template the instructions.

    Raises `ConfigurationError` naming those there are, where this is none.
    """
    name = templates.find_template(prompting_of(character), name)
    return Writing("prompt", "apply_template", {"name": name}, f"template {name}")


def without_template(character: Any, name: str) -> Writing:
    """Return the change that deletes a template; where it was applied, the default one is then.

    Raises `ConfigurationError` where there is none such, and for the default one.
    """
    name = templates.check_name(templates.find_template(prompting_of(character), name))
    return Writing("prompt", "drop_template", {"name": name}, f"template {name}")


@dataclass(frozen=True, slots=True)
class PromptVersion:
    """One change of the templates and components of an assistant."""

    moment: int
    """Its number, as `aiaudit` has it."""
    at: float
    """When it was made."""
    what: str
    """What was done, in words."""
    by: str
    """Who did; empty where nobody knows any more."""


def prompt_versions(character: Any, most: int) -> list[PromptVersion]:
    """Return the last changes of templates and components that are on record, newest first."""
    made = moments_of(entity_id(character), "prompt", most)
    records = ledgers.last(entity_id(character), "ConfigurationChanged", 2 * most)
    told = {record.at: record.data for record in records}
    return [
        PromptVersion(moment, at, _deed(told.get(at, {})), told.get(at, {}).get("by", ""))
        for moment, at in made
    ]


def _deed(record: Json) -> str:
    return " ".join((record["step"].partition("_")[0], record["key"])) if "step" in record else ""


def earlier_prompting(character: Any, moment: int) -> Writing:
    """Return the change that brings templates and components of an earlier moment back.

    `moment` is that of a `PromptVersion`. Raises `AssistantError` where it is not kept.
    """
    known = {moment for moment, _ in moments_of(entity_id(character), "prompt", MOST_VERSIONS)}
    state = state_at(entity_id(character), "prompt", "", moment) if moment in known else None
    if state is None:
        raise AssistantError(f"There is no version {moment} of the templates and components.")
    what = f"wording of version {moment}"
    return Writing("prompt", "as_earlier", {"earlier": state}, what)


def own_components(character: Any) -> list[PromptComponent]:
    """Return the owner's components, in the order of their ids."""
    return component.user_components(prompting_of(character)["components"], load_macros())


def component_added(character: Any, id: str, key: str, text: str, **values: Any) -> Writing:
    """Return the change that adds a component with these values.

    Raises `ConfigurationError` where the key is taken, a value does not fit, or there are too many.
    """
    made = component.new_component(prompting_of(character)["components"], id, key, text)
    return _component(component.changed_component([made], key, **values))


def component_changed(character: Any, key: str, **values: Any) -> Writing:
    """Return the change that gives a component of the owner's other values.

    Raises `ConfigurationError` where there is none of that key, or a value does not fit.
    """
    stored = prompting_of(character)["components"]
    return _component(component.changed_component(stored, key, **values))


def _component(made: Json) -> Writing:
    return Writing("prompt", "put_component", {"component": made}, f"component {made['key']}")


def without_component(character: Any, key: str) -> Writing:
    """Return the change that deletes a component; `ConfigurationError` for an unknown key."""
    key = component_changed(character, key).given["component"]["key"]
    return Writing("prompt", "drop_component", {"key": key}, f"component {key}")


def component_fields(character: Any, key: str) -> Json:
    """Return a component of the owner's, field by field. Raises as `without_component`."""
    return asdict(PromptComponent(**component_changed(character, key).given["component"]))


# -- guidelines


def guidelines_of(character: Any) -> Json:
    """Return its guidelines, and what it proposed itself."""
    found: Json = store_of(character).read("guidelines")
    return found


def guideline_of(character: Any, text: str) -> Writing:
    """Return the change that adds a guideline in these words, open to all.

    Raises `AssistantError` for no words or too many, and where there are `MAX_ACCEPTED` already.
    """
    _check_guidelines(character)
    words = clean(text, MAX_CONTENT + 1)
    if not words or len(words) > MAX_CONTENT:
        raise AssistantError(f"Give a sentence of at most {MAX_CONTENT} characters.")
    return Writing("guidelines", "add", {"content": words, "readers": OPEN}, f"guideline '{words}'")


def find_guideline(character: Any, number: str, *, accepts: bool) -> Json:
    """Return a guideline that can be accepted, or else rejected, by its number as it is shown.

    Raises `AssistantError` where there is none: only what was proposed can be accepted.
    """
    kept = guidelines_of(character)
    listed = [*kept["proposed"], *([] if accepts else kept["accepted"])]
    found = next(
        (writing for writing in listed if str(writing["id"]) == number.strip().lstrip("#")), None
    )
    if found is None:
        way = "accept" if accepts else "reject"
        raise AssistantError(f"There is no such guideline to {way}.")
    return dict(found)


def guideline_decided(character: Any, number: str, *, accepts: bool) -> Writing:
    """Return the change that accepts a proposal, or that rejects it or a guideline.

    Raises `AssistantError` as `find_guideline`, and where `MAX_ACCEPTED` are accepted already.
    """
    if accepts:
        _check_guidelines(character)
    found = find_guideline(character, number, accepts=accepts)
    way, words = "accept" if accepts else "reject", found["content"]
    return Writing("guidelines", way, {"id": found["id"]}, f"guideline '{words}'")


def _check_guidelines(character: Any) -> None:
    if len(guidelines_of(character)["accepted"]) >= MAX_ACCEPTED:
        raise AssistantError(f"There are {MAX_ACCEPTED} guidelines; reject one of them first.")
