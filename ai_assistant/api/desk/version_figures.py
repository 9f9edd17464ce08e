"""What turns came to while a version of the persona, or of what the owner wrote, was in force."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ai_assistant.api.desk.regression import verdicts_of
from ai_assistant.api.overview import trouble
from ai_assistant.core.times import epoch
from ai_assistant.game.identity import entity_id
from ai_assistant.runtime.service import SERVICE
from ai_assistant.storage.calls.spending_rows import TurnSums, turns_since


@dataclass(frozen=True, slots=True)
class VersionFigures:
    """What turns came to while one version was in force."""

    took: TurnSums
    """Their number, and what their model calls took, as far as those are on record."""
    good: int
    """Marked as such by staff."""
    bad: int
    """Marked as such by staff."""


def figures_since(character: Any, began: Sequence[float]) -> list[VersionFigures]:
    """Return what turns came to under each version, from when each `began`, the latest first."""
    starts = sorted(began)
    if not trouble():
        SERVICE.shared.calls.write_some()
    sums = turns_since(entity_id(character), starts)
    marks = [[0, 0] for _ in starts]
    for verdict in verdicts_of(character):
        if place := bisect_right(starts, epoch(verdict["timestamp"])):
            marks[place - 1][not verdict["good"]] += 1
    together = zip(sums, marks, strict=True)
    return [VersionFigures(took, good, bad) for took, (good, bad) in together][::-1]
