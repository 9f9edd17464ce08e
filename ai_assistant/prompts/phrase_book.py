"""The phrase book of the offline model: sheets of lines, one for each temper and trade."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from importlib import resources


@dataclass(frozen=True, slots=True)
class Sheet:
    """The lines of one temper or trade: which personas it suits, and its lines by key.

    `last` holds the lines for want of a better one, used where none of `lines` can be filled.
    """

    name: str
    suits: frozenset[str] = frozenset()
    lines: dict[str, list[str]] = field(default_factory=dict)
    last: dict[str, list[str]] = field(default_factory=dict)


def read_sheets(text: str) -> list[Sheet]:
    """Read sheets: ``# name``, ``Suits: words``, ``## key``, then ``- line`` and ``* last``."""
    sheets: list[Sheet] = []
    key = ""
    for row in text.splitlines():
        mark, _, rest = row.partition(" ")
        if mark == "#":
            sheets.append(Sheet(rest.strip()))
        elif mark == "Suits:":
            sheets[-1] = Sheet(sheets[-1].name, frozenset(rest.split()))
        elif mark == "##":
            key = rest.strip()
        elif mark in {"-", "*"} and key:
            lines = sheets[-1].lines if mark == "-" else sheets[-1].last
            lines.setdefault(key, []).append(rest.strip())
    return sheets


@cache
def sheets(name: str) -> list[Sheet]:
    """Return the sheets of ``prompts/offline_<name>.md``, read once."""
    file = resources.files("ai_assistant") / f"prompts/offline_{name}.md"
    return read_sheets(file.read_text("utf-8"))
