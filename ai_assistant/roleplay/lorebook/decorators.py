"""Decorators: the lines beginning with ``@@`` at the top of an entry of version 3.

What they say counts where we know it. None of them is ever shown, known or not.
"""

from __future__ import annotations

from typing import Any

_NUMBERS = {"depth": "depth", "scan_depth": "scan_depth", "activate_only_after": "delay"}
_WORDS = {"additional_keys": "secondary", "exclude_keys": "excluded"}
_FLAGS = {"activate": ("constant", True), "dont_activate": ("enabled", False)}
_POSITIONS = {"after_desc": "after", "before_desc": "before"}
_MOST_WORDS = 40


def decorated(content: str) -> tuple[dict[str, Any], str]:
    """Return what the decorators of a text change of its entry, and the text without them."""
    rules: dict[str, Any] = {}
    lines = content.splitlines()
    first = 0
    for line in lines:
        if line.strip() and not line.lstrip().startswith("@@"):
            break
        first += 1
        if line.strip():
            rules |= _rule(line.strip().lstrip("@"))
    return rules, "\n".join(lines[first:])


def _rule(line: str) -> dict[str, Any]:
    name, _, value = line.partition(" ")
    value = value.strip()
    if name in _NUMBERS and value.isdecimal() and len(value) < 5:
        found: dict[str, Any] = {_NUMBERS[name]: int(value)}
        return found | ({"position": "depth"} if name == "depth" else {})
    if name in _WORDS:
        words = [one.strip()[:100] for one in value.split(",")[:_MOST_WORDS]]
        return {_WORDS[name]: tuple(one for one in words if one)}
    if name in _FLAGS:
        return dict([_FLAGS[name]])
    if name == "position" and value in _POSITIONS:
        return {"position": _POSITIONS[value]}
    return {}
