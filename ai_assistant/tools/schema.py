"""From a Python function to a JSON schema, and from a model's arguments to checked values."""

from __future__ import annotations

import inspect
import json
import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

from ai_assistant.core.contracts import Json
from ai_assistant.core.errors import ConfigurationError, ToolError
from ai_assistant.core.text import clean, with_article

MAX_TEXT = 2000
MAX_ITEMS = 40
"""Texts in one list; each has at most `MAX_TEXT` characters on one line."""
MAX_NUMBER = 10**15
LONGEST_NAME = 80
MOST_UNKNOWN = 5
"""So many arguments that a tool does not have are told to the model."""
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

ThingKind = Literal["person", "exit", "item", "carried", "lying", "any"]
"""What may be named; an item that is carried or lying is looked for there before elsewhere."""


@dataclass(frozen=True, slots=True)
class Handle:
    """Marks a parameter that names something the character knows: by its handle, or its name."""

    kind: ThingKind
    """What it may name."""


def is_handle(text: str) -> bool:
    """Has a text the shape of a handle, such as p1, x2 or o3?"""
    return bool(_HANDLE.match(text))


@dataclass(frozen=True, slots=True)
class Prose:
    """Marks a text of another length than usual."""

    limit: int = MAX_TEXT
    """Characters that are kept of it."""
    lines: int = 3
    """Lines that are kept of it."""
    is_cut: bool = True
    """Is what is over cut off? Else such a text is refused, so that nothing is lost unnoticed."""


@dataclass(frozen=True, slots=True)
class Between:
    """Marks a number that lies within these bounds."""

    low: float
    """The least."""
    high: float
    """The greatest."""


@dataclass(frozen=True, slots=True)
class OneOf:
    """Marks a text that is one of these; a `Literal` says the same where it can be written out."""

    choices: tuple[str, ...]
    """All that fit."""


@dataclass(frozen=True, slots=True)
class Param:
    """One parameter of a tool."""

    name: str
    """As in the function."""
    type: type
    """One of the keys of `_TYPES`."""
    description: str
    """What the model reads of it."""
    default: Any
    """What it is where the model leaves it out."""
    required: bool
    """Must the model give it?"""
    choices: tuple[str, ...] = ()
    """The texts that it takes; empty for any."""
    handle: Handle | None = None
    """Set where it names something."""
    prose: Prose = Prose()
    """How long a text may be."""
    bounds: Between | None = None
    """Set where a number is bounded."""

    def schema(self) -> Json:
        """Return its JSON schema."""
        found: Json = {"type": _TYPES[self.type], "description": self.description}
        found["enum"] = list(self.choices)
        if self.type is list:
            found |= {"items": {"type": "string"}, "maxItems": MAX_ITEMS}
        return {name: value for name, value in found.items() if value}

    def check(self, value: Any) -> Any:
        """Return what was meant as the tool may use it; raises `ToolError` where it is wrong."""
        value = _READERS[self.type](value)
        if value is None:
            raise ToolError(f"'{self.name}' must be {with_article(_TYPES[self.type])}.")
        if isinstance(value, list):
            return self._check_list(value)
        if value == self.default:
            return value
        if isinstance(value, str):
            return self._check_text(value)
        if self.bounds and not self.bounds.low <= value <= self.bounds.high:
            span = f"from {self.bounds.low:g} to {self.bounds.high:g}"
            raise ToolError(f"'{self.name}' must be a number {span}.")
        return value

    def _check_list(self, items: list[Any]) -> list[str]:
        if len(items) > MAX_ITEMS:
            raise ToolError(f"'{self.name}' must have at most {MAX_ITEMS} items.")
        texts = [_text(item) for item in items]
        if None in texts:
            raise ToolError(f"'{self.name}' must be an array of strings.")
        return list(filter(None, (clean(text, MAX_TEXT) for text in texts)))

    def _check_text(self, text: str) -> str:
        if self.choices:
            meant = text.strip().casefold()
            if found := [choice for choice in self.choices if choice.casefold() == meant]:
                return found[0]
            raise ToolError(f"'{self.name}' must be one of: {', '.join(self.choices)}.")
        most = self.prose.limit
        text = clean(text, most if self.prose.is_cut else 2 * most, self.prose.lines)
        if len(text) > most:
            raise ToolError(f"'{self.name}' has {len(text)} characters; at most {most} are kept.")
        if not text and self.required:
            raise ToolError(f"'{self.name}' must not be empty.")
        return text


