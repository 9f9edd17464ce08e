"""The prompts: one Markdown file each, loaded once; a missing placeholder is an error at load."""

from __future__ import annotations

from functools import lru_cache
from importlib import resources
from string import Formatter

from ai_assistant.core.errors import ConfigurationError

PLACEHOLDERS = {
    "instructions": {"name", "speech", "memory_rules"},
    "heard_open": {"name"},
    "heard_own": {"name"},
    "errand": {"name"},
    "errand_delegate": {"name"},
    "errand_none": {"name"},
    "plan": {"steps"},
    "replan": {"steps"},
}
"""What a prompt must hold, no more and no less; one that is not named here holds none."""


@lru_cache(maxsize=64)
def load_prompt(name: str) -> str:
    """Return a prompt's text, ready where it has no placeholders.

    A brace of its own is doubled in the file. Raises `ConfigurationError` when its placeholders are
    not right.
    """
    text = (resources.files(__package__) / f"{name}.md").read_text("utf-8").strip()
    found = {field for _, field, _, _ in Formatter().parse(text) if field is not None}
    if found != PLACEHOLDERS.get(name, set()):
        wanted = ", ".join(sorted(PLACEHOLDERS.get(name, ()))) or "none"
        raise ConfigurationError(f"prompts/{name}.md must hold these placeholders: {wanted}.")
    return text if found else text.format()
