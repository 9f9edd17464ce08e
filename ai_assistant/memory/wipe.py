"""Wiping: what is to be forgotten leaves every text that holds it, and all else stays.

Whole items go where they are the words of whom is forgotten, or were made of nothing else. What
others said stays as they said it. Every other text, such as a summary, a note or the character's
own words, loses each run of characters that it shares with what is forgotten; so do the names of
fields that were made of words, and what refers to them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from ai_assistant.core.contracts import Event, Json
from ai_assistant.memory.evidence import (
    PAST,
    REPLACED_BY,
    REPLACES,
    heirs,
    is_fact,
    is_of_maker,
    is_verbatim,
    speaker,
)
from ai_assistant.memory.redaction import blank, every_text, fingerprint, gather_words, mark_of, put
from ai_assistant.memory.shared_text import FORGOTTEN, Runs
from ai_assistant.memory.talk.stream import entry_of

MADE_OF_TALK = frozenset({"summary", "topic"})
"""Texts of a conversation that were made of what its entity said."""
_OF_STAFF = frozenset({"AssistantCreated", "ConfigurationChanged", "Forgotten"})
_OF_NIGHTS = frozenset({"undo", "told"})
"""Fields of the audit log that hold whole items; in all others nothing is one, whatever it says."""
_WORDLESS = frozenset(
    {"context_type", "events", "why", "kind", "tool_name", "entity", "goal_id", "status", "parts"}
    | {"owner", "who", "members"}
)
"""What stays in the audit log of what goes; all other texts in it may hold its words."""
LINKS = frozenset({"evidence", "parents", "links", REPLACES})
"""Lists of the ids of rows."""
_TIME = re.compile(r"\d{4}-\d\d-\d\dT[\d:.+Z-]+")
_KEY = re.compile(r"[a-z0-9_]+")
"""A text that others refer to, such as the key of a project: it gets another, not a gap."""


@dataclass(slots=True)
class Wipe:
    """What is to be forgotten, and the words that it consists of, learned before any are removed.

    An item is an object of some list of a state, one with an author, or a memory row as an object.
    """

    untouched: ClassVar[frozenset[str]] = frozenset()
    """Fields of a state that are passed over."""
    entity: str = ""
    """The id of whose words go."""
    everything: bool = False
    """Does what is about them go, too?"""
    chosen: frozenset[str] = frozenset()
    """Fingerprints of single items that go."""
    minds: frozenset[str] = frozenset()
    """The ids of all that have or had a mind: what they say is made of what they heard."""
    runs: Runs = field(default_factory=Runs)
    """The words that go, by `learn`, but for those that others said as well, by `spare`."""
    events: set[str] = field(default_factory=set)
    """The ids of what the entity said, by `learn`."""
    lines: set[str] = field(default_factory=set)
    """The ids of all that was said and goes, by `learn`."""
    lost: set[str] = field(default_factory=set)
    """The ids of goals, projects and the like, by `learn`: nothing refers to them any more."""
    scenes: set[str] = field(default_factory=set)
    """The ids of scenes that the entity made, by `learn_scene`."""
    turns: set[str] = field(default_factory=set)
    """The ids of turns that answered nothing else, from outside."""
    gone: set[int] = field(default_factory=set)
    """The ids of the rows (below zero: journal entries) that go, from outside."""
    again: dict[str, list[int]] = field(default_factory=dict)
    """Found on the way: rows by label that are to be read once more: a trait of theirs goes."""
    unmarked: set[int] = field(default_factory=set)
    """Found on the way: rows of what holds again."""

    def learn(self, items: Iterable[Json], owner: str = "") -> None:
        """Note the words of those items that go; `owner` is whose profile or talk holds them."""
        for item in items:
            if not self.takes(item, owner):
                continue
            self.runs.add(every_text({**item, PAST: ()}))  # others said what it replaced
            if event := event_of(item):
                self.lines.add(event)
                if self.entity and speaker(item) == self.entity:
                    self.events.add(event)
            elif isinstance(item.get("id"), str):
                self.lost.add(item["id"])

    def spare(self, items: Iterable[Json], owner: str = "") -> None:
        """Note what others said in the same words: these runs do not give the entity away."""
        for item in items:
            if self._is_testimony(item, owner) and not self.takes(item, owner):
                self.runs.spare(every_text(item))

    def takes(self, item: Json, owner: str = "") -> bool:
        """Does this item go as a whole?"""
        if self.chosen and fingerprint(item) in self.chosen:
            return True
        if self.chosen and event_of(item) in self.lines:
            return True  # the same line, as somewhere else it is kept
        evidence = item.get("evidence") or item.get("parents")
        is_lost = evidence and isinstance(evidence, list) and self.gone.issuperset(evidence)
        if is_lost and item.get("kind") != "own_words":
            return True
        if not self.entity or ("delta" in item and not self.everything):
            return False  # how they get on is nobody's words
        return self._is_theirs(item, owner) or self._answered_them(item)

    def _is_theirs(self, item: Json, owner: str) -> bool:
        if item.get("session") in self.scenes and is_of_maker(item):
            return True
        if self.everything:
            about = (item.get(name) for name in ("subject", "source_entity", "readers"))
            return self.entity in (speaker(item, owner), *about)
        return speaker(item, owner) == self.entity and not is_fact(item)

    def _answered_them(self, item: Json) -> bool:
        if item.get("event_type") == "self_speech":
            return item.get("turn_id") in self.turns
        return item.get("kind") == "own_words" and item.get("meta", {}).get("turn") in self.turns

    def _is_testimony(self, item: Json, owner: str = "") -> bool:
        """Are these words as a person other than the entity, or the game, gave them?"""
        if is_fact(item):
            return True
        return is_verbatim(item) and speaker(item, owner) not in self.minds

    def cleansed(self, value: Any, owner: str = "") -> Any:
        """Return a JSON value without what is to be forgotten; None for an item that goes."""
        if isinstance(value, list):
            kept = [(part, self.cleansed(part, owner)) for part in value]
            return [new for old, new in kept if new not in (None, "") or not old]
        if not isinstance(value, dict):
            return self._cut(value) if isinstance(value, str) else value
        if self.takes(value, owner):
            return None
        return value if self._stays(value, owner) else self._without(value, owner)

    def _stays(self, item: Json, owner: str = "") -> bool:
        """Is it kept word for word, whatever it shares with what goes?"""
        return self._is_testimony(item, owner) and not self.everything

    def _without(self, value: Json, owner: str) -> Json:
        cleansed: Json = {}
        for name, part in value.items():
            new = self.cleansed(part, owner)
            if new is not None or part is None:
                put(cleansed, name, self._named(name), self._linked(new) if name in LINKS else new)
        if "delta" in value and value.get("reason") and self._moved(value, owner):
            cleansed["reason"] = FORGOTTEN
        return cleansed

    def _cut(self, text: str) -> str:
        """Return a text without the words that go; what only refers to an item that goes is one."""
        return "" if text in self.lost else self._named(text)

    def _named(self, text: str) -> str:
        """Return the name of a field without them; another item may have that of one that goes."""
        new = text if _TIME.fullmatch(text) else self.runs.cut(text)
        return new if new == text or not _KEY.fullmatch(text) else f"forgotten_{mark_of(text)}"

    def _moved(self, change: Json, owner: str) -> bool:
        """Is this a change of feelings about whom is forgotten, by them, or by a line that goes?"""
        theirs = bool(self.entity) and self.entity in (owner, change.get("author"))
        return theirs or change.get("event") in self.lines

    def event(self, event: Event) -> Event | None:
        """Return an event that waits, cleansed; None for one that goes."""
        entry = entry_of(event)
        if self.takes(entry):
            return None
        return event if self._stays(entry) else Event.from_json(self.words(event.to_json()))

    def row(self, row: Json) -> Json:
        """Return a row that stays: its words cleansed, its links to rows that go cut."""
        words = {name: self.words(row[name]) for name in ("content", "meta")}
        if self._stays(row) or (self.entity and speaker(row) == self.entity):
            words = {}
        if row.get("session") in self.scenes:
            words["location"] = self._named(row["location"])
        row = {**row, "parents": self._linked(row["parents"]), **words}
        row["supersedes"] = None if row["supersedes"] in self.gone else row["supersedes"]
        row["meta"] = meta = {
            name: self._linked(part) if name in LINKS else part
            for name, part in row["meta"].items()
        }
        if meta.get(REPLACED_BY) and (meta[REPLACED_BY] in self.gone or row["id"] in self.unmarked):
            meta[REPLACED_BY] = 0
        return row

    def _linked(self, ids: Any) -> Any:
        if not isinstance(ids, list):
            return ids
        return [id for id in ids if not (isinstance(id, int) and id in self.gone)]

    def record(self, record: Json) -> Json:
        """Return the body of an audit record, cleansed; of a turn that goes no word remains."""
        data: Json = record["data"]
        if record["type"] in _OF_STAFF:
            return data
        if self.everything and (data.get("undo") or {}).get("entity") == self.entity:
            data = {**data, "undo": {}, "told": {}}  # a night's work about them
        is_of_scene = record.get("assistant", "").removeprefix("scene:") in self.scenes
        if is_of_scene or record["turn_id"] in self.turns:
            told = {name: blank(part) for name, part in data.items() if name not in _WORDLESS}
            data = {**data, **told}
        return {
            self._named(name): self.cleansed(part) if name in _OF_NIGHTS else self.words(part)
            for name, part in data.items()
        }

    def words(self, value: Any) -> Any:
        """Return a JSON value in which no object is an item, such as a model's arguments."""
        return self._without_words(value) if self.touches(value) else value

    def _without_words(self, value: Any) -> Any:
        if isinstance(value, list):
            return list(map(self._without_words, value))
        if not isinstance(value, dict):
            return self._cut(value) if isinstance(value, str) else value
        cut: Json = {}
        for name, part in value.items():
            put(cut, name, self._named(name), self._without_words(part))
        return cut

    def touches(self, value: Any) -> bool:
        """Say whether `words` would change a JSON value."""
        names, texts = set[str](), set[str]()
        gather_words(value, names, texts)
        if not self.lost.isdisjoint(texts):
            return True
        return self.runs.occur_in(text for text in names | texts if not _TIME.fullmatch(text))

    def plan(self, state: Json, empty: Json, owner: str = "") -> Json:
        """Return the arguments with which the step `redact` cleanses a state; none: it is clean.

        `empty` is the empty shape of the part. A conversation with the entity goes as a whole.
        """
        theirs = bool(self.entity) and owner == self.entity
        if theirs and ("messages" in state or self.everything) and state != empty:
            return {"edits": {}, "whole": True}
        wipe = self if self.touches(state) else replace(self, runs=Runs(), lost=set())
        edits = dict(sorted(wipe._edits(state, owner), key=lambda edit: edit[1] != ""))
        if theirs:
            made = (value for name, value in state.items() if name in MADE_OF_TALK and value)
            edits |= {fingerprint(value): "" for value in made}
        return {"edits": edits} if edits else {}

    def _edits(self, state: Json, owner: str) -> Iterator[tuple[str, Any]]:
        for name, value in state.items():
            if name in self.untouched:
                continue
            is_item = isinstance(value, dict) and self._is_item(value, owner)
            if not is_item and (new := self._named(name)) != name:
                yield fingerprint(name), new
            if isinstance(value, dict) and not is_item:
                yield from self._edits(value, owner)
                continue
            for part in value if isinstance(value, list) else [value]:
                new = self._after(part, owner)
                if new != part:
                    yield fingerprint(part), new

    def _is_item(self, value: Json, owner: str) -> bool:
        """Is this object changed as a whole, and not field by field?"""
        return "author" in value and self.takes(value, owner)

    def _after(self, item: Any, owner: str) -> Any:
        """Return what takes the place of an item: for a trait that goes, what it had replaced."""
        if not isinstance(item, dict) or PAST not in item:
            return self.cleansed(item, owner)
        evidence, goes = set(item.get("evidence", ())), self.takes(item, owner)
        if not goes and not evidence & self.gone:
            past = [part for part in item[PAST] if not self.takes(part)]
            whole = bool(evidence) and not self.everything  # it rests on lines that stay
            return {**item, PAST: past} if whole else self.cleansed(item, owner)
        left = sorted(evidence - self.gone)
        if left and not goes:
            self.again.setdefault(item["readers"], []).extend(left)
        back: list[Json] = []
        for heir in heirs(item):
            after = self._after(heir, owner)
            back += after if isinstance(after, list) else [after] if after else []
        self.unmarked.update(id for part in back for id in part["evidence"])
        return back or None


def event_of(item: Json) -> str:
    """Return the id of the line that an item keeps; empty for none, and for words of staff."""
    if "meta" in item:
        return "" if "edited" in item["meta"] else str(item["meta"].get("event", ""))
    return str(item["id"]) if "id" in item and ("role" in item or "event_type" in item) else ""
