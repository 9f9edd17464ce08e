"""The shape of the house: who may import whom, what stays small, what the core never touches."""

import ast
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "ai_assistant"
LONGEST_FILE = 300

CORE = (
    {"core"},
    {"language", "prompts"},
    {"memory"},
    {"planning"},
    {
        *("roleplay", "tools", "llm.wire", "llm.textcalls", "llm.model_profiles", "llm.breaker"),
        *("llm.embeddings", "llm.textreply", "llm.call_formats", "llm.play_layout"),
        *("llm.reply_context", "llm.think_tags", "llm.offline"),
    },
    {"agent"},
    {"sleep"},
)
SHELL = (
    {"conf", "models", "llm.client", "llm.bridge"},
    {"game"},
    {"storage"},
    {"runtime", "scenes"},
    {"api"},
    {"typeclasses", "scripts", "commands", "web", "apps", "admin", "migrations", "management"},
)
LAYERS = (*CORE, *SHELL)
"""From the ground up: a room may import from its own layer and those below it."""
TOOLBOX = "testing"
"""For tests, ours and a game's: it may use the whole core, and nobody may use it."""
FRAMEWORKS = {"django", "evennia", "twisted"}


def rooms_of(layers):
    return {room for layer in layers for room in layer}


def room_of(module):
    """The room that a module below `ai_assistant` belongs to; "" for the package itself."""
    parts = module.split(".")[1:]
    rooms = rooms_of(LAYERS) | {TOOLBOX}
    for end in (2, 1):
        if ".".join(parts[:end]) in rooms:
            return ".".join(parts[:end])
    return ".".join(parts)


def height_of(room):
    return next(height for height, layer in enumerate(LAYERS) if room in layer)


@cache
def modules():
    """{dotted name: syntax tree} of the whole package."""
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        found[name] = ast.parse(path.read_text(), str(path))
    return found


def imports_of(tree):
    """Every dotted name that a module imports, at its top or inside a function."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                yield whole if whole in modules() else node.module


def is_empty(tree):
    """Is there nothing but a docstring, as in most `__init__` files?"""
    return not any(True for node in tree.body if not isinstance(node, ast.Expr))


def is_core(module):
    room = room_of(module)
    return room in rooms_of(CORE) or (
        room == TOOLBOX and module != f"{PACKAGE.name}.testing.fake_openai"
    )


def breaches():
    for module, tree in modules().items():
        room = room_of(module)
        if not room or (room == "llm" and is_empty(tree)):
            continue
        for imported in imports_of(tree):
            if imported.split(".")[0] == PACKAGE.name and not may_import(room, room_of(imported)):
                yield f"{module} imports {imported}"


def may_import(room, other):
    if other in ("", room):
        return True
    if room == TOOLBOX:
        return other in rooms_of(CORE)
    return other != TOOLBOX and height_of(other) <= height_of(room)


def run(code):
    return subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )


def test_every_module_has_a_room():
    """A new module is put into the table of layers before it may import anything."""
    known = rooms_of(LAYERS) | {TOOLBOX, ""}
    homeless = {
        name
        for name, tree in modules().items()
        if room_of(name) not in known and not is_empty(tree)
    }
    assert not homeless


def test_layers_import_only_downwards():
    """No room imports from a layer above it, and the package never uses its own test tools."""
    assert list(breaches()) == []


@pytest.mark.parametrize("upward", [("memory", "agent"), ("storage", "runtime"), ("tools", "conf")])
def test_an_upward_import_is_a_breach(upward):
    """The rule itself says no where it must."""
    assert not may_import(*upward)


def test_core_names_no_framework():
    """The core is plain Python: it imports neither Django nor Evennia nor Twisted, anywhere."""
    guilty = [
        (module, imported)
        for module, tree in modules().items()
        if is_core(module)
        for imported in imports_of(tree)
        if imported.split(".")[0] in FRAMEWORKS
    ]
    assert guilty == []


def test_importing_the_core_loads_no_framework():
    """With all of the core imported, no framework has come along by some back door."""
    core = [module for module in modules() if is_core(module)]
    code = f"""
import importlib, sys
for name in {core!r}:
    importlib.import_module(name)
print(sorted({FRAMEWORKS!r} & set(sys.modules)))
"""
    done = run(code)
    assert done.stdout.strip() == "[]", done.stdout + done.stderr


def test_importing_the_package_starts_nothing():
    """`import ai_assistant` loads only itself: no thread, no third-party module, no output."""
    code = """
import sys, threading
before = set(sys.modules)
import ai_assistant
new = {name.split(".")[0] for name in set(sys.modules) - before}
assert threading.active_count() == 1, threading.enumerate()
print(sorted(new - set(sys.stdlib_module_names)))
"""
    done = run(code)
    assert done.stdout.strip() == "['ai_assistant']", done.stdout + done.stderr
    assert done.stderr == ""


def test_files_stay_small():
    """No file of the package is longer than 300 lines."""
    lengths = {path: len(path.read_text().splitlines()) for path in PACKAGE.rglob("*.py")}
    assert {str(path): n for path, n in lengths.items() if n > LONGEST_FILE} == {}


def test_every_file_says_what_lives_there():
    """Each module opens with a docstring whose first line is a sentence."""
    silent = [
        name
        for name, tree in modules().items()
        if tree.body
        and ".migrations." not in name
        and not (ast.get_docstring(tree) or "").split("\n")[0].endswith((".", "?", "!"))
    ]
    assert silent == []


def holds_await(body):
    """Is there an await in these statements, those of functions defined inside left out?"""
    stack = list(body)
    while stack:
        node = stack.pop()
        if isinstance(node, ast.Await | ast.AsyncFor | ast.AsyncWith | ast.Yield | ast.YieldFrom):
            return True
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            stack.extend(ast.iter_child_nodes(node))
    return False


def names_atomic(node):
    return any("atomic" in ast.unparse(part) for part in node)


def waits_in_transactions(tree):
    """The lines where something may wait while a database transaction is open."""
    for node in ast.walk(tree):
        if isinstance(node, ast.With | ast.AsyncWith):
            inside = names_atomic(item.context_expr for item in node.items)
        elif isinstance(node, ast.AsyncFunctionDef):
            inside = names_atomic(node.decorator_list)
        else:
            continue
        if inside and (isinstance(node, ast.AsyncWith) or holds_await(node.body)):
            yield node.lineno


def test_nothing_waits_inside_a_transaction():
    """Between the first and last statement of a transaction no other code gets a turn."""
    found = {name: list(waits_in_transactions(tree)) for name, tree in modules().items()}
    assert {name: lines for name, lines in found.items() if lines} == {}


@pytest.mark.parametrize(
    "code",
    [
        "async def f():\n    with transaction.atomic():\n        await g()",
        "async def f():\n    with atomic():\n        if a:\n            b = [await c for d in e]",
        "@transaction.atomic\nasync def f():\n    await g()",
    ],
)
def test_a_wait_inside_a_transaction_is_found(code):
    """The search sees awaits however deep they hide, and decorated coroutines."""
    assert list(waits_in_transactions(ast.parse(code)))


def test_a_wait_after_a_transaction_is_fine():
    """What comes before, after, or in a function of its own is nobody's business."""
    code = "async def f():\n    with atomic():\n        g()\n    await h()"
    assert not list(waits_in_transactions(ast.parse(code)))
