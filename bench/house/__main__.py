"""How the house stands: rooms, small files, circles, names, fields, sizes, and what one hello runs.

    python -m bench.house [--list] [--quick]
    python -m bench.house --lint      what `make lint` refuses; says nothing where all is well
    python -m bench.house --keep      remember the marked figures that have become smaller

A marked figure must not grow while it is over its goal: it may be at most what `kept.json` holds,
or its goal where that is higher. That file also holds the names that are used in several places
and mean the same in each.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from bench.house.circles import measure_circles
from bench.house.hello import measure_hello
from bench.house.names import measure_names
from bench.house.records import measure_records
from bench.house.rooms import measure_rooms
from bench.house.source import Measure, read_package
from bench.house.tails import measure_tails
from bench.report import Figures, Goal, conclude, table

KEPT = Path(__file__).with_name("kept.json")
SHOWN = 40
"""So many of the worst are listed of each figure."""


def measure(one_thing: dict[str, list[str]]) -> list[Measure]:
    """Return all figures that are read from the files."""
    modules = read_package()
    return [
        *measure_rooms(modules),
        *measure_circles(modules),
        *measure_names(modules, one_thing),
        *measure_records(modules),
        *measure_tails(modules),
    ]


def allowed(one: Measure, kept: dict[str, float]) -> float:
    """Return what a marked figure may be at most; one that is not kept yet may be anything."""
    return max(one.goal or 0, kept.get(one.key, one.figure))


def grown(measures: Iterable[Measure], kept: dict[str, float]) -> list[str]:
    """Return a line for each marked figure that is larger than it may be."""
    return [
        f"{one.name}: {one.figure:g}, at most {allowed(one, kept):g}"
        + "".join(f"\n    {line}" for line in one.worst[:SHOWN])
        for one in measures
        if one.marked and one.figure > allowed(one, kept)
    ]


def lowered(measures: Iterable[Measure], kept: dict[str, float]) -> dict[str, float]:
    """Return the figures to keep from now on: none is larger than before."""
    marked = [one for one in measures if one.marked]
    return {one.key: min(one.figure, kept.get(one.key, one.figure)) for one in marked}


def show(measures: Sequence[Measure], kept: dict[str, float], listed: bool) -> None:
    """Print the table, and where it is worst."""
    rows = [
        (one.name, f"{one.figure:g}", _limit(one.goal), _limit(kept.get(one.key)), _verdict(one))
        for one in measures
    ]
    print(table(("the house", "is", "goal", "kept", ""), rows))
    for one in measures if listed else ():
        if one.worst:
            print(f"\n{one.name}:", *one.worst[:SHOWN], sep="\n    ")


def _limit(value: float | None) -> str:
    return "" if value is None else f"{value:g}"


def _verdict(one: Measure) -> str:
    if one.goal is None:
        return ""
    return "met" if one.figure <= one.goal else "MISSED"


def judged(measures: Sequence[Measure], kept: dict[str, float], errors: int) -> int:
    """Print the goals and the line of JSON; return the exit status."""
    figures: Figures = {one.key: one.figure for one in measures} | {"errors_logged": errors}
    goals = [Goal(one.name, one.figure, one.goal) for one in measures if one.goal is not None]
    worse = grown(measures, kept)
    print("", *worse, sep="\n")
    return conclude("house", figures, goals) or int(bool(worse))


def main() -> int:
    """Measure, print, and say which goals are met."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--list", action="store_true", help="name the worst of each figure")
    parser.add_argument("--quick", action="store_true", help="without the hello")
    parser.add_argument("--lint", action="store_true", help="only what has become worse")
    parser.add_argument("--keep", action="store_true", help="keep what has become better")
    chosen = parser.parse_args()
    store: dict[str, Any] = json.loads(KEPT.read_text(encoding="utf-8"))
    kept = store["figures"]
    measures = measure(store["one_thing"])
    if chosen.lint:
        worse = grown(measures, kept)
        print(*worse, sep="\n", end="\n" if worse else "")
        return int(bool(worse))
    if chosen.keep:
        store["figures"] = lowered(measures, kept)
        KEPT.write_text(json.dumps(store, indent=2) + "\n", encoding="utf-8")
        return 0
    hello, errors = ([], 0) if chosen.quick else measure_hello()
    measures += hello
    show(measures, kept, chosen.list)
    return judged(measures, kept, errors)


if __name__ == "__main__":
    sys.exit(main())
