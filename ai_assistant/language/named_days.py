"""Days that a text names: a date, a month, or how long ago something was."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ai_assistant.language import current_language
from ai_assistant.language.words import plain

_ISO = re.compile(r"\b(\d{4})-(\d{2})-(\d{2})\b")
_TOKEN = re.compile(r"\w+")
_DAY = re.compile(r"(\d{1,2})(?:[^\W\d]{1,2})?")
_YEAR = re.compile(r"[12]\d{3}")
_BEHIND = 3
"""Words behind a month among which its year may stand: "May the 3rd of 1970"."""


@dataclass(frozen=True, slots=True)
class NamedDay:
    """A day or month by the calendar, as far as it was named (0: not), or days before now."""

    year: int = 0
    month: int = 0
    day: int = 0
    ago: int | None = None


def named_day(text: str) -> NamedDay | None:
    """Return the day that a text names; None where it names none."""
    line = plain(text)
    if iso := _ISO.search(line):
        named = NamedDay(*map(int, iso.groups()))
        return named if 1 <= named.month <= 12 and 1 <= named.day <= 31 else None
    tokens = _TOKEN.findall(line)
    for at, token in enumerate(tokens):
        if token in current_language().months and (found := _of_month(tokens, at)):
            return found
    ago = _ago(line)
    return None if ago is None else NamedDay(ago=ago)


def story_day(text: str, today: int) -> int | None:
    """Return the day that a text names, as a story counts them; None for none, and for today."""
    line, form = plain(text), current_language().story_day
    if form and (found := form.search(line)):
        return _number(found["n"])
    ago = _ago(line)
    return today - ago if ago else None


def _of_month(tokens: list[str], at: int) -> NamedDay | None:
    """Return the day of a month that stands at that place, or the whole month."""
    joined = at > 1 and tokens[at - 1] in current_language().stop_words
    before = tokens[at - 2] if joined else tokens[at - 1] if at else ""
    behind = tokens[at + 1 : at + 1 + _BEHIND]
    days = (_DAY.fullmatch(token) for token in (before, *behind[:1]))
    day = next((int(found[1]) for found in days if found and 1 <= int(found[1]) <= 31), 0)
    year = next((int(token) for token in behind if _YEAR.fullmatch(token)), 0)
    if not (day or year or (at and tokens[at - 1] in current_language().before_months)):
        return None  # such as "it may be"
    return NamedDay(year=year, month=current_language().months[tokens[at]], day=day)


def _ago(line: str) -> int | None:
    speaks = current_language()
    if speaks.ago and (found := speaks.ago.search(line)):
        return speaks.units[found["unit"]] * _number(found["n"])
    for phrase, days in speaks.days_ago.items():
        if phrase in line and re.search(rf"\b{re.escape(phrase)}\b", line):
            return days
    return None


def _number(text: str) -> int:
    return current_language().numbers[text] if text in current_language().numbers else int(text)
