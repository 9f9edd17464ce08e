"""Fields of a provider that it wants to see again: its reasoning, and signatures of that."""

from __future__ import annotations

import json
from collections.abc import Collection

from ai_assistant.contracts import Json

OF_MESSAGES = frozenset(
    {"reasoning", "reasoning_content", "reasoning_details", "thinking_blocks", "extra_content"}
)
OF_CALLS = frozenset({"extra_content", "thought_signature", "provider_specific_fields"})
LARGEST = 48_000
"""Bytes of one field; a larger one is dropped, since a part of a signature is worth nothing."""


def carried(given: Json, known: Collection[str]) -> Json:
    """Return the fields of an answer that travel back with it, none of them too large."""
    kept = {name: given[name] for name in sorted(known) if given.get(name)}
    return {name: value for name, value in kept.items() if len(json.dumps(value)) <= LARGEST}
