"""Redaction: what is to be forgotten leaves every text that holds it, and all else stays.

Whole items go where they are the words of whom is forgotten, or were made of nothing else. What
others said stays as they said it. Every other text, such as a summary, a note or the character's
own words, loses each run of characters that it shares with what is forgotten.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from ai_assistant.core.contracts import Json
from ai_assistant.memory.evidence import (
    PAST,
    REPLACED_BY,
    REPLACES,
    heirs,
    is_fact,
    is_verbatim,
    speaker,
)
from ai_assistant.memory.shared_text import FORGOTTEN, Runs

PLAIN_FIELDS = frozenset(
    "id event root turn turn_id who who_id name author author_name entity_id entity_type subject "
    "source source_type source_entity requester parent_id subtask_ids project kind type "
    "event_type role readers place place_name location session container timestamp created "
    "started last_message last_interaction last_reflection last_compacted last_active created_at "
    "finished state status priority importance_method day by tool tool_name events outcome "
    "context_type model told_by chain origin body felt".split()
)
"""Fields that name, date or label something: they hold nobody's words."""
MADE_OF_TALK = frozenset({"last_interaction_summary", "summary", "topic"})
"""Texts of a profile or a conversation that were made of what its entity said."""
_OF_STAFF = frozenset({"AssistantCreated", "ConfigurationChanged", "Forgotten"})
_BODIES = frozenset({"parameters", "reasoning", "speech", "error", "problem"})
"""What the audit log holds of the words of a turn."""


def fingerprint(value: Any) -> str:
    """Return a fingerprint of a JSON value that gives none of its words away."""
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()


def mark_of(words: str) -> str:
    """Return what tells these words from those of a neighbour: too short to find them by it."""
    return fingerprint(words)[:4]


def redact(state: Json, *, edits: Mapping[str, Any], whole: bool = False) -> None:
    """Change a state of any part: the step ``redact`` of all of them.

    `edits` maps the fingerprint of an item or a text to what takes its place, a list of items too;
    nothing does where that is None. With `whole` the state becomes as if it had never been.
    """
    if whole:
        state.clear()
    for name, value in list(state.items()):
        if isinstance(value, dict) and "author" in value and fingerprint(value) in edits:
            del state[name]
        elif isinstance(value, dict):
            redact(value, edits=edits)
        elif isinstance(value, list):
            edited = (edits.get(fingerprint(part), part) for part in value)
            some = (part if isinstance(part, list) else [part] for part in edited)
            state[name] = [part for several in some for part in several if part is not None]
        elif isinstance(value, str) and name not in PLAIN_FIELDS:
            state[name] = edits.get(fingerprint(value), value)


def items_of(value: Any) -> Iterator[Json]:
    """Return every item of a state: the objects that stand in its lists, or have an author."""
    if isinstance(value, dict):
        for part in value.values():
            if isinstance(part, dict) and "author" in part:
                yield part
            yield from items_of(part)
    elif isinstance(value, list):
        for part in value:
            if isinstance(part, dict):
                yield part
            yield from items_of(part)


