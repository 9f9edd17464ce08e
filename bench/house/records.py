"""Which fields of public records say nothing of themselves."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from itertools import pairwise

from bench.house.source import Measure, Module

RECORDS = frozenset({"NamedTuple", "TypedDict"})
"""Classes whose heirs are records; any `dataclass` is one too."""


def measure_records(modules: Sequence[Module]) -> list[Measure]:
    """Return how many fields of public records have no docstring of their own."""
    bare = [
        f"{one.path}:{field.lineno} {node.name}.{ast.unparse(field.target)}"
        for one in modules
        for node in one.classes()
        if is_record(node) and not node.name.startswith("_")
        for field in bare_fields(node)
    ]
    return [
        Measure("bare_fields", "fields of public records without a docstring", len(bare), 0, True,
                bare),
    ]  # fmt: skip


def is_record(node: ast.ClassDef) -> bool:
    """Is a class a dataclass, or a tuple or mapping with named fields?"""
    made_by = (ast.unparse(part).partition("(")[0] for part in node.decorator_list)
    heir_of = {ast.unparse(base).rpartition(".")[2] for base in node.bases}
    return not RECORDS.isdisjoint(heir_of) or any(name.endswith("dataclass") for name in made_by)


def bare_fields(node: ast.ClassDef) -> Iterator[ast.AnnAssign]:
    """Yield the public fields of a class behind which no docstring stands."""
    for field, behind in pairwise([*node.body, None]):
        if isinstance(field, ast.AnnAssign) and not ast.unparse(field.target).startswith("_"):
            match behind:
                case ast.Expr(ast.Constant(str())):
                    continue
            yield field
