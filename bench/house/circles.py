"""Who imports whom, also for types and inside functions, and who thereby imports itself."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping, Sequence

from bench.house.source import Measure, Module

Graph = Mapping[str, Collection[str]]


def measure_circles(modules: Sequence[Module]) -> list[Measure]:
    """Return how many modules stand in circles, and name the circles."""
    found = circles(import_graph(modules))
    worst = [f"{len(circle)}: {' '.join(sorted(circle))}" for circle in found]
    standing = sum(map(len, found))
    return [
        Measure("circles", "import circles", len(found), 0, worst=worst),
        Measure("circled", "modules in import circles", standing, 0, True),
    ]


def import_graph(modules: Sequence[Module]) -> dict[str, set[str]]:
    """Return what each module imports of the others, wherever in it the import stands."""
    names = {one.name for one in modules}
    return {one.name: set(_imports(one.tree, names)) - {one.name} for one in modules}


def _imports(tree: ast.Module, names: Collection[str]) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            whole = [f"{node.module}.{alias.name}" for alias in node.names]
            found = [one if one in names else node.module for one in whole]
        elif isinstance(node, ast.Call) and _called(node.func) == "import_module":
            found = [one.value for one in node.args if isinstance(one, ast.Constant)]
        else:
            continue
        yield from (one for one in found if one in names)


def _called(func: ast.expr) -> str:
    """Return the name that a call ends in."""
    return getattr(func, "attr", "") or getattr(func, "id", "")


def circles(graph: Graph) -> list[set[str]]:
    """Return the largest sets of modules that all reach each other, the largest set first."""
    reached = {name: _reachable(graph, name) for name in graph}
    found: list[set[str]] = []
    for name in graph:
        if name in reached[name] and not any(name in circle for circle in found):
            found.append({other for other in reached[name] if name in reached[other]})
    return sorted(found, key=len, reverse=True)


def _reachable(graph: Graph, start: str) -> set[str]:
    seen: set[str] = set()
    waiting = [*graph[start]]
    while waiting:
        name = waiting.pop()
        if name not in seen:
            seen.add(name)
            waiting.extend(graph[name])
    return seen
