"""Figures for people and for programs: percentiles, a table, goals, and one line of JSON."""

from __future__ import annotations

import json
import math
import os
import platform
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

from ai_assistant import __version__

Figures = dict[str, Any]
PACKAGES = ("evennia", "django", "twisted", "openai")


def percentile(values: Sequence[float], share: float) -> float:
    """Return the value that `share` (0 to 1) of all do not exceed; NaN where there are none."""
    if not values:
        return math.nan
    return sorted(values)[max(0, math.ceil(share * len(values)) - 1)]


def spread(seconds: Sequence[float]) -> Figures:
    """Return count, p50, p99 and maximum of durations, in milliseconds."""
    return {
        "n": len(seconds),
        "p50_ms": _ms(percentile(seconds, 0.5)),
        "p99_ms": _ms(percentile(seconds, 0.99)),
        "max_ms": _ms(max(seconds, default=math.nan)),
    }


def _ms(seconds: float) -> float | None:
    return None if math.isnan(seconds) else round(seconds * 1000, 2)


@dataclass(frozen=True, slots=True)
class Goal:
    """What a figure should be at most, or at `least`; a run that misses what `must` be failed."""

    name: str
    figure: float | None
    limit: float
    unit: str = ""
    must: bool = False
    least: bool = False

    @property
    def met(self) -> bool:
        """Is the figure there, and within the limit?"""
        if self.figure is None:
            return False
        return self.figure >= self.limit if self.least else self.figure <= self.limit

    def __str__(self) -> str:
        shown = "-" if self.figure is None else f"{self.figure:g}"
        end = "met" if self.met else "MISSED"
        unit = f" {self.unit}" if self.unit else ""
        bound = "least" if self.least else "most"
        return f"{end:<7} {self.name}: {shown}{unit}, goal at {bound} {self.limit:g}"


def table(head: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """Return rows of cells under their headings, the first column to the left."""
    cells = [list(head), *([_cell(value) for value in row] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = [
        "  ".join(
            cell.rjust(width) if at else cell.ljust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in cells
    ]
    return "\n".join([lines[0], "-" * len(lines[0]), *lines[1:]])


def _cell(value: Any) -> str:
    if value is None:
        return "-"
    return f"{value:.1f}" if isinstance(value, float) else str(value)


def versions() -> Figures:
    """Return what the figures depend on: the machine's cores and what was installed."""
    return {
        "cores": os.cpu_count(),
        "load": round(os.getloadavg()[0], 2),
        "ai_assistant": __version__,
        "python": platform.python_version(),
        **{name: version(name) for name in PACKAGES},
    }


def conclude(bench: str, figures: Figures, goals: Sequence[Goal]) -> int:
    """Print the goals, then everything as one line of JSON; return the exit status."""
    goals = [*goals, Goal("errors in the Server's log", figures["errors_logged"], 0, must=True)]
    print("", *goals, "", sep="\n")
    judged = [
        {"name": one.name, "figure": one.figure, "limit": one.limit, "met": one.met}
        for one in goals
    ]
    print(json.dumps({"bench": bench, **figures, "goals": judged, "on": versions()}))
    return int(any(one.must and not one.met for one in goals))
