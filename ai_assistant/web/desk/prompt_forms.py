"""Templates, components and guidelines as edits: what `ai` changes of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django import forms

from ai_assistant.api.desk import owner_writings
from ai_assistant.core.contracts import Json
from ai_assistant.game.identity import name_of
from ai_assistant.memory.blocks.visible import lines_in_field
from ai_assistant.web.desk.act_forms import Foreseen, act
from ai_assistant.web.desk.block_forms import field_changes
from ai_assistant.web.desk.edit_forms import EditForm, Fields, Planned, words_field
from ai_assistant.web.rest import api_prompts as prompts


class EarlierPromptForm(EditForm):
    """Brings back templates and components as they were."""

    title, page = "Bring back templates and components", "prompt"
    version = forms.IntegerField(min_value=1, widget=forms.HiddenInput())

    def _writing(self) -> owner_writings.Writing:
        return owner_writings.earlier_prompting(self.character, self.cleaned_data["version"])

    def plan(self, changed: Json) -> Planned:
        """Return each that would be another."""
        earlier = self._writing().given["earlier"]
        now = owner_writings.prompting_of(self.character)
        return field_changes(*map(_by_name, (now, earlier)))

    def do(self, changed: Json, account: Any) -> str:
        """Bring them back."""
        made = self._writing()
        owner_writings.write_down(self.character, made, by=account.key)
        return f"{name_of(self.character)}: the {made.what} is back."


def _by_name(prompting: Json) -> Json:
    texts = {f"template {name}": text for name, text in prompting["templates"].items()}
    own = {
        f"component {component['key']}": _component(component)
        for component in prompting["components"]
    }
    return {"applied template": prompting["applied_template"], **texts, **own}


def _component(one: Json) -> str:
    shown = "shown" if one["enabled"] else "switched off"
    return f"{one['content']} ({one['role']}, depth {one['injection_depth']}, {shown})"


def _template(character: Any, fields: Fields) -> Json:
    """Return the template that is named, if one is."""
    name = fields.get("template", "")
    known = owner_writings.prompting_of(character)["templates"].get(name)
    return {"template": name, **known} if known else {}


def _kept(thing: str) -> Callable[[Json, Json], str]:
    """Return what tells that something is kept, and which macros in it nobody knows."""

    def told(known: Json, done: Json) -> str:
        unknown = ", ".join(done["unknown_macros"])
        stays = f" Nobody knows {unknown}: that stays as it stands." if unknown else ""
        return f"{known['name']}: {thing.format_map(known)} is kept.{stays}"

    return told


def _named(part: str, outcome: str, found: Callable[..., owner_writings.Writing]) -> Foreseen:
    """Return what says what becomes of what is named, which is looked for first."""

    def goes(character: Any, given: Json) -> Planned:
        what = found(character, given[part]).what
        now = _by_name(owner_writings.prompting_of(character)).get(what)
        return [(what, "; ".join(lines_in_field(now)), outcome)]

    return goes


def _decided(outcome: str, *, accepts: bool) -> Foreseen:
    decided = owner_writings.guideline_decided
    return _named("guideline", outcome, lambda *named: decided(*named, accepts=accepts))


_OF_COMPONENT = ("id", "key", "content", "role", "enabled")
PROMPT_EDITS = {
    "template": act(
        *(prompts.write_template, "A template", _kept("the template {template}"), "prompt"),
        now=_template,
        template=words_field("Name", 30, help_text="Small letters and digits, such as terse."),
    ),
    "apply_template": act(
        *(prompts.use_template, "Apply a template"),
        *("{name}: the template {template} is applied.", "prompt"),
        goes=_named("template", "applied", owner_writings.applying),
    ),
    "drop_template": act(
        *(prompts.delete_template, "Delete a template"),
        *("{name}: the template {template} is gone.", "prompt"),
        is_grave=True,
        goes=_named("template", "gone", owner_writings.without_template),
    ),
    "earlier_prompt": EarlierPromptForm,
    "new_component": act(
        *(prompts.make_component, "Add a component", _kept("the component {key}"), "prompt"),
        field_order=_OF_COMPONENT,
    ),
    "component": act(
        *(prompts.change_component, "Change a component"),
        *(_kept("the component {component}"), "prompt"),
        now=lambda character, fields: owner_writings.component_fields(
            character, fields.get("component", "")
        ),
    ),
    "drop_component": act(
        *(prompts.delete_component, "Delete a component"),
        *("{name}: the component {component} is gone.", "prompt"),
        is_grave=True,
        goes=_named("component", "gone", owner_writings.without_component),
    ),
    "guideline": act(
        *(prompts.new_guideline, "A guideline", _kept("the guideline '{text}'"), "persona"),
    ),
    "accept_guideline": act(
        *(prompts.accept_guideline, "Accept a guideline"),
        *("{name}: the guideline is accepted.", "persona"),
        goes=_decided("accepted", accepts=True),
    ),
    "reject_guideline": act(
        *(prompts.reject_guideline, "Reject a guideline"),
        *("{name}: the guideline is rejected.", "persona"),
        goes=_decided("rejected", accepts=False),
    ),
}
"""By the last part of the address."""
