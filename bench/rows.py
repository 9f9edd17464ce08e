"""Millions of rows on PostgreSQL: do a turn's writes and a recall cost what they cost among few?

python -m bench.rows [--rows 3000000] [--quick]

Three characters have 10,000 memories each: one alone in its table, one as one of many who have as
many, written in turns, as if all had lived at the same time, and one with those many in a table of
32 partitions by container. What is measured, in turns, so that all see the same machine, is what
the game does: the commit of a turn, a search with its rows read, the newest 2,000 rows as after a
restart, and the recall of a scene's container. At the end a search by words and vectors.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Any

from bench import report
from bench.game import Lateness, on_postgresql, play

OWN = 10_000
"""Memories of each character."""
TIMES, AT_A_START, OF_A_SCENE = 200, 2_000, 200
NAMES = WRITES, SEARCH, NEWEST, SCENE = (
    "a turn's writes",
    "a search with its rows",
    "the newest 2,000 rows",
    "a scene's container",
)
AS_AMONG_FEW = 1.5
VECTORS, WIDTH, SEARCHES = 50_000, 384, 40
SEARCH_MS = 50.0
PARTITIONS = 32
TABLES = ("ai_assistant_memory", "ai_assistant_memory_evidence")
FILL = """
    INSERT INTO ai_assistant_memory (session, container, kind, content, subject, author,
        author_name, readers, game_day, location, learned_at, importance, trust, parents, meta,
        embedding_model)
    SELECT '', mind[1 + n %% cardinality(mind)], 'utterance',
        'The ' || word[1 + n * 7 %% 40] || ' ' || word[1 + n / 41 %% 40] || ' '
            || word[1 + n / 997 %% 40] || ' of the ' || word[1 + n / 89 %% 40] || ' of day ' || n,
        '', 'e' || n %% 40, 'Edna', CASE n %% 9 WHEN 0 THEN 'e' || n %% 40 ELSE '*' END, n / 100000,
        'Mill', n, 5, 0.9, '[]', jsonb_build_object('event', 'ev' || n, 'type', 'say'), ''
    FROM generate_series(1, %(rows)s) AS n,
        (SELECT %(words)s::text[] AS word, %(minds)s::text[] AS mind) AS given
"""
EVIDENCE = """
    INSERT INTO ai_assistant_memory_evidence (ref, "row")
    SELECT meta ->> 'event', id FROM ai_assistant_memory WHERE container = ANY(%(minds)s)
"""
IS_FILLED = """
    INSERT INTO ai_assistant_memory_evidence (ref, "row") SELECT '', 0
    WHERE NOT EXISTS (SELECT FROM ai_assistant_memory_evidence WHERE ref = '')
"""
"""So that the game looks for no rows that were there before their evidence."""
PARTITIONED = (
    "DROP TABLE ai_assistant_memory",
    """CREATE TABLE in_partitions.ai_assistant_memory
        (LIKE public.ai_assistant_memory, PRIMARY KEY (container, id)) PARTITION BY HASH (container)
    """,
    "CREATE SEQUENCE in_partitions.ids",
    "ALTER TABLE ai_assistant_memory ALTER id SET DEFAULT nextval('in_partitions.ids')",
    *(
        f"""CREATE TABLE in_partitions.part{number} PARTITION OF ai_assistant_memory
            FOR VALUES WITH (MODULUS {PARTITIONS}, REMAINDER {number})"""
        for number in range(PARTITIONS)
    ),
    *(
        f"CREATE INDEX ON ai_assistant_memory ({columns})"
        for columns in (
            "container, readers, id",
            "container, archived_at, id",
            "author, container, id",
            "session, container, archived_at, id",
        )
    ),
)
"""What makes the memory of the third a table in partitions, with the same indexes."""
Life = tuple[str, Any]
"""The schema whose tables hold a character's rows, and the character."""


async def bench(rows: int) -> report.Figures:
    """Return what it costs among few rows, among many, and among many in partitions."""
    from django.db import connection

    from bench import lives, people

    room = people.a_room("Landing stage")
    player = people.a_player("Visitor", room)
    bodies = {"public": OWN, "among_many": rows, "in_partitions": rows}
    lateness, facts = Lateness(), dict[str, report.Figures]()
    lateness.start()
    lived: list[Life] = []
    for schema, many in bodies.items():
        body = people.an_assistant(f"Ferrier{len(lived)}", room)
        with connection.cursor() as cursor:
            facts[schema] = _filled(cursor, schema, people.resident_of(body).mind.store.id, many)
        again = await lives.restart(body, lateness)
        facts[schema]["all read s"] = again["all_read_s"]
        lived.append((schema, people.resident_of(body).mind))
    return {"facts": facts, "times": await _measured(lived, player), "vectors": by_vectors()}


