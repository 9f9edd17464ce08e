"""What the pages of persona, of one block and of what everybody knows show, as by command."""

from __future__ import annotations

from itertools import zip_longest
from typing import Any

from ai_assistant.api import blocks
from ai_assistant.api.desk.jobs import JOBS
from ai_assistant.api.desk.owner_writings import guidelines_of
from ai_assistant.api.lifecycle import read_persona
from ai_assistant.api.portraits import portrait_file
from ai_assistant.api.whole.whole_exchange import MOST_LIVE
from ai_assistant.commands.blocks.aiblock import block_named
from ai_assistant.commands.blocks.block_edits import PERSONA_FIELDS
from ai_assistant.commands.blocks.meant_blocks import (
    Meant,
    last_versions,
    line_readers,
    version_figures,
    version_rows,
)
from ai_assistant.game.identity import entity_id, name_of
from ai_assistant.memory.blocks import rules
from ai_assistant.memory.blocks.items import CUSTOM_BLOCK
from ai_assistant.memory.blocks.visible import fields_in_lines, visible_form
from ai_assistant.storage import block_rows, read_block
from ai_assistant.web.access import Context, UrlQuery, Visitor


def persona_page(visitor: Visitor, character: Any, query: UrlQuery) -> Context:
    """Return who it is, field by field, those that are empty included; and its files of late."""
    block = read_persona(character)
    fields = {name: block.value.get(name, "") for name in PERSONA_FIELDS} | block.value
    fields.pop("name", None)
    return {
        "fields": [(name, _typed(value), name in PERSONA_FIELDS) for name, value in fields.items()],
        "version": block.version,
        **shown_versions(block_named(character, rules.PERSONA)),
        "guidelines": guidelines_of(character),
        "has_picture": portrait_file(character).is_file(),
        "most_live": MOST_LIVE,
        "files": JOBS.jobs_about(visitor.account, f"{entity_id(character)} whole"),
    }


def _typed(value: Any) -> str:
    return "\n".join(map(str, value)) if isinstance(value, list) else str(value)


def block_page(visitor: Visitor, character: Any, query: UrlQuery) -> Context:
    """Return one block of an assistant, or with None of the world: lines, readers, versions."""
    meant = block_named(character, query.get("block", ""))
    is_ours, block = meant.label in rules.SIX, read_block(meant.row, meant.owner)
    value = block.value
    if character is not None and is_ours:
        is_of_nobody = meant.label == rules.PRIVATE and not meant.person
        value = {} if is_of_nobody else meant.value()
    return {
        "label": meant.label,
        "stored": block,
        "is_own": not is_ours,
        "is_view": meant.is_view,
        "fields": fields_in_lines(value),
        "visible": visible_form({meant.label if is_ours else CUSTOM_BLOCK: value}),
        "readers": line_readers(meant),
        **shown_versions(meant),
        "sharing": [] if is_ours else [*map(name_of, blocks.sharing(meant.label, character))],
    }


def shown_versions(meant: Meant) -> Context:
    """Return the last versions of a block; of a persona with what turns came to by each."""
    kept = last_versions(meant)
    rows = zip_longest(version_rows(kept), version_figures(meant, kept))
    return {"versions": [*rows], "block_of": meant.label}


def world_page(visitor: Visitor, query: UrlQuery) -> Context:
    """Return what everybody knows, and the blocks that everybody has at hand."""
    known, names = blocks.read_world(), block_rows.custom_blocks(block_rows.EVERYBODY)
    return {"known": known, "labels": [rules.GLOBAL, *names], "may_edit": visitor.is_editor}


def world_block_page(visitor: Visitor, query: UrlQuery) -> Context:
    """Return one block that everybody has at hand."""
    return block_page(visitor, None, query) | {"may_edit": visitor.is_editor}
