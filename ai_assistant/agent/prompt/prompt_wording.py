"""Words: how what the prompt is made of reads, each thing on a line that it cannot leave."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from ai_assistant.language.words import beginning, extent

CUT = " […] "
"""Stands where something was cut out of the middle of a text."""
_encoder = json.JSONEncoder(ensure_ascii=False)  # made once: that is half of what `dumps` costs
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_SHORT, _SHORT_LIST = 60, 240
"""Characters of an item, and of a whole list, that is told in one line."""


def dump(row: Mapping[str, Any]) -> str:
    """Return one object as one line of JSON, with letters as they are."""
    return _encoder.encode(row)


def on_one_line(text: object) -> str:
    """Return a text on one line, whichever characters it breaks its lines with."""
    return " ".join(str(text).split())


def quoted(text: object) -> str:
    """Return somebody's words as one JSON text: they end where it ends."""
    return _encoder.encode(on_one_line(text))


def cut(text: str, most: int) -> str:
    """Return a text in at most so many letters: beginning and end, and a mark between."""
    if extent(text) <= most:
        return text
    if most <= len(CUT):
        return beginning(text, most)
    kept = most - len(CUT)
    end = beginning(text[::-1], kept // 2)[::-1]
    return beginning(text, kept - kept // 2) + CUT + end


def key_in_words(key: str) -> str:
    """Return a key of code as words: ``homeLocation`` is "Home location"."""
    words = on_one_line(_HUMP.sub(" ", key).replace("_", " ")).lower()
    words = words.lstrip("#-( ")
    return words[:1].upper() + words[1:]


def field_lines(key: str, value: Any) -> str:
    """Return a field under its name: in one line, or with a line for each long item of a list."""
    if isinstance(value, list | tuple):
        items = [value_in_words(item) for item in value]
        if any(len(item) > _SHORT for item in items) or sum(map(len, items)) > _SHORT_LIST:
            return "\n".join([f"{key_in_words(key)}:", *(f"- {item}" for item in items)])
    return f"{key_in_words(key)}: {value_in_words(value)}"


def value_in_words(value: Any) -> str:
    """Return a value of JSON in plain words on one line."""
    if isinstance(value, Mapping):
        return "; ".join(
            f"{key_in_words(str(key))}: {value_in_words(item)}" for key, item in value.items()
        )
    if isinstance(value, list | tuple):
        return ", ".join(map(value_in_words, value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    return (
        f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else on_one_line(value)
    )


def enumerated(names: list[str]) -> str:
    """Return names as one reads them out: ``Al, Bo and Cy``."""
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]])) if names else ""
