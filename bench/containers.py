"""Containers: recalls that stay at home, small ones in large tables, distribution, the past.

python -m bench.containers [--recalls 100000] [--rows 1000000] [--seed 7] [--quick]
"""

from __future__ import annotations

import argparse
import random
import sys
import time

from bench import report
from bench.game import play

COLD_P95_MS = 10.0


def crowded(total: int, luck: random.Random) -> report.Figures:
    """Ask containers of 1 to 100 rows inside a table of `total` rows, each for the first time."""
    from ai_assistant.core.contracts import MemoryRow
    from ai_assistant.memory.search.retrieval import new_index
    from ai_assistant.models import Memory
    from ai_assistant.roleplay.recollection import recollect
    from ai_assistant.storage import Container

    for start in range(0, total, 5000):
        Memory.objects.bulk_create(
            Memory(
                session=f"s{(start + one) % 50}",
                container=f"e{(start + one) % 997}",
                kind="utterance",
                content=f"The miller spoke of flour and of weather number {start + one}.",
                readers="*",
                learned_at=float(start + one),
            )
            for one in range(5000)
        )
    for size in range(1, 101):
        rows = [
            MemoryRow(f"The bell rang for day {one}.", learned_at=float(one), readers="*")
            for one in range(size)
        ]
        Container("small", f"e{size}").add(rows, at=1.0)
    short, cold = 0, []
    for size in luck.sample(range(1, 101), 100):
        for k in (1, 10, 100):
            began = time.perf_counter()
            rows, index = Container("small", f"e{size}").find(limit=200), new_index()
            for row in rows:
                index.add(row)
            found = recollect(index, "when did the bell ring?", k, now=200.0)
            cold.append(time.perf_counter() - began)
            short += len(found) != min(k, size)
    p95 = report.percentile(cold, 0.95) * 1000
    return {"rows": Memory.objects.count(), "wrong_counts": short, "cold_p95_ms": p95}


def distributed(messages: int, people: int) -> report.Figures:
    """Write messages with that many participants each, all of them players in a scene."""
    from ai_assistant.core.contracts import MemoryRow
    from ai_assistant.roleplay.distribution import distribution
    from ai_assistant.storage.scene_rows import write_distributions

    everybody = [f"e{number}" for number in range(people)]
    seconds = []
    for number in range(messages):
        parts = [{"id": one, "confidence": 0.9, "rule": "all"} for one in everybody]
        decision = {
            "participants": parts,
            "hearers": everybody[1:],
            "hidden": [],
            "bodies": everybody,
            "sure": True,
            "by": "rule",
        }
        row = MemoryRow(
            f"Line {number} of a long evening by the fire.",
            session="spread",
            author="e0",
            author_name="Edna",
            learned_at=float(number),
            meta={"event": f"spread{number}", "type": "say"},
        )
        began = time.perf_counter()
        write_distributions([distribution(row, decision)], 1.0)
        seconds.append(time.perf_counter() - began)
    return {"messages": messages, "participants": people, **report.spread(seconds)}


async def bench(options: argparse.Namespace) -> report.Figures:
    """Return the figures of all parts."""
    from bench.container_past import late_arrivals, past
    from bench.container_recalls import by_handle, by_tool, people_of

    luck = random.Random(options.seed)
    owners = people_of(luck)
    return {
        "by the tool of a character": await by_tool(owners, options.recalls, luck),
        "by the handle of a container": by_handle(owners, options.recalls, luck),
        "as of a day": past(options.events, luck),
        "late arrivals": late_arrivals(max(10, options.events // 10), luck),
        "distributed": distributed(options.messages, 10),
        "crowded": crowded(options.rows, luck),
    }


def show(figures: report.Figures) -> list[report.Goal]:
    """Print the tables, and return the goals."""
    parts = {name: part for name, part in figures.items() if isinstance(part, dict)}
    for name, part in parts.items():
        rows = [(one.replace("_", " "), value) for one, value in part.items()]
        print(report.table((name, ""), rows) + "\n")
    tool, handle, days, late, _, small = parts.values()
    foreign = tool["foreign_items"] + handle["foreign_items"]
    return [
        report.Goal("foreign items", foreign, 0, must=True),
        report.Goal("recalls that found nothing", tool["empty"] + handle["empty"], 0, must=True),
        report.Goal("answers about the past not exact", days["wrong"], 0, must=True),
        report.Goal("answers about late arrivals not exact", late["wrong"], 0, must=True),
        report.Goal("answers of a wrong size", small["wrong_counts"], 0, must=True),
        report.Goal("cold recall p95", small["cold_p95_ms"], COLD_P95_MS, "ms"),
    ]


def main() -> int:
    """Run the bench."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--recalls", type=int, default=100_000)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--messages", type=int, default=1000)
    parser.add_argument("--events", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    if options.quick:
        options.recalls, options.rows, options.messages = 4000, 50_000, 100
    figures = play(lambda: bench(options), mean=0.0, spread=0.0, limit=1800.0)
    return report.conclude("containers", figures, show(figures))


if __name__ == "__main__":
    sys.exit(main())
