"""What an endpoint is: an address and a method, the command that it equals, and what it takes."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeVar

from django.core.exceptions import PermissionDenied
from django.http import Http404
from evennia.objects.models import ObjectDB
from rest_framework import serializers

from ai_assistant.api.desk.jobs import JobProgress
from ai_assistant.api.lifecycle import all_assistants
from ai_assistant.commands.command_base import AICommand
from ai_assistant.core.contracts import Json
from ai_assistant.core.errors import AssistantError
from ai_assistant.game.identity import entity_id, is_assistant
from ai_assistant.web.access import Visitor

KEY = "<str:key>"
"""The part of an address that names an assistant: by number, lasting id, or its whole name."""
MOST_NAMESAKES = 100
"""Objects of one name that are looked at."""


class Takes(serializers.Serializer):  # type: ignore[misc]
    """What an endpoint takes, field by field; any other field is refused."""

    def to_internal_value(self, data: Any) -> Any:
        """Return the fields that were given. Raises `ValidationError` for those it has not."""
        unknown = sorted(set(data) - set(self.fields))
        if unknown:
            known = ", ".join(self.fields) or "no fields"
            told = f"There is no such field; there are: {known}."
            raise serializers.ValidationError(dict.fromkeys(unknown, told))
        return super().to_internal_value(data)


Does = TypeVar("Does", bound=Callable[..., Any])


def takes(*known: type[Takes], **fields: serializers.Field) -> Callable[[Does], Does]:
    """Say of a function that answers what it takes: `known` fields, and these."""

    def mark(does: Does) -> Does:
        vars(does)["takes"] = type("Given", known or (Takes,), fields)
        return does

    return mark


def string(most: int, **options: Any) -> serializers.CharField:
    """Return a field for words of at most so many characters."""
    return serializers.CharField(max_length=most, **options)


def whole(least: int, most: int | None = None, **options: Any) -> serializers.IntegerField:
    """Return a field for a whole number within these bounds."""
    return serializers.IntegerField(min_value=least, max_value=most, **options)


def may_be_empty(most: int, **options: Any) -> serializers.CharField:
    """Return the same where nothing is as good as any."""
    return string(most, default="", allow_blank=True, **options)


@dataclass(frozen=True, slots=True)
class ApiCall:
    """One request, as an endpoint sees it on the game's thread."""

    visitor: Visitor
    """Who asks."""
    named: Mapping[str, str]
    """The parts of the address that stand for something."""
    given: Json = field(default_factory=dict)
    """What was sent, as the endpoint takes it."""
    character: Any = None
    """The assistant that the address names, if it names one."""
    file: bytes = b""
    """What was sent as the body, where the endpoint takes a file."""
    how_far: JobProgress = field(default_factory=JobProgress)
    """What a job may call with what is done, and of how many."""

    @property
    def by(self) -> str:
        """Whom the record names as the one who did it."""
        return str(self.visitor.account.key)


@dataclass(frozen=True, slots=True)
class GivenFile:
    """A file that an endpoint takes as the body, in place of JSON."""

    media_type: str
    """Its ``Content-Type``."""
    most: int
    """Bytes that are read."""
    instead: str
    """How a larger one gets in, in a sentence."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One method of one address."""

    method: str
    """GET, POST, PATCH or DELETE."""
    address: str
    """Below ``/ai/api/``, as Django's `path` takes it."""
    does: Callable[[ApiCall], Any]
    """Answers it, on the game's thread; its docstring begins with what it is for."""
    command: type[AICommand]
    """The command that does the same."""
    switch: str = ""
    """The switch of that command: its permission is needed here."""
    permission: str = ""
    """What the command asks for besides, where it changes something."""
    is_trial: bool = False
    """Does it try something out, of which nothing stays with an assistant?"""
    status: int = 200
    """What it answers with. 202: with a job, while the work goes on."""
    file: GivenFile | None = None
    """The file that it takes; None for JSON."""

    @property
    def needs(self) -> str:
        """The permission of the game that is needed."""
        return str(self.permission or self.command.verbs[self.switch].permission)

    @property
    def about(self) -> str:
        """What it is for, in a sentence."""
        return (self.does.__doc__ or "").split("\n\n")[0].replace("\n    ", " ")

    @property
    def takes(self) -> type[Takes]:
        """What it takes: of a GET and a DELETE, and beside a file, behind the question mark, else
        as JSON."""
        return getattr(self.does, "takes", Takes)

    @property
    def takes_json(self) -> bool:
        """Is what it takes sent as JSON?"""
        return self.method in ("POST", "PATCH") and self.file is None

    @property
    def is_about_one(self) -> bool:
        """Is it about one assistant?"""
        return KEY in self.address

    @property
    def changes(self) -> bool:
        """May it change something?"""
        return self.method != "GET" and not self.is_trial

    def called(self, visitor: Visitor, named: Mapping[str, str]) -> ApiCall:
        """Return a call of this endpoint, which the visitor may make.

        Raises `PermissionDenied` where they may not, and `Http404` where there is no such one.
        """
        if not visitor.holds(self.needs):
            raise PermissionDenied(f"Only {self.needs}s may do that.")
        character = assistant_named(named["key"]) if self.is_about_one else None
        if character is not None and self.changes:
            visitor.must_change(character)
        return ApiCall(visitor, named, character=character)


def assistant_named(key: str, among: Sequence[Any] | None = None) -> Any:
    """Return the assistant of this number, lasting id or whole name, `among` some if these are
    given. Raises `Http404`.
    """
    if key.removeprefix("#").isdecimal() and len(key) < 19:
        body = ObjectDB.objects.filter(pk=int(key.removeprefix("#"))).first()
        found = [body] if body is not None and is_assistant(body) else []
        found = [body for body in found if among is None or body in among]
    else:
        wanted = key.casefold()
        known = all_assistants() if among is None else among
        found = [body for body in known if wanted in (body.key.casefold(), entity_id(body))]
    with or_not_found():
        return only_one(found, "There is no such assistant, or not any more.")


def object_meant(typed: str, kind: type, missing: str) -> Any:
    """Return the object of a class that is meant by its number, or by its whole name.

    Raises `AssistantError`, in the words `missing` where there is none.
    """
    number = typed.removeprefix("#")
    by_number = number.isdecimal() and len(number) < 19
    wanted: Json = {"pk": int(number)} if by_number else {"db_key__iexact": typed}
    found = ObjectDB.objects.filter(**wanted)[:MOST_NAMESAKES]
    return only_one([body for body in found if isinstance(body, kind)], missing)


def only_one(found: Sequence[Any], missing: str) -> Any:
    """Return the only object that was found. Raises `AssistantError`, which says what to give."""
    if len(found) > 1:
        numbers = ", ".join(body.dbref for body in found)
        raise AssistantError(f"Several bear that name: use a number, one of {numbers}.")
    if not found:
        raise AssistantError(missing)
    return found[0]


@contextmanager
def or_not_found() -> Iterator[None]:
    """Within, what is refused is refused because what an address names is not there."""
    try:
        yield
    except AssistantError as error:
        raise Http404(str(error)) from error


def json_ready(value: Any) -> Any:
    """Return what an endpoint found as what JSON can hold."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = dataclasses.fields(value)
        return {field.name: json_ready(getattr(value, field.name)) for field in fields}
    if isinstance(value, Mapping):
        return {str(name): json_ready(part) for name, part in value.items()}
    if isinstance(value, set | frozenset):
        return sorted(map(str, value))
    if isinstance(value, list | tuple):
        return [json_ready(part) for part in value]
    return value.item() if hasattr(value, "item") and callable(value.item) else value
