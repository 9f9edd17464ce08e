"""Only the language package knows words: the memory holds none of any language."""

import ast
import re
from pathlib import Path

import pytest

MEMORY = Path(__file__).resolve().parents[3] / "ai_assistant/memory"
GROUP = re.compile(r"\(\?P[<=]\w+[>)]|\{\w+\}")
"""Names of groups in a pattern."""


def hidden_words(tree):
    """Yield texts of word lists: what is split at spaces, and patterns that name words."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        name = ast.unparse(node.func)
        if name.endswith(".split") and isinstance(node.func.value, ast.Constant):
            yield node.func.value.value
        if name.startswith("re.") and node.args:
            for part in ast.walk(node.args[0]):
                if isinstance(part, ast.Constant) and re.search(
                    r"[a-z]{3,}", GROUP.sub("", str(part.value))
                ):
                    yield part.value


def modules():
    return {path.stem: path for path in sorted(MEMORY.rglob("*.py"))}


FIELDS = {"redaction", "status"}
"""Modules whose lists are names of fields, and states that a game may show."""


@pytest.mark.parametrize("name", sorted(modules().keys() - FIELDS))
def test_memory_holds_no_word_of_any_language(name):
    """No list of words, and no pattern of any."""
    assert list(hidden_words(ast.parse(modules()[name].read_text("utf-8")))) == []


def test_what_is_gone_is_not_excused():
    """The list of exceptions only shrinks."""
    assert modules().keys() >= FIELDS


@pytest.mark.parametrize(
    "code", ["A = 'who what'.split()", "re.compile(r'\\bwhen\\b')", "re.search(f'{a}|yes', b)"]
)
def test_a_list_of_words_is_seen(code):
    """The search sees lists and patterns."""
    assert list(hidden_words(ast.parse(code)))