def _filled(cursor: Any, schema: str, own: str, rows: int) -> report.Figures:
    """Make so many rows in a schema of their own, those of one among them; return what it took."""
    minds, began = [own, *(f"o{number}" for number in range(1, rows // OWN))], time.perf_counter()
    cursor.execute(f"CREATE SCHEMA IF NOT EXISTS {schema}")
    for table in TABLES if schema != "public" else ():
        cursor.execute(f"CREATE TABLE {schema}.{table} (LIKE public.{table} INCLUDING ALL)")
    _look_at(schema)
    for statement in PARTITIONED if schema == "in_partitions" else ():
        cursor.execute(statement)
    fill(cursor, minds, rows)
    return {"rows": rows, "characters": len(minds), "filled s": time.perf_counter() - began}


def fill(cursor: Any, minds: list[str], rows: int) -> None:
    """Let the database make so many memories of these, in turns."""
    from bench.lives import WORDS

    given = {"rows": rows, "minds": minds, "words": WORDS[:40]}
    cursor.execute(FILL, given)
    cursor.execute(EVIDENCE, given)
    cursor.execute(IS_FILLED)
    cursor.execute("ANALYZE")


def _look_at(schema: str) -> None:
    """Let the tables of memories be those of this schema, and all others the game's."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(f"SET search_path TO {schema}, public")


async def _measured(lived: list[Life], player: Any) -> report.Figures:
    """Return the milliseconds of each thing by schema."""
    from ai_assistant.storage import Container
    from bench import lives

    luck = random.Random(8)
    seconds = {name: {schema: list[float]() for schema, _ in lived} for name in NAMES}
    for number in range(TIMES):
        for schema, mind in luck.sample(lived, len(lived)):
            _look_at(schema)
            asked = lives.line_of(luck, luck.randrange(OWN))
            own = Container("", mind.store.id)
            seconds[WRITES][schema].append(lives.write_once(mind, player, number))
            seconds[SEARCH][schema].append((await lives.search_once(mind, asked))[0])
            seconds[NEWEST][schema].append(_took(partial(mind.store.rows.newest, AT_A_START)))
            seconds[SCENE][schema].append(_took(partial(own.find, limit=OF_A_SCENE)))
    return {
        name: {schema: report.spread(one) for schema, one in found.items()}
        for name, found in seconds.items()
    }


def _took(call: Callable[[], object]) -> float:
    began = time.perf_counter()
    call()
    return time.perf_counter() - began


def by_vectors() -> report.Figures:
    """Return the processor's time of a search by words, and of one by words and vectors."""
    import numpy as np

    from ai_assistant.core.contracts import MemoryRow
    from ai_assistant.memory.search.retrieval import Index
    from bench import lives

    luck, numbers, index = random.Random(9), np.random.default_rng(9), Index()
    for id in range(1, VECTORS + 1):
        content = lives.line_of(luck, id)
        index.add(MemoryRow(content, readers="*", learned_at=float(id), id=id))
        index.set_vector(id, numbers.standard_normal(WIDTH, np.float32), "m")
    like = {"m": numbers.standard_normal(WIDTH, np.float32).tobytes()}
    seconds: dict[str, list[float]] = {"by words": [], "by both": []}
    for _ in range(SEARCHES):
        asked = lives.line_of(luck, luck.randrange(VECTORS))
        for name, found in seconds.items():
            began = time.thread_time()
            index.search(asked, 24, now=1e6, vectors=like if name == "by both" else {})
            found.append(time.thread_time() - began)
    return {name: report.spread(found) for name, found in seconds.items()}


def show(figures: report.Figures) -> list[report.Goal]:
    """Print the tables, and return the goals."""
    facts = figures["facts"]
    lines = [(name, *(one[name] for one in facts.values())) for name in facts["public"]]
    print(report.table(("", *facts), lines) + "\n")
    lines = [
        (name, *(value for one in times.values() for value in _two(one)))
        for name, times in figures["times"].items()
    ]
    head = [column for schema in facts for column in (f"{schema} p50", "p99")]
    print(report.table(("ms", *head), lines) + "\n")
    lines = [(name, *_two(times)) for name, times in figures["vectors"].items()]
    print(report.table((f"a search among {VECTORS:,}, ms", "p50", "p99"), lines) + "\n")
    goals = [
        report.Goal(
            f"{name}, {schema}",
            round(times[schema]["p50_ms"] / times["public"]["p50_ms"], 2),
            AS_AMONG_FEW,
            "×",
        )
        for name, times in figures["times"].items()
        for schema in ("among_many", "in_partitions")
    ]
    both = figures["vectors"]["by both"]["p50_ms"]
    return [*goals, report.Goal("a search by words and vectors", both, SEARCH_MS, "ms")]


def _two(times: report.Figures) -> tuple[float, float]:
    return times["p50_ms"], times["p99_ms"]


def main() -> int:
    """Run the bench on a PostgreSQL of its own."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rows", type=int, default=3_000_000)
    parser.add_argument("--quick", action="store_true", help="100,000 rows")
    options = parser.parse_args()
    rows = 100_000 if options.quick else options.rows
    with on_postgresql():
        figures = play(lambda: bench(rows), mean=0.0, spread=0.0, limit=3600.0)
    return report.conclude("rows", figures, show(figures))


if __name__ == "__main__":
    sys.exit(main())
