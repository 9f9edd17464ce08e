"""JSON from a model: strict first, then with its small slips, and never completed by guessing.

Only answers of jobs behind the scenes, which are checked afterwards, are repaired (`answer_…`).
"""

from __future__ import annotations

import json
import math
import re
from typing import Any, NamedTuple, SupportsIndex

import json_repair

from ai_assistant.core.contracts import Json
from ai_assistant.core.errors import BadReply

MAX_DEPTH = 32
LONGEST = 16_384
"""Characters of a value that are read with its slips; a correct one may be longer."""
ATTEMPTS = 20

_SURROGATE = re.compile("[\ud800-\udfff]")
_decoder = json.JSONDecoder(strict=False)  # models put bare line breaks into their strings
_TOKEN = re.compile(
    r"(?P<space>\s+|//[^\n]*|#[^\n]*|/\*.*?\*/)"
    r'|(?P<double>"[^"\\]*(?:\\.[^"\\]*)*")'
    r"|(?P<single>'[^'\\]*(?:\\.[^'\\]*)*')"
    r"|(?P<open>[{\[(])|(?P<close>[}\])])|(?P<mark>[:,=])"
    r"|(?P<number>-?\d[\w.+-]*)|(?P<word>[A-Za-z_][\w-]*)",
    re.DOTALL,
)
_BRACKETS = re.compile(r"[\[\]{}]")
_BARE_NAME = re.compile(r"\A[^\W\d][^\"]*\Z")
_ESCAPE = re.compile(r'\\.|"', re.DOTALL)
_REQUOTED = {"\\'": "'", '"': '\\"'}
_PLAIN = {"True": "true", "False": "false", "None": "null", "(": "[", ")": "]"}


class ParsedJson(NamedTuple):
    """A JSON value that stands in a text, and where it ends."""

    value: Any
    """An object or a list."""
    end: int
    """The place in the text right behind it."""


def load_object(raw: bytes | str) -> Json:
    """Return the JSON object in there; raises `BadReply` for anything else."""
    try:
        data = _decoder.decode(raw.decode("utf-8-sig") if isinstance(raw, bytes) else raw)
    except (ValueError, RecursionError):
        raise BadReply("The model's server answered with something that is not JSON.") from None
    _refuse_odd(data)
    if not isinstance(data, dict):
        raise BadReply("The model's server answered with JSON that is no object.")
    return data


def value_at(text: str, at: int) -> ParsedJson | None:
    """Return the object or list that begins here, small slips and all; None where it breaks off."""
    if text[at : at + 1] not in ("{", "["):
        return None
    return _decoded(text, at) or _translated(text, at)


def arguments_at(text: str, at: int) -> ParsedJson | None:
    """Return what stands between parentheses: an object of named arguments, else a list."""
    return _translated(text, at) if text[at : at + 1] == "(" else None


def _decoded(text: str, at: int) -> ParsedJson | None:
    try:
        value, end = _decoder.raw_decode(text, at)
    except (ValueError, RecursionError):
        return None
    return ParsedJson(value, end) if is_sound(value) else None


def _translated(text: str, at: int) -> ParsedJson | None:
    """Put a value into strict JSON, token by token, and read that."""
    if _is_deep(text, at):
        return None
    made: list[str] = []
    depth, has_names = 0, False
    end, last = at, at + LONGEST
    while (token := _TOKEN.match(text, end, last)) and depth <= MAX_DEPTH:
        end, kind, piece = token.end(), token.lastgroup, token[0]
        depth += (kind == "open") - (kind == "close")
        if kind == "close" and made[-1] == ",":
            made.pop()
        if piece in (":", "="):
            has_names = has_names or (piece == "=" and depth == 1)
            made[-1], piece = _BARE_NAME.sub(r'"\g<0>"', made[-1]), ":"
        if kind != "space":
            made.append(_as_strict(kind, piece))
        if not depth:
            ends = ("{", "}") if has_names else (made[0], made[-1])
            found = _decoded(" ".join((ends[0], *made[1:-1], ends[1])), 0)
            return found and found._replace(end=end)
    return None


def _is_deep(text: str, at: int) -> bool:
    """Is more opened from here on, and left open, than any value may hold?"""
    depth = 0
    for bracket in _BRACKETS.finditer(text, at, at + LONGEST):
        depth += 1 if bracket[0] in "[{" else -1
        if not 0 < depth <= MAX_DEPTH:
            return depth > MAX_DEPTH
    return False


def is_sound(value: object) -> bool:
    """Can a value be stored: text that is text, finite numbers, no depth without an end?"""
    try:
        _refuse_odd(value)
    except BadReply:
        return False
    return True


