"""Days that a text names: a date, a month, or how long ago something was."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ai_assistant.core.text import unaccented
from ai_assistant.language import current_language, keeps_texts
from ai_assistant.language.words import plain

_ISO = re.compile(r"\b(\d{4})-(\d{2})-(\d{2})\b")
_TOKEN = re.compile(r"\w+")
_DAY = re.compile(r"(\d{1,2})(?:[^\W\d]{1,2})?")
_YEAR = re.compile(r"[12]\d{3}")
WEEK = 7
_BEHIND = 3
"""Words behind a month among which its year may stand: "May the 3rd of 1970"."""


@dataclass(frozen=True, slots=True)
class NamedDay:
    """A day, month or year by the calendar, as far as it was named, or one before now."""

    year: int = 0
    """Four digits; 0: any."""
    month: int = 0
    """1 to 12; 0: any."""
    day: int = 0
    """1 to 31; 0: any of that month."""
    ago: int | None = None
    """Days before now, instead of the other three; None where these count."""


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
    found_back = next(iter(days_back(unaccented(line))), None)
    return NamedDay(ago=found_back[1]) if found_back else None


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


@keeps_texts(64)
def days_back(line: str) -> list[tuple[re.Match[str], int, int]]:
    """Return where a line without accents says days ago, how many, and how many more or less."""
    speaks, told = current_language(), []
    for found in (hit for form in speaks.ago for hit in form.finditer(line)):
        unit = speaks.units[found["unit"]]
        told.append((found, unit * number_of(found.groupdict().get("n") or "1"), unit // 2))
    for phrase, days in speaks.days_ago.items():
        for said in re.finditer(rf"\b{re.escape(phrase)}\b", line) if phrase in line else ():
            told.append((said, days, days - 1 if days >= WEEK else 0))
    return told


def number_of(text: str) -> int:
    """Return the number that is meant by digits or number words, as "3rd" or "two hundred"."""
    if digits := re.match(r"\d+", text):
        return int(digits[0])
    known, total = current_language().counted, 0
    for word in re.findall("|".join(map(re.escape, sorted(known, key=len, reverse=True))), text):
        many = known[word]
        total = total * many if many >= 100 and 0 < total < many else total + many
    return total
