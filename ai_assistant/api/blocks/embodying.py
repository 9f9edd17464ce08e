"""Embodying: one NPC in several bodies, which share its blocks, goals and profiles."""

from __future__ import annotations

from typing import Any

from ai_assistant.api.handlers import record
from ai_assistant.core.errors import AssistantError
from ai_assistant.game.identity import entity_id, is_assistant, name_of
from ai_assistant.runtime.service import SERVICE
from ai_assistant.storage import bodies_of, npc_id
from ai_assistant.storage.bodies import set_npc


def embody(body: Any, npc: Any) -> None:
    """Let an assistant be one more body of the NPC that another assistant is.

    From now on both have one persona, shared social block, status, task list and one profile of
    each player; each keeps its own place, engagement, talks and memories. What the body kept of
    these before rests, until it parts ways again. Raises `AssistantError` where one of the two is
    no assistant, or they are one already.
    """
    for one in (body, npc):
        if not is_assistant(one):
            raise AssistantError(f"{one.key} is no assistant.")
    if npc_id(body) == npc_id(npc):
        raise AssistantError(f"{name_of(body)} and {name_of(npc)} are one character already.")
    if len(bodies_of(npc_id(body))) > 1:
        raise AssistantError(f"{name_of(body)} has other bodies: let those part ways first.")
    _become(body, npc_id(npc), "Embodied")


def part_ways(body: Any) -> None:
    """Let a body be a character by itself again, with what it had before.

    Raises `AssistantError` where it is the only body, or the first one, whose id the NPC has.
    """
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
    record(body, event, {"npc": npc})
    if ran:
        SERVICE.register(body, body.assistant_script)
