"""Ages: how long ago something was, in words, by the one clock that the prompt shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ai_assistant.memory.dates import DAY
from ai_assistant.memory.parts import epoch

if TYPE_CHECKING:
    from ai_assistant.agent.turn import Turn

JUST_NOW, A_WHILE = 600.0, 3600.0
_HOUR = 3600.0
_PARTS = ((5, "night"), (12, "morning"), (17, "afternoon"), (22, "evening"), (24, "night"))
"""The hour at which each part of the day ends."""
_UNITS = ((730, 365, "year"), (60, 30, "month"), (14, 7, "week"), (2, 1, "day"))
"""From so many days on they are counted by so many."""
_NUMBERS = "no one two three four five six seven eight nine ten eleven twelve".split()


def ago(turn: Turn, stamp: str | float) -> str:
    """Return when something was, by the game's clock, or by ours where the game shows none.

    `stamp` is in seconds since the epoch, or as the state stores it; empty gives no words.
    """
    at = epoch(stamp) if isinstance(stamp, str) else stamp
    now, real = _clock(turn)
    passed = max(0.0, turn.clock.now() - at) * (1.0 if real else turn.world.pace())
    return past(now - passed, now) if at else ""


def on_day(day: int, today: int) -> str:
    """Return which day of the story that was."""
    if today - day in (0, 1):
        return ("today", "yesterday")[today - day]
    return f"{_number(today - day)} days ago" if 0 < day < today else ""


def past(then: float, now: float) -> str:
    """Return what lies between two times of one clock, which counts seconds from midnight on."""
    if now - then < JUST_NOW:
        return "just now"
    if now - then < A_WHILE:
        return "a little while ago"
    days = int(now // DAY) - int(then // DAY)
    part = next(name for ends, name in _PARTS if then % DAY / _HOUR < ends)
    if days < 1:
        return "earlier today" if part == "night" else f"this {part}"
    if days == 1:
        return "last night" if part == "night" else f"yesterday {part}"
    length, unit = next((size, name) for least, size, name in _UNITS if days >= least)
    count = days // length
    return f"{_number(count)} {unit}{'' if count == 1 else 's'} ago"


def _clock(turn: Turn) -> tuple[float, bool]:
    """Return the time now, and whether it is ours."""
    shown = bool(turn.surroundings.time)
    return (turn.world.game_time(), False) if shown else (turn.clock.now(), True)


def _number(count: int) -> str:
    return _NUMBERS[count] if count < len(_NUMBERS) else str(count)
