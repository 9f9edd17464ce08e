"""What the API does about memory blocks: the six, their versions, and those of the game's own."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from ai_assistant.api import blocks as memory_blocks
from ai_assistant.commands.blocks import block_edits
from ai_assistant.commands.blocks.aiblock import block_named
from ai_assistant.commands.blocks.meant_blocks import (
    Meant,
    last_versions,
    line_readers,
    undo_last_change,
    version_rows,
)
from ai_assistant.core.contracts import Json
from ai_assistant.game.identity import name_of
from ai_assistant.memory.blocks.visible import visible_form
from ai_assistant.storage import read_block
from ai_assistant.storage.block_rows import LEAST_LIMIT, MOST_LIMIT, set_limit
from ai_assistant.web.rest.api_endpoint import (
    ApiCall,
    or_not_found,
    string,
    takes,
    whole,
)

NAME = 40
"""Characters of the name of a block, or of a field."""
TEXT = 4000
"""Characters of a text that is written."""


def blocks(call: ApiCall) -> Json:
    """Return the memory blocks of an assistant by kind."""
    return memory_blocks.get_agent_blocks(call.character)


def show_block(call: ApiCall) -> Json:
    """Return one block: what it holds, as its model sees it, who may read which lines, its limit.

    That of one person is `private@<person>`.
    """
    with or_not_found():
        meant = block_named(call.character, call.named["block"])
    block, value = read_block(meant.row, meant.owner), meant.value()
    return {
        "block": meant.label,
        "value": value,
        "visible": visible_form({meant.kind: value}),
        "readers": [{"readers": who, "lines": count} for who, count in line_readers(meant)],
        "limit": None if meant.is_view else block.limit,
        "version": block.version,
    }


@takes(
    field=string(
        NAME,
        help_text="Of persona such as role or personality; of status such as emotion; of "
        "shared_social fact or talk; of global_knowledge, which all characters have in common, "
        "event, lore (the whole of it) or place; of the game's own blocks line.",
    ),
    text=string(
        TEXT,
        help_text="The new text, or one more fact, talk, event or line. Of these 'old words -> "
        "new words' puts others for some, and 'old words ->' takes out the line that has them.",
    ),
)
def change_block(call: ApiCall) -> Json:
    """Write a field of a block anew, or add a line to it; in lists words may replace others."""
    meant, given = _meant(call), call.given
    told = block_edits.edit(meant.npc, meant.label, given["field"], given["text"], by=call.by)
    return {"block": meant.label, "told": told}


@takes(limit=whole(LEAST_LIMIT, MOST_LIMIT, label="Characters"))
def limit_block(call: ApiCall) -> Json:
    """Set how many characters a block may hold."""
    meant = _meant(call)
    set_limit(meant.row, meant.owner, call.given["limit"])
    return show_block(call)


def list_versions(call: ApiCall) -> list[Json]:
    """Return the last versions of a block: when, by whom, and what was done."""
    names = ("version", "at", "writer", "by", "did", "characters")
    rows = version_rows(last_versions(_meant(call)))
    return [dict(zip(names, row, strict=True)) for row in rows]


@takes(version=whole(1, required=False))
def undo_block(call: ApiCall) -> Json:
    """Bring back what a block held before its last change, or at a version."""
    wanted = call.given.get("version", 0)
    return {"version": undo_last_change(_meant(call), by=call.by, wanted=wanted)}


def _meant(call: ApiCall) -> Meant:
    with or_not_found():
        found = block_named(call.character, call.named["block"])
    found.must_be_stored()
    return found


# -- blocks of the game's own


@takes(
    block=string(NAME, label="Name", help_text="One word."),
    shared=serializers.BooleanField(default=False, help_text="Others may join and share it."),
)
def make_block(call: ApiCall) -> Json:
    """Make a block of the game's own, which an assistant has alone or lets others share."""
    label, npc = call.given["block"], call.character
    kind = "shared" if call.given["shared"] else "private" if npc else "global"
    memory_blocks.create_block_by_type(kind, label, npc=npc)
    return _sharing(label, npc)


def share_block(call: ApiCall) -> Json:
    """Let an assistant share a block that others share."""
    memory_blocks.join_block(call.named["block"], call.character)
    return _sharing(call.named["block"], call.character)


def stop_sharing(call: ApiCall) -> Json:
    """Let an assistant share a block no more."""
    memory_blocks.leave_block(call.named["block"], call.character)
    return {"block": call.named["block"]}


def drop_block(call: ApiCall) -> Json:
    """Delete a block of the game's own, for all who have it."""
    memory_blocks.delete_own_block(call.named["block"], call.character, by=call.by)
    return {"deleted": call.named["block"]}


def _sharing(label: str, character: Any) -> Json:
    return {"block": label, "shared_by": [*map(name_of, memory_blocks.sharing(label, character))]}
