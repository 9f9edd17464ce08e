"""What a card or a lorebook says under a name, with its type checked."""

from __future__ import annotations

from typing import Any

from ai_assistant.core.contracts import Json
from ai_assistant.core.errors import CardError
from ai_assistant.core.text import clean


def text_of(data: Json, name: str, most: int = 0) -> str:
    """Return a text, empty where there is none; of at most so many characters, unless 0."""
    value = data.get(name)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise wrong(name, "a text")
    if most and len(value) > most:
        raise CardError(f"'{name}' has {len(value)} characters; {most} are allowed.")
    return value


def texts_of(data: Json, name: str, most: int = 0) -> list[str]:
    """Return a list of texts, empty where there is none; of at most so many, unless 0."""
    values = list_of(data, name, most)
    if not all(isinstance(one, str) for one in values):
        raise wrong(name, "a list of texts")
    return values


def list_of(data: Json, name: str, most: int = 0) -> list[Any]:
    """Return a list, empty where there is none; of at most so many items, unless 0."""
    value = data.get(name)
    if value is None:
        return []
    if not isinstance(value, list):
        raise wrong(name, "a list")
    if most and len(value) > most:
        raise CardError(f"'{clean(name, 40)}' has {len(value)} items; {most} are allowed.")
    return value


def object_of(data: Json, name: str) -> Json:
    """Return an object, empty where there is none."""
    value = data.get(name)
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise wrong(name, "an object")
    return value


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
