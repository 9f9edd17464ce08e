"""How a line treats the one it is said to: a few plain words of praise, thanks, insult and threat."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from ai_assistant.language.tables import ENGLISH, table

WEIGHTS = {"threat": -2, "insult": -1, "thanks": 1, "praise": 1}
"""What each kind of words counts; the gravest is looked for first."""


@dataclass(frozen=True, slots=True)
class Treatment:
    """How one line treats its hearer: from -2 to 2, and by which kind of words."""

    amount: int
    kind: str


@cache
def _patterns(language: str) -> tuple[dict[str, re.Pattern[str]], list[tuple[str, str]], str]:
    data = table(language).get("manners", {})
    kinds = {kind: _any(data[kind]) for kind in WEIGHTS if data.get(kind)}
    return kinds, data.get("short", []), rf"\b(?:{'|'.join(data.get('not', []) or ['(?!)'])})\b"


def _any(phrases: list[str]) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, phrases))})(?!\w)", re.I)


def treatment(line: str, language: str = ENGLISH) -> Treatment | None:
    """Return how a line treats the one it is said to; None where it does so in no plain words."""
    kinds, short, denied = _patterns(language)
    for old, new in short:
        line = re.sub(rf"\b{old}\b", new, line, flags=re.I)
    for kind, pattern in kinds.items():
        found = pattern.search(line)
        if found and not re.search(denied, line[: found.start()], re.I):
            return Treatment(WEIGHTS[kind], kind)
    return None
