"""What people say: the patterns of `patterns.txt`, ready to be tried."""

from __future__ import annotations

import re
from importlib import resources
from itertools import count

Table = tuple[tuple[str, re.Pattern[str]], ...]
_number = count()


def _read() -> dict[str, dict[str, str]]:
    """Return the patterns by table and kind."""
    tables: dict[str, dict[str, str]] = {}
    kinds: dict[str, str] = {}
    text = (resources.files("ai_assistant") / "llm/offline/patterns.txt").read_text("utf-8")
    for line in text.splitlines():
        if line.startswith("== "):
            kinds = tables.setdefault(line[3:], {})
        elif line.startswith("    "):
            named = re.sub("<what>", lambda _: f"(?P<what{next(_number)}>.+)", line[4:])
            kind = next(reversed(kinds))
            kinds[kind] = f"{kinds[kind]}|{named}" if kinds[kind] else named
        elif line and not line.startswith("#"):
            kinds[line] = ""
    return tables


def _table(kinds: dict[str, str]) -> Table:
    return tuple((kind, re.compile(pattern)) for kind, pattern in kinds.items())


_TABLES = _read()
FIRST, ASKED, REQUESTED, SOCIAL = (
    _table(_TABLES[name]) for name in ("FIRST", "ASKED", "REQUESTED", "SOCIAL")
)
SINGLE = {name: re.compile(pattern) for name, pattern in _TABLES["SINGLE"].items()}
"""Patterns of their own: polite words around a question or a request, and what is a fact."""
