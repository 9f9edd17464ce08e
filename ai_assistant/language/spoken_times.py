"""Times as people speak of them in English: the hour, the day, and how long ago that was."""

from __future__ import annotations

import re
from datetime import datetime

from ai_assistant.core.times import HOUR
from ai_assistant.language import language_of

_STAMP = re.compile(r"(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d))?")
_NUMBERS = {number: word for word, number in language_of("en").numbers.items() if number}
_NEAR = ((4, ""), (20, "a little past "), (40, "half past "), (60, "close to "))
_PARTS = ((5, "at night"), (12, "in the morning"), (18, "in the afternoon"), (22, "in the evening"))


def number(count: int) -> str:
    """Return a small number in words, a large one in digits."""
    return _NUMBERS.get(count, str(count))


def _parse(stamp: str) -> datetime | None:
    hit = _STAMP.match(stamp)
    try:
        return datetime.fromisoformat(f"{hit[1]}T{hit[2] or '12:00'}") if hit else None
    except ValueError:
        return None


def spoken_time(stamp: str) -> str:
    """Return the time of day in words; the text itself where it is no known form."""
    at = _parse(stamp)
    if not at or ":" not in stamp:
        return stamp
    hour = (at.hour + (at.minute >= 40)) % 24
    near = next(words for until, words in _NEAR if at.minute < until)
    if hour % 12 == 0:
        return near + ("noon" if hour else "midnight")
    part = next((name for until, name in _PARTS if hour < until), "at night")
    return f"{near}{number(hour % 12)} {part}"


def spoken_day(stamp: str) -> str:
    """Return the day in words, as "Saturday, the 21st of November"; else the text itself."""
    at = _parse(stamp)
    if not at:
        return stamp
    end = {1: "st", 2: "nd", 3: "rd"}.get(at.day % 10 if at.day // 10 != 1 else 0, "th")
    return f"{at:%A}, the {at.day}{end} of {at:%B}"


def hours_between(earlier: str, later: str) -> float | None:
    """Return the hours from one stamp to another; None where one of them is no time."""
    first, second = _parse(earlier), _parse(later)
    return (second - first).total_seconds() / HOUR if first and second else None


def days_since(earlier: str, now: str) -> str:
    """Return how long ago something was, in days as people count them; empty if unknown."""
    first, second = _parse(earlier), _parse(now)
    days = (second.date() - first.date()).days if first and second else -1
    if days < 0:
        return ""
    if days < 2:
        return ("earlier today", "yesterday")[days]
    if days < 14:
        return f"{number(days)} days ago"
    return f"{number(days // 7)} weeks ago" if days < 60 else "a long while ago"
