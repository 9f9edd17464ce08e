"""What a look at the set-up found: one record for each thing that was looked at."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

Level = Literal["ok", "warning", "problem"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding: `about` is its id in `docs/troubleshooting.md`, `fix` what to do about it."""

    about: str
    level: Level
    text: str
    fix: str = ""


def finding_lines(findings: Iterable[Finding]) -> list[str]:
    """Return findings as people read them, the fix of each below it."""
    lines = []
    for found in findings:
        lines.append(f"{found.level:<8} {found.about:<11} {found.text}")
        if found.fix:
            lines.append(f"{'':<20} Do: {found.fix}")
    return lines
