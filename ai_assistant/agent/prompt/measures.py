"""Measures of a prompt: how many tokens a text makes, and how long ago something was, in words.

Counts are estimates: letters (`extent`: a character of a script without spaces is four) times the
tokens per letter that the provider's last `usage` taught us (`ask_model`). The limits are
those the providers state.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Literal

from ai_assistant.agent.turn.turn_state import TurnState
from ai_assistant.core.times import DAY, HOUR, due, epoch
from ai_assistant.language.words import extent, names_a_time

JUST_NOW, A_WHILE = 600.0, HOUR
_PARTS = ((5, "before dawn"), (12, "morning"), (17, "afternoon"), (22, "evening"), (24, "night"))
"""The hour at which each part of the day ends."""
_BY_DAY = ("morning", "afternoon", "evening")
_UNITS = ((730, 365, "year"), (60, 30, "month"), (14, 7, "week"), (2, 1, "day"))
"""From so many days on they are counted by so many."""
_NUMBERS = "no one two three four five six seven eight nine ten eleven twelve".split()


def ago(turn: TurnState, stamp: str | float) -> str:
    """Return when something was, by the game's clock if it shows one; empty for no stamp.

    It is empty within a scene too: what was outside of its story has no day there.
    """
    if turn.play.session:
        return ""
    at = epoch(stamp) if isinstance(stamp, str) else stamp
    now = by_the_clock(turn, turn.clock.now())
    return past(by_the_clock(turn, at), now) if at else ""


def on_date(turn: TurnState, date: str) -> str:
    """Return which day a date was of which no hour is told; empty within a scene."""
    if turn.play.session:
        return ""
    now, noon = turn.clock.now(), epoch(f"{date}T12:00:00Z")
    days = int(by_the_clock(turn, now) // DAY) - int(by_the_clock(turn, noon) // DAY)
    return ("today", "yesterday")[max(days, 0)] if days < 2 else _days_ago(days)


def due_by(turn: TurnState, deadline: float) -> str:
    """Return until when something is due; on another day with that, if the game's clock shows."""
    now = turn.world.game_time()
    told, days = due(deadline - now), int(deadline // DAY) - int(now // DAY)
    if days < 1 or not turn.surroundings.time:
        return told
    part = _part_of_day(deadline)
    day = {1: f"tomorrow {part}", 2: "the day after tomorrow"}.get(days)
    return f"{told}, {day}" if day else told


def on_another_day(turn: TurnState, stamp: str) -> str:
    """Return when something was that is not of today, when its "tomorrow" was another day's."""
    then, now = by_the_clock(turn, epoch(stamp)), by_the_clock(turn, turn.clock.now())
    return "" if then // DAY == now // DAY else ago(turn, stamp)


def day_of_words(turn: TurnState, text: str, stamp: str) -> str:
    """Return of which other day a text is that names a time; empty for all other texts."""
    return on_another_day(turn, stamp) if names_a_time(text) else ""


def by_the_clock(turn: TurnState, at: float) -> float:
    """Return a past time as the game's clock had it, if it shows one; else the time itself."""
    if not turn.surroundings.time:
        return at
    return turn.world.game_time() - max(0.0, turn.clock.now() - at) * turn.world.pace()


def when(turn: TurnState, stamp: str | float, session: str = "", day: int = 0) -> str:
    """Return when something was; in a scene by the days of its story."""
    play = turn.play
    if not play.session:
        return ago(turn, stamp)
    if not day or session != play.session:
        return "outside of the story"
    return ", ".join(filter(None, (f"day {day}", on_day(day, play.day))))


def on_day(day: int, today: int) -> str:
    """Return how long ago a day of the story was; empty for one that is ahead."""
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
    part = _part_of_day(then)
    if days < 1:
        return f"this {part}" if part in _BY_DAY else "earlier today"
    if days == 1:
        return "last night" if part == "night" else f"yesterday {part}"
    return _days_ago(days)


def _part_of_day(at: float) -> str:
    return next(name for ends, name in _PARTS if at % DAY / HOUR < ends)


def _days_ago(days: int) -> str:
    length, unit = next((size, name) for least, size, name in _UNITS if days >= least)
    count = days // length
    return f"{_number(count)} {unit}{'' if count == 1 else 's'} ago"


def _number(count: int) -> str:
    return _NUMBERS[count] if count < len(_NUMBERS) else str(count)


Level = Literal["ok", "warning", "danger", "critical"]

PER_CHAR = 0.25
"""Tokens of one letter, as long as no provider has told us better."""
DEFAULT_MAX_TOKENS = 8192
MODEL_MAX_TOKENS = (
    ("offline", 100_000),
    ("gpt-3.5", 16_385),
    ("gpt-4.1", 1_047_576),
    ("gpt-4", 128_000),
    ("gpt-5", 400_000),
    ("o1", 200_000),
    ("o3", 200_000),
    ("o4", 200_000),
    ("claude", 200_000),
    ("gemini", 1_048_576),
    ("llama-3", 131_072),
    ("llama3", 131_072),
    ("mistral", 131_072),
    ("qwen", 131_072),
    ("deepseek", 131_072),
)
"""Model names by how they begin, and the tokens that such a model can read; first match counts."""
LEVELS: tuple[tuple[float, Level], ...] = ((0.70, "ok"), (0.85, "warning"), (0.95, "danger"))
"""Below which utilisation each level ends; what is beyond the last is critical."""


def count_tokens(text: str, per_char: float = PER_CHAR) -> int:
    """Return how many tokens a text makes by estimate, rounded up."""
    return math.ceil(extent(text) * per_char)


def count_tokens_batch(texts: Iterable[str], per_char: float = PER_CHAR) -> int:
    """Return how many tokens these texts make together."""
    return math.ceil(sum(map(extent, texts)) * per_char)


def get_model_max_tokens(model: str) -> int:
    """Return how many tokens a model can read; OpenRouter's ``provider/`` in front is left out."""
    name = model.rpartition("/")[2].lower()
    known = (tokens for start, tokens in MODEL_MAX_TOKENS if name.startswith(start))
    return next(known, DEFAULT_MAX_TOKENS)


def get_utilization_status(utilization: float) -> Level:
    """Return the level of a utilisation: ok, warning, danger or critical."""
    return next((level for below, level in LEVELS if utilization < below), "critical")
