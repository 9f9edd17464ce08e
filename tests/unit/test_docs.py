"""The documents keep up with the code: no setting and no option is missing from them."""

import ast
from pathlib import Path

from ai_assistant.agent.config import OPTIONS

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "docs/settings.md").read_text()


def settings():
    """{name: default as source} of every setting."""
    tree = ast.parse((ROOT / "ai_assistant/conf.py").read_text())
    body = next(node for node in tree.body if isinstance(node, ast.ClassDef)).body
    found = [node for node in body if isinstance(node, ast.AnnAssign)]
    return {node.target.id: ast.unparse(node.value) for node in found}


def test_every_setting_is_documented_with_its_default():
    """A row of the table for each setting, with what holds where nothing is set."""
    rows = [f"| `AI_ASSISTANT_{name}` | `{default}` |" for name, default in settings().items()]
    assert [row for row in rows if row not in TEXT] == []


def test_every_option_is_documented_with_its_default():
    """A row of the table for each configuration key of an assistant."""
    rows = [f"| `{key}` | `{option.default!r}` |" for key, option in OPTIONS.items()]
    assert [row for row in rows if row not in TEXT] == []
