"""Blocks of the game's own, beside the six: lines that all, or some, characters have at hand."""

from __future__ import annotations

from ai_assistant.memory import labelled
from ai_assistant.memory.blocks import items, rules
from ai_assistant.memory.parts import Part

LINES = "lines"
NAME = "custom_block"
BLOCK_LINES = items.LineList(
    part=NAME,
    name=LINES,
    kind="block_line",
    add_step="add_line",
    edit_step="edit_line",
    insert_step="insert_line",
)

CUSTOM = Part(
    name=NAME,
    attribute=NAME,
    shape={LINES: [], "needs_compaction": False, "limit": rules.DEFAULT_LIMIT, "type": "private"},
    steps=rules.guarded(
        NAME,
        {
            BLOCK_LINES.add_step: BLOCK_LINES.add,
            BLOCK_LINES.insert_step: BLOCK_LINES.insert,
            BLOCK_LINES.edit_step: BLOCK_LINES.edit,
            "settle": BLOCK_LINES.settle,
            "request_compaction": labelled.request_compaction,
        },
    ),
    keyed=True,
    where="block",
)
