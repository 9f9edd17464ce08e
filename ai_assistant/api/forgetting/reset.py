"""Reset: an assistant begins anew, with the persona and the settings that it has."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from django.db import transaction

from ai_assistant.agent.state_parts import PARTS
from ai_assistant.api import lifecycle
from ai_assistant.api.handlers import record_audit, store_of
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.text import counted
from ai_assistant.game.identity import entity_id, name_of
from ai_assistant.memory.blocks import rules
from ai_assistant.runtime.service import SERVICE
from ai_assistant.storage import bodies_of, npc_id
from ai_assistant.storage.containers import Container
from ai_assistant.storage.statements import refusals

_TALK = ("working", "stream", "session")
_MEMORY = (*_TALK, "profile", "journal", "notebook", "reflection", "sleep", "patience", "verdicts")
SCOPES: Mapping[str, tuple[str, ...]] = {
    "talk": _TALK,
    "memory": (*_MEMORY, rules.SOCIAL),
    "all": (*_MEMORY, rules.SOCIAL, rules.STATUS, "goals", "projects", "guidelines"),
}
"""What is emptied: what it is talking of, what it remembers as well, or also what it is about.

Persona, settings, director's notes, lorebook, blocks of the game's own, scenes, counters and
figures stay.
"""


def what_goes(character: Any, scope: str) -> str:
    """Say what a reset of this scope would take from an assistant."""
    store = store_of(character)
    told = [counted(len(store.keys("working")), "talk")]
    if scope != "talk":
        told.append(counted(Container("", store.id).count(), "memory", "memories"))
        told.append(f"what it knows of {counted(len(store.keys('profile')), 'person', 'people')}")
        written = len(store.read("journal")["entries"]) + len(store.read("notebook")["lines"])
        told.append(f"{counted(written, 'line')} of journal and notebook")
    if scope == "all":
        told.append(counted(len(store.read("goals")["goals"]), "goal"))
        told.append(counted(len(store.read("projects")["slots"]), "project"))
        told.append(counted(len(store.read("guidelines")["accepted"]), "guideline"))
    return ", ".join(told)


def reset(character: Any, scope: str, *, by: str) -> None:
    """Let an assistant begin anew: `scope` is talk, memory or all; it goes on where it was awake.

    What it is thinking about is dropped. `by` says who decided so, for the audit log. Raises
    `AssistantError` for another scope, and where several bodies share the mind, and `StoreError`.
    """
    if scope not in SCOPES:
        raise AssistantError(f"A reset takes {', '.join(SCOPES)}, not '{scope}'.")
    others = [body for body in bodies_of(npc_id(character)) if body != character]
    if others:
        shared = ", ".join(map(name_of, others))
        raise AssistantError(f"{shared} shares this mind: let it part ways first (aiblock/part).")
    SERVICE.watch.catch_up_at_once()  # or it would be written into the new life
    is_awake = entity_id(character) in SERVICE.residents
    SERVICE.unregister(entity_id(character), "reset")
    try:
        store = store_of(character)
        parts = [name for name in PARTS if name in SCOPES[scope]]
        with transaction.atomic():
            store.empty(parts, rows=scope != "talk", by=by)
            record_audit(character, "AssistantReset", {"scope": scope, "by": by})
    finally:
        if is_awake:  # as soon as the database takes it: what is reset is told as reset
            SERVICE.watch.finish(partial(_start, character, by))


def _start(character: Any, by: str) -> None:
    with refusals():
        lifecycle.start(character, by=by)
