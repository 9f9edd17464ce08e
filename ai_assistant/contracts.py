"""The vocabulary of the whole package: the records that travel, and the ports the core asks for.

Records are plain, frozen and made of JSON values, so that each can be stored, replayed and faked.
Times are seconds since the epoch (UTC) as floats; stored state shows them as ISO 8601 text.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any, Literal, Protocol

from ai_assistant.readers import NOBODY, OPEN, Audience

Json = dict[str, Any]
SourceType = Literal["say", "pose", "whisper", "page", "channel", "move", "gift", "system"]
SpeechKind = Literal["say", "emote", "whisper", "page", "channel"]


class Verdict(StrEnum):
    """What becomes of a perceived event."""

    TRIGGER = "trigger"
    CONTEXT = "context"
    IGNORE = "ignore"


class Category(StrEnum):
    """How a tool call governs the loop (inventory §8.1)."""

    SAFE_CHAIN = "safe_chain"
    TERMINAL = "terminal"
    DANGEROUS = "dangerous"
    ASYNC_REQUIRED = "async_required"


@dataclass(frozen=True, slots=True)
class Entity:
    """A game object by reference: its lasting id (``e…``), its name now, and what it is."""

    id: str
    name: str
    kind: Literal["player", "npc", "object", "account"] = "object"


@dataclass(frozen=True, slots=True)
class Event:
    """Something perceived (inventory §24, PerceptionEvent), or a tick of the character's own clock.

    `id` names the utterance, so all hearers of one line share it. `root` is the id of the event
    that everything following from it draws its energy from. `place` is the id of the room or
    channel; `readers` is the label of everybody who may know of it. All text is already cleaned.
    """

    id: str
    timestamp: float
    event_type: Literal["external", "self_action", "self_speech", "tool_result", "tick"]
    source: Entity
    source_type: SourceType
    content: str
    narrative_text: str = ""
    importance: int = 5
    readers: str = OPEN
    place: str = ""
    place_name: str = ""
    root: str = ""
    addressing: str = ""
    requires_response: bool = False
    by_assistant: bool = False
    session: str = ""
    game_day: int = 0
    turn_id: str = ""
    metadata: Json = field(default_factory=dict)

    def to_json(self) -> Json:
        """Return the event as JSON values."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Event:
        """Rebuild an event from what `to_json` returned."""
        return cls(**{**data, "source": Entity(**data["source"])})


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A model's wish to run a tool; `problem` says why its arguments could not be read."""

    id: str
    name: str
    arguments: Json
    problem: str = ""


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What became of a tool call, as the model will read it."""

    call_id: str
    name: str
    ok: bool
    data: Json


@dataclass(frozen=True, slots=True)
class Message:
    """One chat message; `component` is the id of the prompt component it came from."""

    role: Literal["system", "user", "assistant", "tool"]
    content: str
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str = ""
    component: int = 0


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """One model call. `job` picks the profile (chat, consolidate, assess, summarise)."""

    messages: tuple[Message, ...]
    tools: tuple[Json, ...] = ()
    job: str = "chat"
    context_type: str = "tick_event"
    assistant: str = ""
    max_tokens: int = 500


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one call as the provider counted them; `known` is False where it did not say."""

    prompt_tokens: int = 0
    completion_tokens: int = 0
    known: bool = False

    @property
    def total(self) -> int:
        """Prompt and completion together."""
        return self.prompt_tokens + self.completion_tokens


@dataclass(frozen=True, slots=True)
class ModelReply:
    """A model's answer: text, tool calls, or both."""

    text: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    usage: Usage = Usage()
    model: str = ""
    finish_reason: str = "stop"


@dataclass(frozen=True, slots=True)
class Speech:
    """Words or a gesture on their way out. `audience` was fixed when the turn started."""

    kind: SpeechKind
    text: str
    readers: str
    audience: Audience
    place: str = ""
    target: Entity | None = None
    root: str = ""


@dataclass(frozen=True, slots=True)
class Delivery:
    """How a speech ended: said, told privately to some, or dropped for a reason."""

    outcome: Literal["said", "privately", "dropped"]
    hearers: Audience = frozenset()
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Change:
    """One step of change to one part of the state: the name of a pure function and its arguments.

    Never a new state: `commit` re-reads the part and applies the step to what is there by then.
    """

    part: str
    key: str
    op: str
    args: Json


@dataclass(frozen=True, slots=True)
class MemoryRow:
    """A row of a container; see the model `Memory`. `id` is 0 until it is stored."""

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
    importance: int = 5
    trust: float = 0.9
    parents: tuple[int, ...] = ()
    meta: Json = field(default_factory=dict)
    id: int = 0


@dataclass(frozen=True, slots=True)
class AuditRecord:
    """An entry of the append-only audit log (inventory §21): turn, tool, error, configuration."""

    type: str
    data: Json
    readers: str = NOBODY
    turn_id: str = ""
    at: float = 0.0


