"""Cleaning: what a player or a model wrote becomes inert data, the same way for everybody.

No parser of Evennia, no terminal and no browser acts on cleaned text: pipes, braces, backslashes
and dollars become look-alikes, control and invisible characters go, and addresses get a space that
keeps clients from making links of them. Cleaning is idempotent.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterable
from difflib import get_close_matches
from itertools import islice
from typing import Any

SPEECH_LIMIT = 800
"""Characters of one spoken line; three lines at most."""
HEARD_LIMIT = 1000
"""Characters kept of one line that was heard."""
NAME_LIMIT = 60
_MOST_ITEMS = 20

_STAND_INS = str.maketrans({"|": "/", "\\": "/", "{": "(", "}": ")", "$": "\ufe69"})
"""Evennia takes any dollar sign for the beginning of a call, if only quotes follow: a small one."""
_WIDE = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
_MAX_MARKS = 3
"""Accents and the like on one letter; more of them would spill over the lines around."""
_MARKS = frozenset({"Mn", "Me"})
_PLAIN = re.compile(r"[A-Za-z0-9 .,:;!?'\"()\-]*")
_LINK = re.compile(r"[.:](?:(?<=\bwww\.|\bftp\.)(?=\S)|(?<=:)(?=//))", re.IGNORECASE)
"""Where a space makes no link of an address: that much of one is what clients look for."""
_SPACES = re.compile(r"[^\S\n]+")
_HIDDEN = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u3164\uffa0")
_DROPPED_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


def _visible(char: str) -> bool:
    if char == "\n":
        return True
    if char in _HIDDEN or "\ufe00" <= char <= "\ufe0f" or "\U000e0100" <= char <= "\U000e01ef":
        return False
    return unicodedata.category(char) not in _DROPPED_CATEGORIES


def _unstacked(text: str) -> str:
    kept: list[str] = []
    stacked = 0
    for char in text:
        stacked = stacked + 1 if unicodedata.category(char) in _MARKS else 0
        if stacked <= _MAX_MARKS:
            kept.append(char)
    return "".join(kept)


def _once(text: str, lines: int) -> str:
    text = unicodedata.normalize("NFC", text).replace("\t", " ")
    letters = {*text}  # what a text holds is looked up once for each, however long it is
    hidden = {ord(char): None for char in letters if not _visible(char)}
    text = text.translate(hidden).translate(_WIDE).translate(_STAND_INS)
    if not _MARKS.isdisjoint(map(unicodedata.category, letters)):
        text = _unstacked(text)
    text = _LINK.sub(r"\g<0> ", text)
    rows = [_SPACES.sub(" ", row).strip() for row in text.split("\n")]
    rows = [row for row in rows if row]
    return "\n".join([*rows[: lines - 1], " ".join(rows[lines - 1 :])] if rows else [])


def clean(text: object, limit: int = SPEECH_LIMIT, lines: int = 1) -> str:
    """Return anything as inert text: at most `limit` characters on at most `lines` lines."""
    result = str(text)[: limit * 4].replace("\r\n", "\n").replace("\r", "\n")
    if _PLAIN.fullmatch(result) and not _LINK.search(result):
        return " ".join(result.split())[:limit].rstrip()
    for _ in range(8):  # removing one character can join two others: go on to a fixed point
        shorter = _once(result, lines)[:limit].rstrip()
        if shorter == result:
            break
        result = shorter
    return result


def clean_json(value: Any, limit: int = 300) -> Any:
    """Return JSON values as they may be stored: texts cleaned, numbers finite, lists short."""
    if isinstance(value, dict):
        pairs = islice(value.items(), _MOST_ITEMS)
        return {clean(key, NAME_LIMIT): clean_json(pair, limit) for key, pair in pairs}
    if isinstance(value, list | tuple):
        return [clean_json(part, limit) for part in value[:_MOST_ITEMS]]
    plain = value is None or isinstance(value, bool | int)
    finite = isinstance(value, float) and math.isfinite(value)
    return value if plain or finite else clean(value, limit, lines=3)


def with_article(noun: str) -> str:
    """Return an English noun with its article: an ally, a friend."""
    return f"an {noun}" if noun[:1].lower() in "aeiou" else f"a {noun}"


def counted(number: float, one: str, several: str = "") -> str:
    """Return a number of English things: ``1 line``, ``1,200 lines``; `several` is its plural."""
    return f"{number:,.15g} {one if number == 1 else several or f'{one}s'}"


def typed_number(typed: str) -> int:
    """Return a number that somebody typed, as 12 or #12; 0 for what is none that is ever kept."""
    digits = typed.strip().removeprefix("#")
    return int(digits) if digits.isdecimal() and len(digits) < 19 else 0


def clean_name(name: object) -> str:
    """Return a display name as inert data, never empty."""
    return clean(name, NAME_LIMIT) or "somebody"


def spelled_like(typed: str, names: Iterable[str], alike: float = 0.7) -> list[str]:
    """Return the names that somebody may have meant who misspelt one, or one of its words.

    `alike` is how like they must be, from 0 to 1 for the same.
    """
    forms: dict[str, list[str]] = {}
    for name in names:
        for form in {name.casefold(), *re.split(r"[\s_]+", name.casefold())}:
            forms.setdefault(form, []).append(name)
    low = typed.strip().casefold()
    found = [low] if low in forms else get_close_matches(low, forms, 3, alike)
    return list(dict.fromkeys(name for form in found for name in forms[form]))[:3]


def did_you_mean(typed: str, names: Iterable[str]) -> str:
    """Return the question that helps whoever misspelt one of these names; empty without any."""
    near = spelled_like(typed, names)
    return f"Did you mean {' or '.join(near)}?" if near else ""


def unaccented(text: str) -> str:
    """Return a text without accents, letter for letter; many leave them out where they type."""
    if text.isascii():
        return text
    return "".join(unicodedata.normalize("NFD", letter)[0] for letter in text)
