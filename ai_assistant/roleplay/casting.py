"""Roles of a scene: who of its members plays which, and what comes with it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ai_assistant.core.contracts import Json, MemoryRow
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.text import did_you_mean
from ai_assistant.memory.importance import FOR_GOOD
from ai_assistant.roleplay.permanent import LORE, ROLE
from ai_assistant.roleplay.props import MOST_THINGS
from ai_assistant.roleplay.scene import Member, SceneState


def cast(scene: SceneState, who: Member, role: str) -> SceneState:
    """Return the scene with a member in a role that nobody plays, who has its things from now on.

    Raises `AssistantError` naming the roles that are free.
    """
    name = next((known for known in scene.roles if known.casefold() == role.strip().casefold()), "")
    free = [known for known in scene.roles if known not in scene.parts.values()]
    if name not in free:
        known = did_you_mean(role, free) or f"Free are: {', '.join(free) or 'none'}."
        raise AssistantError(f"There is no such role to play. {known}")
    things = {**scene.things, **dict.fromkeys(scene.roles[name].get("has", ()), who.id)}
    if len(things) > MOST_THINGS:
        raise AssistantError(f"A story has at most {MOST_THINGS} things.")
    return replace(scene, parts={**scene.parts, who.id: name}, things=things)


def role_rows(scene: SceneState, who: str, *, day: int, at: float) -> Iterator[MemoryRow]:
    """Yield what somebody has from its role: what it is, and what it alone knows, each a row."""
    name = scene.parts.get(who, "")
    role = scene.roles.get(name, {})
    told = ": ".join(filter(None, [f"You play the role {name}", role.get("about", "")]))
    made: list[tuple[str, str, Json]] = [(ROLE, told, {})]
    known = enumerate(role.get("knows", ()), 1)
    made += [(LORE, words, {"loreKey": f"{name} {n}"}) for n, words in known]
    for kind, words, more in made if name else ():
        yield MemoryRow(
            content=words,
            kind=kind,
            game_day=day,
            learned_at=at,
            importance=FOR_GOOD,
            meta={"type": kind, "permanent": True, **more},
        )
