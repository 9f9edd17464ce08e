"""Handlers of what a character writes down: journal, session memory, notebook and stream."""

from __future__ import annotations

import time
from collections.abc import Sequence

from twisted.internet.defer import Deferred

from ai_assistant.contracts import Json
from ai_assistant.errors import AssistantError
from ai_assistant.handlers.base import Handler
from ai_assistant.identity import entity_id
from ai_assistant.memory.recall import Found
from ai_assistant.memory.scoring import Scoring
from ai_assistant.readers import OPEN
from ai_assistant.service import SERVICE
from ai_assistant.text import clean


class JournalHandler(Handler):
    """The journal (inventory §14)."""

    @property
    def entries(self) -> Sequence[Json]:
        """The newest hundred entries, oldest first."""
        found: Sequence[Json] = self.store.read("journal")["entries"]
        return found

    def add_journal_entry(
        self,
        content: str,
        *,
        source_type: str = "observation",
        readers: str = OPEN,
        tags: Sequence[str] = (),
        importance: int = 0,
    ) -> None:
        """Write an entry; `source_type` is direct, observation, inference or environmental.

        An `importance` (1 to 10) that is left out is scored from the words.
        """
        args = {
            "content": clean(content),
            "source_type": source_type,
            "at": time.time(),
            "readers": readers,
            "tags": list(tags),
            "importance": importance,
        }
        self._write("journal", "", ("add_journal_entry", args))

    def search_episodic_memory(
        self, query: str, most: int = 10, *, scoring: Scoring | None = None
    ) -> Deferred[list[Found]]:
        """Search the journal and all that was heard; the Deferred gives what was found, best first.

        `scoring` holds the seed's parameters. Nothing is kept from game code: mind the labels of
        the rows. Raises `AssistantError` where the assistant does not run.
        """
        resident = SERVICE.residents.get(entity_id(self._character))
        if resident is None:
            raise AssistantError(f"{self._character.key} does not run: start it to search.")
        mind = resident.mind
        options = {"scoring": scoring} if scoring else {}
        found = mind.recall.search(
            query, most, now=mind.clock.now(), allow=lambda _: True, explain=True, **options
        )
        return Deferred.fromCoroutine(found)


class SessionMemoryHandler(Handler):
    """Session memory: the facts and patterns that are before the character's eyes (seed SM §3)."""

    @property
    def memory(self) -> Json:
        """key_facts, learned_patterns, completed_tasks and last_compacted."""
        return self.store.read("session")

    def add_session_memory(
        self, content: str, memory_type: str = "fact", *, readers: str = OPEN
    ) -> None:
        """Add a fact or a pattern; game code is trusted to speak of the world, not of itself."""
        args = {
            "memory_type": memory_type,
            "content": clean(content),
            "at": time.time(),
            "readers": readers,
        }
        self._write("session", "", ("add_session_memory", args))


class NotebookHandler(Handler):
    """The notebook: what the character writes for itself with the tool `memory` (seed MP)."""

    @property
    def lines(self) -> Sequence[Json]:
        """The notes, oldest first."""
        found: Sequence[Json] = self.store.read("notebook")["lines"]
        return found

    def write(self, content: str, *, readers: str = OPEN) -> None:
        """Replace the notes under this label."""
        self._note("write", content, readers)

    def append(self, content: str, *, readers: str = OPEN) -> None:
        """Add notes."""
        self._note("append", content, readers)

    def clear(self, *, readers: str = OPEN) -> None:
        """Remove the notes under this label."""
        self._write("notebook", "", ("clear", {"readers": readers}))

    def _note(self, action: str, content: str, readers: str) -> None:
        args = {"content": clean(content, 2000, lines=40), "at": time.time(), "readers": readers}
        self._write("notebook", "", (action, args))


class StreamHandler(Handler):
    """All that was perceived and done lately, in order of time."""

    @property
    def entries(self) -> Sequence[Json]:
        """The newest sixty entries, oldest first."""
        found: Sequence[Json] = self.store.read("stream")["entries"]
        return found
