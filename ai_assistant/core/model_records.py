"""What is asked of a model, and what it answers."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from ai_assistant.core.contracts import Json


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A model's wish to run a tool."""

    id: str
    name: str
    arguments: Json
    problem: str = ""
    """Why the arguments could not be read."""
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
    """One chat message, of the prompt component with this id."""

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
    """One model call."""

    messages: tuple[Message, ...]
    tools: tuple[Json, ...] = ()
    sections: tuple[PromptSection, ...] = ()
    """What the messages are made of; never sent."""
    job: str = "chat"
    """chat, consolidate, assess or summarise: picks the model profile."""
    profile: str = ""
    """The assistant's own choice instead."""
    context_type: str = "tick_event"
    assistant: str = ""
    payer: str = ""
    """The player whose share of the assistant's day it takes; never sent."""
    max_tokens: int = 500
    schema: Json = field(default_factory=dict)
    """Of an answer in JSON."""
    registered: tuple[Json, ...] = ()
    """Tools that may be called though they are not shown."""


@dataclass(frozen=True, slots=True)
class TokenUsage:
    """Tokens of one call as the provider counted them; `known` is False where it did not say."""

    prompt_tokens: int = 0
    completion_tokens: int = 0
    known: bool = False
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
    tool_calls: tuple[ToolCall, ...] = ()
    usage: TokenUsage = TokenUsage()
    model: str = ""
    extra: Json = field(default_factory=dict)
    """The provider's own fields, such as its reasoning, which want to be sent back."""
    instead: str = ""
    """Why somebody stood in for the model that was asked; empty where nobody did."""
