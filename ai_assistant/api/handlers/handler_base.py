"""What all handlers rest on: the store of an assistant, and one way to write to it."""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence
from typing import Any, Self

from evennia.comms.models import ChannelDB

from ai_assistant.agent.state_parts import PARTS
from ai_assistant.api.portraits import drop_portrait
from ai_assistant.core.contracts import AuditRecord, Change, Commit, Json, MemoryRow
from ai_assistant.core.errors import AssistantError
from ai_assistant.game.identity import entity_id
from ai_assistant.runtime.assembly import config_of
from ai_assistant.runtime.named_by_settings import load_policy, overrides_of, stores_for
from ai_assistant.runtime.service import SERVICE
from ai_assistant.storage import AttributeStore, Container, bodies_of, npc_id
from ai_assistant.storage.bodies import hand_over, holder_of, script_or_character


def store_of(character: Any, script: Any = None) -> AttributeStore:
    """Return the store of an assistant (an Evennia object), with or without a script.

    Its `script` is looked up, unless it is given.
    """
    own_id = entity_id(character)
    resident = SERVICE.residents.get(own_id)
    if resident is not None:
        return resident.mind.store
    script = script or script_or_character(character)
    store = AttributeStore(character, script, own_id, PARTS, npc_id(character))
    if script is not character:
        config = config_of(script)
        role = load_policy().effective(config["memory_role"], overrides_of(config))
        store.elsewhere.stores = stores_for(own_id, role)
    return store


def save(character: Any, commit: Commit) -> list[MemoryRow]:
    """Write a commit for an assistant, which recalls it at once; returns its rows.

    Raises `StoreError`, and nothing is written then.
    """
    resident = SERVICE.residents.get(entity_id(character))
    if resident is None:
        return store_of(character).commit(commit)
    return resident.mind.save(commit)


def record_audit(character: Any, type: str, data: Json) -> None:
    """Write an entry of the audit log about an assistant. Raises `StoreError`."""
    at = time.time()
    save(character, Commit(at=at, audit=[AuditRecord(type, data, at=at)]))


def forget_everything(
    character: Any, *, reason: str, by: str, stays_in: Collection[int] = ()
) -> None:
    """Delete all that an assistant remembers, before the character is deleted or released.

    The `reason`, and `by` whom, go on record with what there was in the end. It leaves all channels
    but those with these ids. What it shares with other bodies passes on to the oldest of them.
    Raises `StoreError`.
    """
    SERVICE.watch.catch_up_at_once()  # or it would be written afterwards
    told = {"name": character.key, "reason": reason, "by": by}
    record_audit(character, "AssistantArchived", told | {"final_stats": final_stats(character)})
    npc = npc_id(character)
    heirs = [body for body in bodies_of(npc) if body != character]
    if heirs and holder_of(npc) == character:
        hand_over(character, heirs[0], PARTS)
    store_of(character).delete_everything(alone=not heirs)
    if not heirs:
        drop_portrait(npc)
    leave_channels(character, but=stays_in)  # or they would go on talking to a ghost


def final_stats(character: Any) -> Json:
    """Return what there is of an assistant: its counters, and how much it remembers."""
    store = store_of(character)
    return {
        "memories": Container("", store.id).count(),
        "people": len(store.keys("profile")),
        "goals": len(store.read("goals")["goals"]),
        **store.read("counters"),
        **store.read("metrics"),
    }


def leave_channels(character: Any, *, but: Collection[int]) -> None:
    """Let a character leave all channels but those with these ids."""
    for channel in ChannelDB.objects.get_subscriptions(character):
        if channel.pk not in but:
            channel.disconnect(character)


def change(
    character: Any,
    changes: Sequence[Change],
    *audit: tuple[str, Json],
    rows: Sequence[MemoryRow] = (),
    by: str = "",
) -> None:
    """Write changes of game code, and rows; raises `StoreError`, and nothing is written then.

    `audit` are the records of it, each a type and its data; without any, one says which steps
    changed the part of the first change. Each names who of staff did it (`by`), if anybody.
    """
    at = time.time()
    if not audit:
        about = changes[0]
        steps = [step.op for step in changes if step.part == about.part]
        audit = (("GameChange", {"part": about.part, "key": about.key, "steps": steps}),)
    who = {"by": by} if by else {}
    records = [AuditRecord(type, data | who, at=at) for type, data in audit]
    save(character, Commit(at=at, changes=[*changes], rows=[*rows], audit=records))


class Handler:
    """What all handlers have in common: the character's store."""

    def __init__(self, character: Any, by: str = "") -> None:
        self._character, self._by = character, by

    def by(self, name: str) -> Self:
        """Return the same for somebody of staff: what it writes is on record as done by them."""
        return type(self)(self._character, name)

    @property
    def store(self) -> AttributeStore:
        """The store of this character."""
        return store_of(self._character)

    def _write(self, part: str, key: str, *steps: tuple[str, Json]) -> None:
        self._change([Change(part, key, op, args) for op, args in steps])

    def _change(self, changes: Sequence[Change], *audit: tuple[str, Json]) -> None:
        change(self._character, changes, *audit, by=self._by)


def one_of(value: str, allowed: Collection[str], name: str) -> str:
    """Return a value that is among those allowed; raises `AssistantError` naming them."""
    if value not in allowed:
        raise AssistantError(f"'{name}' must be one of: {', '.join(allowed)}.")
    return value


def between(value: float, low: float, high: float, name: str) -> float:
    """Return a number that is within its bounds; raises `AssistantError` naming them."""
    if not low <= value <= high:  # as is no comparison with what is not a number
        raise AssistantError(f"'{name}' must be a number from {low:g} to {high:g}.")
    return value


def id_of(entity: Any) -> str:
    """Return the lasting id of a game object; what is an id already stays one."""
    return entity if isinstance(entity, str) else entity_id(entity)
