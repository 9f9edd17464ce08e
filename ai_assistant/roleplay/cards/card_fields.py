"""What a card or a lorebook says under a name, with its type checked."""

from __future__ import annotations

from typing import Any, TypeVar

from ai_assistant.core.contracts import Json
from ai_assistant.core.errors import CardError
from ai_assistant.core.text import clean

_Kind = TypeVar("_Kind", str, list[Any], Json)
_WORDS = {str: ("a text", "characters"), list: ("a list", "items"), dict: ("an object", "values")}


def field_of(data: Json, name: str, kind: type[_Kind], most: int = 0) -> _Kind:
    """Return a text, list or object, empty where there is none; of at most that size, unless 0."""
    value = data.get(name)
    if value is None:
        return kind()
    wanted, counted = _WORDS[kind]
    if not isinstance(value, kind):
        raise wrong(name, wanted)
    if most and len(value) > most:
        raise CardError(f"'{clean(name, 40)}' has {len(value)} {counted}; {most} are allowed.")
    return value


def texts_of(data: Json, name: str, most: int = 0) -> list[str]:
    """Return a list of texts, empty where there is none; of at most so many, unless 0."""
    values = field_of(data, name, list, most)
    if not all(isinstance(value, str) for value in values):
        raise wrong(name, "a list of texts")
    return values


def flag_of(data: Json, name: str, default: bool = False) -> bool:
    """Return what is true or false; numbers count as Python has it."""
    value = data.get(name)
    if value is None:
        return default
    if not isinstance(value, bool | int):
        raise wrong(name, "true or false")
    return bool(value)


def number_of(data: Json, name: str, default: int, low: int, high: int) -> int:
    """Return a whole number, brought into its limits."""
    value = data.get(name)
    if value is None:
        return default
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise wrong(name, "a number")
    return int(min(high, max(low, value)))


def wrong(name: str, wanted: str) -> CardError:
    """Return the error for a field of the wrong type."""
    return CardError(f"'{clean(name, 40)}' must be {wanted}.")
