"""Templates, components and guidelines as forms: what `ai` changes of them."""

from __future__ import annotations

from typing import Any, get_args

from django import forms

from ai_assistant.agent.prompt import templates
from ai_assistant.agent.prompt.component import MAX_CONTENT, MAX_DEPTH, MAX_ORDER, Role
from ai_assistant.api.desk import owner_writings
from ai_assistant.api.desk.owner_writings import Writing, write_down
from ai_assistant.api.turns.opened_calls import ROLES
from ai_assistant.core.contracts import Json
from ai_assistant.game.identity import name_of
from ai_assistant.memory.inner import guidelines
from ai_assistant.web.desk.block_forms import field_changes
from ai_assistant.web.desk.desk_edits import Fields, Planned
from ai_assistant.web.desk.edit_forms import EditForm, edits_of, hidden, words_field


class WritingForm(EditForm):
    """A form of what an owner writes: checked before it is asked about, then written down."""

    page = "prompt"
    outcome = "kept"
    """What becomes of it."""

    def writing(self) -> Writing:
        """Return what is to be written. Raises `AssistantError` saying what does not fit."""
        raise NotImplementedError

    def plan(self, changed: Json) -> Planned:
        """Return what becomes other words; of what is only named, what becomes of it."""
        made = self.writing()
        if self.visible_fields():
            return super().plan(changed)
        return [(made.what, "", self.outcome)]

    def do(self, changed: Json, account: Any) -> str:
        """Write it down."""
        made = self.writing()
        write_down(self.character, made, by=account.key)
        unknown = owner_writings.unknown_macros(" ".join(map(str, changed.values())))
        stays = f" Nobody knows {', '.join(unknown)}: that stays as it stands." if unknown else ""
        return f"{name_of(self.character)}: the {made.what} is {self.outcome}.{stays}"


class TemplateForm(WritingForm):
    """The instructions as a text with placeholders: a new template, or the one that is named."""

    title = "A template"
    template = hidden(required=False)
    name = words_field("Name", 30, help_text="Small letters and digits, such as terse.")
    text = words_field(
        *("Instructions", templates.MAX_TEMPLATE),
        rows=10,
        help_text="Placeholders such as {name}, {speech}, {tool_schemas} and options are filled.",
    )
    native = words_field(
        *("The same for models with tool calls of their own", templates.MAX_TEMPLATE),
        rows=6,
        required=False,
    )

    def __init__(self, character: Any, fields: Fields, *, is_sent: bool = False) -> None:
        """Ask for a name of a new one alone."""
        super().__init__(character, fields, is_sent=is_sent)
        if fields.get("template"):
            del self.fields["name"]

    @staticmethod
    def now(character: Any, fields: Fields) -> Json:
        """Return the template that is named, if one is."""
        prompting, name = owner_writings.prompting_of(character), fields.get("template", "")
        if not name:
            return {}
        return dict(prompting["templates"][templates.find_template(prompting, name)])

    def writing(self) -> Writing:
        """Return the change that writes both of its texts."""
        given = dict(self.cleaned_data)
        name = given.pop("template") or given["name"]
        return owner_writings.template_of(
            self.character, name, text=given["text"], native=given["native"]
        )


class ApplyTemplateForm(WritingForm):
    """Lets a template be the instructions."""

    title, outcome = "Apply a template", "applied"
    template = hidden()

    def writing(self) -> Writing:
        """Return the change that makes it the instructions."""
        return owner_writings.applying(self.character, self.cleaned_data["template"])


class DropTemplateForm(WritingForm):
    """Deletes a template."""

    title, outcome, is_grave = "Delete a template", "gone", True
    template = hidden()

    def writing(self) -> Writing:
        """Return the change that deletes it."""
        return owner_writings.without_template(self.character, self.cleaned_data["template"])


