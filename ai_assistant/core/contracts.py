"""The records that travel between all layers: plain, frozen and made of JSON values.

Times are seconds since the epoch (UTC) as floats; stored state shows them as ISO 8601 text.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from enum import StrEnum
from typing import Any, Literal

from ai_assistant.core.importance import USUAL
from ai_assistant.core.readers import NOBODY, OPEN, Audience

Json = dict[str, Any]
SourceType = Literal["say", "pose", "whisper", "page", "channel", "move", "gift", "system"]
SpeechKind = Literal["say", "emote", "whisper", "page", "channel"]
TO_ONE = frozenset({"whisper", "page"})
"""Kinds of speech that nobody hears but whom it is for."""
DIRECT = TO_ONE | {"gift"}
"""Kinds of events that need no name to be meant for whoever they reach."""
ENGAGED_SECONDS = 60.0
"""How long whoever was answered needs no name, and is not walked away from."""


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
    """A game object by reference: its lasting id (``e…``) and its name now."""

    id: str
    name: str
    kind: Literal["player", "npc", "object", "account"] = "object"


@dataclass(frozen=True, slots=True)
class Event:
    """Something perceived, or a tick of the character's own clock. All text is already cleaned."""

    id: str
    """Of the utterance: all who hear a line share it."""
    timestamp: float
    event_type: Literal["external", "self_action", "self_speech", "tool_result", "tick"]
    source: Entity
    source_type: SourceType
    content: str
    narrative_text: str = ""
    importance: int = USUAL
    readers: str = OPEN
    place: str = ""
    """The id of the room or channel."""
    place_name: str = ""
    root: str = ""
    """The id of the event from whose energy all that follows is paid."""
    addressing: str = ""
    """The rule that classified it."""
    cause: Json = field(default_factory=dict)
    """Why no rule before that one did, each in a word, with the ids of those on whose account."""
    requires_response: bool = False
    by_assistant: bool = False
    session: str = ""
    game_day: int = 0
    turn_id: str = ""
    metadata: Json = field(default_factory=dict)

    def to_json(self) -> Json:
        """Return the event as JSON values, which share its metadata."""
        plain = {known.name: getattr(self, known.name) for known in fields(self)}
        return plain | {"source": asdict(self.source)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Event:
        """Rebuild an event from what `to_json` returned."""
        return cls(**{**data, "source": Entity(**data["source"])})


@dataclass(frozen=True, slots=True)
class Speech:
    """Words or a gesture to an `audience` fixed before; `told` is what they pass on."""

    kind: SpeechKind
    text: str
    readers: str
    audience: Audience
    place: str = ""
    target: Entity | None = None
    root: str = ""
    event: str = ""
    told: tuple[Json, ...] = ()
    played: bool = False
    refused: str = ""
    """Why the game lets nobody hear it; empty where it may be heard."""


@dataclass(frozen=True, slots=True)
class Delivery:
    """How a speech ended: said, told privately to some, or dropped for a reason."""

    outcome: Literal["said", "privately", "dropped"]
    hearers: Audience = frozenset()
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Change:
    """One step on one part of the state: the name of a pure function and its arguments."""

    part: str
    key: str
    op: str
    args: Json


@dataclass(frozen=True, slots=True)
class NewRow:
    """Stands for the id that the row at this `place` of the same commit will get."""

    place: int


@dataclass(frozen=True, slots=True)
class MemoryRow:
    """A row of a container, as the model `Memory` has it; `id` is 0 until it is stored."""

    content: str
    kind: str = "utterance"
    session: str = ""
    container: str = ""
    subject: str = ""
    author: str = ""
    author_name: str = ""
    readers: str = OPEN
    game_day: int = 0
    location: str = ""
    learned_at: float = 0.0
    importance: int = USUAL
    trust: float = 0.9
    parents: tuple[int, ...] = ()
    meta: Json = field(default_factory=dict)
    id: int = 0


@dataclass(frozen=True, slots=True)
class AuditRecord:
    """An entry of the append-only audit log: turn, tool, error, configuration."""

    type: str
    data: Json
    readers: str = NOBODY
    turn_id: str = ""
    at: float = 0.0


@dataclass(frozen=True, slots=True)
class StoredTrigger:
    """A trigger on disk, how often it was tried, and the acts that a turn began (`claims`)."""

    event: Event
    attempts: int = 0
    turn_id: str = ""
    claims: tuple[Json, ...] = ()


@dataclass(frozen=True, slots=True)
class Distribution:
    """What is stored once for an utterance: the world's row, the players' rows, the decision."""

    raw: MemoryRow
    rows: tuple[MemoryRow, ...]
    decision: Json


@dataclass(slots=True)
class Commit:
    """All that one turn writes, in one transaction."""

    at: float
    turn_id: str = ""
    changes: list[Change] = field(default_factory=list)
    rows: list[MemoryRow] = field(default_factory=list)
    audit: list[AuditRecord] = field(default_factory=list)
    closed: list[str] = field(default_factory=list)
    """Ids of events that are done with."""
    archived: list[int] = field(default_factory=list)
    """Ids of rows that go out of use, as `revived` are of such that come back."""
    revived: list[int] = field(default_factory=list)
    annotated: dict[int | NewRow, Json] = field(default_factory=dict)
    """What is added to the metadata of rows, by id; a `NewRow` stands for one, as key and in it."""
    distributions: list[Distribution] = field(default_factory=list)
    claims: list[Json] = field(default_factory=list)
