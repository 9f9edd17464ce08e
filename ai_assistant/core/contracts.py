"""The records that travel between all layers: plain, frozen and made of JSON values.

Times are seconds since the epoch (UTC) as floats; stored state shows them as ISO 8601 text.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from enum import StrEnum
from typing import Any, Literal
from uuid import uuid4

from ai_assistant.core.readers import NOBODY, OPEN, Audience

Json = dict[str, Any]
SourceType = Literal["say", "pose", "whisper", "page", "channel", "move", "gift", "system"]
SpeechKind = Literal["say", "emote", "whisper", "page", "channel"]
TO_ONE = frozenset({"whisper", "page"})
"""Kinds of speech that nobody hears but whom it is for."""
IN_KIND: dict[str, SpeechKind] = {"whisper": "whisper", "page": "page", "channel": "channel"}
"""What is answered in the way in which it was asked: there is no other way to be heard then."""
ALOUD = frozenset({"say", "pose"})
"""Kinds of events that everybody in a room takes in: words and gestures."""
DIRECT = TO_ONE | {"gift"}
"""Kinds of events that need no name to be meant for whoever they reach."""
USUAL = 5
"""The importance of what nothing makes more or less important, of 1 to 10."""
ENGAGED_SECONDS = 60.0
"""How long whoever was answered needs no name."""


class Verdict(StrEnum):
    """What becomes of a perceived event."""

    TRIGGER = "trigger"
    CONTEXT = "context"
    IGNORE = "ignore"


class Category(StrEnum):
    """How a tool call governs the loop."""

    SAFE_CHAIN = "safe_chain"
    TERMINAL = "terminal"
    DANGEROUS = "dangerous"
    ASYNC_REQUIRED = "async_required"


@dataclass(frozen=True, slots=True)
class Entity:
    """A game object by reference."""

    id: str
    """Its lasting id: ``e…``, of an account ``a…``."""
    name: str
    """Its name now, cleaned."""
    kind: Literal["player", "npc", "object", "account"] = "object"
    """What it is; an account is somebody without a character."""


@dataclass(frozen=True, slots=True)
class Event:
    """Something perceived, or a tick of the character's own clock. All text is already cleaned."""

    id: str
    """Of the utterance: all who hear a line share it."""
    timestamp: float
    """When it was perceived."""
    event_type: Literal["external", "self_action", "self_speech", "tool_result", "tick"]
    """Whether others did it, the character itself, a tool, or its clock."""
    source: Entity
    """Who did it."""
    source_type: SourceType
    """How: the kind of speech or act."""
    content: str
    """The words of a line, or what happened."""
    importance: int = USUAL
    """1 to 10; see `memory.importance`."""
    readers: str = OPEN
    """The label: who may know of it."""
    place: str = ""
    """The id of the room or channel."""
    place_name: str = ""
    """Its name at that time."""
    root: str = ""
    """The id of the event from whose energy all that follows is paid."""
    addressing: str = ""
    """The rule that classified it."""
    cause: Json = field(default_factory=dict)
    """Why no rule before that one did, each in a word, with the ids of those on whose account."""
    requires_response: bool = False
    """Is somebody waiting for an answer?"""
    by_assistant: bool = False
    """Was it another assistant's doing?"""
    session: str = ""
    """The talk that it belongs to, and the scene where it is one."""
    game_day: int = 0
    """The day of the story, 0 where none is counted."""
    turn_id: str = ""
    """The turn that caused it, of the character itself."""
    metadata: Json = field(default_factory=dict)
    """What a kind of event has besides: the target of a whisper, the item of a gift."""

    def to_json(self) -> Json:
        """Return the event as JSON values, which share its metadata."""
        plain = {known.name: getattr(self, known.name) for known in fields(self)}
        return plain | {"source": asdict(self.source)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Event:
        """Rebuild an event from what `to_json` returned, in an older version perhaps."""
        known = {name: data[name] for name in cls.__slots__ if name in data}
        return cls(**{**known, "source": Entity(**data["source"])})


@dataclass(frozen=True, slots=True)
class Speech:
    """Words or a gesture to an audience fixed before."""

    kind: SpeechKind
    """How it is said."""
    text: str
    """The words, cleaned; of an emote, what is seen."""
    readers: str
    """The label of the words."""
    audience: Audience
    """Who may hear it; whoever else would hear it then, it is not said."""
    place: str = ""
    """The id of the room or channel."""
    target: Entity | None = None
    """To whom, of a whisper or page."""
    root: str = ""
    """The id of the event from whose energy it is paid."""
    event: str = ""
    """The id of the event that it answers."""
    told: tuple[Json, ...] = ()
    """What it passes on of others' news, by row."""
    played: bool = False
    """Is it said in a scene that is fiction?"""
    refused: str = ""
    """Why the game lets nobody hear it; empty where it may be heard."""


@dataclass(frozen=True, slots=True)
class Delivery:
    """How a speech ended: said, told privately to some, or dropped for a reason."""

    outcome: Literal["said", "privately", "dropped"]
    """What became of it."""
    hearers: Audience = frozenset()
    """Who heard it."""
    reason: str = ""
    """Why it was dropped, or said to some only."""


@dataclass(frozen=True, slots=True)
class Change:
    """One step on one part of the state: the name of a pure function and its arguments."""

    part: str
    """The name of the part of the state."""
    key: str
    """Which of a keyed part; empty for others."""
    op: str
    """The name of the step, a pure function of the part."""
    args: Json
    """What the step is called with."""


@dataclass(frozen=True, slots=True)
class NewRow:
    """Stands for the id that a row of the same commit will get."""

    place: int
    """Its place in `Commit.rows`, from 0."""


@dataclass(frozen=True, slots=True)
class MemoryRow:
    """A row of a container, as the model `Memory` has it."""

    content: str
    """The text that is searched and shown."""
    kind: str = "utterance"
    """utterance, fact, summary, … (docs/memory.md)."""
    session: str = ""
    """The talk or scene from which it is."""
    container: str = ""
    """Whose memory it is in: an assistant's id, a player's, a scene's world."""
    subject: str = ""
    """The id of whom it is about."""
    author: str = ""
    """The id of whoever said or wrote it."""
    author_name: str = ""
    """That one's name then."""
    readers: str = OPEN
    """The label: who may know of it."""
    game_day: int = 0
    """The day of the story, 0 where none is counted."""
    location: str = ""
    """The name of the place."""
    learned_at: float = 0.0
    """When its owner came to know it; 0 for not stored yet."""
    importance: int = USUAL
    """1 to 10; see `memory.importance`."""
    trust: float = 0.9
    """0.0 to 1.0: how far it is taken for true."""
    parents: tuple[int, ...] = ()
    """Ids of the rows on which it rests."""
    meta: Json = field(default_factory=dict)
    """What a kind has besides (docs/storage.md)."""
    id: int = 0
    """0 until it is stored; below zero for what is kept elsewhere and only found as a row."""


@dataclass(frozen=True, slots=True)
class AuditRecord:
    """An entry of the append-only audit log: turn, tool, error, configuration."""

    type: str
    """What happened, such as TurnCompleted."""
    data: Json
    """What is told of it."""
    readers: str = NOBODY
    """The label; nobody's unless said."""
    turn_id: str = ""
    """The turn in which it happened."""
    at: float = 0.0
    """When; 0 for now."""


@dataclass(frozen=True, slots=True)
class StoredTrigger:
    """A trigger on disk, how often it was tried, and the acts that a turn began (`claims`)."""

    event: Event
    """What is to be answered."""
    attempts: int = 0
    """Turns that were begun for it."""
    turn_id: str = ""
    """The last of them."""
    claims: tuple[Json, ...] = ()
    """Its acts that were announced, with the result of each that ended."""


@dataclass(frozen=True, slots=True)
class Distribution:
    """What is stored once for an utterance: the world's row, the players' rows, the decision."""

    raw: MemoryRow
    """The row of the world's container."""
    rows: tuple[MemoryRow, ...]
    """One for each player who took part."""
    decision: Json
    """Who took part, and by which rule."""


@dataclass(slots=True)
class Commit:
    """All that one turn writes, in one transaction."""

    at: float
    """When it happens."""
    turn_id: str = ""
    """The turn that it ends; empty outside of turns."""
    changes: list[Change] = field(default_factory=list)
    """Steps on parts of the state, in order."""
    rows: list[MemoryRow] = field(default_factory=list)
    """New memory rows."""
    audit: list[AuditRecord] = field(default_factory=list)
    """New entries of the audit log."""
    closed: list[str] = field(default_factory=list)
    """Ids of events that are done with."""
    archived: list[int] = field(default_factory=list)
    """Ids of rows that go out of use."""
    revived: list[int] = field(default_factory=list)
    """Ids of rows that come back into use."""
    annotated: dict[int | NewRow, Json] = field(default_factory=dict)
    """What is added to the metadata of rows, by id; a `NewRow` stands for one, as key and in it."""
    distributions: list[Distribution] = field(default_factory=list)
    """What is stored once for several, one for each line."""
    claims: list[Json] = field(default_factory=list)
    """Acts that are announced with it, or ended by it."""
    id: str = field(default_factory=lambda: uuid4().hex[:16], compare=False)
    """By which it is known again where nobody was told whether it was written."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What a look at the set-up found."""

    about: str
    """The id of what was looked at, in `docs/troubleshooting.md`."""
    level: Literal["ok", "warning", "problem"]
    """How bad it is: with a problem, something does not work."""
    text: str
    """What was found, in a sentence."""
    fix: str = ""
    """What to do about it; empty where all is well."""