def _as_strict(kind: str | None, piece: str) -> str:
    if kind in ("single", "double"):
        return f'"{_ESCAPE.sub(lambda found: _REQUOTED.get(found[0], found[0]), piece[1:-1])}"'
    return _PLAIN.get(piece, piece)


def _refuse_odd(data: object) -> None:
    """Raise `BadReply` for values that parse but do harm later: too deep, endless, not text."""
    level: list[Any] = [data]
    for _ in range(MAX_DEPTH):
        deeper: list[Any] = []
        for value in level:
            if isinstance(value, dict):
                deeper += [*value, *value.values()]
            elif isinstance(value, list):
                deeper += value
            elif not _sound(value):
                raise BadReply("The model's reply holds a number or text that cannot be stored.")
        level = deeper
        if not level:
            return
    raise BadReply("The model's reply is nested too deeply.")


def _sound(value: object) -> bool:
    if isinstance(value, str):
        return _SURROGATE.search(value) is None
    if isinstance(value, float):
        return math.isfinite(value)
    return not isinstance(value, int) or abs(value) < 2**63


LOOKS, LOOKS_AT_LEAST, LOOKS_AT_MOST = 3, 300, 22_000
"""How often each character of a text may be looked at to repair it, and any text."""
_BEGINS = re.compile(r"\[(?=\s*(?:[\[{\]\"'\d-]|\Z))|\{(?=\s*[}\"'])")
_OBJECT = re.compile(r"\{(?=\s*[}\"'])")
_BULLET = re.compile(r"^\s*(?:[-*•]|\(?\d{1,2}[.):])\s+")
_TEXTS = ("description", "subtask", "step", "action", "task", "title", "name", "text", "goal")
"""The fields of an item of a list that may hold its text, the likeliest first."""


def answer_list(text: str) -> list[Any]:
    """Return the list that an answer is, the one list in its object, or its objects."""
    values: list[Any] = []
    begins = _BEGINS.search(text)
    for _ in range(ATTEMPTS):
        if begins is None:
            break
        value, end = _value(text, begins.start())
        if isinstance(value, list):
            return value
        lists = [item for item in value.values() if isinstance(item, list)]
        if len(lists) == len(value) == 1:
            return lists[0]
        values += [value] if value else []
        begins = _OBJECT.search(text, end)
    return values


def answer_objects(text: str) -> list[Json]:
    """Return the objects of the list that an answer is; what else stands in it is left out."""
    return [item for item in answer_list(text) if isinstance(item, dict)]


def answer_texts(text: str) -> list[str]:
    """Return the texts of the list that an answer is: in JSON, of objects too, or with bullets."""
    found: list[str] = []
    for item in answer_list(text):
        fields = [item.get(name) for name in _TEXTS] if isinstance(item, dict) else [item]
        found += [one for one in fields if one and isinstance(one, str)][:1]
    found = found or [line for line in text.splitlines() if _BULLET.match(line)]
    return [_BULLET.sub("", one).strip() for one in found]


def answer_object(text: str) -> Json:
    """Return the first object in an answer; an empty one where there is none."""
    begins = _OBJECT.search(text)
    value = _value(text, begins.start())[0] if begins else {}
    return value if isinstance(value, dict) else {}


class _Metered(str):
    """A text that can be looked at only so often: a repair of hostile text would never end."""

    left = 0

    @classmethod
    def of(cls, text: str, left: int) -> _Metered:
        """Return a text for so many looks."""
        made = cls(text)
        made.left = left
        return made

    def __getitem__(self, at: SupportsIndex | slice) -> str:
        """Return the characters there. Raises ValueError when there were too many looks."""
        self.left -= 1
        if self.left < 0:
            raise ValueError("This text cannot be repaired.")
        found = super().__getitem__(at)
        return self.of(found, self.left) if isinstance(at, slice) and at.start is None else found

    def __add__(self, more: str) -> str:
        """Return the text that a repair goes on with: what was looked at counts."""
        return self.of(super().__add__(more), self.left)


def _value(text: str, at: int) -> tuple[Any, int]:
    """Return the value that begins here, repaired if need be, and where it ends."""
    found = value_at(text, at)
    if found:
        return found
    broken = text[at : at + LONGEST]
    if _is_deep(broken, 0):
        return {}, len(text)
    try:
        looks = min(LOOKS * len(broken) + LOOKS_AT_LEAST, LOOKS_AT_MOST)
        value = json_repair.loads(_Metered.of(broken, looks), skip_json_loads=True)
    except (ValueError, RecursionError):
        value = None
    usable = isinstance(value, dict | list) and is_sound(value)
    return (value if usable else {}), len(text)
