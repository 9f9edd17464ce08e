"""Nights cut short: one assistant is killed a hundred times in its sleep, its twin sleeps in peace.

python -m bench.kills [--times 100] [--seed 7] [--quick]
python -m bench.kills --database NAME        kills a running game instead: `bench.server_kills`

Both live the same days, each on a SQLite file of its own. The processes in which the one sleeps
are killed with SIGKILL at random moments, every other time within milliseconds of a write, and
each time another goes on, night after night until all kills are done. Then both must know the
same: nothing lost, nothing doubled, nothing half done.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import select
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench import report, server_kills
from bench.mortal import WRITING, born, create, knowledge, live, prepare, sleep
from bench.mortal_days import ENTRIES, Fact

KILLS_A_NIGHT = 10
A_WRITE = 0.004
"""Seconds that a write may take."""
MOST_WRITES = 12
"""Of the writes of a process, one of so many is aimed at."""
SHOWN, MOST_SHOWN = 60, 20
"""Characters of each side of a difference, and differences, that are shown."""
HANGS = 60.0
"""Seconds after which a process that says nothing hangs."""


Moment = tuple[int, float]
"""After so many writes of a process have begun, and so many seconds more."""


@dataclass(slots=True)
class Tally:
    """What was seen of the processes: kills by the stage under way, how many amid a write."""

    kills: Counter[str] = field(default_factory=Counter)
    amid_a_write: int = 0
    processes: int = 0
    failed: int = 0


# -- processes


def done(database: Path, deed: Any, *args: Any) -> Any:
    """Let a process do something in peace; returns what came of it."""
    pid, ear = born(database, deed, *args)
    with os.fdopen(ear) as pipe:
        lines = pipe.read().splitlines()
    if os.waitpid(pid, 0)[1]:
        raise RuntimeError(f"A process failed to {deed.__name__}.")
    return json.loads(lines[-1])


def sleep_unsafely(
    database: Path, day: int, tally: Tally, most: int, moments: Iterable[Moment]
) -> None:
    """Sleep through a night whose processes are killed, each at its moment, until there were
    `most` kills in all."""
    for writes, seconds in moments:
        tally.processes += 1
        pid, ear = born(database, sleep, day)
        told = _listen(ear, writes)
        if tally.kills.total() < most:
            time.sleep(seconds)
            os.kill(pid, signal.SIGKILL)
        with os.fdopen(ear) as pipe:
            told = (told + pipe.read()).splitlines()
        _, status = os.waitpid(pid, 0)
        if not os.WIFSIGNALED(status):
            tally.failed += bool(status)
            return
        tally.kills[[line for line in told if line != WRITING][-1]] += 1
        tally.amid_a_write += Path(f"{database}-journal").exists()


def _listen(ear: int, writes: int) -> str:
    """Return what a process told until it began so many writes, or ended."""
    told = ""
    while not told or told.count(WRITING) < writes:
        if not select.select([ear], [], [], HANGS)[0]:
            raise TimeoutError("A process says nothing.")
        more = os.read(ear, 4096).decode()
        if not more:
            break
        told += more
    return told


def moments(luck: random.Random, span: float) -> Iterator[Moment]:
    """Yield random moments without end: of a span of seconds, and of a write, by turns."""
    while True:
        yield 0, luck.uniform(0, span)
        yield luck.randint(1, MOST_WRITES), luck.uniform(0, A_WRITE)


def bench(times: int, seed: int) -> report.Figures:
    """Let both live and sleep until there were so many kills; return what is found then."""
    luck, tally, began = random.Random(seed), Tally(), time.perf_counter()
    facts: list[Fact] = []
    day = pieces = 0
    with tempfile.TemporaryDirectory(prefix="bench") as folder:
        empty = prepare(Path(folder))
        done(empty, create)
        calm, killed = (Path(shutil.copy(empty, Path(folder, name))) for name in ("calm", "killed"))
        while tally.kills.total() < times:
            day += 1
            facts += done(calm, live, day, seed)
            done(killed, live, day, seed)
            start = time.perf_counter()
            pieces += done(calm, sleep, day)
            span = 2 * (time.perf_counter() - start) / KILLS_A_NIGHT
            sleep_unsafely(killed, day, tally, times, moments(luck, span))
        peaceful, found = done(calm, knowledge, day), done(killed, knowledge, day)
    return {
        "seed": seed,
        "kills": tally.kills.total(),
        "kills_by_stage": dict(tally.kills.most_common()),
        "amid_a_write": tally.amid_a_write,
        "processes": tally.processes,
        "nights": day,
        "pieces": pieces,
        "rows": len(found["rows"]),
        "facts": len(facts),
        "entries": day * ENTRIES,
        "seconds": round(time.perf_counter() - began, 1),
        **judge(found, facts, day * ENTRIES),
        "different": differences(found, peaceful),
        "errors_logged": tally.failed + (found["database"] != "ok"),
    }


# -- judging


def judge(found: Any, facts: Sequence[Fact], entries: int) -> report.Figures:
    """Return how much of what was told is lost, doubled or half done."""
    profiles, rows = found["profile"], found["rows"]
    waiting = found["sleep"]["waiting"]
    unread = [
        row
        for row in rows
        if row["readers"] in waiting and row["id"] > waiting[row["readers"]]["after"]
    ]
    known = {_name(one): _known(key, one, rows, unread) for key, one in profiles.items()}
    filed = Counter(row["meta"]["entry_id"] for row in rows if row["kind"] == "journal")
    filed.update(one["id"] for one in found["journal"]["entries"])
    return {
        "facts_lost": sum(fact not in known[name] for name, fact in facts),
        "entries_lost": sum(not filed[number + 1] for number in range(entries)),
        "doubled": sum(count - 1 for count in filed.values())
        + sum(map(_twice, map(_traits, profiles.values())))
        + _twice(map(_row, rows))
        + _twice(json.dumps(one) for one in found["records"] if one[2]["undo"]),
        "half_done": sum(_half(one, {row["id"] for row in rows}) for one in profiles.values()),
    }


def differences(one: Any, other: Any, where: str = "") -> list[str]:
    """Return where two JSON values differ, as far down as both have the same shape."""
    if one == other:
        return []
    if isinstance(one, dict) and isinstance(other, dict):
        pairs = [(key, one.get(key), other.get(key)) for key in sorted({*one, *other})]
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        pairs = [(number, *both) for number, both in enumerate(zip(one, other, strict=True))]
    else:
        return [f"{where}: {str(one)[:SHOWN]!r}, not {str(other)[:SHOWN]!r}"]
    return [line for key, *both in pairs for line in differences(*both, f"{where}/{key}")]


def _name(profile: Any) -> str:
    return str(profile["name"])


def _known(key: str, profile: Any, rows: Iterable[Any], unread: Iterable[Any]) -> str:
    """Return all that is known of somebody: traits, their past, notes, and lines not read yet."""
    traits = profile["attributes"]
    told = [one["value"] for one in traits]
    told += [was["value"] for one in traits for was in one["was"]]
    told += [one["content"] for one in profile["observations"]]
    told += [row["content"] for row in rows if row["kind"] == "trait" and row["subject"] == key]
    told += [row["content"].removesuffix(".") for row in unread if row["author"] == key]
    return "\n".join(told) + "\n"


def _traits(profile: Any) -> Iterable[Hashable]:
    return [(one["value"], one["readers"]) for one in profile["attributes"]]


def _row(row: Any) -> Hashable:
    told = {name: value for name, value in row.items() if name != "id"}
    return json.dumps(told, sort_keys=True)


def _twice(items: Iterable[Hashable]) -> int:
    return sum(count - 1 for count in Counter(items).values())


def _half(profile: Any, rows: set[int]) -> int:
    """Count traits without their evidence."""
    used = {one for trait in profile["attributes"] for one in trait["evidence"]}
    return len(used - rows)


# -- telling


def show(figures: report.Figures, times: int) -> list[report.Goal]:
    """Print what happened, and return the goals."""
    rows = [
        ("kills", figures["kills"]),
        *((f"  in the stage {name}", count) for name, count in figures["kills_by_stage"].items()),
        ("  in the middle of a write", figures["amid_a_write"]),
        ("nights", figures["nights"]),
        ("pieces of them, undisturbed", figures["pieces"]),
        ("memory rows in the end", figures["rows"]),
        ("facts told", figures["facts"]),
        ("journal entries written", figures["entries"]),
        ("seconds in all", figures["seconds"]),
    ]
    print(report.table(["Nights cut short", ""], rows))
    print(*figures["different"][:MOST_SHOWN], sep="\n")
    return [
        report.Goal("kills that did not happen", times - figures["kills"], 0, must=True),
        report.Goal("facts lost", figures["facts_lost"], 0, must=True),
        report.Goal("journal entries lost", figures["entries_lost"], 0, must=True),
        report.Goal("traits, rows, entries, records doubled", figures["doubled"], 0, must=True),
        report.Goal("half consolidated", figures["half_done"], 0, must=True),
        report.Goal("differences from its twin", len(figures["different"]), 0, must=True),
    ]


def main() -> int:
    """Run the bench and print what it found; returns the exit status."""
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--times", type=int, default=100, help="kills")
    options.add_argument("--seed", type=int, default=7)
    options.add_argument("--quick", action="store_true", help="twenty kills")
    options.add_argument(
        "--database", choices=server_kills.DATABASES, help="kill a running game on this instead"
    )
    chosen = options.parse_args()
    times = 20 if chosen.quick else chosen.times
    if chosen.database:
        return server_kills.run(chosen.database, times, chosen.seed)
    figures = bench(times, chosen.seed)
    return report.conclude("kills", figures, show(figures, times))


if __name__ == "__main__":
    sys.exit(main())
