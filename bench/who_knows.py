"""Who knows a line: how quick that is told among a million memories, and what keeping it costs.

python -m bench.who_knows [--rows 1000000] [--seed 7] [--quick]

Each line is remembered by a few; every tenth memory was told on, every fiftieth rests on others,
and one line is known by all. A commit is timed with the table and without it, one beside the other.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Iterator
from itertools import islice
from typing import Any

from bench import report
from bench.game import play

MINDS, EACH = 200, 4
"""Characters, and how many of them remember a line."""
LOOKS, COMMITS = 300, 400
FAMOUS = "ev0"
AT_ONCE = 5_000
LOOK_MS = 50.0


def _rows(total: int, luck: random.Random) -> Iterator[Any]:
    from ai_assistant.models import Memory

    for number in range(total):
        line, mind = number // EACH, luck.randrange(MINDS)
        meta: dict[str, Any] = {"event": f"ev{line}", "type": "say", "turn": ""}
        if number % 10 == 9:
            source = {"author": "e1", "author_name": "Edna", "chain": ["e2"], "trust": 0.7}
            meta["told"] = [{**source, "origin": f"ev{luck.randrange(line + 1)}"}]
        if number < MINDS:
            meta["event"] = FAMOUS
            mind = number
        yield Memory(
            container=f"e{mind}",
            kind="utterance",
            content=f"The miller spoke of flour and of weather number {line}.",
            author="e1",
            author_name="Edna",
            readers="*",
            learned_at=float(number),
            meta=meta,
            parents=[luck.randrange(1, number)] if number % 50 == 49 else [],
        )


def filled(total: int, luck: random.Random) -> report.Figures:
    """Write the memories and their evidence."""
    from ai_assistant.models import Memory, MemoryEvidence
    from ai_assistant.storage.history.row_evidence import note_evidence

    rows = _rows(total, luck)
    while batch := [*islice(rows, AT_ONCE)]:
        made = Memory.objects.bulk_create(batch)
        note_evidence((row.pk, row.container, row.meta, row.parents) for row in made)
    return {"memories": total, "entries": MemoryEvidence.objects.count()}


def looked_up(total: int, luck: random.Random) -> report.Figures:
    """Ask of random memories, and of a line that everybody knows, who knows it."""
    from ai_assistant.api.stories.knowing import who_knows_rows

    seconds = []
    for _ in range(LOOKS):
        row = luck.randrange(MINDS + 1, total)
        began = time.perf_counter()
        who_knows_rows([row])
        seconds.append(time.perf_counter() - began)
    began = time.perf_counter()
    found = who_knows_rows([1])
    famous = time.perf_counter() - began
    spread = report.spread(seconds)
    return {**spread, "famous_ms": round(famous * 1000, 2), "famous_known_by": len(found.held)}


def written(luck: random.Random) -> report.Figures:
    """Time the writing of a turn's rows with the table and without it, in turns."""
    from django.db import transaction

    from ai_assistant.core.contracts import MemoryRow
    from ai_assistant.storage import memory_rows
    from ai_assistant.storage.history import row_evidence

    note, seconds = row_evidence.note_evidence, {True: list[float](), False: list[float]()}
    for number in range(COMMITS):
        rows = [
            MemoryRow(f"Line {number} {one}", meta={"event": f"new{number}{one}"}, learned_at=1.0)
            for one in range(3)
        ]
        order = [True, False]
        luck.shuffle(order)
        for is_kept in order:
            row_evidence.note_evidence = note if is_kept else lambda rows: None
            began = time.perf_counter()
            with transaction.atomic():
                memory_rows.insert(rows, "e1", 1.0)
            seconds[is_kept].append(time.perf_counter() - began)
    row_evidence.note_evidence = note
    kept, plain = (report.percentile(seconds[way], 0.5) * 1000 for way in (True, False))
    return {"with_ms": round(kept, 3), "without_ms": round(plain, 3)}


async def bench(rows: int, seed: int) -> report.Figures:
    """Return the figures of all parts."""
    luck = random.Random(seed)
    fill = filled(rows, luck)
    return {"filling": fill, "a look": looked_up(rows, luck), "writing": written(luck)}


def show(figures: report.Figures) -> list[report.Goal]:
    """Print the tables, and return the goals."""
    for name, part in figures.items():
        if isinstance(part, dict):
            rows = [(one.replace("_", " "), value) for one, value in part.items()]
            print(report.table((name, ""), rows) + "\n")
    look, writing = figures["a look"], figures["writing"]
    more = round(writing["with_ms"] - writing["without_ms"], 3)
    return [
        report.Goal("who knows a memory, p99", look["p99_ms"], LOOK_MS, "ms"),
        report.Goal("who knows what all know", look["famous_ms"], LOOK_MS, "ms"),
        report.Goal("more for the rows of a turn", more, 0.5, "ms"),
    ]


def main() -> int:
    """Run the bench."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--quick", action="store_true", help="50,000 memories")
    options = parser.parse_args()
    rows = 50_000 if options.quick else options.rows
    figures = play(lambda: bench(rows, options.seed), mean=0.0, spread=0.0, limit=1800.0)
    return report.conclude("who knows", figures, show(figures))


if __name__ == "__main__":
    sys.exit(main())