# -- what models write, read as what they mean; None where it is nothing of the kind


def _text(value: Any) -> str | None:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    try:
        return str(value)
    except ValueError:  # an integer of thousands of digits
        return None


def _float(value: Any) -> float | None:
    try:
        number = float(_text(value) or "")
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def _int(value: Any) -> int | None:
    number = _float(value)
    whole = number is not None and number.is_integer() and abs(number) < MAX_NUMBER
    return int(number) if whole and number is not None else None


def _bool(value: Any) -> bool | None:
    word = str(value).strip().casefold() if isinstance(value, str | int) else ""
    return True if word in _TRUE else False if word in _FALSE else None


def _list(value: Any) -> list[Any] | None:
    if isinstance(value, str):
        try:
            found = json.loads(value) if value.lstrip().startswith("[") else [value]
        except (ValueError, RecursionError):
            found = [value]
        return found if isinstance(found, list) else None
    return value if isinstance(value, list) else None


_TRUE, _FALSE = frozenset({"true", "yes", "1"}), frozenset({"false", "no", "0"})
_READERS: dict[type, Callable[[Any], Any]] = {
    str: _text,
    int: _int,
    float: _float,
    bool: _bool,
    list: _list,
}


def read_params(function: Callable[..., Any], about: dict[str, str]) -> tuple[Param, ...]:
    """Return the parameters of a tool function after its first; raises `ConfigurationError`."""
    hints = get_type_hints(function, include_extras=True)
    found = list(inspect.signature(function).parameters.values())[1:]
    if undescribed := {p.name for p in found} ^ set(about):
        raise ConfigurationError(
            f"Tool {function.__name__}: describe exactly its parameters, not {sorted(undescribed)}."
        )
    return tuple(_read_param(function, p, hints.get(p.name), about[p.name]) for p in found)


def _read_param(function: Any, found: inspect.Parameter, hint: Any, about: str) -> Param:
    notes: list[Any] = []
    if get_origin(hint) is Annotated:
        hint, *notes = get_args(hint)
    marks = {type(note): note for note in notes}
    handle, choices = marks.get(Handle), marks[OneOf].choices if OneOf in marks else ()
    if get_origin(hint) is Literal:
        choices = tuple(choice for choice in get_args(hint) if choice != found.default or choice)
        hint = str if all(isinstance(choice, str) for choice in choices) else None
    hint = list if hint == list[str] else hint
    if hint not in _TYPES or (handle and hint is not str):
        raise ConfigurationError(f"Tool {function.__name__}: '{found.name}' needs a simple type.")
    return Param(
        name=found.name,
        type=hint,
        description=about,
        default=found.default,
        required=found.default is inspect.Parameter.empty,
        choices=choices,
        handle=handle,
        prose=Prose(LONGEST_NAME, lines=1) if handle else marks.get(Prose, Prose()),
        bounds=marks.get(Between),
    )


def parameters_schema(params: tuple[Param, ...]) -> Json:
    """Return the JSON schema of a tool's arguments, `reasoning` first, which may be left out."""
    properties = {"reasoning": REASONING} | {p.name: p.schema() for p in params}
    found: Json = {"type": "object", "properties": properties}
    required = [p.name for p in params if p.required]
    return found | ({"required": required} if required else {})


def check_arguments(params: tuple[Param, ...], given: Json) -> tuple[Json, list[str]]:
    """Return checked arguments, and the names of unknown ones; raises `ToolError`."""
    unknown = sorted(set(given) - {p.name for p in params} - {"reasoning"})
    meant = [p for p in params if given.get(p.name) is not None]
    if missing := [p.name for p in params if p.required and p not in meant]:
        raise ToolError(f"Missing arguments: {', '.join(missing)}.")
    checked = {
        p.name: p.check(given[p.name])
        for p in meant  # "" means left out as well, where it can be no value
        if given[p.name] != "" or p.required or (p.type is str and not p.choices)
    }
    return checked, [clean(name, 40) for name in unknown[:MOST_UNKNOWN]]
