"""What a long life costs: writes, searches and restarts of an assistant with ever more memories.

python -m bench.growth [--quick]
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Callable, Sequence
from typing import Any

from bench import report
from bench.game import Lateness, pause, play

SIZES = (100, 1_000, 10_000, 100_000)
QUICK = (100, 1_000, 10_000)
WRITES, SEARCHES = 60, 60
FLAT = 1.5
"""Writes may cost so many times more at the largest size than at the smallest."""
SEARCH_MS = 15.0


async def bench(sizes: Sequence[int]) -> report.Figures:
    """Return the figures of each size."""
    from bench import lives, people

    room = people.a_room("Landing stage")
    assistant = people.an_assistant("Ferrier", room)
    talker = people.a_talker("Talker", room)
    player = people.a_player("Visitor", room)
    people.give_past(assistant, [player])
    lateness, luck = Lateness(), random.Random(7)
    lateness.start()
    for number in range(WRITES):
        lives.write_once(people.resident_of(assistant).mind, player, number)
    found = []
    for size in sizes:
        mind = people.resident_of(assistant).mind
        lives.fill(mind, size, luck)
        writes = [lives.write_once(mind, player, number) for number in range(WRITES)]
        await pause(0.1)
        lateness.take()
        searches = []
        for _ in range(SEARCHES):
            searches.append(
                await lives.search_once(mind, lives.line_of(luck, luck.randrange(size)))
            )
            await pause(0.005)
        stop = max(lateness.take(), default=0.0) * 1000
        found.append(
            {
                "memories": size,
                "write": report.spread(writes),
                "search": report.spread([whole for whole, _ in searches]),
                "search_p95_ms": report.percentile([whole for whole, _ in searches], 0.95) * 1000,
                "held_p95_ms": report.percentile([held for _, held in searches], 0.95) * 1000,
                "search_stop_ms": stop,
                "restart": await lives.restart(assistant, lateness),
                "mb_per_1000": lives.index_size(mind),
                "contrib_ms": lives.contrib_append(size, player, talker),
            }
        )
    return {"sizes": found}


def show(figures: report.Figures) -> list[report.Goal]:
    """Print the table, and return the goals."""
    found = figures["sizes"]
    rows: list[tuple[str, Callable[[Any], Any]]] = [
        ("writes of one turn p50, ms", lambda one: one["write"]["p50_ms"]),
        ("search p50, ms", lambda one: one["search"]["p50_ms"]),
        ("search p95, ms", lambda one: one["search_p95_ms"]),
        ("of that the reactor held, p95, ms", lambda one: one["held_p95_ms"]),
        ("reactor's longest stop, searching, ms", lambda one: one["search_stop_ms"]),
        ("first search after a restart, ms", lambda one: one["restart"]["first_search_ms"]),
        ("all memories read again after, s", lambda one: one["restart"]["all_read_s"]),
        ("reactor's longest stop, reading, ms", lambda one: one["restart"]["longest_stop_ms"]),
        ("MB in memory per 1,000", lambda one: one["mb_per_1000"]),
        ("contrib.rpg.llm: one append, ms", lambda one: one["contrib_ms"]),
    ]
    print("Growth\n")
    head = ["", *(f"{one['memories']:,}" for one in found)]
    print(report.table(head, [[name, *map(of, found)] for name, of in rows]))
    flat = found[-1]["write"]["p50_ms"] / found[0]["write"]["p50_ms"]
    held = next(one["held_p95_ms"] for one in found if one["memories"] >= 10_000)
    return [
        report.Goal("writes, largest over smallest", round(flat, 2), FLAT, "×"),
        report.Goal("search at 10,000, reactor's side, p95", round(held, 2), SEARCH_MS, "ms"),
    ]


def main() -> int:
    """Run the bench and print what it found; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="up to 10,000 memories")
    sizes = QUICK if parser.parse_args().quick else SIZES
    figures = play(lambda: bench(sizes), mean=0.1, spread=0.1, limit=900)
    return report.conclude("growth", figures, show(figures))


if __name__ == "__main__":
    sys.exit(main())
