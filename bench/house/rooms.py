"""Where the files stand and how large they are."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Sequence

from bench.house.source import Measure, Module

MOST_AT_ROOT, MOST_IN_ROOM = 7, 20
SMALL, MOST_SMALL = 45, 10
MOST_LINES = 40_000
REBUILT_LINES = 47_322
"""Lines without `web/` when the house had been rebuilt, on 2026-11-22; the rest is later work."""


def measure_rooms(modules: Sequence[Module]) -> list[Measure]:
    """Return how full the rooms are, how many files are small, and how long all are together."""
    full = Counter(one.room for one in modules)
    root = min(full, key=len)
    rooms = Counter({room: count for room, count in full.items() if room != root})
    at_root = [one.path.name for one in modules if one.room == root]
    small = sorted((one for one in modules if is_small(one)), key=lambda one: one.lines)
    return [
        Measure("root", "modules at the root", len(at_root), MOST_AT_ROOT, True, at_root),
        Measure(
            "room", "modules in the fullest room", max(rooms.values(), default=0), MOST_IN_ROOM,
            True, [f"{count} {room}" for room, count in rooms.most_common()],
        ),
        Measure(
            "small", f"files under {SMALL} lines", len(small), MOST_SMALL,
            worst=[f"{one.lines} {one.path}" for one in small],
        ),
        *measure_lines(modules, root),
    ]  # fmt: skip


def measure_lines(modules: Sequence[Module], root: str) -> list[Measure]:
    """Return the lines of all but `web/`; `testing/` ships, so it counts, and is told beside."""
    lines = Counter[str]()
    for one in modules:
        below = one.room.removeprefix(root).lstrip(".")
        lines[below.partition(".")[0] or "(root)"] += one.lines
    lines.pop("web", None)
    whole = lines.total()
    worst = [f"{count} {room}" for room, count in lines.most_common()]
    without = whole - lines["testing"]
    return [
        Measure("lines", "lines without web/", whole, MOST_LINES, worst=worst),
        Measure("lines_later", "of them added since the house was rebuilt", whole - REBUILT_LINES),
        Measure("lines_untested", "lines without web/ and testing/", without),
    ]


def is_small(module: Module) -> bool:
    """Is a file so short that it might live in another, and neither a package nor a port?"""
    return module.lines < SMALL and not module.is_package and not is_port(module)


def is_port(module: Module) -> bool:
    """Does a file define protocols and nothing else that does something?"""
    defined = [
        node
        for node in module.tree.body
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    return bool(defined) and all(isinstance(one, ast.ClassDef) and is_protocol(one)
                                 for one in defined)  # fmt: skip


def is_protocol(node: ast.ClassDef) -> bool:
    """Is a class a protocol?"""
    return any(ast.unparse(base).partition("[")[0].endswith("Protocol") for base in node.bases)
