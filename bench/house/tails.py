"""The longest files, and the functions over the size budget that ruff holds."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from bench.house.source import PACKAGE, Definition, Measure, Module
from bench.report import percentile

LONGEST_FILE = 300
LONGEST_FUNCTION = 36
"""Lines of a body without its docstring: the longest that there was when this was first counted."""
EXCUSED = 23
"""So many functions were let over ruff's budget, all for their parameters, at that time."""
BUDGET = "C901,PLR0913,PLR0915"
"""Ruff's rules of complexity, parameters and statements; the limits stand in pyproject."""


def measure_tails(modules: Sequence[Module]) -> list[Measure]:
    """Return what is over budget, and the usual and largest sizes of files and functions."""
    files = sorted((one.lines, str(one.path)) for one in modules)
    bodies = sorted(
        (body_lines(node), f"{one.path}:{node.lineno} {node.name}")
        for one in modules
        for node in one.functions()
    )
    long_files, long_bodies = _over(files, LONGEST_FILE), _over(bodies, LONGEST_FUNCTION)
    over = over_budget(PACKAGE)
    return [
        Measure("over_budget", "functions over ruff's budget, excused ones too", len(over),
                EXCUSED, True, over),
        Measure("long_functions", f"functions over {LONGEST_FUNCTION} lines", len(long_bodies), 0,
                True, long_bodies),
        Measure("long_files", f"files over {LONGEST_FILE} lines", len(long_files), 0, True,
                long_files),
        *_usual("function", bodies),
        *_usual("file", files),
    ]  # fmt: skip


def _over(sizes: Sequence[tuple[int, str]], limit: int) -> list[str]:
    return [f"{size} {what}" for size, what in reversed(sizes) if size > limit]


def _usual(what: str, sizes: Sequence[tuple[int, str]]) -> list[Measure]:
    values = [size for size, _ in sizes]
    worst = [f"{size} {where}" for size, where in reversed(sizes)]
    return [
        Measure(f"{what}_p50", f"lines of a {what}, median", percentile(values, 0.5)),
        Measure(f"{what}_p90", f"lines of a {what}, p90", percentile(values, 0.9)),
        Measure(f"{what}_max", f"lines of a {what}, most", values[-1], worst=worst),
    ]


def body_lines(node: Definition) -> int:
    """Return how many lines the statements of a function span, its docstring not among them."""
    skipped = ast.get_docstring(node, clean=False) is not None
    body = node.body[1:] if skipped else node.body
    return body[-1].end_lineno - body[0].lineno + 1 if body else 0


def over_budget(folder: Path) -> list[str]:
    """Return what ruff says of the functions that it finds too large, `noqa` or not."""
    command = [sys.executable, "-m", "ruff", "check", "--ignore-noqa", "--exit-zero",
               f"--select={BUDGET}", "--output-format=json", str(folder)]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return [
        f"{Path(one['filename']).relative_to(folder.parent)}:{one['location']['row']} "
        f"{one['message']}"
        for one in json.loads(done.stdout)
    ]
