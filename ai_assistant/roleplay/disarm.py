"""Texts of cards and lorebooks made inert: of all that programs act on, only two macros stay.

``{{char}}`` and ``{{user}}`` are ours, and the same in every turn. Everything else in braces, all
markup and what only other programs understand becomes plain characters, or goes.
"""

from __future__ import annotations

import re

from ai_assistant.agent.prompt.texts import clean_between

_NOTE = re.compile(r"\{\{\s*(?://|comment:|hidden_key:)[^{}]*\}\}", re.IGNORECASE)
"""What an author wrote for other authors, or for a search that is not ours."""
_MACRO = re.compile(r"\{\{[ \t]{0,9}(char|user)[ \t]{0,9}\}\}", re.IGNORECASE)
_OLD_MACRO = re.compile(r"<(bot|char|user)>", re.IGNORECASE)
_KEPT = re.compile(r"(\{\{(?:char|user)\}\})")


def disarm(text: str) -> str:
    """Return a text of a card as it may stand in a prompt: inert, with our two macros."""
    text = _NOTE.sub("", text)
    text = _OLD_MACRO.sub(
        lambda found: _macro("user" if found[1].lower() == "user" else "char"), text
    )
    text = _MACRO.sub(lambda found: _macro(found[1].lower()), text)
    return clean_between(text, _KEPT)


def _macro(name: str) -> str:
    return "{{" + name + "}}"
