"""Testimony: whose words an item of a state, or a row as an object, holds, and how."""

from __future__ import annotations

from ai_assistant.contracts import Json

_VERBATIM = frozenset({"utterance", "deed", "announcement", "lore", "message", "gossip"})
"""Kinds of rows that keep words as they were said or written by a person."""
_FACTS = frozenset({"gift", "move"})
"""What the game told of: somebody did it, but these are nobody's words."""


def speaker(item: Json, owner: str = "") -> str:
    """Return whose words an item holds; empty for the character's own, or the game's."""
    if item.get("role") == "assistant":
        return ""
    if item.get("role") == "user":
        return item.get("author") or owner
    return str(item.get("who_id") or item.get("author") or "")


def is_fact(item: Json) -> bool:
    """Did the game tell this, in nobody's words?"""
    kind = item.get("meta", {}).get("type") if "meta" in item else item.get("kind")
    return kind in _FACTS


def is_verbatim(item: Json) -> bool:
    """Are these words as they were said, and nobody's account of them?"""
    return (
        item.get("role") == "user"
        or item.get("event_type") == "external"
        or item.get("kind") in _VERBATIM
    )
