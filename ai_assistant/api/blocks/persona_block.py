"""The persona block: who a character is, the same in all of its bodies."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ai_assistant.agent.prompt.sections import check_persona
from ai_assistant.core.contracts import Json
from ai_assistant.core.errors import BlockRefused
from ai_assistant.memory.blocks import shapes
from ai_assistant.runtime.assembly import PERSONA, load_macros
from ai_assistant.runtime.service import SERVICE
from ai_assistant.storage import Block, Signed, npc_id, read_block, write_block
from ai_assistant.storage.block_rows import Version, change_value, undo


def read_persona(character: Any) -> Block:
    """Return the persona block of an assistant: its `value`, never empty, and its `version`."""
    block = read_block(PERSONA, npc_id(character))
    return block if block.value else replace(block, value={"name": character.key})


def write_persona(
    character: Any,
    persona: Json,
    *,
    expected_version: int,
    by: str = "",
    writer: str = "designer",
) -> int:
    """Replace the persona that was read at `expected_version`; returns the version that it has now.

    Running minds have it from their next turn on. `writer` is designer or game (a promotion, a
    betrayal), `by` says who, for the history. Raises `ConfigurationError` for a macro in it that
    changes from turn to turn, `BlockRefused` for what is no persona, is over the limit, or any
    other writer, and `StoreError` where somebody else wrote it since: nothing is written then.
    """
    kept, npc = checked_persona(persona), npc_id(character)
    version = write_block(PERSONA, npc, kept, expected_version, signed=Signed(writer, by, "write"))
    publish_persona(npc, kept)
    return version


def change_persona(
    character: Any, fields: Mapping[str, Any], *, by: str = "", writer: str = "designer"
) -> Json:
    """Set some fields of the persona, whatever others are set meanwhile; returns all of it.

    None takes a field out. Raises what `write_persona` raises.
    """
    gone = {name for name, one in fields.items() if one is None}
    npc, new = npc_id(character), {name: one for name, one in fields.items() if one is not None}

    def changed(value: Json) -> Json:
        kept = (value or {"name": character.key}) | new
        return checked_persona({name: one for name, one in kept.items() if name not in gone})

    did = f"set {', '.join(fields)}"
    persona = change_value(PERSONA, npc, changed, signed=Signed(writer, by, did))
    publish_persona(npc, persona)
    return persona


def undo_persona(character: Any, *, by: str) -> Version:
    """Bring back the persona as it was before its latest change. Raises `StoreError`."""
    npc = npc_id(character)
    version = undo(PERSONA, npc, by=by)
    publish_persona(npc, version.value)
    return version


def checked_persona(persona: Any) -> Json:
    """Return a persona as it may be written. Raises as `write_persona` does."""
    kept = shapes.checked(PERSONA, persona, at=time.time())
    if not kept:
        raise BlockRefused("A persona has at least a name.")
    check_persona(kept, load_macros())
    return kept


def publish_persona(npc: str, persona: Json) -> None:
    """Let the running minds of a character have a persona that was written."""
    for resident in SERVICE.residents.values():
        if resident.mind.store.npc == npc:
            resident.mind.persona = persona
