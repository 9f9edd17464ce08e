"""The store of a mind that rests: what its script had is in a note on its body."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ai_assistant.agent.config import Config, by_present_names
from ai_assistant.agent.state_parts import PARTS
from ai_assistant.api.handlers.handler_base import stores_by
from ai_assistant.api.release import change_at_rest, held_at_rest
from ai_assistant.core.contracts import Commit, Json, MemoryRow
from ai_assistant.game.identity import entity_id
from ai_assistant.memory.parts import Part
from ai_assistant.runtime.assembly import CONFIG_KEY
from ai_assistant.storage import AttributeStore, npc_id
from ai_assistant.storage.attributes import in_view
from ai_assistant.storage.statements import refusals


class RestingStore(AttributeStore):
    """Reads and changes a mind that rests as if it were awake, so that it forgets, too."""

    def view(self, part: str, key: str = "") -> Json:
        """Return a part, to be looked at only."""
        kind = self._parts[part]
        if not self._is_noted(kind):
            return super().view(part, key)
        with refusals():
            return in_view(kind, held_at_rest(self._owners["character"]).get(kind.attribute))

    def commit(self, commit: Commit) -> list[MemoryRow]:
        """Write everything; of the note no step may spill rows. Raises `StoreError`."""
        noted = [change for change in commit.changes if self._is_noted(self._parts[change.part])]
        states = {change.part: self.read(change.part) for change in noted}
        for change in noted:
            self._parts[change.part].apply(states[change.part], change.op, change.args)
        if noted:
            held = [(self._parts[name], state) for name, state in states.items()]
            values = {
                part.attribute: state[part.bare] if part.bare else state for part, state in held
            }
            with refusals():
                change_at_rest(self._owners["character"], values)
        others = [change for change in commit.changes if change not in noted]
        return super().commit(replace(commit, changes=others))

    def _is_noted(self, part: Part) -> bool:
        """Is it among what the script had? What bodies share is with the first of them."""
        return part.where == "script" and not (part.shared and self.npc != self.id)


def resting_store(body: Any) -> RestingStore:
    """Return the store of a body whose mind rests, by the configuration that this had."""
    own = entity_id(body)
    store = RestingStore(body, body, own, PARTS, npc_id(body))
    config = held_at_rest(body).get(CONFIG_KEY, {})
    store.elsewhere.stores = stores_by(own, Config(by_present_names(config)))
    return store
