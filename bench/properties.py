"""Property tests with examples that nobody has seen: what `make test` asks of twenty, of thousands.

    python -m bench.properties [--examples 2000] [--seed 7] [--machines] [--quick]

`--machines` asks only the state machines: the ledger, the breaker, the queue of turns, that of
writes that were refused, and the lease. The seed is printed, and how many examples were really
tried. A failed promise prints its smallest counter-example, and how to try just that one again.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree

from bench import report

ROOT = Path(__file__).resolve().parent.parent
SUITES = {"unit": ("tests/unit", "-p", "no:django"), "evennia": ("tests/evennia",)}
MACHINES = "TestLedger or TestBreaker or TestQueue or TestWrites or TestTenure"
TRIED = re.compile(r"- (\d+) passing")


def run(
    suite: Sequence[str], examples: int, seed: int, only: str
) -> tuple[list[ElementTree.Element], int]:
    """Run the property tests of a suite; return what became of each, and the examples tried."""
    with tempfile.TemporaryDirectory() as folder:
        told = Path(folder) / "told.xml"
        command = (sys.executable, "-m", "pytest", *suite, "-q", "-m", "hypothesis")
        how = ("--hypothesis-profile=random", f"--junit-xml={told}", f"--hypothesis-seed={seed}")
        more = ("--hypothesis-show-statistics", *(("-k", only) if only else ()))
        known = {**os.environ, "PROPERTY_EXAMPLES": str(examples)}
        done = subprocess.run(
            [*command, *how, *more],
            cwd=ROOT,
            env=known,
            check=False,
            capture_output=True,
            text=True,
        )
        tests = list(ElementTree.parse(told).iter("testcase")) if told.exists() else []
        if done.returncode or not only:
            print(done.stdout, done.stderr)
        return tests, sum(map(int, TRIED.findall(done.stdout)))


def main(arguments: Sequence[str] | None = None) -> int:
    """Print which promises did not hold; returns 1 where there is one."""
    parser = argparse.ArgumentParser(description="Property tests with random examples.")
    parser.add_argument("--examples", type=int, default=2000, help="of each property")
    parser.add_argument("--quick", action="store_true", help="a twentieth of them")
    parser.add_argument("--seed", type=int, default=random.randrange(10**9))
    parser.add_argument("--machines", action="store_true", help="the state machines alone")
    options = parser.parse_args(arguments)
    options.examples //= 20 if options.quick else 1
    only = MACHINES if options.machines else ""
    suites = {"unit": SUITES["unit"]} if options.machines else SUITES
    done = {
        name: run(suite, options.examples, options.seed, only) for name, suite in suites.items()
    }
    tests = {name: some for name, (some, _) in done.items()}
    rows = [
        (name, len(some), tried, sum(map(seconds, some))) for name, (some, tried) in done.items()
    ]
    print(f"seed {options.seed}", "", sep="\n")
    print(report.table(("suite", "properties", "examples tried", "seconds"), rows), "", sep="\n")
    every = [one for some in tests.values() for one in some]
    broken = [one.get("name") for one in every if {"failure", "error"} & {e.tag for e in one}]
    goals = [
        report.Goal(
            "suites that did not run", sum(not some for some in tests.values()), 0, must=True
        ),
        report.Goal("promises that did not hold", len(broken), 0, must=True),
    ]
    print(*goals, "", sep="\n")
    figures = {"properties": len(every), "examples": options.examples, "broken": broken}
    figures |= {"seed": options.seed, "tried": sum(tried for _, tried in done.values())}
    print(json.dumps({"bench": "properties", **figures, "on": report.versions()}))
    return int(not all(goal.met for goal in goals))


def seconds(test: ElementTree.Element) -> float:
    """Return how long a test took."""
    return float(test.get("time", 0))


if __name__ == "__main__":
    sys.exit(main())
