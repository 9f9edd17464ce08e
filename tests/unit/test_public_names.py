"""What a game imports from the package itself."""

import ast
import importlib
from pathlib import Path

import pytest

import ai_assistant

ROOT = Path(ai_assistant.__file__).parent


@pytest.mark.parametrize("name", ai_assistant.__all__)
def test_every_public_name_is_defined_where_it_is_looked_for(name):
    """Read from the source, since most of these modules need a running Evennia."""
    home = ROOT / ai_assistant._HOMES[name].replace(".", "/")
    source = home.with_suffix(".py") if home.with_suffix(".py").exists() else home / "__init__.py"
    tree = ast.parse(source.read_text(encoding="utf-8"))
    defined = {getattr(node, "name", "") for node in tree.body}
    for node in tree.body:
        if isinstance(node, ast.ImportFrom):
            defined.update(alias.asname or alias.name for alias in node.names)
    assert name in defined


def test_a_core_name_is_loaded_without_evennia():
    """What needs no game is there at once."""
    errors = importlib.import_module("ai_assistant.core.errors")
    assert ai_assistant.AssistantError is errors.AssistantError


def test_an_unknown_name_is_an_ordinary_error():
    """As of any module."""
    with pytest.raises(AttributeError, match="no attribute 'ask_nicely'"):
        _ = ai_assistant.ask_nicely
