"""Every public function that takes text, found by its signature, and how it is fed with one.

A function takes text where a parameter is a text, some texts, JSON, or a record that holds such.
One parameter is long at a time, the others are as long as a name.
"""

from __future__ import annotations

import collections.abc
import dataclasses
import importlib
import inspect
import pkgutil
import types
import typing
from collections import deque
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any

from ai_assistant.core.contracts import Json
from ai_assistant.core.errors import AssistantError

ROOMS = (
    *("core", "language", "memory", "roleplay", "llm"),
    *("agent.attention.classify", "agent.turn.asides", "agent.turn.refusals"),
    *("agent.turn.spoken_text", "sleep.reading_pass"),
)
"""Packages of ours, and modules, all of whose public functions are measured."""
PACKAGE = "ai_assistant"
SHORT = 60
"""Characters of the other texts that a function is given: those of a name."""
MOST_WORDS = 20
"""Words of a text that stand by themselves as well where many texts are taken."""
MOST_DEEP = 5
"""Records in records in records."""
LISTS = (list, tuple, set, frozenset, collections.abc.Sequence, collections.abc.Iterable,
         collections.abc.Collection, collections.abc.Container, collections.abc.Set)  # fmt: skip
MAPPINGS = (dict, collections.abc.Mapping)
PLAIN: Mapping[Any, Callable[[str], Any]] = {
    **dict.fromkeys((str, object, Any), lambda text: text),
    **{bytes: lambda text: text.encode("utf-8", "ignore"), bool: lambda text: True},
    **{int: lambda text: 1, float: lambda text: 1.0, type(None): lambda text: None},
}
TEXTS = (str, bytes, object, typing.Any)
JSON = (Json, Mapping[str, Any])
Maker = Callable[[str], Any]
Found = tuple[str, Callable[..., Any], type | None]
"""The name of a function, itself, and its class where it is a method."""


@dataclasses.dataclass(frozen=True, slots=True)
class Fed:
    """A function with the one of its parameters that is long."""

    name: str
    long: str
    function: Callable[..., Any]
    makers: Mapping[str, Maker]
    """What makes each argument of a text."""

    def arguments(self, text: str) -> dict[str, Any]:
        """Return fresh arguments: the long one of the whole text, the others of its beginning."""
        return {
            name: make(text if name == self.long else text[:SHORT])
            for name, make in self.makers.items()
        }

    def call(self, arguments: Mapping[str, Any]) -> None:
        """Call it, and go through what it yields or waits for; a refusal is an answer too."""
        try:
            given = self.function(**arguments)
            if isinstance(given, Iterator):
                deque(given, maxlen=0)
            elif inspect.iscoroutine(given):
                given.send(None)
        except (AssistantError, StopIteration):
            pass


def functions() -> Iterator[Found]:
    """Yield every public function and method of the rooms by name; a method with its class."""
    for room in ROOMS:
        package = importlib.import_module(f"{PACKAGE}.{room}")
        inside = pkgutil.walk_packages(getattr(package, "__path__", ()), f"{package.__name__}.")
        for module in (package, *(importlib.import_module(found.name) for found in inside)):
            yield from _defined_in(module)


def _defined_in(module: types.ModuleType) -> Iterator[Found]:
    short = module.__name__.removeprefix(f"{PACKAGE}.")
    for name, value in vars(module).items():
        if name.startswith("_") or getattr(value, "__module__", "") != module.__name__:
            continue
        if inspect.isclass(value):
            yield from _methods(f"{short}.{name}", value)
        elif inspect.isfunction(inspect.unwrap(value)):
            yield f"{short}.{name}", value, None


def _methods(name: str, owner: type) -> Iterator[Found]:
    if getattr(owner, "_is_protocol", False):
        return  # what stands behind a port is measured where it is written
    for key, value in vars(owner).items():
        if key.startswith("_"):
            continue
        if isinstance(value, classmethod | staticmethod):
            yield f"{name}.{key}", getattr(owner, key), None
        elif inspect.isfunction(value):
            yield f"{name}.{key}", value, owner


