"""The shape of the house that no contract of imports can hold; those stand in pyproject."""

import ast
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from bench.house.source import read_package

ROOT = Path(__file__).resolve().parents[2]
FRAMEWORKS = {"django", "evennia", "twisted"}
CORE = {
    *("core", "language", "memory", "planning", "roleplay", "tools", "llm", "prompts"),
    *("agent", "sleep", "testing"),
}
CALLING = {"llm.bridge", "llm.client", "testing.fake_openai"}
"""What the model is reached by, or stood in for over HTTP: the shell's, in rooms of the core."""


@cache
def modules():
    """{dotted name: syntax tree} of the whole package."""
    return {one.name: one.tree for one in read_package()}


def is_core(module):
    """Is it plain Python by the contracts of pyproject?"""
    name = module.partition(".")[2]
    return name.partition(".")[0] in CORE and name not in CALLING


def run(code):
    return subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )


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


def test_every_file_says_what_lives_there():
    """Each module opens with a docstring whose first line is a sentence."""
    silent = [
        name
        for name, tree in modules().items()
        if tree.body
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
