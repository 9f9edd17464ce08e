"""Parts that a commit keeps in another store than the database, right after its transaction."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from ai_assistant.core.contracts import Change, Json, MemoryRow
from ai_assistant.core.errors import StoreError
from ai_assistant.game.log import report
from ai_assistant.memory.moments.deltas import Watched
from ai_assistant.memory.parts import Part, copied, digest
from ai_assistant.memory.stores import Conflict, MemoryStore
from ai_assistant.storage.attributes import in_view
from ai_assistant.storage.server_lease import PUBLISHER

TRIES = 5


@dataclass(slots=True)
class ExternalDraft:
    """New states on their way to another store, and the rows that spilled over from them."""

    states: dict[tuple[str, str], tuple[Json, int, list[Change]]] = field(default_factory=dict)
    """By part and key: the new state, the version it follows, and the steps that made it."""
    rows: list[MemoryRow] = field(default_factory=list)
    """Memories that no longer fitted into those states."""
    watched: dict[tuple[str, str], Watched] = field(default_factory=dict)
    """The states as they were."""

    def prints(self, address: tuple[str, str]) -> tuple[str, str]:
        """Return by what a state is known again, before and afterwards."""
        before, after = self.watched[address].before, self.states[address][0]
        return digest(json.dumps(before, default=str)), digest(json.dumps(after, default=str))


class Elsewhere:
    """The parts of one assistant that are not Attributes: part → store."""

    def __init__(self, assistant: str, parts: Mapping[str, Part]) -> None:
        self.stores: Mapping[str, MemoryStore] = {}
        self._assistant = assistant
        self._parts = parts
        self._unsaved: dict[tuple[str, str], Json] = {}
        self._held: tuple[object, dict[tuple[str, str], Json]] = (None, {})
        """What the store gets once all that is being written stands: of which whole, and what."""

    def read(self, part: str, key: str) -> Json:
        """Return a part; its empty shape where nothing is stored."""
        return self._load(part, key)[0]

    def keys(self, part: str) -> list[str]:
        """Return the keys of a part."""
        try:
            return self.stores[part].keys(self._assistant, part)
        except Exception as error:
            raise StoreError("The memory store cannot be read.") from error

    def draft(self, changes: Sequence[Change]) -> ExternalDraft:
        """Return what the changes make of the states; nothing is saved yet."""
        draft = ExternalDraft()
        for change in changes:
            where = (change.part, change.key)
            if where not in draft.states:
                draft.states[where] = (*self._load(*where), [])
                draft.watched[where] = Watched(draft.states[where][0])
            state, _, steps = draft.states[where]
            steps.append(change)
            draft.rows += self._parts[change.part].apply(state, change.op, change.args)
        return draft

    def hold(self, draft: ExternalDraft) -> None:
        """Let what is written as one with a draft that waits for its end build on that."""
        if self._held[0] is not PUBLISHER.whole:
            self._held = (PUBLISHER.whole, {})
        self._held[1].update({where: state for where, (state, *_) in draft.states.items()})

    def save(self, draft: ExternalDraft) -> None:
        """Save a draft; what a store refuses is kept here, and saved with the next one."""
        for (part, key), (state, version, steps) in draft.states.items():
            try:
                self._save(part, key, state, version, steps)
                self._unsaved.pop((part, key), None)
            except Exception as error:
                report("memory store", error)
                self._unsaved[part, key] = state

    def delete(self) -> None:
        """Forget everything of this assistant."""
        self._unsaved.clear()
        for store in {id(store): store for store in self.stores.values()}.values():
            store.delete(self._assistant)

    def empty(self, names: Collection[str]) -> None:
        """Empty these parts, of those that are kept here; `StoreError` where a store refuses."""
        for part in self.stores.keys() & {*names}:
            self._unsaved = {
                where: kept for where, kept in self._unsaved.items() if where[0] != part
            }
            for key in self.keys(part):
                address, (_, version) = (self._assistant, part, key), self._load(part, key)
                try:
                    self.stores[part].save(address, self._parts[part].empty(), version)
                except Exception as error:
                    raise StoreError("The memory store refuses: reset it again.") from error

    def _save(
        self, part: str, key: str, state: Json, version: int, steps: Sequence[Change]
    ) -> None:
        """Save; where another writer was faster, apply the same steps to what it left."""
        for _ in range(TRIES):
            try:
                self.stores[part].save((self._assistant, part, key), state, version)
                return
            except Conflict:
                found, version = self.stores[part].load((self._assistant, part, key))
                state = copied(in_view(self._parts[part], found))
                for step in steps:
                    self._parts[part].apply(state, step.op, step.args)
        raise Conflict("Others kept saving at the same time.")

    def _load(self, part: str, key: str) -> tuple[Json, int]:
        try:
            found, version = self.stores[part].load((self._assistant, part, key))
        except Exception as error:
            raise StoreError("The memory store cannot be read.") from error
        if (part, key) in self._unsaved:
            found = self._unsaved[part, key]
        if self._held[0] is not None and self._held[0] is PUBLISHER.whole:
            found = self._held[1].get((part, key), found)
        return copied(in_view(self._parts[part], found)), version