def fed(makers: Mapping[str, Maker], exempt: Collection[str] = ()) -> Iterator[Fed]:
    """Yield each function that takes text, once for each of its parameters that do.

    `makers` make what a signature does not tell: by a function's parameter ("room.file.function
    parameter"), by a parameter's name, or by a class. Left out are functions of which `exempt`
    holds the name, or the name of what they stand in.
    """
    for name, function, owner in functions():
        if any(f"{name}.".startswith(f"{left_out}.") for left_out in exempt):
            continue
        plain = inspect.unwrap(function)
        plain = getattr(plain, "__func__", plain)
        hints = typing.get_type_hints(plain)
        hints.pop("return", None)
        if owner is not None:
            hints["self"] = owner
        needed = inspect.signature(plain).parameters
        taken = {
            key: makers.get(f"{name} {key}") or _maker(hint, key, makers)
            for key, hint in hints.items()
            if takes_text(hint) or key == "self" or needed[key].default is inspect.Parameter.empty
            if needed[key].kind is not inspect.Parameter.VAR_KEYWORD
        }
        longs = [key for key in taken if takes_text(hints[key]) and f"str {key}" not in makers]
        yield from (Fed(name, key, function, taken) for key in longs)


def takes_text(hint: Any, deep: int = 0) -> bool:
    """Can a value of this type hold a text that somebody wrote?"""
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if hint in TEXTS:
        return True
    if origin in (*LISTS, *MAPPINGS, typing.Union, types.UnionType):
        return any(takes_text(some, deep) for some in inner)
    if dataclasses.is_dataclass(hint) and deep < MOST_DEEP:
        fields = typing.get_type_hints(hint).values()
        return any(takes_text(some, deep + 1) for some in fields)
    return False


def _maker(hint: Any, key: str, makers: Mapping[str, Maker]) -> Maker:
    return lambda text: made(hint, text, key, makers)


def made(hint: Any, text: str, key: str, makers: Mapping[str, Maker], deep: int = 0) -> Any:
    """Return a value of this type that holds the text wherever it can."""
    maker = makers.get(_kind(hint, key)) or (hint in JSON and makers["json"])
    if maker:
        return maker(text)
    if hint in PLAIN:
        return PLAIN[hint](text)
    origin = typing.get_origin(hint)
    if origin in (typing.Union, types.UnionType, *LISTS, *MAPPINGS):
        return _of_parts(hint, text, key, makers, deep)
    if origin is typing.Literal:
        return typing.get_args(hint)[0]
    if origin is collections.abc.Callable:
        return lambda *_, **__: True
    if dataclasses.is_dataclass(hint):
        return _record(hint, text, makers, deep)
    raise TypeError(f"There is no way to make a {hint} for {key}.")


def _of_parts(hint: Any, text: str, key: str, makers: Mapping[str, Maker], deep: int) -> Any:
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if origin in MAPPINGS:
        return {text: made(inner[1], text, key, makers, deep)}
    if origin in LISTS:
        kind = origin if origin in (tuple, set, frozenset) else list
        if kind is tuple and inner[-1] is not Ellipsis:
            return tuple(made(some, text, key, makers, deep) for some in inner)
        several = text.split()[:MOST_WORDS] if inner[0] is str else []
        return kind([made(inner[0], text, key, makers, deep), *several])
    best = next((some for some in inner if takes_text(some, deep)), inner[0])
    return made(best, text, key, makers, deep)


def _kind(hint: Any, key: str) -> str:
    """Return by what name a maker of such a value is known."""
    if hint is str:
        return f"str {key}"
    if hint is int:
        return f"int {key}"
    if hint in JSON:
        return f"json {key}"
    return hint.__name__ if inspect.isclass(hint) else ""


def _record(hint: Any, text: str, makers: Mapping[str, Maker], deep: int) -> Any:
    hints = typing.get_type_hints(hint)
    given = {
        field.name: made(hints[field.name], text, field.name, makers, deep + 1)
        for field in dataclasses.fields(hint)
        if field.init and (takes_text(hints[field.name], deep + 1) or _is_needed(field))
        if deep < MOST_DEEP or _is_needed(field)
    }
    return hint(**given)


def _is_needed(field: dataclasses.Field[Any]) -> bool:
    missing = dataclasses.MISSING
    return field.default is missing and field.default_factory is missing
