"""Which names there are, which of them mean several things, and which classes have many."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

import ai_assistant
from bench.house.source import Definition, Measure, Module

MOST_METHODS = 12
HOOK = "at_"
"""Evennia calls methods of such names; a class that is to be told things has to have them."""
OF_EVERY_COMMAND = frozenset({"func", "get_help", "msg", "parse"})
"""Methods of Evennia's own that a command replaces: whoever knows Evennia knows them."""
NAMED_BY_DJANGO = "management"
"""Below it, Django wants each class to be called `Command`."""
_TYPE = re.compile(r"_?([A-Z][A-Za-z0-9]*[a-z][A-Za-z0-9]*)")
"""Names of classes and of other types; what is private goes by the same name without `_`."""

OneThing = Mapping[str, Collection[str]]


def measure_names(modules: Sequence[Module], one_thing: OneThing) -> list[Measure]:
    """Return how many names are public, how many mean several things, and wide classes.

    A function may bear the name of what it is the face of, and calls: an endpoint of an act, a tool
    of a step that it proposes. `one_thing` holds the names that mean the same without that.
    """
    public = [f"{one.name}.{name}" for one in modules for name in public_names(one.tree)]
    ours = [one for one in modules if one.path.parent.parts[1:2] != (NAMED_BY_DJANGO,)]
    files = _several(((one.path.stem, one.room) for one in ours if not one.is_package),
                     one_thing["files"])  # fmt: skip
    classes = _several(((name, one.name) for one in ours for name in type_names(one.tree)),
                       one_thing["classes"])  # fmt: skip
    functions = _several(_functions(ours), one_thing["functions"])
    return [
        Measure("public", "public names", len(public)),
        Measure("advertised", "advertised names", len(ai_assistant.__all__)),
        Measure("files", "file names used for several things", len(files), 0, True, _told(files)),
        Measure("classes", "class names used for several things", len(classes), 0, True,
                _told(classes)),
        Measure("functions", "function names used for several things", len(functions), 0,
                True, _told(functions)),
        Measure("one_thing", "besides, said to mean the same", len(one_thing["functions"]), 6, True,
                one_thing["functions"]),
        *measure_wide(modules),
    ]  # fmt: skip


def _functions(modules: Iterable[Module]) -> Iterator[tuple[str, str]]:
    """Yield each public function at the top of a file with its place, but those that are faces."""
    for one in modules:
        proposed = set(_proposed(one.tree))
        for node in one.tree.body:
            if not isinstance(node, Definition) or node.name.startswith("_"):
                continue
            if node.name not in proposed and not _calls(node, node.name):
                yield node.name, f"{one.name}.{node.name}"


def _proposed(tree: ast.Module) -> Iterator[str]:
    """Yield the names that a file hands on as text: the steps of the changes that it proposes."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            yield from (part.value for part in node.args if isinstance(part, ast.Constant))


def _calls(node: Definition, name: str) -> bool:
    """Does a function call another one of this name, of a module or of an object?"""
    called = (part.func for part in ast.walk(node) if isinstance(part, ast.Call))
    return any(isinstance(part, ast.Attribute) and part.attr == name for part in called)


def measure_wide(modules: Sequence[Module]) -> Iterator[Measure]:
    """Yield how many classes have more public methods than a reader keeps in mind.

    At first those that a class itself defines, then with those that it inherits from ours.
    """
    ours = {node.name: node for one in modules for node in one.classes()}
    for key, what, upper in (("wide", "", {}), ("wide_inherited", ", inherited ones too", ours)):
        found = [
            (count, f"{one.name}.{node.name}")
            for one in modules
            for node in one.classes()
            if (count := len({*public_methods(node, upper)})) > MOST_METHODS
        ]
        worst = [f"{count} {name}" for count, name in sorted(found, reverse=True)]
        name = f"classes with over {MOST_METHODS} public methods{what}"
        yield Measure(key, name, len(found), 0, True, worst)


def type_names(tree: ast.Module) -> Iterator[str]:
    """Yield the classes, aliases of types and type variables at the top of a file, private ones
    too, each without its underscore."""
    found = (_TYPE.fullmatch(name) for name in defined_names(tree))
    yield from (name[1] for name in found if name)


def public_names(tree: ast.Module) -> Iterator[str]:
    """Yield what a file defines at its top without an underscore before it."""
    return (name for name in defined_names(tree) if not name.startswith("_"))


def defined_names(tree: ast.Module) -> Iterator[str]:
    """Yield what a file defines at its top: functions, classes, and what it assigns to."""
    for node in tree.body:
        if isinstance(node, Definition | ast.ClassDef):
            names = [node.name]
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            parts = (part for target in targets for part in ast.walk(target))
            names = [
                part.id
                for part in parts
                if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
            ]
        else:
            continue
        yield from names


def public_methods(node: ast.ClassDef, upper: Mapping[str, ast.ClassDef]) -> Iterator[str]:
    """Yield the names of the methods and properties of a class, Evennia's left out: those that it
    defines, and those that it has from a class of `upper`."""
    for part in node.body:
        if isinstance(part, Definition) and not _is_no_face(part.name):
            yield part.name
    for base in node.bases:
        name = ast.unparse(base).partition("[")[0].rpartition(".")[2]
        if name in upper and upper[name] is not node:
            yield from public_methods(upper[name], upper)


def _is_no_face(name: str) -> bool:
    """Is a method private, or one of those that Evennia calls?"""
    return name.startswith(("_", HOOK)) or name in OF_EVERY_COMMAND


def _several(pairs: Iterable[tuple[str, str]], one_thing: Collection[str]) -> dict[str, list[str]]:
    places = defaultdict(list)
    for name, place in pairs:
        places[name].append(place)
    return {
        name: found for name, found in places.items() if len(found) > 1 and name not in one_thing
    }


def _told(several: Mapping[str, Sequence[str]]) -> list[str]:
    ordered = sorted(several.items(), key=lambda entry: (-len(entry[1]), entry[0]))
    return [f"{len(places)} {name}: {' '.join(places)}" for name, places in ordered]
