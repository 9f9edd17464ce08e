"""Component 7000: what the turn's own tool calls brought, beside a prompt that may give way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ai_assistant.agent.attention import layers
from ai_assistant.agent.prompt.draft import size_of_all
from ai_assistant.agent.prompt.fitting import room_of, squeezed, tools_size
from ai_assistant.agent.prompt.prompt_wording import cut
from ai_assistant.agent.turn.turn import Turn
from ai_assistant.core.contracts import Message

LENGTHS = (4000, 1600, 600, 200, 60)
"""How long a result, or a text in a call, may be: the first length with which all of it fits."""
LONGEST_LIST = 20


def request_messages(turn: Turn) -> tuple[Message, ...]:
    """Return the messages of the turn's next request, inside its budget.

    Where what the tools said does not fit beside the prompt, results are cut, then the oldest
    lines of the conversation go, then the oldest steps of this turn, a call with its result.
    """
    room = room_of(turn) - tools_size(turn)
    prompt, steps = list(turn.prompt), list(turn.transcript)
    for length in LENGTHS:
        if size_of_all((*prompt, *steps)) <= room:
            return (*prompt, *steps)
        steps = [_shorter(message, length) for message in turn.transcript]
    while size_of_all((*prompt, *steps)) > room and _drop_exchange(prompt):
        pass
    while size_of_all((*prompt, *steps)) > room and (end := _first_step(steps)):
        del steps[:end]
    return tuple(squeezed((*prompt, *steps), room))


def _shorter(message: Message, length: int) -> Message:
    calls = tuple(
        replace(call, arguments=capped(call.arguments, length)) for call in message.tool_calls
    )
    return replace(message, content=cut(message.content, length), tool_calls=calls)


def capped(value: Any, length: int) -> Any:
    """Return JSON values with no text longer than `length` and no list that is endless."""
    if isinstance(value, str):
        return cut(value, length)
    if isinstance(value, list | tuple):
        return [capped(item, length) for item in value[:LONGEST_LIST]]
    if isinstance(value, dict):
        return {key: capped(item, length) for key, item in value.items()}
    return value


def _drop_exchange(prompt: list[Message]) -> bool:
    """Take out the oldest lines of the conversation with what was answered; False for none."""
    first = next((at for at, message in enumerate(prompt) if _is_line(message)), None)
    if first is None:
        return False
    end = first + 1
    while end < len(prompt) and _is_line(prompt[end]) and prompt[end].role != "user":
        end += 1
    del prompt[first:end]
    return True


def _is_line(message: Message) -> bool:
    return message.component == layers.CONVERSATION and message.role != "system"


def _first_step(steps: Sequence[Message]) -> int:
    """Return where the second step begins; 0 where there is none."""
    begins = [at for at, message in enumerate(steps) if message.role == "assistant"]
    return begins[1] if len(begins) > 1 else 0
