"""Property tests with examples that nobody has seen: what `make test` asks of twenty, of thousands.

    python -m bench.properties [--examples 2000] [--quick]

A failed promise prints its smallest counter-example, and how to try just that one again.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree

from bench import report

ROOT = Path(__file__).resolve().parent.parent
SUITES = {"unit": ("tests/unit", "-p", "no:django"), "evennia": ("tests/evennia",)}


def run(suite: Sequence[str], examples: int) -> list[ElementTree.Element]:
    """Run the property tests of a suite; return what became of each."""
    with tempfile.TemporaryDirectory() as folder:
        told = Path(folder) / "told.xml"
        command = (sys.executable, "-m", "pytest", *suite, "-q", "-m", "hypothesis")
        how = ("--hypothesis-profile=random", f"--junit-xml={told}")
        known = {**os.environ, "PROPERTY_EXAMPLES": str(examples)}
        subprocess.run([*command, *how], cwd=ROOT, env=known, check=False)
        return list(ElementTree.parse(told).iter("testcase")) if told.exists() else []


def main(arguments: Sequence[str] | None = None) -> int:
    """Print which promises did not hold; returns 1 where there is one."""
    parser = argparse.ArgumentParser(description="Property tests with random examples.")
    parser.add_argument("--examples", type=int, default=2000, help="of each property")
    parser.add_argument("--quick", action="store_true", help="a twentieth of them")
    options = parser.parse_args(arguments)
    options.examples //= 20 if options.quick else 1
    tests = {name: run(suite, options.examples) for name, suite in SUITES.items()}
    rows = [(name, len(some), sum(map(seconds, some))) for name, some in tests.items()]
    print("", report.table(("suite", "properties", "seconds"), rows), "", sep="\n")
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
    print(json.dumps({"bench": "properties", **figures, "on": report.versions()}))
    return int(not all(goal.met for goal in goals))


def seconds(test: ElementTree.Element) -> float:
    """Return how long a test took."""
    return float(test.get("time", 0))


if __name__ == "__main__":
    sys.exit(main())
