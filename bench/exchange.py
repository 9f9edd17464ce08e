"""A whole assistant out of a running game and in again: for how long does the game stand still?

python -m bench.exchange [--memories 5000]
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

from bench import report
from bench.game import Lateness, pause, play

MEMORIES, PEOPLE = 5_000, 200
STOP_MS = 25.0
"""For no longer may the game stand still."""


async def bench(memories: int) -> report.Figures:
    """Return what export and import of one with so many memories took, and the longest stops."""
    from ai_assistant.api.whole import mind_files, whole_exchange
    from ai_assistant.core.contracts import Change, Commit
    from ai_assistant.runtime.assembly import beside
    from ai_assistant.runtime.service import SETTLED_AFTER
    from bench import lives, people

    room = people.a_room("Landing stage")
    assistant = people.an_assistant("Ferrier", room)
    player = people.a_player("Visitor", room)
    people.give_past(assistant, [player])
    mind = people.resident_of(assistant).mind
    lives.fill(mind, memories, random.Random(7))
    for number in range(PEOPLE):
        met = Change("profile", f"e{number:032x}", "count_exchange", {"at": time.time()})
        mind.save(Commit(at=time.time(), changes=[met]))
    lateness = Lateness()
    lateness.start()
    await pause(SETTLED_AFTER + 2.0)
    idle = max(lateness.take(), default=0.0) * 1000
    file: list[bytes] = []

    async def goes_out() -> None:
        await whole_exchange.export_in_slices(assistant, file.append)

    async def comes_in() -> None:
        whole = await beside(mind_files.unpacked, file[0])
        await whole_exchange.import_in_slices(whole, location=room)

    return {
        "memories": memories,
        "people": PEOPLE,
        "idle_stop_ms": idle,
        "export": await _timed(goes_out, lateness),
        "import": await _timed(comes_in, lateness),
        "mb": len(file[0]) / 1e6,
    }


async def _timed(work: Callable[[], Awaitable[Any]], lateness: Lateness) -> report.Figures:
    lateness.take()
    began = time.perf_counter()
    await work()
    seconds = time.perf_counter() - began
    await pause(0.1)
    return {"seconds": seconds, "longest_stop_ms": max(lateness.take()) * 1000}


def show(figures: report.Figures) -> list[report.Goal]:
    """Print the table, and return the goals."""
    print(f"A whole assistant: {figures['memories']:,} memories, {figures['people']} people\n")
    ways = ("export", "import")
    rows = [[way, figures[way]["seconds"], figures[way]["longest_stop_ms"]] for way in ways]
    nothing = ["nothing", None, figures["idle_stop_ms"]]
    print(report.table(["", "seconds", "longest stop, ms"], [*rows, nothing]))
    return [
        report.Goal(
            f"{way}, longest stop", round(figures[way]["longest_stop_ms"], 1), STOP_MS, "ms"
        )
        for way in ways
    ]


def main() -> int:
    """Run the bench and print what it found; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--memories", type=int, default=MEMORIES)
    memories = parser.parse_args().memories
    figures = play(partial(bench, memories), mean=0.1, spread=0.1, limit=600)
    return report.conclude("exchange", figures, show(figures))


if __name__ == "__main__":
    sys.exit(main())
