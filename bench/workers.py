"""Nights beside the game: many characters read a day in the game, on one worker, and on four.

python -m bench.workers [--characters 40] [--latency 0.3] [--workers 0 1 4]
                        [--kills 30] [--restarts 3] [--seed 7]

Each character has heard sixty lines a day, ten of which tell what somebody owns. All fall asleep at
once, in a Server on a PostgreSQL of its own, and it asks itself (0 workers) or has workers ask. In
the nights after these workers are killed with SIGKILL, each while the model's server has a question
of it open, and the database is cut off and started again; then everybody sleeps in peace until all
is read.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from twisted.internet.defer import Deferred
from twisted.internet.threads import deferToThread

from bench import report
from bench.game import on_postgresql, pause, play_with
from bench.model import serving
from bench.workers_town import Crew, Town
from tests.e2e.postgres import PostgreSQL

AT_ONCE, FEW, MANY = 16, 4, 3
"""Questions that a worker asks at once; fewer where it is killed, and so many are."""
MOST_NIGHTS = 8
"""Nights in peace until all must be read."""
LIMIT = 4 * 3600.0
"""Seconds; a thousand characters take long."""
LATE = 25.0
"""Milliseconds that the game may be late, as a goal for the p99."""

# -- nights


async def night(town: Town, workers: int) -> report.Figures:
    """Let everybody sleep through one night, in the game or by so many workers."""
    crew = Crew(AT_ONCE)
    crew.hire(workers)
    await town.restart(by_workers=bool(workers))
    await town.live()
    await crew.ready(workers)
    before, began = len(await town.calls()), time.perf_counter()
    town.lateness.take()
    await town.sleep()
    took, late = time.perf_counter() - began, town.lateness.take()
    await deferToThread(crew.dismiss)
    calls = (await town.calls())[before:]
    return {"night": f"{workers} workers", "seconds": round(took, 1), "calls": len(calls),
            "by_workers": _by_workers(), "lateness": report.spread(late), "unread": town.unread(),
            **in_order(calls)}  # fmt: skip


async def storm(
    town: Town, database: PostgreSQL, kills: int, restarts: int, seed: int
) -> report.Figures:
    """Kill workers at their questions and restart the database; then let all be read in peace."""
    luck, crew, killed, nights, calm = random.Random(seed), Crew(FEW), 0, 0, 0
    crew.hire(MANY)
    await town.restart(by_workers=True)
    await crew.ready(MANY)
    before, began = len(await town.calls()), time.perf_counter()
    asleep: Deferred[None] | None = None
    while killed < kills:
        if asleep is None or asleep.called:
            await town.live()
            asleep, nights = Deferred.fromCoroutine(town.sleep()), nights + 1
        await pause(luck.uniform(0.0, 0.1))
        if not crew.kill(await town.calls("/open"), luck):
            continue
        crew.hire()
        killed += 1
        if killed * restarts // kills > (killed - 1) * restarts // kills:
            await deferToThread(_restart, database)
    await asleep
    while town.unread() and calm < MOST_NIGHTS:
        await town.sleep()
        calm += 1
    await deferToThread(crew.dismiss)
    calls = (await town.calls())[before:]
    return {"night": f"{kills} kills", "seconds": round(time.perf_counter() - began, 1),
            "calls": len(calls), "cut_off": sum(call["ended"] is None for call in calls),
            "missed": kills - len({call["worker"] for call in calls if call["ended"] is None}),
            "by_workers": _by_workers(), "lateness": report.spread(town.lateness.take()),
            "unread": town.unread(), "nights": nights, "calm": calm, **in_order(calls)}  # fmt: skip


def _by_workers() -> int:
    from ai_assistant.runtime.service import SERVICE

    queue = SERVICE.shared.workers
    return queue.counts["workers"] if queue else 0


def _restart(database: PostgreSQL) -> None:
    database.die()
    time.sleep(1)
    database.start()


# -- judging


def in_order(calls: Sequence[Any]) -> report.Figures:
    """Return how often a day was read in another order than it was told, or twice at a time."""
    readings: defaultdict[str, list[Any]] = defaultdict(list)
    for call in calls:
        if call["lines"]:
            readings[call["who"]].append(call)
    pairs = [pair for of_one in readings.values() for pair in pairwise(of_one)]
    return {
        "out_of_order": sum(one["lines"][:1] > other["lines"][:1] for one, other in pairs),
        "overlapping": sum((one["ended"] or 0) > other["began"] for one, other in pairs),
    }


async def in_the_end(town: Town) -> report.Figures:
    """Return what was lost or doubled of all that was told, and what the books lack."""
    lost = doubled = 0
    for resident in town.residents:
        store = resident.mind.store
        profiles = store.read_all("profile").values()
        held = Counter(trait["value"] for one in profiles for trait in one["attributes"])
        rows = {row.content.rstrip(".") for row in store.rows.newest(2000) if row.kind == "trait"}
        told = town.told[resident.mind.world.me().name]
        lost += sum(not held[fact] and fact not in rows for fact in told)
        doubled += sum(held[fact] > 1 for fact in told)
    calls = await town.calls()
    booked_calls, booked_tokens = next(town.residents).mind.budget.spent("")
    return {
        "told": sum(map(len, town.told.values())),
        "lost": lost,
        "doubled": doubled,
        "calls_asked": len(calls),
        "calls_booked": booked_calls,
        "tokens_asked": sum(call["tokens"] for call in calls),
        "tokens_booked": booked_tokens,
    }


def show(figures: report.Figures) -> list[report.Goal]:
    """Print the nights, and return the goals."""
    nights = figures["nights"]
    head = ["", *(one["night"] for one in nights)]
    lines = ("seconds", "calls", "by_workers", "cut_off", "nights", "calm")
    rows = [(line.replace("_", " "), *(one.get(line) for one in nights)) for line in lines]
    rows += [
        (f"lateness {key}, ms", *(one["lateness"][f"{key}_ms"] for one in nights))
        for key in ("p50", "p99", "max")
    ]
    print(report.table(head, rows))
    late = [
        report.Goal(f"lateness p99, {one['night']}", one["lateness"]["p99_ms"], LATE, "ms")
        for one in nights
        if "calm" not in one
    ]
    summed = {
        key: sum(one[key] for one in nights) for key in ("out_of_order", "overlapping", "unread")
    }
    summed |= {key: figures[key] for key in ("lost", "doubled")}
    summed["kills at no question"] = sum(one.get("missed", 0) for one in nights)
    for what in ("calls", "tokens"):
        missing = figures[f"{what}_asked"] - figures[f"{what}_booked"]
        summed[f"{what} on the bill and not in the books"] = max(0, missing)
    exact = [report.Goal(name.replace("_", " "), n, 0, must=True) for name, n in summed.items()]
    return [*late, *exact]


async def bench(model: str, database: PostgreSQL, chosen: argparse.Namespace) -> report.Figures:
    """Return the figures of all nights."""
    town = Town(model)
    await town.settle(chosen.characters)
    nights = [await night(town, workers) for workers in chosen.workers]
    if chosen.kills:
        nights.append(await storm(town, database, chosen.kills, chosen.restarts, chosen.seed))
    return {"characters": chosen.characters, "latency_s": chosen.latency, "nights": nights,
            **await in_the_end(town)}  # fmt: skip


def main() -> int:
    """Run the bench and print what it found; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--characters", type=int, default=40)
    parser.add_argument("--latency", type=float, default=0.3, help="seconds of an answer")
    parser.add_argument("--workers", type=int, nargs="*", default=[0, 1, 4], help="of each night")
    parser.add_argument("--kills", type=int, default=30)
    parser.add_argument("--restarts", type=int, default=3, help="of the database, amid the kills")
    parser.add_argument("--seed", type=int, default=7)
    chosen = parser.parse_args()
    with (
        on_postgresql() as database,
        serving(chosen.latency, module="bench.workers_model") as model,
    ):
        figures = play_with(model, lambda: bench(model, database, chosen), LIMIT)
    return report.conclude("workers", figures, show(figures))


if __name__ == "__main__":
    sys.exit(main())
