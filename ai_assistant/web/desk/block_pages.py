"""What the pages of one block and of what everybody knows show: as `aiblock` and `aiworld` do."""

from __future__ import annotations

from typing import Any

from ai_assistant.api import blocks
from ai_assistant.commands.blocks.aiblock import block_named
from ai_assistant.commands.blocks.meant_blocks import line_readers, version_rows
from ai_assistant.game.identity import name_of
from ai_assistant.memory.blocks import rules
from ai_assistant.memory.blocks.items import CUSTOM_BLOCK
from ai_assistant.memory.blocks.visible import visible_form, words_of
from ai_assistant.storage import block_rows, read_block
from ai_assistant.web.access import Context, Visitor
from ai_assistant.web.looks import Query


def block_page(character: Any, query: Query) -> Context:
    """Return one block of an assistant, or with None of the world: lines, readers, versions."""
    meant = block_named(character, query.get("block", ""))
    is_ours, block = meant.label in rules.SIX, read_block(meant.row, meant.owner)
    value = block.value
    if character is not None and is_ours:
        value = blocks.blocks_of(character)[meant.label]
    return {
        "label": meant.label,
        "stored": block,
        "is_own": not is_ours,
        "is_view": meant.is_view,
        "fields": [(name, lines) for name, field in value.items() if (lines := _words(field))],
        "visible": visible_form({meant.label if is_ours else CUSTOM_BLOCK: value}),
        "readers": line_readers(meant),
        "versions": version_rows(meant),
        "sharing": [] if is_ours else [*map(name_of, blocks.sharing(meant.label, character))],
    }


def _words(field: Any) -> list[str]:
    items = field if isinstance(field, list) else [] if field in ("", {}, None) else [field]
    return [words for item in items if (words := words_of(item))]


def world_page(visitor: Visitor, query: Query) -> Context:
    """Return what everybody knows, and the blocks that everybody has at hand."""
    known, names = blocks.read_world(), block_rows.custom_blocks(block_rows.EVERYBODY)
    return {"known": known, "labels": [rules.GLOBAL, *names], "may_edit": visitor.is_editor}


def world_block_page(visitor: Visitor, query: Query) -> Context:
    """Return one block that everybody has at hand."""
    return block_page(None, query) | {"may_edit": visitor.is_editor}
