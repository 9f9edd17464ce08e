"""Times: seconds since the epoch, counted and stored; hours of a day; the dates of a game."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache

from ai_assistant.core.text import counted

MINUTE, HOUR, DAY = 60.0, 3600.0, 86_400.0
"""Seconds."""
_HOURS = 24.0
_FIRST = datetime(1970, 1, 1, tzinfo=UTC)


def iso(at: float) -> str:
    """Return a time as it is stored: ``2026-11-21T18:04:00Z``."""
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def lasting(seconds: float) -> str:
    """Return a span in words, rounded, by the largest unit of which it has two: ``45 minutes``."""
    for size, unit in ((DAY, "day"), (HOUR, "hour"), (MINUTE, "minute")):
        if seconds >= 2 * size:
            return counted(round(seconds / size), unit)
    return counted(round(max(0.0, seconds)), "second")


def due(seconds: float) -> str:
    """Return in words how long it is until something is due: ``due in 3 hours``."""
    if abs(seconds) < MINUTE:
        return "due now"
    return f"due in {lasting(seconds)}" if seconds > 0 else f"overdue by {lasting(-seconds)}"


@lru_cache(maxsize=4096)  # the stamps of a conversation are read in every turn, often
def epoch(stamp: str) -> float:
    """Return the seconds since the epoch of what `iso` wrote; 0 for an empty stamp."""
    if not stamp:
        return 0.0
    return datetime.fromisoformat(stamp).timestamp()


def in_hours(hour: float, start: float, duration: float) -> bool:
    """Is this hour (0 to 24) one of the hours of sleep? They may lie around midnight."""
    return (hour - start) % _HOURS < min(duration, _HOURS)


def hours_left(hour: float, start: float, duration: float) -> float:
    """Return how many hours of sleep are left at this hour, which is one of them."""
    return min(duration, _HOURS) - (hour - start) % _HOURS


@dataclass(frozen=True, slots=True)
class Calendar:
    """The game's own dates."""

    now: float = 0.0
    """A moment of ours, in seconds since the epoch."""
    game_now: float = 0.0
    """The same moment in the game, in seconds since its epoch."""
    pace: float = 1.0
    """How many seconds pass there in one of ours."""

    def date(self, at: float) -> datetime:
        """Return when our time `at` was in the game; its first day for what no date can tell."""
        try:
            return _FIRST + timedelta(seconds=self.game_now - (self.now - at) * self.pace)
        except OverflowError:
            return _FIRST
