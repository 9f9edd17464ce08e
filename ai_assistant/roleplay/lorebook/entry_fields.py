"""What staff change of an entry of a lorebook: each field, within the limits of a file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any, get_args

from ai_assistant.core.contracts import Json
from ai_assistant.core.errors import CardError
from ai_assistant.core.owner_text import disarm
from ai_assistant.core.text import clean
from ai_assistant.roleplay.lorebook.book_files import (
    MAX_ALL_KEYS,
    MAX_CONTENT,
    MAX_KEY,
    MAX_KEYS,
    PATTERN,
)
from ai_assistant.roleplay.lorebook.entries import LOGICS, RANGES, Entry, Lorebook, Position

FIELDS = {field.name: field.default for field in fields(Entry) if field.name != "key"}
"""The fields that can be changed, with what each is as a rule."""
FIELDS["content"] = ""
CHOICES = {"logic": LOGICS, "position": get_args(Position)}
"""What the fields may be that are one of a few words."""
MAX_NAME = 60


def typed_value(field: str, text: str) -> Any:
    """Return the value of a field that somebody typed: commas stand between words.

    Raises `CardError`.
    """
    usual, word = FIELDS.get(field), text.strip().lower()
    if isinstance(usual, bool):
        if word not in ("on", "off"):
            raise CardError(f"{field} is on or off.")
        return word == "on"
    if isinstance(usual, int):
        try:
            return int(word)
        except ValueError:
            raise CardError(f"{field} is a whole number.") from None
    if isinstance(usual, tuple):
        return tuple(filter(None, map(str.strip, text.split(","))))
    return text


def as_typed(value: Any) -> str:
    """Return the value of a field as somebody types it."""
    if isinstance(value, bool):
        return "on" if value else "off"
    return ", ".join(value) if isinstance(value, tuple) else str(value)


def with_fields(book: Lorebook, key: str, changed: Mapping[str, Any]) -> Lorebook:
    """Return a book with an entry of which some fields are others. Raises `CardError`."""
    right = {name: _right(name, value) for name, value in changed.items()}
    entries = [replace(one, **right) if one.key == key else one for one in book.entries]
    keys = sum(len((*one.keys, *one.secondary, *one.excluded)) for one in entries)
    if keys > MAX_ALL_KEYS:
        raise CardError(f"The lorebook would have {keys} keys; {MAX_ALL_KEYS} are allowed.")
    return replace(book, entries=tuple(entries))


def _right(field: str, value: Any) -> Any:
    """Return a value as an entry holds it. Raises `CardError` for what it cannot hold."""
    if field not in FIELDS:
        raise CardError(f"An entry has no field '{clean(field, 40)}', but {', '.join(FIELDS)}.")
    if field in CHOICES and value not in CHOICES[field]:
        raise CardError(f"{field} is one of {', '.join(CHOICES[field])}.")
    if field in RANGES:
        least, most = RANGES[field]
        if not least <= value <= most:
            raise CardError(f"{field} is from {least} to {most}.")
    if field == "content":
        return _content(value)
    if field == "name":
        return clean(value, MAX_NAME)
    return _words(field, value) if isinstance(value, tuple) else value


def _content(text: str) -> str:
    if len(text) > MAX_CONTENT:
        raise CardError(f"It has {len(text)} characters; {MAX_CONTENT} are allowed.")
    made = disarm(text)
    if not made.strip():
        raise CardError("An entry needs something to say.")
    return made


def _words(field: str, words: tuple[str, ...]) -> tuple[str, ...]:
    if len(words) > MAX_KEYS or any(len(word) > MAX_KEY for word in words):
        raise CardError(f"{field}: at most {MAX_KEYS}, of {MAX_KEY} characters each.")
    if any(map(PATTERN.match, words)):
        raise CardError(f"{field}: words, and no patterns.")
    return tuple(word.lower() for word in words) if field == "required_tags" else words


def entry_values(entry: Entry) -> Json:
    """Return what its fields hold, by their names."""
    return {name: getattr(entry, name) for name in FIELDS}
