"""JSON from strangers: read within limits of size, depth and number, or refused with one error."""

from __future__ import annotations

import json
import math
from typing import Any

from ai_assistant.core.contracts import Json
from ai_assistant.core.errors import CardError

MAX_BYTES = 1_000_000
"""Bytes of a card or lorebook as JSON text."""
MAX_DEPTH = 24
MAX_VALUES = 50_000
_TOO_DEEP = f"It is nested more than {MAX_DEPTH} levels deep."


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
    check(value)
    return value


def check(value: Any) -> None:
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
