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
    """A game object by reference: its lasting id (``e…``), its name now, and what it is."""

    id: str
    name: str
    kind: Literal["player", "npc", "object", "account"] = "object"


@dataclass(frozen=True, slots=True)
class Event:
    """Something perceived, or a tick of the character's own clock. All text is already cleaned.

    `id` names the utterance, so all hearers of one line share it. `root` is the id of the event
    that all following from it draws energy from; `place`, of the room or channel; `readers` is the
    label of everybody who may know of it.
    """

    id: str
    timestamp: float
    event_type: Literal["external", "self_action", "self_speech", "tool_result", "tick"]
    source: Entity
    source_type: SourceType
    content: str
    narrative_text: str = ""
    importance: int = USUAL
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
        """Return the event as JSON values, of which the metadata are its own."""
        plain = {known.name: getattr(self, known.name) for known in fields(self)}
        return plain | {"source": asdict(self.source)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Event:
        """Rebuild an event from what `to_json` returned."""
        return cls(**{**data, "source": Entity(**data["source"])})


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A model's wish to run a tool; `problem` says why its arguments could not be read.

    `extra` holds fields that the provider wants to see again, such as a signature of its thoughts.
    """

    id: str
    name: str
    arguments: Json
    problem: str = ""
    extra: Json = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What became of a tool call, as the model will read it."""

    call_id: str
    name: str
    ok: bool
    data: Json


@dataclass(frozen=True, slots=True)
class Message:
    """One chat message, of the prompt component with this id; for `extra` see `ModelReply`."""

    role: Literal["system", "user", "assistant", "tool"]
    content: str
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str = ""
    component: int = 0
    extra: Json = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PromptSection:
    """One section of a prompt as data: its key, and the rows that its text was made of."""

    key: str
    rows: tuple[Json, ...]


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """One model call. `job` (chat, consolidate, assess, summarise) picks the model profile.

    `profile` is the assistant's own choice. `sections` is what the messages are made of, never
    sent; `schema` that of a JSON answer. `registered` tools may be called though nobody sees them.
    """

    messages: tuple[Message, ...]
    tools: tuple[Json, ...] = ()
    sections: tuple[PromptSection, ...] = ()
    job: str = "chat"
    profile: str = ""
    context_type: str = "tick_event"
    assistant: str = ""
    max_tokens: int = 500
    schema: Json = field(default_factory=dict)
    registered: tuple[Json, ...] = ()


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one call as the provider counted them; `known` is False where it did not say.

    `cached_tokens` are among those of the prompt, `reasoning_tokens` among those of the completion.
    """

    prompt_tokens: int = 0
    completion_tokens: int = 0
    known: bool = False
    cached_tokens: int = 0
    reasoning_tokens: int = 0

    @property
    def total(self) -> int:
        """Prompt and completion together."""
        return self.prompt_tokens + self.completion_tokens


@dataclass(frozen=True, slots=True)
class ModelReply:
    """A model's answer: words, which are spoken, tool calls, or both.

    `extra` holds fields of the provider, such as its reasoning, to be sent back within the turn.
    """

    text: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    usage: Usage = Usage()
    model: str = ""
    finish_reason: str = "stop"
    extra: Json = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Speech:
    """Words or a gesture to an `audience` fixed before; they pass on `told`, `played` or not."""

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
class NewRow:
    """A placeholder for the id that the row at this `place` of the same commit will get."""

    place: int


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
class PendingEvent:
    """A trigger on disk, how often it was tried, and in `claims` the acts that a turn began."""

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
    """All that one turn writes, in one transaction.

    `archived` are ids of rows that go out of use, `revived` of such that come back; `annotated`
    adds metadata to rows, by id (a `NewRow` too, also in it); `claims`, settled already, are noted.
    """

    at: float
    turn_id: str = ""
    changes: list[Change] = field(default_factory=list)
    rows: list[MemoryRow] = field(default_factory=list)
    audit: list[AuditRecord] = field(default_factory=list)
    closed: list[str] = field(default_factory=list)
    archived: list[int] = field(default_factory=list)
    revived: list[int] = field(default_factory=list)
    annotated: dict[int | NewRow, Json] = field(default_factory=dict)
    distributions: list[Distribution] = field(default_factory=list)
    claims: list[Json] = field(default_factory=list)
