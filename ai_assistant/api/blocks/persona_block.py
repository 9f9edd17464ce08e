"""The persona block: who a character is, the same in all of its bodies; and what makes a body."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ai_assistant.agent.prompt.sections import check_persona
from ai_assistant.api.handlers import record_audit
from ai_assistant.core.contracts import Json
from ai_assistant.core.errors import AssistantError, BlockRefused
from ai_assistant.game.identity import entity_id, is_assistant, name_of
from ai_assistant.memory.blocks import shapes
from ai_assistant.models import BlockVersion
from ai_assistant.runtime.assembly import PERSONA
from ai_assistant.runtime.named_by_settings import load_macros
from ai_assistant.runtime.service import SERVICE
from ai_assistant.storage import Block, Signed, bodies_of, npc_id, read_block, write_block
from ai_assistant.storage.block_rows import change_value
from ai_assistant.storage.bodies import set_npc
from ai_assistant.storage.history.block_history import undo


def read_persona(character: Any) -> Block:
    """Return the persona block of an assistant: its `value`, never empty, and its `version`."""
    block = read_block(PERSONA, npc_id(character))
    return block if block.value else replace(block, value={"name": character.key})


def write_persona(
    character: Any, persona: Json, *, expected_version: int, by: str = "", writer: str = "designer"
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


def change_persona(character: Any, fields: Mapping[str, Any], *, by: str = "") -> Json:
    """Set fields of the persona, None takes one out; returns it. Raises as `write_persona`."""
    npc = npc_id(character)

    def changed(value: Json) -> Json:
        kept = value or {"name": character.key}
        gone = {name for name, field in fields.items() if field is None}
        new = {**kept, **fields}
        return checked_persona({name: new[name] for name in new if name not in gone})

    did = f"set {', '.join(fields)}"
    persona = change_value(PERSONA, npc, changed, signed=Signed("designer", by, did))
    publish_persona(npc, persona)
    return persona


def undo_persona(character: Any, *, by: str, wanted: int = 0) -> BlockVersion:
    """Bring back the persona as it was before its latest change; returns that version.

    `wanted` is the number of another version to bring back. Raises `StoreError` where it is not
    kept any more.
    """
    npc = npc_id(character)
    version = undo(PERSONA, npc, by=by, wanted=wanted)
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


def embody(body: Any, npc: Any) -> None:
    """Let an assistant be one more body of the NPC that another is; see `docs/blocks.md`.

    What it kept by itself of what they share rests until it parts ways. Raises `AssistantError`
    where one of the two is no assistant, they are one NPC already, or `body` has other bodies.
    """
    for character in (body, npc):
        if not is_assistant(character):
            raise AssistantError(f"{character.key} is no assistant.")
    if npc_id(body) == npc_id(npc):
        raise AssistantError(f"{name_of(body)} and {name_of(npc)} are one character already.")
    if len(bodies_of(npc_id(body))) > 1:
        raise AssistantError(f"{name_of(body)} has other bodies: let those part ways first.")
    _become(body, npc_id(npc), "Embodied")


def part_ways(body: Any) -> None:
    """Let a body be a character by itself again; raises `AssistantError` for the first one."""
    npc = npc_id(body)
    if npc == entity_id(body):
        raise AssistantError(f"{name_of(body)} is the first of its bodies, and stays what it is.")
    _become(body, entity_id(body), "PartedWays")


def _become(body: Any, npc: str, event: str) -> None:
    """Change whose body it is; where it runs, it goes on with a fresh mind."""
    key = entity_id(body)
    ran = key in SERVICE.residents
    SERVICE.unregister(key, "embodied")
    set_npc(body, npc)
    record_audit(body, event, {"npc": npc})
    if ran:
        SERVICE.register(body, body.assistant_script)
