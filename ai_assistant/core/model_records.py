"""What is asked of a model, and what it answers."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from ai_assistant.core.contracts import Json


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
class TokenUsage:
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
    usage: TokenUsage = TokenUsage()
    model: str = ""
    finish_reason: str = "stop"
    extra: Json = field(default_factory=dict)
