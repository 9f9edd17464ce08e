"""Handlers about people: `character.profiles` and `character.working_memory`."""

from __future__ import annotations

import math
import time
from dataclasses import replace
from typing import Any, Literal
from uuid import uuid4

from ai_assistant.api.handlers.handler_base import Handler, between, change, id_of, one_of
from ai_assistant.core.contracts import Change, Entity, Event, Json, Speech
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.readers import OPEN
from ai_assistant.core.text import clean
from ai_assistant.core.times import HOUR
from ai_assistant.game.identity import find, name_of, reference
from ai_assistant.memory.importance import INTERACTION
from ai_assistant.memory.people.feelings import drift
from ai_assistant.memory.people.profiles import SECRET, SOURCES, secrets
from ai_assistant.memory.talk.folding import is_stale
from ai_assistant.memory.talk.stream import entry_of, own_entry
from ai_assistant.memory.talk.working import MAX_PENDING, MAX_PRIORITY, has_room_for, key_of
from ai_assistant.roleplay.distribution import heard_row
from ai_assistant.roleplay.scene import GAME
from ai_assistant.scenes.live_scenes import SCENES

GAME_STEP = 0.1
"""The most that game code may change favorability at once, unless it says otherwise."""
ROLES = ("user", "assistant")
"""Of a line that game code adds: that of one which was said aloud."""


class ProfileHandler(Handler):
    """Entity profiles. `entity` is a game object, or the lasting id of one.

    What writes raises `AssistantError` for the id of somebody whom the character never met.
    """

    def get_entity_profile(self, entity: Any) -> Json:
        """Return the profile of somebody; an empty one where they never met."""
        return drift(self.store.read("profile", id_of(entity)), time.time())

    def all(self) -> dict[str, Json]:
        """Return every profile by entity id."""
        found, now = self.store.read_all("profile"), time.time()
        return {key: drift(profile, now) for key, profile in found.items()}

    def secrets(self, entity: Any) -> list[Json]:
        """Return what only this one may read of their own profile."""
        return secrets(self.get_entity_profile(entity), id_of(entity))

    def add_attribute(
        self, entity: Any, type: str, value: str, *, source: str = "game", readers: str = OPEN
    ) -> None:
        """Add a lasting trait, such as a preference; one that stands there already is kept."""
        trait = {"type": clean(type, 40), "value": clean(value), "source": source}
        self._note(entity, "add_attribute", entity_id=id_of(entity), readers=readers, **trait)

    def create_entity_profile(self, entity: Any) -> None:
        """Make sure that there is a profile of a game object."""
        self._note(entity)

    def record_interaction(self, entity: Any, details: str = "") -> None:
        """Count one more exchange with somebody; `details` are for the two of them only."""
        self._note(entity, "count_exchange")
        if details:
            self.add_secret(entity, details)

    def add_secret(self, entity: Any, content: str) -> None:
        """Keep what is for this one and the character only; no night makes anything of it."""
        self.add_entity_observation(entity, content, readers=id_of(entity), kind=SECRET)

    def add_entity_observation(
        self,
        entity: Any,
        content: str,
        *,
        source: str = "direct",
        readers: str = OPEN,
        kind: Literal["", "secret"] = "",
    ) -> None:
        """Add a raw observation; `source` is direct, inferred or told."""
        one_of(source, SOURCES, "source")
        told = {"content": clean(content), "source": source, "readers": readers, "kind": kind}
        self._note(entity, "add_entity_observation", entity_id=id_of(entity), **told)

    def update_relationship(
        self, entity: Any, delta: float, reason: str = "", *, limit: float = GAME_STEP
    ) -> Json:
        """Change favorability; returns old_state, new_state, favorability and state_changed.

        `delta` is from -1 to 1, of which `limit` counts at most; `reason` stands in the history.
        """
        before = self.get_entity_profile(entity)["relationship"]["state"]
        step = {"delta": between(delta, -1, 1, "delta"), "reason": clean(reason), "limit": limit}
        told = ("RelationshipChanged", {"entity": id_of(entity), "delta": delta})
        self._note(entity, "update_relationship", told, author="game", kind="game", **step)
        bond = self.get_entity_profile(entity)["relationship"]
        return {
            "old_state": before,
            "new_state": bond["state"],
            "favorability": bond["favorability"],
            "state_changed": before != bond["state"],
        }

    def _note(self, entity: Any, op: str = "", *audit: tuple[str, Json], **args: Any) -> None:
        """Write to a profile that has a name, or gets one now: without it nobody would see it."""
        found, at = find(entity) if isinstance(entity, str) else entity, time.time()
        steps = [(op, {"at": at, **args})] if op else []
        if found is not None:
            who = reference(found)
            identity = {"name": who.name, "entity_type": who.kind, "at": at}
            steps = [("create_entity_profile", identity), *steps]
        elif not self.get_entity_profile(entity)["created"]:
            raise AssistantError(f"{name_of(self._character)} never met '{clean(entity, 60)}'.")
        self._change([Change("profile", id_of(entity), *step) for step in steps], *audit)


