"""Texts of owners, cards and lorebooks: made inert, but for our macros and placeholders."""

from __future__ import annotations

import re

from ai_assistant.core.errors import ConfigurationError
from ai_assistant.core.text import clean

MARK = re.compile(r"\{\{\s*(?P<macro>\w+)\s*\}\}|\{(?P<placeholder>\w+)\}")
"""A macro, ``{{char}}``, or a placeholder of a template, ``{tick_rate}``."""
_WHOLE_MARK = re.compile(r"(\{\{\s*\w+\s*\}\}|\{\w+\})")
_LINE_BREAK = "|/"
_MEMORIES = re.compile(r"#{3}SUPERM?EM?ORY#{3}|\{\{\s*retrieved_memories\s*\}\}")
"""How else the place of recalled memories may be marked, in texts made for other programs."""


def clean_owned(text: str, limit: int) -> str:
    """Return a text of the owner as it may be stored; Evennia's ``|/`` begins a new line.

    Raises `ConfigurationError` where nothing is left of it, or more than `limit` characters.
    """
    marked = _MEMORIES.sub("{{memories}}", text.replace(_LINE_BREAK, "\n"))
    cleaned = clean_between(marked, _WHOLE_MARK)
    if not cleaned:
        raise ConfigurationError("There are no words in it.")
    if len(cleaned) > limit:
        raise ConfigurationError(f"That is {len(cleaned)} characters; {limit} are allowed.")
    return cleaned


def clean_between(text: str, marks: re.Pattern[str]) -> str:
    """Return a text as inert data except for its marks (the one group of `marks`)."""
    lines = []
    for line in text.splitlines():
        parts = marks.split(line)
        parts[::2] = map(_clean_part, parts[::2])
        lines.append("".join(parts).strip())
    return "\n".join(filter(None, lines))


def _clean_part(part: str) -> str:
    """Clean what stands between two marks, and keep one blank where it touches them."""
    inner = clean(part, len(part))
    before = " " if part[:1].isspace() else ""
    after = " " if inner and part[-1:].isspace() else ""
    return f"{before}{inner}{after}"


_NOTE = re.compile(r"\{\{\s*(?://|comment:|hidden_key:)[^{}]*\}\}", re.IGNORECASE)
"""What an author wrote for other authors, or for a search that is not ours."""
_MACRO = re.compile(r"\{\{[ \t]{0,9}(?:char|user)[ \t]{0,9}\}\}|<(?:bot|char|user)>", re.IGNORECASE)
_KEPT = re.compile(r"(\{\{(?:char|user)\}\})")


def disarm(text: str) -> str:
    """Return a text of a card as it may stand in a prompt: inert, with our two macros."""
    text = _MACRO.sub(_in_our_form, _NOTE.sub("", text))
    return clean_between(text, _KEPT)


def _in_our_form(macro: re.Match[str]) -> str:
    return "{{user}}" if "user" in macro[0].lower() else "{{char}}"
