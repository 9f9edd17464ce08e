"""Days of memories: how close to a named day each of them lies."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import numpy as np
from numpy.typing import NDArray

from ai_assistant.language.named_days import NamedDay
from ai_assistant.memory.parts import DAY

Floats = NDArray[np.float64]
FADES_IN = 10.0
"""Days after which a memory is not close to a day any more: people tell things later."""


def closeness(named: NamedDay, times: Floats, now: float) -> Floats:
    """Return how close each time (seconds, UTC) is to the named day, from 0 to 1."""
    if named.ago is not None:
        return _near(times, now - named.ago * DAY)
    if not named.day:
        return _in_month(times, named.month, named.year)
    if named.year:
        start = datetime(named.year, named.month, 1, tzinfo=UTC)
        return _near(times, (start + timedelta(days=named.day - 1)).timestamp())
    return _in_any_year(times, (named.month - 1) * 30.44 + named.day)


def _near(times: Floats, moment: float) -> Floats:
    return np.clip(1 - np.abs(times - moment) / (FADES_IN * DAY), 0.0, 1.0)


def _in_any_year(times: Floats, wanted: float) -> Floats:
    dates = times.astype("datetime64[s]")
    of_year = (dates - dates.astype("datetime64[Y]")).astype("timedelta64[D]").astype(float) + 1
    apart = np.abs(of_year - wanted)
    near: Floats = np.clip(1 - np.minimum(apart, 365.25 - apart) / FADES_IN, 0.0, 1.0)
    return near


def _in_month(times: Floats, month: int, year: int) -> Floats:
    """Return 1 within the month, and half of it in the days after, when it is told of."""
    dates = times.astype("datetime64[s]")
    months = dates.astype("datetime64[M]").astype(int)
    days = (dates - dates.astype("datetime64[M]")).astype("timedelta64[D]").astype(int)
    apart = months - (month - 1)
    apart = apart - (year - 1970) * 12 if year else apart % 12
    return np.where(apart == 0, 1.0, np.where((apart == 1) & (days < FADES_IN), 0.5, 0.0))
