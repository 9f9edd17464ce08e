"""How much of the package knows a language, here and in other checkouts beside.

python -m bench.language [directory of another checkout …] [--lint]

Code that knows one is `ai_assistant/language`, every module that reads a language's lists itself
instead of asking, and every module that holds words of one. These are found, not listed: by the
small words of the data files (function words, and what people say to each other) that stand where
code compares: in lists, sets, patterns, comparisons, and arguments such as `startswith` takes.
Names of fields are no words, nor is what people read or type: texts, and `commands/`. The prompts
and the offline model are rooms of their own. `--lint` refuses more than the mark, for `make lint`.
"""

from __future__ import annotations

import argparse
import ast
import json
import re
import sys
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

PACKAGE = "ai_assistant"
MOST, MOST_OFFLINE = 1500, 2000
MARK, MARK_OFFLINE, MARK_WORDS = 2087, 1928, 40
"""What `make lint` holds: lines of code, those of the offline model, and words elsewhere. They only
ever fall."""
HOLDS = 6
"""So many different words make a module one that knows a language."""
LANGUAGE, OFFLINE = ("language/",), ("llm/offline/",)
FOR_PEOPLE = ("prompts/", "commands/", "web/", "templates/", "static/", "migrations/")
DATA = (".toml", ".json", ".txt", ".csv", ".yaml")
LISTS = frozenset({"current", "language", "Language", "known"})
"""What a module imports that reads the lists itself."""
_WORD = re.compile(r"[^\W\d]+")
_NO_WORD = re.compile(r"\(\?P[<=]\w+[>)]|\{\w+\}|\\.|\(\?[a-zA-Z-]+[:)]")
"""In patterns: names of groups, escapes and flags."""
_COMPARING = frozenset(
    {"startswith", "endswith", "removeprefix", "removesuffix", "partition", "rpartition", "count"}
)
_FETCHING = frozenset({"get", "pop", "setdefault"})


def small_words(root: Path) -> frozenset[str]:
    """Return the function words of every language, and what people say to each other."""
    found: set[str] = set()
    for path in sorted(root.glob("language/data/*.toml")):
        data = tomllib.loads(path.read_text("utf-8"))
        lists = [data[name] for name in ("stop_words", "articles", "particles")]
        phrases = (one for kind, some in data["talk"].items() if kind != "worn" for one in some)
        for text in (*lists, *data["pronouns"].values(), *phrases):
            found.update(_WORD.findall(text.lower()))
    return frozenset(one for one in found if len(one) > 1)


Nodes = Sequence[ast.AST]
"""All nodes of a module's syntax tree."""


def fields(modules: Iterable[Nodes]) -> set[str]:
    """Return the names of fields and arguments of all modules."""
    found: set[str] = set()
    for node in (node for nodes in modules for node in nodes):
        if isinstance(node, ast.Subscript):
            found.update(_strings(node.slice))
        elif isinstance(node, ast.Call) and _called(node) in _FETCHING:
            found.update(one for arg in node.args[:1] for one in _strings(arg))
        elif isinstance(node, ast.arg | ast.keyword) and node.arg:
            found.add(node.arg)
        elif isinstance(node, ast.Dict):
            found.update(one for key in node.keys if key for one in _strings(key))
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            found.add(node.target.id)
    return found


def _strings(node: ast.AST) -> Iterator[str]:
    return (
        one.value
        for one in ast.walk(node)
        if isinstance(one, ast.Constant) and isinstance(one.value, str)
    )


def _called(node: ast.Call) -> str:
    return node.func.attr if isinstance(node.func, ast.Attribute) else ""


def compared(nodes: Nodes) -> set[str]:
    """Return the words that a module compares with: of lists, patterns and comparisons."""
    return {
        word for node in nodes for text in _compared(node) for word in _WORD.findall(text.lower())
    }


def _compared(node: ast.AST) -> Iterator[str]:
    """Yield the texts of one node that something is compared with."""
    if isinstance(node, ast.Call):
        if isinstance(node.func, ast.Attribute) and _called(node) == "split":
            yield from _strings(node.func.value)
        elif isinstance(node.func, ast.Attribute) and getattr(node.func.value, "id", "") == "re":
            yield from (_NO_WORD.sub(" ", one) for arg in node.args[:1] for one in _strings(arg))
        elif _called(node) in _COMPARING:
            yield from (one for arg in node.args[:1] for one in _strings(arg))
    elif isinstance(node, ast.List | ast.Tuple | ast.Set):
        short = (one.value for one in node.elts if isinstance(one, ast.Constant))
        yield from (one for one in short if isinstance(one, str) and one.count(" ") < 3)
    elif isinstance(node, ast.Compare):
        yield from (one for side in (node.left, *node.comparators) for one in _strings(side))


