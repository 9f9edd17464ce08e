"""Handlers of what a character writes down: journal, session memory, notebook and stream."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any, Literal

from twisted.internet.defer import Deferred

from ai_assistant.api.handlers.handler_base import Handler, between, id_of, one_of
from ai_assistant.core.contracts import Json
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.readers import OPEN
from ai_assistant.core.search_port import PRODUCT, Scoring
from ai_assistant.core.text import clean
from ai_assistant.game.identity import entity_id
from ai_assistant.memory.importance import MOST, SOURCE_TYPES
from ai_assistant.memory.inner import notebook, session
from ai_assistant.memory.search.recall import Found
from ai_assistant.runtime.service import SERVICE

LONGEST_TAG = 60


class JournalHandler(Handler):
    """The journal: what the character lived through."""

    @property
    def entries(self) -> Sequence[Json]:
        """The newest hundred entries, oldest first."""
        return list(self.store.read("journal")["entries"])

    def add_journal_entry(  # noqa: PLR0913 - one argument for each field of the entry
        self,
        content: str,
        *,
        source_type: str = "observation",
        source_entity: Any = "",
        readers: str = OPEN,
        tags: Sequence[str] = (),
        related_projects: Sequence[str] = (),
        importance: int = 0,
    ) -> None:
        """Write an entry; `source_type` is direct, observation, inference or environmental.

        `source_entity` is whom it is about, `related_projects` are ids. Without an `importance`
        (1 to 10) it is scored from the words.
        """
        args = {
            "content": clean(content),
            "source_type": one_of(source_type, SOURCE_TYPES, "source_type"),
            "source_entity": id_of(source_entity),
            "at": time.time(),
            "readers": readers,
            "tags": [clean(tag, LONGEST_TAG) for tag in tags],
            "related_projects": [clean(key, LONGEST_TAG) for key in related_projects],
            "importance": between(importance, 0, MOST, "importance"),
        }
        self._write("journal", "", ("add_journal_entry", args))

    def search_episodic_memory(
        self,
        query: str,
        most: int = 10,
        *,
        scoring: Scoring | Literal["product", "additive"] | None = None,
    ) -> Deferred[list[Found]]:
        """Search all that is remembered; the Deferred gives what was found, best first.

        `scoring` may only name the formula: "additive" adds its parts, "product" multiplies
        them. Mind the labels of the rows. Raises `AssistantError` where the assistant does not run.
        """
        resident = SERVICE.residents.get(entity_id(self._character))
        if resident is None:
            raise AssistantError(f"{self._character.key} does not run: start it to search.")
        if isinstance(scoring, str):
            one_of(scoring, ("product", "additive"), "scoring")
            scoring = Scoring(mode=scoring)
        found = resident.mind.recall.search(
            query,
            most,
            now=resident.mind.clock.now(),
            allow=lambda readers: True,
            explain=True,
            scoring=scoring or PRODUCT,
        )
        return Deferred.fromCoroutine(found)


class SessionMemoryHandler(Handler):
    """Session memory: the facts and patterns that are before the character's eyes."""

    @property
    def memory(self) -> Json:
        """key_facts, learned_patterns, completed_tasks and last_compacted."""
        return self.store.read("session")

    def add_session_memory(
        self, content: str, memory_type: str = "fact", *, readers: str = OPEN
    ) -> None:
        """Add a fact or a pattern, unless it is kept already.

        Raises `AssistantError` for what is too long, and where there is no room.
        """
        one_of(memory_type, session.LISTS, "memory_type")
        words = clean(content, 2 * session.MAX_CONTENT)
        if problem := session.too_long(words) or ("" if words else "There are no words in it."):
            raise AssistantError(problem)
        item = {"memory_type": memory_type, "content": words, "readers": readers}
        if session.is_kept(self.memory, **item):
            return
        if problem := session.no_room_for_item(self.memory, **item):
            self._write("session", "", ("request_compaction", {}))
            raise AssistantError(problem)
        self._write("session", "", ("add_session_memory", item | {"at": time.time()}))


class NotebookHandler(Handler):
    """The notebook: what the character writes for itself with the tool `memory`."""

    @property
    def lines(self) -> Sequence[Json]:
        """The notes, oldest first."""
        return list(self.store.read("notebook")["lines"])

    def write(self, content: str, *, readers: str = OPEN) -> None:
        """Replace the notes under this label. Raises `AssistantError` for what does not fit."""
        self._note("write", content, readers)

    def append(self, content: str, *, readers: str = OPEN) -> None:
        """Add notes. Raises as `write` does."""
        self._note("append", content, readers)

    def clear(self, *, readers: str = OPEN) -> None:
        """Remove the notes under this label."""
        self._write("notebook", "", ("clear", {"readers": readers}))

    def _note(self, action: str, content: str, readers: str) -> None:
        most = notebook.MAX_CHARACTERS
        words = clean(content, 2 * most, lines=most)
        if problem := notebook.no_room_for_notes(
            self.store.read("notebook"), action, words, readers
        ):
            self._write("notebook", "", ("request_compaction", {}))
            raise AssistantError(problem)
        args = {"content": words, "at": time.time(), "readers": readers}
        self._write("notebook", "", (action, args))


class StreamHandler(Handler):
    """All that was perceived and done lately, in order of time."""

    @property
    def entries(self) -> Sequence[Json]:
        """The newest entries, oldest first."""
        return list(self.store.read("stream")["entries"])