class EarlierPromptForm(WritingForm):
    """Brings back templates and components as they were."""

    title, outcome = "Bring back templates and components", "back"
    version = forms.IntegerField(min_value=1, widget=forms.HiddenInput())

    def writing(self) -> Writing:
        """Return the change that brings them back."""
        return owner_writings.earlier_prompting(self.character, self.cleaned_data["version"])

    def plan(self, changed: Json) -> Planned:
        """Return each that would be another."""
        earlier = self.writing().given["earlier"]
        now = owner_writings.prompting_of(self.character)
        return field_changes(*map(_by_name, (now, earlier)))


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


class ComponentForm(WritingForm):
    """A component of the owner's: a new one, or the one that is named."""

    title = "A component"
    component = hidden(required=False)
    id = forms.IntegerField(
        min_value=1,
        max_value=5999,
        label="Id",
        help_text="Its place among the others; not one of ours.",
    )
    key = words_field("Key", 30, help_text="Small letters and digits, such as mood.")
    content = words_field("What it says", MAX_CONTENT, rows=5)
    role = forms.ChoiceField(choices=[(name, ROLES[name]) for name in get_args(Role)])
    enabled = forms.BooleanField(required=False, initial=True, label="Shown")
    injection_depth = forms.IntegerField(
        min_value=0,
        max_value=MAX_DEPTH,
        initial=0,
        label="Messages from the end of the talk; 0: by its id",
    )
    injection_order = forms.IntegerField(
        min_value=0, max_value=MAX_ORDER, initial=100, label="Order at that place"
    )

    def __init__(self, character: Any, fields: Fields, *, is_sent: bool = False) -> None:
        """Ask for id and key of a new one alone."""
        super().__init__(character, fields, is_sent=is_sent)
        if fields.get("component"):
            del self.fields["id"], self.fields["key"]

    @staticmethod
    def now(character: Any, fields: Fields) -> Json:
        """Return the component that is named, if one is."""
        key = fields.get("component", "")
        return owner_writings.component_fields(character, key) if key else {}

    def writing(self) -> Writing:
        """Return the change that writes what was given."""
        given = dict(self.cleaned_data)
        if key := given.pop("component"):
            return owner_writings.component_changed(self.character, key, **given)
        id, key, text = str(given.pop("id")), given.pop("key"), given.pop("content")
        return owner_writings.component_added(self.character, id, key, text, **given)


class DropComponentForm(WritingForm):
    """Deletes a component."""

    title, outcome, is_grave = "Delete a component", "gone", True
    component = hidden()

    def writing(self) -> Writing:
        """Return the change that deletes it."""
        return owner_writings.without_component(self.character, self.cleaned_data["component"])


class GuidelineForm(WritingForm):
    """A guideline of the staff's own."""

    title, page = "A guideline", "persona"
    guideline = words_field("Guideline", guidelines.MAX_CONTENT)

    def writing(self) -> Writing:
        """Return the change that adds it."""
        return owner_writings.guideline_of(self.character, self.cleaned_data["guideline"])


class AcceptGuidelineForm(WritingForm):
    """Lets a proposal be a guideline."""

    title, page, outcome = "Accept a guideline", "persona", "accepted"
    guideline = hidden()

    def writing(self) -> Writing:
        """Return the change that accepts or rejects it."""
        number, accepts = self.cleaned_data["guideline"], self.outcome == "accepted"
        return owner_writings.guideline_decided(self.character, number, accepts=accepts)


class RejectGuidelineForm(AcceptGuidelineForm):
    """Lets a proposal, or what is a guideline, be none."""

    title, outcome = "Reject a guideline", "rejected"


PROMPT_EDITS = edits_of(
    {
        "template": TemplateForm,
        "apply_template": ApplyTemplateForm,
        "drop_template": DropTemplateForm,
        "earlier_prompt": EarlierPromptForm,
        "component": ComponentForm,
        "drop_component": DropComponentForm,
        "guideline": GuidelineForm,
        "accept_guideline": AcceptGuidelineForm,
        "reject_guideline": RejectGuidelineForm,
    }
)