def reads_lists(nodes: Nodes) -> bool:
    """Does a module read the lists of a language, instead of asking the language's room?"""
    return any(
        isinstance(node, ast.ImportFrom)
        and node.module == f"{PACKAGE}.language"
        and not LISTS.isdisjoint(one.name for one in node.names)
        for node in nodes
    )


def counted(root: Path, words: frozenset[str]) -> tuple[dict[str, dict[str, int]], dict[str, list]]:
    """Return the lines that count, by room and file, and the words that each module holds."""
    modules = {
        path.relative_to(root).as_posix(): [*ast.walk(ast.parse(path.read_text("utf-8")))]
        for path in sorted(root.rglob("*.py"))
    }
    names = fields(modules.values())
    rooms: dict[str, dict[str, int]] = {
        room: {}
        for room in (
            "",
            "language",
            "data",
            "reads lists",
            "holds words",
            "llm/offline",
            "offline data",
        )
    }
    held: dict[str, list[str]] = {}
    for name, nodes in modules.items():
        if name.startswith((*LANGUAGE, *OFFLINE)):
            room = "language" if name.startswith(LANGUAGE) else "llm/offline"
        elif name.startswith(FOR_PEOPLE):
            continue
        else:
            found = sorted((compared(nodes) & words) - names)
            held |= {name: found} if found else {}
            room = "holds words" if len(found) >= HOLDS else "reads lists" * reads_lists(nodes)
        rooms[room][name] = lines_of(root / name)
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root).as_posix()
        if path.suffix in DATA and not name.startswith(FOR_PEOPLE):
            rooms[_room_of_data(name, path, words)][name] = lines_of(path)
    rooms.pop("")
    return rooms, held


def _room_of_data(name: str, path: Path, words: frozenset[str]) -> str:
    """Return where a file that is no code counts; what holds no words counts nowhere."""
    if name.startswith((*LANGUAGE, *OFFLINE)):
        return "data" if name.startswith(LANGUAGE) else "offline data"
    holds = len(words & {*_WORD.findall(path.read_text("utf-8").lower())}) >= HOLDS
    return "holds words" if holds else ""


def lines_of(path: Path) -> int:
    """Count the lines of a file."""
    return len(path.read_text("utf-8").splitlines())


def figures(root: Path, words: frozenset[str]) -> dict[str, int]:
    """Print what counts in a checkout, and return the sums."""
    rooms, held = counted(root, words)
    sums = {room: sum(files.values()) for room, files in rooms.items()}
    print(root.resolve().parent)
    for room, files in rooms.items():
        told = ", ".join(f"{name.removesuffix('.py')} {lines}" for name, lines in files.items())
        print(f"  {sums[room]:>5}  {room}: {told}")
    sums["code"] = sums["language"] + sums["reads lists"] + sums["holds words"]
    sums["words elsewhere"] = sum(map(len, held.values()))
    most = sorted(held.items(), key=lambda one: -len(one[1]))
    told = ", ".join(f"{name.removesuffix('.py')} ({' '.join(some)})" for name, some in most[:8])
    print(f"  {sums['code']:>5}  lines of code without the offline model; data is counted apart")
    print(f"  {sums['words elsewhere']:>5}  words elsewhere, in {len(held)} modules: {told}\n")
    return sums


def main() -> int:
    """Count here and in other checkouts; returns 1 where there is too much here."""
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("others", type=Path, nargs="*", help="other checkouts")
    options.add_argument("--quick", action="store_true", help="no difference here")
    options.add_argument("--lint", action="store_true", help="refuse only what is above the mark")
    given = options.parse_args()
    words = small_words(Path(PACKAGE))
    result = {str(one): figures(one / PACKAGE, words) for one in (Path(), *given.others)}
    here = result["."]
    found = (here["code"], here["llm/offline"], here["words elsewhere"])
    most = (MARK, MARK_OFFLINE, MARK_WORDS) if given.lint else (MOST, MOST_OFFLINE, MARK_WORDS)
    met = all(one <= limit for one, limit in zip(found, most, strict=True))
    print(
        "met" if met else "MISSED",
        f"at most {most[0]} lines of code, {most[1]} in llm/offline, {most[2]} words elsewhere",
    )
    print(json.dumps({"bench": "language", **result}))
    return not met


if __name__ == "__main__":
    sys.exit(main())
