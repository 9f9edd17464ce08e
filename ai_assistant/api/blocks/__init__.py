"""The memory blocks from the game's side: one small API for game code; see `docs/blocks.md`.

    from ai_assistant import announce, set_status, share_fact

    announce("The northern tower fell")
    set_status(npc, emotion="calm")
    share_fact(npc, "The bridge is repaired")

Who may write which block is decided by `memory.blocks.rules`, whatever the way in.
"""

from ai_assistant.api.blocks.game_blocks import (
    add_line,
    create_block_by_type,
    get_agent_blocks,
    get_npc_block,
    get_or_create_global_block,
    get_or_create_shared_block,
    initialize_npc_blocks,
    lines_of,
    npc_exists,
)
from ai_assistant.api.blocks.importer import ImportReport, import_old_layout, keep_old_layout
from ai_assistant.api.blocks.npc_blocks import (
    add_task,
    blocks_of,
    get_next_task,
    get_status,
    private_of,
    set_status,
    share_fact,
    update_status,
    visible,
    write_status,
)
from ai_assistant.api.blocks.persona_block import (
    change_persona,
    embody,
    part_ways,
    read_persona,
    undo_persona,
    write_persona,
)
from ai_assistant.api.blocks.world_knowledge import (
    announce,
    note_place,
    remove_location,
    set_location,
    set_lore,
)

__all__ = [
    "ImportReport",
    "add_line",
    "add_task",
    "announce",
    "blocks_of",
    "change_persona",
    "create_block_by_type",
    "embody",
    "get_agent_blocks",
    "get_next_task",
    "get_npc_block",
    "get_or_create_global_block",
    "get_or_create_shared_block",
    "get_status",
    "import_old_layout",
    "initialize_npc_blocks",
    "keep_old_layout",
    "lines_of",
    "note_place",
    "npc_exists",
    "part_ways",
    "private_of",
    "read_persona",
    "remove_location",
    "set_location",
    "set_lore",
    "set_status",
    "share_fact",
    "undo_persona",
    "update_status",
    "visible",
    "write_persona",
    "write_status",
]
