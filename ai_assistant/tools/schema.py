"""From a Python function to a JSON schema, and from a model's arguments to checked values."""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

from ai_assistant.contracts import Json
from ai_assistant.errors import ConfigurationError, ToolError
from ai_assistant.text import clean

MAX_TEXT = 2000
MAX_ITEMS = 40
"""Texts in one list; each has at most `MAX_TEXT` characters on one line."""
MAX_NUMBER = 10**15
REASONING: Json = {"type": "string"}
"""Why the model does this now; its instructions tell once what every tool would have to repeat."""
_HANDLE = re.compile(r"[pxo][1-9][0-9]{0,3}\Z")
_TYPES: dict[type, str] = {
    str: "string",
    int: "integer",
    float: "number",
    bool: "boolean",
    list: "array",
}
_ARTICLES = {kind: f"{'an' if name[0] in 'ai' else 'a'} {name}" for kind, name in _TYPES.items()}


@dataclass(frozen=True, slots=True)
class Handle:
    """Marks a parameter that names something the character sees by its handle of this turn."""

    kind: Literal["person", "exit", "item", "any"]


def is_handle(text: str) -> bool:
    """Has a text the shape of a handle, such as p1, x2 or o3?"""
    return bool(_HANDLE.match(text))


@dataclass(frozen=True, slots=True)
class Prose:
    """Marks a text that may be longer: so many characters, on so many lines."""

    limit: int = MAX_TEXT
    lines: int = 3


@dataclass(frozen=True, slots=True)
class Param:
    """One parameter of a tool."""

    name: str
    type: type
    description: str
    default: Any
    choices: tuple[str, ...] = ()
    handle: Handle | None = None
    prose: Prose = Prose()

    @property
    def required(self) -> bool:
        """Must the model give it?"""
        return self.default is inspect.Parameter.empty

    def schema(self) -> Json:
        """Return its JSON schema."""
        found: Json = {"type": _TYPES[self.type], "description": self.description}
        if self.choices:
            found["enum"] = list(self.choices)
        if self.type is list:
            found |= {"items": {"type": "string"}, "maxItems": MAX_ITEMS}
        return found

    def check(self, value: Any) -> Any:
        """Return the value as the tool may use it; raises `ToolError` saying what is wrong."""
        if self.type is float and type(value) is int and abs(value) < MAX_NUMBER:
            value = float(value)
        if type(value) is not self.type:
            raise ToolError(f"'{self.name}' must be {_ARTICLES[self.type]}.")
        if isinstance(value, float) and not math.isfinite(value):
            raise ToolError(f"'{self.name}' must be a finite number.")
        if isinstance(value, list):
            return self._check_list(value)
        if not isinstance(value, str) or value == self.default:
            return value
        return self._check_text(value)

    def _check_list(self, items: list[Any]) -> list[str]:
        if len(items) > MAX_ITEMS:
            raise ToolError(f"'{self.name}' must have at most {MAX_ITEMS} items.")
        if not all(isinstance(one, str) for one in items):
            raise ToolError(f"'{self.name}' must be an array of strings.")
        return [text for text in (clean(one, MAX_TEXT) for one in items) if text]

    def _check_text(self, text: str) -> str:
        if self.handle:
            if not is_handle(text):
                raise ToolError(f"'{self.name}' must be a handle you were shown, such as p1.")
            return text
        if self.choices:
            if text not in self.choices:
                raise ToolError(f"'{self.name}' must be one of: {', '.join(self.choices)}.")
            return text
        text = clean(text, self.prose.limit, self.prose.lines)
        if not text and self.required:
            raise ToolError(f"'{self.name}' must not be empty.")
        return text


def read_params(function: Callable[..., Any], about: dict[str, str]) -> tuple[Param, ...]:
    """Return the parameters of a tool function after its first; `about` describes each.

    Raises `ConfigurationError` where a parameter has no description or no type we can check.
    """
    hints = get_type_hints(function, include_extras=True)
    found = list(inspect.signature(function).parameters.values())[1:]
    if undescribed := {p.name for p in found} ^ set(about):
        raise ConfigurationError(
            f"Tool {function.__name__}: describe exactly its parameters, not {sorted(undescribed)}."
        )
    return tuple(_read_param(function, p, hints.get(p.name), about[p.name]) for p in found)


def _read_param(function: Any, found: inspect.Parameter, hint: Any, about: str) -> Param:
    notes: list[Any] = []
    choices: tuple[str, ...] = ()
    if get_origin(hint) is Annotated:
        hint, *notes = get_args(hint)
    handle = next((note for note in notes if isinstance(note, Handle)), None)
    prose = next((note for note in notes if isinstance(note, Prose)), Prose())
    if get_origin(hint) is Literal:
        choices = tuple(one for one in get_args(hint) if one != found.default or one)
        hint = str if all(isinstance(one, str) for one in choices) else None
    hint = list if hint == list[str] else hint
    if hint not in _TYPES or (handle and hint is not str):
        raise ConfigurationError(f"Tool {function.__name__}: '{found.name}' needs a simple type.")
    return Param(found.name, hint, about, found.default, choices, handle, prose)


def parameters_schema(params: tuple[Param, ...]) -> Json:
    """Return the JSON schema of a tool's arguments, `reasoning` first."""
    return {
        "type": "object",
        "properties": {"reasoning": REASONING, **{p.name: p.schema() for p in params}},
        "required": ["reasoning", *(p.name for p in params if p.required)],
    }


def check_arguments(params: tuple[Param, ...], given: Json) -> Json:
    """Return checked arguments without `reasoning`; raises `ToolError` for the model to read.

    Models write null for what they leave out.
    """
    given = {name: value for name, value in given.items() if value is not None}
    known = {p.name for p in params}
    if unknown := set(given) - known - {"reasoning"}:
        names = [clean(name, 40) for name in sorted(unknown)[:5]]
        raise ToolError(f"Unknown arguments: {', '.join(names)}.")
    missing = [p.name for p in params if p.required and p.name not in given]
    if missing:
        raise ToolError(f"Missing arguments: {', '.join(missing)}.")
    return {p.name: p.check(given[p.name]) for p in params if p.name in given}
