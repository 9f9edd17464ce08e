"""The data files of a language, each read once."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources

from ai_assistant.contracts import Json
from ai_assistant.language import current


def spoken(language: str) -> str:
    """Return the code of a language; of the one that the game speaks where none is given."""
    return language or current().code


@cache
def table(name: str) -> Json:
    """Return ``data/<name>.toml``; empty where a language has no such file."""
    file = resources.files("ai_assistant.language") / f"data/{name}.toml"
    return tomllib.loads(file.read_text("utf-8")) if file.is_file() else {}
