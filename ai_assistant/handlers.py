"""Handlers on the character: `character.profiles`, `.working_memory`, `.journal`, `.stream`.

They are the way in for game code and staff commands. Reading hands out plain copies; every change
is written at once, with an entry in the audit log, and survives a turn that is under way.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from evennia.comms.models import ChannelDB

from ai_assistant.contracts import AuditRecord, Change, Commit, Json, MemoryRow
from ai_assistant.identity import entity_id, reference
from ai_assistant.memory import PARTS
from ai_assistant.memory.working import key_of
from ai_assistant.readers import OPEN
from ai_assistant.service import SERVICE
from ai_assistant.storage import AttributeStore
from ai_assistant.text import clean

GAME_STEP = 0.1
"""The most that game code may change favorability at once, unless it says otherwise."""


def store_of(character: Any) -> AttributeStore:
    """Return the store of an assistant (an Evennia object), with or without a script."""
    script = character.assistant_script or character
    return AttributeStore(character, script, entity_id(character), PARTS)


def save(character: Any, commit: Commit) -> list[MemoryRow]:
    """Write a commit for an assistant; where it runs, it can recall at once what is new.

    Returns the rows with their ids. Raises `StoreError`.
    """
    resident = SERVICE.residents.get(entity_id(character))
    if resident is None:
        return store_of(character).commit(commit)
    return resident.mind.save(commit)


def record(character: Any, type: str, data: Json) -> None:
    """Write an entry of the audit log about an assistant. Raises `StoreError`."""
    at = time.time()
    save(character, Commit(at=at, audit=[AuditRecord(type, data, at=at)]))


def forget(character: Any) -> None:
    """Delete all that an assistant remembers, before the character itself is deleted.

    The audit log stays, with an entry about it. Raises `StoreError`.
    """
    record(character, "AssistantArchived", {"name": character.key})
    store_of(character).delete_everything()
    for channel in ChannelDB.objects.get_subscriptions(character):
        channel.disconnect(character)  # or the channel would go on talking to a ghost


class Handler:
    """What all handlers have in common: the character's store."""

    def __init__(self, character: Any) -> None:
        self._character = character

    @property
    def store(self) -> AttributeStore:
        """The store of this character."""
        return store_of(self._character)

    def _write(self, part: str, key: str, *steps: tuple[str, Json]) -> None:
        at = time.time()
        changes = [Change(part, key, op, args) for op, args in steps]
        names = [op for op, _ in steps]
        audit = [AuditRecord("GameChange", {"part": part, "key": key, "steps": names}, at=at)]
        save(self._character, Commit(at=at, changes=changes, audit=audit))


class ProfileHandler(Handler):
    """Entity profiles (seed EP §2). `entity` is a game object, or the lasting id of one."""

    def get_entity_profile(self, entity: Any) -> Json:
        """Return the profile of somebody; an empty one where they never met."""
        return self.store.read("profile", _id(entity))

    def all(self) -> dict[str, Json]:
        """Return every profile by entity id."""
        store = self.store
        return {key: store.read("profile", key) for key in store.keys("profile")}

    def create_entity_profile(self, entity: Any) -> None:
        """Make sure that there is a profile of a game object."""
        who = reference(entity)
        args = {"name": who.name, "entity_type": who.kind, "at": time.time()}
        self._write("profile", who.id, ("create_entity_profile", args))

    def add_entity_observation(
        self, entity: Any, content: str, *, source: str = "direct", readers: str = OPEN
    ) -> None:
        """Add a raw observation; `source` is direct, inferred or told."""
        args = {
            "entity_id": _id(entity),
            "content": clean(content),
            "source": source,
            "at": time.time(),
            "readers": readers,
        }
        self._write("profile", _id(entity), ("add_entity_observation", args))

    def update_relationship(
        self, entity: Any, delta: float, reason: str = "", *, limit: float = GAME_STEP
    ) -> Json:
        """Change favorability; returns old_state, new_state, favorability and state_changed."""
        before = self.get_entity_profile(entity)["relationship"]["state"]
        args = {
            "delta": delta,
            "reason": clean(reason),
            "author": "game",
            "at": time.time(),
            "limit": limit,
        }
        self._write("profile", _id(entity), ("update_relationship", args))
        bond = self.get_entity_profile(entity)["relationship"]
        return {
            "old_state": before,
            "new_state": bond["state"],
            "favorability": bond["favorability"],
            "state_changed": before != bond["state"],
        }


class WorkingMemoryHandler(Handler):
    """The conversations under way (seed EP §4), one per entity and label."""

    def start_conversation(self, entity: Any, topic: str = "", *, readers: str = OPEN) -> None:
        """Begin or resume a conversation."""
        args = {
            "entity_id": _id(entity),
            "readers": readers,
            "topic": clean(topic),
            "at": time.time(),
        }
        self._write("working", key_of(_id(entity), readers), ("start_conversation", args))

    def add_pending_action(
        self, entity: Any, action: str, priority: int = 5, *, readers: str = OPEN
    ) -> None:
        """Queue something to do for an entity; a lower number is more urgent."""
        begin = {"entity_id": _id(entity), "readers": readers, "at": time.time()}
        args = {"action": clean(action), "priority": priority, "at": time.time()}
        self._write(
            "working",
            key_of(_id(entity), readers),
            ("start_conversation", begin),
            ("add_pending_action", args),
        )

    def get_conversation_context(self, entity: Any, *, readers: str = OPEN) -> Json:
        """Return the conversation with an entity under a label."""
        return self.store.read("working", key_of(_id(entity), readers))


class JournalHandler(Handler):
    """The journal (inventory §14)."""

    @property
    def entries(self) -> Sequence[Json]:
        """The newest hundred entries, oldest first."""
        found: Sequence[Json] = self.store.read("journal")["entries"]
        return found

    def add_journal_entry(
        self, content: str, *, source_type: str = "observation", readers: str = OPEN
    ) -> None:
        """Write an entry; `source_type` is direct, observation, inference or environmental."""
        args = {
            "content": clean(content),
            "source_type": source_type,
            "at": time.time(),
            "readers": readers,
        }
        self._write("journal", "", ("add_journal_entry", args))


class StreamHandler(Handler):
    """All that was perceived and done lately, in order of time."""

    @property
    def entries(self) -> Sequence[Json]:
        """The newest sixty entries, oldest first."""
        found: Sequence[Json] = self.store.read("stream")["entries"]
        return found


def _id(entity: Any) -> str:
    return entity if isinstance(entity, str) else entity_id(entity)