def every_text(value: Any) -> Iterator[str]:
    """Return every text in a JSON value that may hold somebody's words."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for part in value:
            yield from every_text(part)
    elif isinstance(value, dict):
        for name, part in value.items():
            if name not in PLAIN_FIELDS:
                yield from every_text(part)


@dataclass(slots=True)
class Wipe:
    """What is to be forgotten, and the words that it consists of, learned before any are removed.

    `entity` is whose words go; with `everything`, what is about them goes too. `chosen` are
    fingerprints of single items that go, `minds` the ids of the characters with a mind: what they
    say is made of what they heard. Filled by `learn`: `events`, ids of what the entity said, and
    `lines`, of all that goes, whoever said it;
    from outside: `turns`, ids of turns that answered nothing else, and `gone`, ids of the rows
    (below zero: journal entries) that go. Found on the way: `again`, rows by label that are to be
    read once more, since a trait that rested on them goes; `unmarked`, rows of what holds again.

    An item is an object of some list of a state, one with an author, or a memory row as an object.
    """

    entity: str = ""
    everything: bool = False
    chosen: frozenset[str] = frozenset()
    minds: frozenset[str] = frozenset()
    runs: Runs = field(default_factory=Runs)
    events: set[str] = field(default_factory=set)
    lines: set[str] = field(default_factory=set)
    turns: set[str] = field(default_factory=set)
    gone: set[int] = field(default_factory=set)
    again: dict[str, list[int]] = field(default_factory=dict)
    unmarked: set[int] = field(default_factory=set)

    def learn(self, items: Iterable[Json], owner: str = "") -> None:
        """Note the words of those items that go; `owner` is whose profile or talk holds them."""
        for item in items:
            if not self.takes(item, owner):
                continue
            self.runs.add(every_text({**item, PAST: ()}))  # others said what it replaced
            event = item.get("meta", {}).get("event") or item.get("id")
            if isinstance(event, str):
                self.lines.add(event)
                if self.entity and speaker(item) == self.entity:
                    self.events.add(event)

    def spare(self, items: Iterable[Json], owner: str = "") -> None:
        """Note what others said in the same words: these runs do not give the entity away."""
        for item in items:
            if self._is_testimony(item, owner) and not self.takes(item, owner):
                self.runs.spare(every_text(item))

    def takes(self, item: Json, owner: str = "") -> bool:
        """Does this item go as a whole?"""
        if self.chosen and fingerprint(item) in self.chosen:
            return True
        evidence = item.get("evidence") or item.get("parents")
        is_lost = evidence and isinstance(evidence, list) and self.gone.issuperset(evidence)
        if is_lost and item.get("kind") != "own_words":
            return True
        if not self.entity or ("delta" in item and not self.everything):
            return False  # how they get on is nobody's words
        return self._is_theirs(item, owner) or self._answered_them(item)

    def _is_theirs(self, item: Json, owner: str) -> bool:
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
        if isinstance(value, str):
            return self.runs.cut(value)
        if isinstance(value, list):
            kept = (self.cleansed(part, owner) for part in value)
            return [new for new, old in zip(kept, value, strict=True) if new is not None or not old]
        if not isinstance(value, dict):
            return value
        if self.takes(value, owner):
            return None
        if self._is_testimony(value, owner) and not self.everything:
            return value
        cleansed = {
            (name if name in PLAIN_FIELDS else self.runs.cut(name)): part
            if name in PLAIN_FIELDS
            else self.cleansed(part, owner)
            for name, part in value.items()
        }
        if "delta" in value and value.get("reason") and self._moved(value, owner):
            cleansed["reason"] = FORGOTTEN
        return cleansed

    def _moved(self, change: Json, owner: str) -> bool:
        """Is this a change of feelings about whom is forgotten, by them, or by a line that goes?"""
        theirs = bool(self.entity) and self.entity in (owner, change.get("author"))
        return theirs or change.get("event") in self.lines

    def row(self, row: Json) -> Json:
        """Return a row that stays: its words cleansed, its links to rows that go cut."""
        links = {
            "parents": [parent for parent in row["parents"] if parent not in self.gone],
            "supersedes": None if row["supersedes"] in self.gone else row["supersedes"],
        }
        words = {name: self.cleansed(row[name]) for name in ("content", "meta")}
        if (self._is_testimony(row) and not self.everything) or speaker(row) == self.entity:
            words = {}
        cleansed = {**row, **links, **words}
        meta, id = cleansed["meta"], row["id"]
        if meta.get(REPLACED_BY) and (meta[REPLACED_BY] in self.gone or id in self.unmarked):
            meta = {**meta, REPLACED_BY: 0}
        if self.gone.intersection(meta.get(REPLACES, ())):
            meta = {**meta, REPLACES: [part for part in meta[REPLACES] if part not in self.gone]}
        return {**cleansed, "meta": meta}

    def record(self, record: Json) -> Json:
        """Return the body of an audit record, cleansed; of a turn that goes no word remains."""
        data: Json = record["data"]
        if record["type"] in _OF_STAFF:
            return data
        if self.everything and (data.get("undo") or {}).get("entity") == self.entity:
            data = {**data, "undo": {}, "told": {}}  # a night's work about them
        if record["turn_id"] in self.turns:
            data = {name: _blank(part) if name in _BODIES else part for name, part in data.items()}
        cleansed: Json = self.cleansed(data)
        return cleansed

    def plan(self, state: Json, empty: Json, owner: str = "") -> Json:
        """Return the arguments with which the step `redact` cleanses a state; none: it is clean.

        `empty` is the empty shape of the part. A conversation with the entity goes as a whole.
        """
        if not self.entity or owner != self.entity:
            edits = dict(self._edits(state, owner))
        elif ("messages" in state or self.everything) and state != empty:
            return {"edits": {}, "whole": True}
        else:
            edits = dict(self._edits(state, owner))
            made = (value for name, value in state.items() if name in MADE_OF_TALK and value)
            edits |= {fingerprint(value): "" for value in made}
        return {"edits": edits} if edits else {}

    def _edits(self, state: Json, owner: str) -> Iterator[tuple[str, Any]]:
        for name, value in state.items():
            if isinstance(value, dict):
                if "author" in value and self.takes(value, owner):
                    yield fingerprint(value), None
                else:
                    yield from self._edits(value, owner)
            elif name not in PLAIN_FIELDS:
                for part in value if isinstance(value, list) else [value]:
                    new = self._after(part, owner)
                    if new != part:
                        yield fingerprint(part), new

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


def _blank(value: Any) -> Any:
    """Return a JSON value of the same shape without its words."""
    if isinstance(value, dict):
        return {name: _blank(part) for name, part in value.items()}
    if isinstance(value, list):
        return [_blank(part) for part in value]
    return FORGOTTEN if isinstance(value, str) and value else value
