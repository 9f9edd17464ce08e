"""Edits that do what an endpoint of the API does: each form holds what that one takes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from types import FunctionType
from typing import Any, ClassVar

from django import forms
from django.http import Http404
from django.urls import reverse
from rest_framework import exceptions, serializers
from rest_framework.fields import empty
from twisted.internet.defer import Deferred

from ai_assistant.api.desk.jobs import JOBS, JobProgress
from ai_assistant.commands.scene_shown import title_of
from ai_assistant.core.contracts import Json
from ai_assistant.core.errors import AssistantError
from ai_assistant.game.identity import entity_id, name_of
from ai_assistant.web.access import Visitor
from ai_assistant.web.desk.edit_forms import EditForm, Fields, Planned, hidden, words_field
from ai_assistant.web.rest.api_endpoint import ApiCall, Endpoint
from ai_assistant.web.rest.api_gate import given_as
from ai_assistant.web.rest.api_routes import ENDPOINTS
from ai_assistant.web.stories import scene_in

SURE = "sure"
"""What an endpoint takes as proof that something is to go: the whole name. A page asks for it."""
WHOLE_NAME = "whole_name"
"""The field of that on a page, where `sure` is the answer to its question."""
LONG = 200
"""Characters from which on a field has several lines."""
_BY_WHAT_IT_DOES = {endpoint.does: endpoint for endpoint in ENDPOINTS}
Foreseen = Callable[[Any, Json], Planned]
"""Says of an assistant, and of what is named and given, what an act would change."""


class ActForm(EditForm):
    """An endpoint as an edit: what its address names is hidden, what it takes is asked for."""

    endpoint: ClassVar[Endpoint]
    told: ClassVar[str | Callable[[Json, Any], str]] = ""
    """What to tell, with braces for `name`, what was given and what came of it; or what says it of
    these, and of what came of it as the endpoint returns it."""
    goes: ClassVar[Foreseen | None] = None
    """What it would change; where nothing says it, what is now becomes what is given."""
    job: ClassVar[str] = ""
    """What a page shows its job under, with braces as above; it is waited for where that is empty.
    """

    def __init__(self, character: Any, fields: Fields, *, is_sent: bool = False) -> None:
        """Say of which scene, where it is about one."""
        super().__init__(character, fields, is_sent=is_sent)
        if "scene" in self.fields:
            self.of_all = title_of(scene_in(fields))

    def plan(self, changed: Json) -> Planned:
        """Return what it would change. Of what goes for good the first is what is to be named."""
        given, goes = self._given(changed), type(self).goes
        named = given | self._named()
        if goes is None:
            then = named | {name: value for name, value in changed.items() if name in given}
            asked = [field.name for field in self.visible_fields() if field.name in then]
            is_other = {name: then[name] for name in asked if then[name] != self.initial.get(name)}
            return super().plan(is_other)
        with _told_in_words():
            planned = goes(self.character, named)
        if SURE in given and given[SURE] != planned[0][0]:
            raise AssistantError(f"To be sure, give the whole name: {planned[0][0]}.")
        return planned

    def do(self, changed: Json, account: Any) -> str | Deferred[str]:
        """Do it as the endpoint does."""
        given, named, how_far = self._given(changed), self._named(), JobProgress()
        words = {"name": name_of(self.character) if self.character else "", **named, **given}
        call = ApiCall(Visitor(account), named, given, self.character, how_far=how_far)
        if self.endpoint.status == exceptions.status.HTTP_202_ACCEPTED:
            JOBS.check_room(account)
        about = f"{entity_id(self.character) if self.character else ''} {self.job}"
        with _told_in_words():
            done = self.endpoint.does(call)

        def tell(outcome: Any) -> str:
            known = words | (dict(outcome) if isinstance(outcome, Mapping) else {})
            told = type(self).told
            return told.format_map(known) if isinstance(told, str) else told(known, outcome)

        if not isinstance(done, Deferred):
            return tell(done)
        if not self.job:
            return done.addCallback(tell)
        JOBS.begin(account, done, about.format_map(words), how_far)
        return tell({})

    def where(self) -> str:
        """Return its page; the first of all for an assistant that may be gone."""
        return super().where() if self.page or self.character is None else reverse(OVERVIEW)

    def _named(self) -> dict[str, str]:
        parts = _parts_of(self.endpoint)
        return {name: self.cleaned_data[name] for name in parts}

    def _given(self, changed: Json) -> Json:
        """Return what the endpoint is given, without what is to stay as it is.

        Raises `AssistantError` for what it does not take, and where all is to stay.
        """
        if not changed and any(field.name in self.initial for field in self.visible_fields()):
            raise AssistantError("Nothing was changed in it.")
        takes, sent = self.endpoint.takes(), Json()
        for name, field in takes.fields.items():
            asked = _asked_as(name)
            value = self.cleaned_data.get(asked)
            is_held = name in self.initial and asked not in changed and not self[asked].is_hidden
            if is_held or (value in (None, "") and not getattr(field, "allow_blank", False)):
                continue
            is_list = isinstance(field, serializers.ListField)
            sent[name] = [*filter(None, map(str.strip, value.split(",")))] if is_list else value
        return given_as(self.endpoint.takes, sent)


@contextmanager
def _told_in_words() -> Iterator[None]:
    """Within, what is not there is told as what cannot be."""
    try:
        yield
    except Http404 as error:
        raise AssistantError(str(error)) from error


OVERVIEW = "ai_assistant:overview"


def act(
    does: Callable[[ApiCall], Any],
    title: str,
    told: str | Callable[[Json, Any], str],
    page: str = "",
    *,
    hides: tuple[str, ...] = (),
    **options: Any,
) -> type[EditForm]:
    """Return the form of what an endpoint `does`, which leads back to a page, that of a scene
    where it is about one; `hides` are fields that a page fills itself.

    `options` are the attributes of `ActForm` and `EditForm`, and fields in place of those that
    would be made of what it takes.
    """
    endpoint = _BY_WHAT_IT_DOES[does]
    fields: Json = {name: hidden() for name in _parts_of(endpoint)}
    page = page or ("scene" if "scene" in fields else "")
    for name, field in endpoint.takes().fields.items():
        is_hidden = name in hides
        fields[_asked_as(name)] = hidden(required=False) if is_hidden else _field(name, field)
    about = {"endpoint": endpoint, "told": told, "page": page, "page_of_all": page}
    parts = {
        name: staticmethod(part) if isinstance(part, FunctionType) else part
        for name, part in (about | fields | options).items()
    }
    made = type(ActForm)(does.__name__, (ActForm,), parts)
    made.title = title  # which may be a field's name as well
    return made


def _parts_of(endpoint: Endpoint) -> list[str]:
    """Return what the address of an endpoint names beside the assistant."""
    return [name for name in re.findall(r"<str:(\w+)>", endpoint.address) if name != "key"]


def _asked_as(name: str) -> str:
    return WHOLE_NAME if name == SURE else name


def _field(name: str, field: serializers.Field) -> forms.Field:
    """Return the field of a form that takes what this one of an endpoint takes."""
    about: Json = {
        "label": "The whole name, to be sure" if name == SURE else field.label,
        "help_text": field.help_text or "",
        "required": field.required and not getattr(field, "allow_blank", False),
        "initial": field.initial if field.default is empty else field.default,
    }
    if isinstance(field, serializers.ChoiceField):
        return forms.ChoiceField(choices=[*field.choices.items()], **about)
    if isinstance(field, serializers.BooleanField):
        return forms.BooleanField(**about | {"required": False})
    if isinstance(field, serializers.IntegerField | serializers.FloatField):
        kind = getattr(forms, type(field).__name__)
        return kind(min_value=field.min_value, max_value=field.max_value, **about)
    label, most = about.pop("label"), field.max_length or LONG
    rows = max(3, min(10, most // 400)) if most > LONG else 0
    return words_field(label, most, rows=rows, **about)
