"""The persona block: who a character is, the same in all of its bodies (seed MB §1)."""

from __future__ import annotations

from typing import Any

from ai_assistant.agent.prompt.sections import check_persona
from ai_assistant.assembly import PERSONA, load_macros
from ai_assistant.contracts import Json
from ai_assistant.service import SERVICE
from ai_assistant.storage import Signed, npc_id, read_block, write_block
from ai_assistant.storage.blocks import Version, undo


def read_persona(character: Any) -> Json:
    """Return the persona block of an assistant."""
    return read_block(PERSONA, npc_id(character)).value or {"name": character.key}


def write_persona(character: Any, persona: Json, *, by: str = "", writer: str = "designer") -> None:
    """Replace the persona block; running minds have it from their next turn on.

    `writer` is designer or game (a promotion, a betrayal), `by` says who, for the history. Raises
    `ConfigurationError` for a macro in it that changes from turn to turn, `BlockRefused` for any
    other writer, and `StoreError` where it is over its limit.
    """
    check_persona(persona, load_macros())
    npc = npc_id(character)
    version = read_block(PERSONA, npc).version
    write_block(PERSONA, npc, persona, version, signed=Signed(writer, by, "write"))
    _publish(npc, persona)


def undo_persona(character: Any, *, by: str) -> Version:
    """Bring back the persona as it was before its latest change. Raises `StoreError`."""
    npc = npc_id(character)
    version = undo(PERSONA, npc, by=by)
    _publish(npc, version.value)
    return version


def _publish(npc: str, persona: Json) -> None:
    for resident in SERVICE.residents.values():
        if resident.mind.store.npc == npc:
            resident.mind.persona = persona
