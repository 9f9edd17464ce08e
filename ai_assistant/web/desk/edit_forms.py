"""What an edit by a form of its own is: fields, what they hold now, and what is done with them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar
from urllib.parse import urlencode

from django import forms
from django.urls import reverse
from twisted.internet.defer import Deferred

from ai_assistant.core.contracts import Json
from ai_assistant.core.errors import AssistantError

Fields = Mapping[str, str]
Planned = list[tuple[str, str, str]]
"""What an edit would change: the name of each thing, and what it is before and after."""
MOST_HIDDEN = 8000
"""Characters of what a form holds without showing it, such as the words of a memory."""


class EditForm(forms.Form):  # type: ignore[misc]
    """One way to change an assistant, or with None what everybody shares.

    Its hidden fields say what of it. All of it runs on the game's thread.
    """

    title: ClassVar[str] = ""
    """Above the form, and above the question whether to do it."""
    page: ClassVar[str] = ""
    """The page to which it belongs; the hidden fields say what is shown there."""
    page_of_all: ClassVar[str] = ""
    """The page where it is about no assistant."""
    of_all = "everybody"
    """Whom or what it is about there."""
    is_grave: ClassVar[bool] = False
    """Does something go for good?"""

    def __init__(self, character: Any, fields: Fields, *, is_sent: bool = False) -> None:
        """Show what is now of what `fields` say; or take them as they were sent."""
        self.character = character
        about = {
            name: fields[name]
            for name, field in self.base_fields.items()
            if field.widget.is_hidden and name in fields
        }
        initial = {**about, **self.now(character, fields)}
        super().__init__(fields if is_sent else None, initial=initial, label_suffix="")

    @staticmethod
    def now(character: Any, fields: Fields) -> Json:
        """Return what the fields hold now. Raises `AssistantError` where that is not there."""
        return {}

    def do(self, changed: Json, account: Any) -> str | Deferred[str]:
        """Do it with the fields that were changed, for an account; returns what to tell."""
        raise NotImplementedError

    def plan(self, changed: Json) -> Planned:
        """Return what it would change. Raises `AssistantError` where that is nothing."""
        if not changed:
            raise AssistantError("Nothing was changed in it.")
        return [
            (str(self.fields[name].label or name), self.initial.get(name), value)
            for name, value in changed.items()
        ]

    def changed(self) -> Json:
        """Return the fields that are to be others. Raises `AssistantError` for what cannot be."""
        if not self.is_valid():
            told = [f"{name}: {' '.join(wrong)}" for name, wrong in self.errors.items()]
            raise AssistantError(" ".join(told))
        return {name: self.cleaned_data[name] for name in self.changed_data}

    def where(self) -> str:
        """Return the address of its page."""
        about = urlencode({field.name: field.value() or "" for field in self.hidden_fields()})
        if self.character is None:
            return f"{reverse(f'ai_assistant:{self.page_of_all}')}?{about}"
        return f"{reverse(f'ai_assistant:{self.page}', args=[self.character.pk])}?{about}"


def words_field(label: str, most: int, *, rows: int = 0, **options: Any) -> forms.CharField:
    """Return a field for words, of several lines if `rows` says so."""
    widget = forms.Textarea({"rows": rows}) if rows else forms.TextInput()
    return forms.CharField(label=label, max_length=most, widget=widget, **options)


def hidden(**options: Any) -> forms.CharField:
    """Return a field that says what a form is about."""
    return forms.CharField(widget=forms.HiddenInput(), max_length=MOST_HIDDEN, **options)