class WorkingMemoryHandler(Handler):
    """The conversations under way, one per entity and label."""

    def start_conversation(self, entity: Any, topic: str = "", *, readers: str = OPEN) -> None:
        """Begin or resume a conversation."""
        begin = {"entity_id": id_of(entity), "readers": readers, "at": time.time()}
        step = ("start_conversation", {**begin, "topic": clean(topic)})
        self._write("working", key_of(id_of(entity), readers), step)

    def add_conversation_message(
        self, entity: Any, content: str, role: str = "user", *, readers: str = OPEN
    ) -> None:
        """Add a line of the talk, as if it had just been said: the next prompt shows it.

        `role` is user for theirs and assistant for the character's; `readers` say who may know it.
        Raises `AssistantError` for another role, or where nobody knows of such an entity.
        """
        own = one_of(role, ROLES, "role") == "assistant"
        who, key = self._who(entity), key_of(id_of(entity), readers)
        me, at, line = reference(self._character), time.time(), f"told.{uuid4().hex}"
        words, kind = clean(content), "say" if readers == OPEN else "whisper"
        event = Event(line, at, "external", who, kind, words, readers=readers)
        event = replace(event, importance=INTERACTION, game_day=SCENES.day(SCENES.get(GAME)))
        row, entry = heard_row(event, me.id), entry_of(event)
        if own:
            target = None if kind == "say" else who
            speech = Speech(kind, words, readers, frozenset(), target=target)
            entry = own_entry(me, speech, at=at, turn_id=line, day=event.game_day)
            row = replace(row, kind="own_words", author=me.id, author_name=me.name)
            row.meta["event"] = entry["id"]
        author = "" if own else who.id
        said = {"role": role, "content": words, "at": at, "id": entry["id"], "author": author}
        begin = {"entity_id": who.id, "readers": readers, "at": at}
        changes = [
            Change("working", key, "start_conversation", begin),
            Change("working", key, "add_conversation_message", said),
            Change("stream", "", "append", {"added": [entry]}),
        ]
        change(self._character, changes, rows=[row])

    def _who(self, entity: Any) -> Entity:
        """Return somebody of the game, or whom the character knows of."""
        found = find(entity) if isinstance(entity, str) else entity
        if found is not None:
            return reference(found, self._character)
        known = self.store.read("profile", id_of(entity))
        if not known["name"]:
            raise AssistantError(f"There is nobody with the id '{clean(entity, 60)}'.")
        return Entity(id_of(entity), known["name"], known["entity_type"])

    def complete_pending_action(self, entity: Any, action: str, *, readers: str = OPEN) -> None:
        """Strike off something that was to be done for an entity."""
        args = {"action": clean(action)}
        self._write("working", key_of(id_of(entity), readers), ("complete_pending_action", args))

    def add_pending_action(
        self,
        entity: Any,
        action: str,
        priority: int = 5,
        *,
        deadline: float = 0.0,
        readers: str = OPEN,
    ) -> None:
        """Queue something to do, 1 (most urgent) to 9; raises `AssistantError` at twenty.

        `deadline` is in seconds of the game's time, 0 for none.
        """
        between(priority, 1, MAX_PRIORITY, "priority")
        at, words = time.time(), clean(action)
        if not has_room_for(self.get_conversation_context(entity, readers=readers), words):
            raise AssistantError(f"{MAX_PENDING} things are to be done for them already.")
        begin = {"entity_id": id_of(entity), "readers": readers, "at": at}
        added = {"action": words, "priority": priority, "at": at, "deadline": deadline}
        steps = (("start_conversation", begin), ("add_pending_action", added))
        self._write("working", key_of(id_of(entity), readers), *steps)

    def get_conversation_context(self, entity: Any, *, readers: str = OPEN) -> Json:
        """Return the conversation with an entity under a label."""
        return self.store.read("working", key_of(id_of(entity), readers))

    def clear_stale_conversations(self, max_age_hours: float = 1.0) -> int:
        """Summarise and close conversations in which nobody spoke for so long; returns how many."""
        now, age = time.time(), between(max_age_hours, 0, math.inf, "max_age_hours") * HOUR
        talks = self.store.read_all("working").items()
        stale = [key for key, talk in talks if talk["messages"] and is_stale(talk, now, age)]
        for key in stale:
            self._write("working", key, ("close", {"at": now}))
        return len(stale)
