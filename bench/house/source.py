"""The package as it is read: every module with its text and syntax tree, and what is told of it."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

import ai_assistant

PACKAGE = Path(ai_assistant.__file__).parent
Definition = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Module:
    """One file of the package."""

    path: Path
    """Below the folder that the package stands in."""
    text: str

    @property
    def name(self) -> str:
        """The dotted name that it is imported by."""
        parts = self.path.with_suffix("").parts
        return ".".join(parts[:-1] if self.is_package else parts)

    @property
    def room(self) -> str:
        """The dotted name of the folder that it stands in."""
        return ".".join(self.path.parent.parts)

    @property
    def is_package(self) -> bool:
        """Is it the `__init__` of a folder?"""
        return self.path.name == "__init__.py"

    @property
    def lines(self) -> int:
        """How many lines it has, empty ones too."""
        return len(self.text.splitlines())

    @cached_property
    def tree(self) -> ast.Module:
        """Its syntax tree."""
        return ast.parse(self.text, str(self.path))

    def functions(self) -> Iterator[Definition]:
        """Yield every function and method."""
        for node in ast.walk(self.tree):
            if isinstance(node, Definition):
                yield node

    def classes(self) -> Iterator[ast.ClassDef]:
        """Yield the classes at the top of the file."""
        return (node for node in self.tree.body if isinstance(node, ast.ClassDef))


@dataclass(frozen=True, slots=True)
class Measure:
    """One figure of the house, what it should be at most, and where it is worst."""

    key: str
    name: str
    figure: float
    goal: float | None = None
    """None for what is only told."""
    marked: bool = False
    """May `make lint` refuse that it grows?"""
    worst: Sequence[str] = ()


@cache
def read_package(folder: Path = PACKAGE) -> list[Module]:
    """Return all modules below a package's folder but its migrations, which Django writes.

    They are read once in a process.
    """
    return [
        Module(path.relative_to(folder.parent), path.read_text(encoding="utf-8"))
        for path in sorted(folder.rglob("*.py"))
        if path.parent.name != "migrations"
    ]
