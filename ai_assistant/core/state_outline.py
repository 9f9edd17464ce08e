"""A state as people read it: an outline of names and values, with nothing of how it is stored."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from ai_assistant.core.contracts import Json
from ai_assistant.core.readers import OPEN

LONG_ID = re.compile(r"\b[a-z]?[0-9a-f]{32}\b")
"""An id as it is stored."""
_BARE_ID = re.compile(rf": ({LONG_ID.pattern})$")
SHORT = 8
"""Characters of an id that stays one."""


def readable_lines(state: Json, names: Mapping[str, str]) -> list[str]:
    """Return a state line by line, with `names` in place of ids, of which others are cut short.

    A line that says nothing but such an id is left out.
    """
    return [
        named_for_ids(line, names)
        for line in _outline(state)
        if not (bare := _BARE_ID.search(line)) or names.get(bare[1])
    ]


def named_for_ids(text: str, names: Mapping[str, str]) -> str:
    """Return a text with `names` in place of ids, of which others are cut short."""
    return LONG_ID.sub(lambda found: names.get(found[0]) or found[0][:SHORT], text)


def _outline(value: Any, depth: int = 0) -> Iterator[str]:
    """Yield a value's parts, each on a line, deeper ones further in."""
    indent = "  " * depth
    for name, part in _parts(value):
        label = name.replace("_", " ")
        if isinstance(part, dict | list) and part:
            yield f"{indent}{label}"
            yield from _outline(part, depth + 1)
        else:
            yield f"{indent}{label}{'' if name == '-' else ':'} {_in_words(name, part)}"


def _parts(value: Json | list[Any]) -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict):
        yield from sorted(value.items())
    else:
        yield from (("-", part) for part in value)


def _in_words(name: str, value: Any) -> str:
    if name == "readers" and value == OPEN:
        return "everybody"
    if isinstance(value, bool):
        return "yes" if value else "no"
    empty = value is None or value in ("", [], {})
    return "none" if empty else str(value)
