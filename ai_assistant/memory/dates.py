"""Dates that a question names: how close to them a memory lies."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
DAY = 86_400.0
FADES_IN = 10.0
"""Days after which a memory is not close to a day any more: people tell things later."""
_MONTHS = {
    name: number
    for number, name in enumerate(
        "january february march april may june july august september october november "
        "december".split(),
        1,
    )
}
_NAMES = "|".join(_MONTHS)
_YEAR = r"(?:,?\s*(?P<year>\d{4}))?"
_DAY_MONTH = re.compile(rf"\b(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? (?P<month>{_NAMES}){_YEAR}")
_MONTH_DAY = re.compile(rf"\b(?P<month>{_NAMES}) (?P<day>\d{{1,2}})(?:st|nd|rd|th)?\b{_YEAR}")
_MONTH = re.compile(
    rf"\b(?:in|of|during|last|this|since|by|early|late|mid|around)\s+(?P<month>{_NAMES})\b{_YEAR}"
)
_ISO = re.compile(r"\b(?P<year>\d{4})-(?P<number>\d{2})-(?P<day>\d{2})\b")
_AGO = re.compile(r"\b(\d{1,3}) (day|week|month)s? ago\b")
_LENGTHS = {"day": 1, "week": 7, "month": 30}
_RELATIVE = {"yesterday": 1, "today": 0, "last week": 7, "last month": 30}


def closeness(query: str, now: float) -> Callable[[Floats], Floats] | None:
    """Return a function from times (seconds, UTC) to 0–1: how close they are to the named date.

    None where the query names no date. `query` is in small letters.
    """
    for pattern in (_ISO, _DAY_MONTH, _MONTH_DAY):
        if named := pattern.search(query):
            return _near_day(named.groupdict())
    if named := _MONTH.search(query):
        year = int(named["year"]) if named["year"] else None
        return lambda times: _in_month(times, _MONTHS[named["month"]], year)
    if ago := _AGO.search(query):
        return _near(now - int(ago[1]) * _LENGTHS[ago[2]] * DAY)
    days = next((days for words, days in _RELATIVE.items() if words in query), None)
    return None if days is None else _near(now - days * DAY)


def _near(moment: float) -> Callable[[Floats], Floats]:
    return lambda times: np.clip(1 - np.abs(times - moment) / (FADES_IN * DAY), 0.0, 1.0)


def _near_day(named: dict[str, str | None]) -> Callable[[Floats], Floats] | None:
    month = _MONTHS.get(named.get("month") or "", 0) or int(named.get("number") or 0)
    day = int(named["day"] or 0)
    if not 1 <= month <= 12 or not 1 <= day <= 31:
        return None
    if named["year"] and named["year"] >= "1000":
        start = datetime(int(named["year"]), month, 1, tzinfo=UTC)
        return _near((start + timedelta(days=day - 1)).timestamp())
    wanted = (month - 1) * 30.44 + day

    def in_any_year(times: Floats) -> Floats:
        dates = times.astype("datetime64[s]")
        of_year = (dates - dates.astype("datetime64[Y]")).astype("timedelta64[D]").astype(float) + 1
        apart = np.abs(of_year - wanted)
        near: Floats = np.clip(1 - np.minimum(apart, 365.25 - apart) / FADES_IN, 0.0, 1.0)
        return near

    return in_any_year


def _in_month(times: Floats, month: int, year: int | None) -> Floats:
    """Return 1 within the month, and half of it in the days after, when it is told of."""
    dates = times.astype("datetime64[s]")
    months = dates.astype("datetime64[M]").astype(int)
    days = (dates - dates.astype("datetime64[M]")).astype("timedelta64[D]").astype(int)
    apart = months - (month - 1)
    apart = apart % 12 if year is None else apart - (year - 1970) * 12
    return np.where(apart == 0, 1.0, np.where((apart == 1) & (days < FADES_IN), 0.5, 0.0))
