"""What is asked of a model, and what it answers."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from ai_assistant.core.contracts import Json


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A model's wish to run a tool."""

    id: str
    """The provider's, or one of ours: pairs a call with its result."""
    name: str
    """The tool."""
    arguments: Json
    """As the model gave them."""
    problem: str = ""
    """Why the arguments could not be read."""
    extra: Json = field(default_factory=dict)
    """The provider's own fields, which want to be sent back."""


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What became of a tool call, as the model will read it."""

    call_id: str
    """The call's."""
    name: str
    """The tool."""
    ok: bool
    """Was it done?"""
    data: Json
    """The result, or what was wrong and what to do instead."""


@dataclass(frozen=True, slots=True)
class Message:
    """One chat message, of the prompt component with this id."""

    role: Literal["system", "user", "assistant", "tool"]
    """Whose message."""
    content: str
    """Its text."""
    tool_calls: tuple[ToolCall, ...] = ()
    """Of an assistant's message: what it called."""
    tool_call_id: str = ""
    """Of a tool's message: the call that it answers."""
    component: int = 0
    """The prompt component's id, 0 for the talk after it."""
    extra: Json = field(default_factory=dict)
    """The provider's own fields, which want to be sent back."""

    @classmethod
    def from_json(cls, held: Json) -> Message:
        """Rebuild a message from its fields as JSON."""
        return cls(**held | {"tool_calls": _calls(held)})


@dataclass(frozen=True, slots=True)
class PromptSection:
    """One section of a prompt as data: its key, and the rows that its text was made of."""

    key: str
    """The section's id in the table of sections."""
    rows: tuple[Json, ...]
    """What it shows, row by row."""

    @classmethod
    def from_json(cls, held: Json) -> PromptSection:
        """Rebuild a section from its fields as JSON."""
        return cls(held["key"], tuple(held["rows"]))


@dataclass(frozen=True, slots=True)
class BuiltPrompt:
    """What a model reads before the transcript of a turn; made by `agent.prompt.build`."""

    messages: tuple[Message, ...] = ()
    """As they are sent."""
    parts: tuple[tuple[str, Message], ...] = ()
    """The same by component, each with the key of its section."""
    sections: tuple[PromptSection, ...] = ()
    """The same as data."""
    lines: frozenset[str] = frozenset()
    """The ids of the lines of conversation in it."""
    lead: int = 0
    """How many characters of the first message are the same in every turn."""
    utilisation: float = 0.0
    """The share of its budget that it would take if nothing gave way."""


@dataclass(frozen=True, slots=True)
class CallOrigin:
    """Where a model call comes from: for the record of it, and never sent."""

    turn: str = ""
    """The id of the turn that asks; empty for none."""
    readers: str = ""
    """The label of all that is sent."""
    sources: frozenset[str] = frozenset()
    """Ids of those whose words are sent or who may know of it, of lines, and references of
    memories; empty where nobody knows that."""
    lead: int = 0
    """How many characters of the first message are the same in every turn."""


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """One model call."""

    messages: tuple[Message, ...]
    """What is sent."""
    tools: tuple[Json, ...] = ()
    """Tools that are shown, as JSON schemas."""
    sections: tuple[PromptSection, ...] = ()
    """What the messages are made of; never sent."""
    job: str = "chat"
    """chat, consolidate, assess or summarise: picks the model profile."""
    profile: str = ""
    """The assistant's own choice instead."""
    context_type: str = "tick_event"
    """What the turn is for, such as tick_event or goal_decompose."""
    assistant: str = ""
    """The id of whose turn it is; never sent."""
    payer: str = ""
    """The player whose share of the assistant's day it takes; never sent."""
    max_tokens: int = 500
    """Most tokens of the answer."""
    schema: Json = field(default_factory=dict)
    """Of an answer in JSON."""
    registered: tuple[Json, ...] = ()
    """Tools that may be called though they are not shown."""
    may_be_empty: bool = False
    """Is it an answer, too, to say and do nothing?"""
    origin: CallOrigin = CallOrigin()
    """Where it comes from; never sent."""


@dataclass(frozen=True, slots=True)
class TokenUsage:
    """Tokens of one call as the provider counted them; `known` is False where it did not say."""

    prompt_tokens: int = 0
    """Tokens that were sent."""
    completion_tokens: int = 0
    """Tokens that were answered, thinking included."""
    known: bool = False
    """Did the provider say it?"""
    cached_tokens: int = 0
    """Among those of the prompt."""
    reasoning_tokens: int = 0
    """Among those of the completion."""
    absurd: bool = False
    """Did it say what cannot be: no numbers, below zero, none for an answer that came?"""

    @property
    def total(self) -> int:
        """Prompt and completion together."""
        return self.prompt_tokens + self.completion_tokens


@dataclass(frozen=True, slots=True)
class ModelReply:
    """A model's answer: words, which are spoken, tool calls, or both."""

    text: str = ""
    """What is said."""
    tool_calls: tuple[ToolCall, ...] = ()
    """What is to be done."""
    usage: TokenUsage = TokenUsage()
    """What it cost."""
    model: str = ""
    """The model that answered, as the provider names it."""
    extra: Json = field(default_factory=dict)
    """The provider's own fields, such as its reasoning, which want to be sent back."""
    instead: str = ""
    """Why somebody stood in for the model that was asked; empty where nobody did."""
    cause: str = ""
    """What the owner's next step goes by then, as of a `ModelError`."""

    @classmethod
    def from_json(cls, held: Json) -> ModelReply:
        """Rebuild a reply from its fields as JSON."""
        usage = TokenUsage(**held["usage"])
        return cls(**held | {"tool_calls": _calls(held), "usage": usage})


def _calls(held: Json) -> tuple[ToolCall, ...]:
    return tuple(ToolCall(**call) for call in held["tool_calls"])