@dataclass(frozen=True, slots=True)
class PendingEvent:
    """A trigger on disk with what has been tried; `claims` are the acts that a turn began."""

    event: Event
    attempts: int = 0
    turn_id: str = ""
    claims: tuple[Json, ...] = ()


@dataclass(slots=True)
class Commit:
    """All that one turn writes, in one transaction."""

    at: float
    turn_id: str = ""
    changes: list[Change] = field(default_factory=list)
    rows: list[MemoryRow] = field(default_factory=list)
    audit: list[AuditRecord] = field(default_factory=list)
    closed: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Thing:
    """Something the character sees: an entity, an exit or an item, with what may be done to it."""

    entity: Entity
    description: str = ""
    is_exit: bool = False
    is_assistant: bool = False
    carried: bool = False
    givable: bool = False


@dataclass(frozen=True, slots=True)
class Scene:
    """What the character perceives of its surroundings right now. All text is cleaned."""

    place: str
    place_name: str
    description: str = ""
    time: str = ""
    private: bool = False
    things: tuple[Thing, ...] = ()


class Model(Protocol):
    """Answers a request; raises a `ModelError` where it cannot."""

    def complete(self, request: ModelRequest) -> Awaitable[ModelReply]:
        """Return the reply when it is there."""


class Clock(Protocol):
    """The time of day and a steady clock, both in seconds."""

    def now(self) -> float:
        """Seconds since the epoch, UTC."""

    def monotonic(self) -> float:
        """Seconds that never jump."""


class World(Protocol):
    """The game as one character perceives it and acts in it. Ids are looked up anew each time."""

    def me(self) -> Entity:
        """The character itself."""

    def scene(self) -> Scene:
        """Where it is and what it sees."""

    def look(self, entity_id: str) -> str:
        """What it sees when it looks at that; raises `ToolError` where it is gone."""

    def hearers(self, kind: SpeechKind, place: str, target: str = "") -> Audience:
        """Everybody who would hear a speech of that kind now; empty when nobody would."""

    def belongs(self, principal: str, channel: str) -> bool:
        """Is the principal subscribed to that channel, and let in to listen?"""

    def in_reach(self, event: Event) -> bool:
        """Could whoever caused the event still hear an answer?"""

    def move(self, exit_id: str) -> Awaitable[str]:
        """Walk through an exit; returns what happened, raises `ToolError` where it failed."""

    def give(self, item_id: str, receiver_id: str) -> Awaitable[str]:
        """Hand over an item; returns what happened, raises `ToolError` where it failed."""

    def holds(self, entity_id: str, permission: str) -> bool:
        """Does that one (or the character itself) hold this permission of the game right now?"""

    def route(self, speech: Speech) -> Delivery:
        """Say how `deliver` would end right now, without saying a word."""

    def deliver(self, speech: Speech) -> Delivery:
        """Speak, if those who hear it now still may; never raises for a listener who is gone."""


class Store(Protocol):
    """The state of one assistant. Every call is short, synchronous and hands out plain copies."""

    def read(self, part: str, key: str = "") -> Json:
        """Return a part of the state; its empty shape where nothing is stored."""

    def keys(self, part: str) -> Sequence[str]:
        """Return the keys stored of a part that is kept one Attribute per key."""

    def rows(self, ids: Sequence[int]) -> list[MemoryRow]:
        """Return rows of the character's container by id; unknown ids are left out."""

    def newest_rows(self, limit: int, before: int = 0) -> list[MemoryRow]:
        """Return the newest rows (older than the id `before`, unless 0), newest first."""

    def commit(self, commit: Commit) -> list[MemoryRow]:
        """Write everything or nothing, then publish; returns the rows with their ids.

        Raises `StoreError` when the database refuses; memory and disk are then as before.
        """

    def add_pending(self, event: Event) -> bool:
        """Put a trigger on disk; False when it is there already."""

    def pending(self) -> list[PendingEvent]:
        """Return what is on disk and not closed, oldest first."""

    def begin(self, turn_id: str, event_ids: Sequence[str]) -> None:
        """Count one more attempt for these events, in the name of this turn."""

    def give_back(self, turn_id: str) -> None:
        """Take back the attempt of a turn that a reload cut short (unless it has claims)."""

    def claim(self, turn_id: str, call: Json) -> None:
        """Put on disk that an act is about to happen, before it happens."""

    def settle(self, turn_id: str, call_id: str, result: Json) -> None:
        """Put on disk how a claimed act ended."""


class Book(Protocol):
    """The day's spending on disk, per owner (an assistant, or ``""`` for the whole game)."""

    def spent(self, day: str, owner: str) -> tuple[int, int]:
        """Return (calls, tokens) of that day."""

    def spend(self, day: str, owners: Sequence[str], calls: int, tokens: int) -> None:
        """Add to all these owners at once; amounts may be negative when settling."""


Limit = Callable[[Awaitable[Any], float], Awaitable[Any]]
"""``limit(awaitable, seconds)``: the same outcome, or `TimeoutError` when it takes longer."""
