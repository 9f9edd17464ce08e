"""The offline model reads nothing but its request, so it names tools: all of them exist."""

import ast
from pathlib import Path

import pytest

from ai_assistant.llm import offline, request_records
from ai_assistant.llm.offline import offline_model
from ai_assistant.tools import BUILTIN
from ai_assistant.tools.registry import PLAIN

KITS = {tool.name: tool.kit for tool in BUILTIN}
ASKED = ("may", "result", "succeeded")


def names(node):
    """Yield the name in ``("name", {...})``, which is a call, and in ``view.may("name")``."""
    match node:
        case ast.Tuple(elts=[ast.Constant(value=str(name)), ast.Dict()]):
            yield name
        case ast.Call(func=ast.Attribute(attr=asked), args=[ast.Constant(value=str(name))]):
            if asked in ASKED:
                yield name


@pytest.mark.parametrize("file", sorted(Path(offline.__file__).parent.glob("*.py")))
def test_what_it_calls_and_asks_for_is_a_tool(file):
    named = {name for node in ast.walk(ast.parse(file.read_text())) for name in names(node)}
    assert named <= set(KITS)


def test_its_lists_name_tools():
    assert set(KITS) >= offline_model.ENDS | offline_model.BESIDE


def test_what_it_calls_unseen_is_not_of_the_plain_kit():
    """That is always seen, so where it is missing it was taken away."""
    assert {KITS[name] for name in request_records.UNSEEN}.isdisjoint({PLAIN})
