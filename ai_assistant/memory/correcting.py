"""Correcting: what was put right is put right wherever it is quoted, and what rests on it follows.

Others who said the same stay as they said it; of the same people, only whole quotes are changed.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any

from ai_assistant.core.contracts import Event, Json
from ai_assistant.language.words import stem_set
from ai_assistant.memory.evidence import PAST, heirs, is_verbatim, speaker
from ai_assistant.memory.redaction import LABELS, every_text, fingerprint
from ai_assistant.memory.rewording import Reach, Rewording
from ai_assistant.memory.wipe import LINKS, Wipe, event_of

_OF_PEOPLE = ("author", "who_id", "source_entity", "subject", "requester", "entity_id")


@dataclass(slots=True)
class Correction(Wipe):
    """One correction, as a walk over all that a mind keeps; `turns` answered what was put right."""

    untouched = LABELS
    rewording: Rewording = field(default_factory=lambda: Rewording("", ""))
    """What became of the words."""
    moved: dict[int, int] = field(default_factory=dict)
    """Ids of the rows that took the place of those that were put right, by the ids of these."""
    corrected: dict[str, str] = field(default_factory=dict)
    """The new words of lines, by the id of the event."""
    answers: frozenset[str] = frozenset()
    """The ids of what the character said to these lines."""
    people: frozenset[str] = frozenset()
    """The ids of those whose words they were, and of whom they are about."""

    def event(self, event: Event) -> Event:
        """Return an event that waits, or was overheard, as it is now."""
        words = self.corrected.get(event.id)
        return event if words is None else Event.from_json({**event.to_json(), "content": words})

    def plan(self, state: Json, empty: Json, owner: str = "") -> Json:
        """Return what the step `redact` needs to put a state right; none: it is right.

        What a talk was about goes, where nobody gave it that and it was read off a corrected line.
        """
        planned = Wipe.plan(self, state, empty, owner)
        if state.get("topic_given", True) or not state["topic"]:
            return planned
        lines = (said["content"] for said in state["messages"] if said["id"] in self.corrected)
        if not any(state["topic"].removesuffix("…") in line for line in lines):
            return planned
        return {"edits": planned.get("edits", {}) | {fingerprint(state["topic"]): ""}}

    def row(self, row: Json) -> Json:
        """Return a row as it is now; empty where it rested on what is no longer so."""
        return self.cleansed(row) or {}

    def cleansed(self, value: Any, owner: str = "") -> Any:
        """Return a JSON value as it is now; None for an item that rests on what is not so."""
        if isinstance(value, str):
            reach = Reach.NEAR if owner in self.people else Reach.FAR
            return self.rewording.applied(value, reach)
        if isinstance(value, list):
            kept = [self.cleansed(part, owner) for part in value]
            return [part for part in kept if part is not None]
        return self._item(value, owner) if isinstance(value, dict) else value

    def _item(self, item: Json, owner: str) -> Json | None:
        id = event_of(item)
        if id in self.corrected and "content" in item:
            return {**item, "content": self.corrected[id]}
        reach = self._reach(item, id, owner)
        if reach is None:
            return item
        changed = {name: self._field(name, part, reach) for name, part in item.items()}
        if self._rests(item) and self.rewording.takes_back and self._says_the_same(item, changed):
            return None
        return changed

    def _field(self, name: str, value: Any, reach: Reach) -> Any:
        if name in LINKS:
            return [self.moved.get(id, id) for id in value]
        if name in LABELS:
            return value
        if isinstance(value, str):
            return self.rewording.applied(value, reach)
        if isinstance(value, list):
            return [self._field("", part, reach) for part in value]
        if isinstance(value, dict):
            return {inner: self._field(inner, part, reach) for inner, part in value.items()}
        return value

    def _reach(self, item: Json, id: str, owner: str) -> Reach | None:
        """Return how close an item is to what was corrected; None for what others said."""
        turn = item.get("turn_id") or (item.get("meta") or {}).get("turn")
        linked = {part for name in _OF_PEOPLE for part in str(item.get(name) or "").split(",")}
        is_near = bool(self.people & {owner, *linked})
        if is_verbatim(item) and speaker(item, owner) not in self.minds:
            return Reach.QUOTE if speaker(item, owner) in self.people else None
        if self._rests(item) or id in self.answers or turn in self.turns:
            return Reach.OWN
        return Reach.NEAR if is_near else Reach.FAR

    def _rests(self, item: Json) -> bool:
        evidence = item.get("evidence") or item.get("parents") or ()
        return item.get("kind") != "own_words" and bool(self.moved.keys() & set(evidence))

    def _says_the_same(self, item: Json, changed: Json) -> bool:
        """Does an item say still what it said, and nothing of what stayed true?"""
        texts = [*every_text({**item, PAST: ()})]
        if texts != [*every_text({**changed, PAST: ()})]:
            return False
        return self.rewording.is_new or not stem_set(" ".join(texts)) & self.rewording.kept

    def _is_item(self, value: Json, owner: str) -> bool:
        return "author" in value

    def _after(self, item: Any, owner: str) -> Any:
        """Return what takes the place of an item: for a trait that goes, what it had replaced."""
        new = self.cleansed(item, owner)
        if new is not None or not isinstance(item, dict) or "evidence" not in item:
            return new
        left: Collection[int] = {*item["evidence"]} - self.moved.keys()
        if left:
            self.again.setdefault(item["readers"], []).extend(sorted(left))
        return [back for heir in heirs(item) if (back := self.cleansed(heir, owner))] or None
