"""JSON from strangers: within limits of size, depth and number, of the right types, or refused."""

from __future__ import annotations

import json
import math
from typing import Any, TypeVar

from ai_assistant.core.contracts import Json
from ai_assistant.core.errors import CardError
from ai_assistant.core.text import clean

MAX_BYTES = 1_000_000
"""Bytes of a card or lorebook as JSON text."""
MAX_DEPTH = 24
MAX_VALUES = 50_000
_TOO_DEEP = f"It is nested more than {MAX_DEPTH} levels deep."
_T = TypeVar("_T", str, list[Any], Json)
_WORDS = {str: ("a text", "characters"), list: ("a list", "items"), dict: ("an object", "values")}


def parse(data: bytes) -> Json:
    """Return the JSON object that these bytes hold. Raises `CardError` saying what is wrong."""
    if len(data) > MAX_BYTES:
        raise CardError(f"It has {len(data)} bytes of JSON; {MAX_BYTES} are allowed.")
    try:
        value = json.loads(data.decode("utf-8-sig"))
    except RecursionError:
        raise CardError(_TOO_DEEP) from None
    except ValueError as error:  # wrong bytes, wrong JSON, or a number of thousands of digits
        raise CardError(f"It is no JSON: {str(error)[:120]}.") from None
    if not isinstance(value, dict):
        raise CardError("It is no JSON object.")
    check_json(value)
    return value


def check_json(value: Any) -> None:
    """Raise `CardError` for JSON that is too deep, too much, or that no database can keep."""
    waiting = [(value, 1)]
    seen = 0
    while waiting:
        inner, depth = waiting.pop()
        seen += 1
        if depth > MAX_DEPTH:
            raise CardError(_TOO_DEEP)
        if seen > MAX_VALUES:
            raise CardError(f"It has more than {MAX_VALUES} values.")
        if isinstance(inner, dict):
            waiting += [(part, depth + 1) for pair in inner.items() for part in pair]
        elif isinstance(inner, list):
            waiting += [(part, depth + 1) for part in inner]
        elif isinstance(inner, str):
            _check_text(inner)
        elif isinstance(inner, float) and not math.isfinite(inner):
            raise CardError("A number in it is NaN, or too large.")


def _check_text(text: str) -> None:
    """Refuse what JSON can write, but neither a file nor PostgreSQL can hold."""
    if "\0" in text or any("\ud800" <= char <= "\udfff" for char in text):
        raise CardError("A text in it holds a character that cannot be stored.")


def field_of(data: Json, name: str, kind: type[_T], most: int = 0) -> _T:
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


def list_of_texts(data: Json, name: str, most: int = 0) -> list[str]:
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


def whole_number(data: Json, name: str, default: int, low: int, high: int) -> int:
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
