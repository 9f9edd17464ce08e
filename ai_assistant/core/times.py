"""Times: seconds since the epoch, as they are counted and as they are stored."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import lru_cache

from ai_assistant.core.text import counted

MINUTE, HOUR, DAY = 60.0, 3600.0, 86_400.0
"""Seconds."""


def iso(at: float) -> str:
    """Return a time as it is stored: ``2026-11-21T18:04:00Z``."""
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def lasting(seconds: float) -> str:
    """Return a span in words, by the largest unit of which it has two: ``45 minutes``."""
    for size, unit in ((DAY, "day"), (HOUR, "hour"), (MINUTE, "minute")):
        if seconds >= 2 * size:
            return counted(int(seconds // size), unit)
    return counted(round(max(0.0, seconds)), "second")


@lru_cache(maxsize=4096)  # the stamps of a conversation are read in every turn, often
def epoch(stamp: str) -> float:
    """Return the seconds since the epoch of what `iso` wrote; 0 for an empty stamp."""
    if not stamp:
        return 0.0
    return datetime.fromisoformat(stamp).timestamp()
