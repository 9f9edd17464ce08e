"""Cleaning: what a player or a model wrote becomes inert data, the same way for everybody.

No parser of Evennia, no terminal and no browser acts on cleaned text: pipes, braces, backslashes
and dollars become look-alikes, control and invisible characters go. Cleaning is idempotent.
"""

from __future__ import annotations

import re
import unicodedata

SPEECH_LIMIT = 800
"""Characters of one spoken line; three lines at most."""
HEARD_LIMIT = 1000
"""Characters kept of one line that was heard."""
NAME_LIMIT = 60

_STAND_INS = str.maketrans({"|": "/", "\\": "/", "{": "(", "}": ")"})
_WIDE = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
_MARKS = re.compile(r"(?P<three>[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff]{3})"
                    r"[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff]+")
_PLAIN = re.compile(r"[A-Za-z0-9 .,;!?'\"()\-]*")
_DOLLAR = re.compile(r"\$(?![0-9])")
_LINK = re.compile(r"://")
_SPACES = re.compile(r"[^\S\n]+")
_HIDDEN = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0")
_DROPPED_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


def _visible(char: str) -> bool:
    if char == "\n":
        return True
    if char in _HIDDEN or "\ufe00" <= char <= "\ufe0f" or "\U000e0100" <= char <= "\U000e01ef":
        return False
    return unicodedata.category(char) not in _DROPPED_CATEGORIES


def _once(text: str, lines: int) -> str:
    text = unicodedata.normalize("NFC", text).replace("\t", " ")
    text = "".join(filter(_visible, text)).translate(_WIDE).translate(_STAND_INS)
    text = _MARKS.sub(r"\g<three>", text)
    text = _LINK.sub(": //", _DOLLAR.sub("", text))
    rows = [_SPACES.sub(" ", row).strip() for row in text.split("\n")]
    rows = [row for row in rows if row]
    return "\n".join([*rows[: lines - 1], " ".join(rows[lines - 1 :])] if rows else [])


def clean(text: object, limit: int = SPEECH_LIMIT, lines: int = 1) -> str:
    """Return `text` as inert data: at most `limit` characters on at most `lines` lines.

    Raises nothing: whatever is not a string is shown as one.
    """
    result = str(text)[: limit * 4].replace("\r\n", "\n").replace("\r", "\n")
    if _PLAIN.fullmatch(result):
        return " ".join(result.split())[:limit].rstrip()
    for _ in range(8):  # removing one character can join two others: go on to a fixed point
        shorter = _once(result, lines)[:limit].rstrip()
        if shorter == result:
            break
        result = shorter
    return result


def clean_name(name: object) -> str:
    """Return a display name as inert data, never empty."""
    return clean(name, NAME_LIMIT) or "somebody"
