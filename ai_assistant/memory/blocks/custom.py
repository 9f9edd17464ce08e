"""Blocks of the game's own, beside the six: lines that all, or some, characters have at hand."""

from __future__ import annotations

from ai_assistant.memory import labelled
from ai_assistant.memory.blocks import items, rules
from ai_assistant.memory.parts import Part

LINES = "lines"
NAME = "custom_block"
_LINES = items.LineList(LINES, "block_line")

CUSTOM = Part(
    name=NAME,
    attribute=NAME,
    shape={LINES: [], "needs_compaction": False, "limit": rules.DEFAULT_LIMIT, "type": "private"},
    steps=rules.guarded(
        NAME,
        {
            "add_line": _LINES.add,
            "insert_line": _LINES.insert,
            "edit_line": _LINES.edit,
            "settle": _LINES.settle,
            "request_compaction": labelled.request_compaction,
        },
    ),
    keyed=True,
    where="block",
)
