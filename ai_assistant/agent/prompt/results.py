"""Component 7000: what the turn's own tool calls brought, beside a prompt that may give way."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

from ai_assistant.agent import contexts
from ai_assistant.agent.prompt.draft import capped, cut
from ai_assistant.agent.prompt.fitting import room_of, squeezed, tools_size
from ai_assistant.agent.turn import Turn
from ai_assistant.contracts import Message

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
        if size((*prompt, *steps)) <= room:
            return (*prompt, *steps)
        steps = [_shorter(message, length) for message in turn.transcript]
    while size((*prompt, *steps)) > room and (oldest := _oldest_line(prompt)) is not None:
        del prompt[oldest]
    while size((*prompt, *steps)) > room and (end := _first_step(steps)):
        del steps[:end]
    taken = size(steps) - sum(len(message.content) for message in steps)
    return tuple(squeezed((*prompt, *steps), room - taken))


def size(messages: Sequence[Message]) -> int:
    """Return how many characters these messages have, their tool calls included."""
    calls = (call for message in messages for call in message.tool_calls)
    spent = sum(len(call.name) + len(json.dumps(call.arguments)) for call in calls)
    return spent + sum(len(message.content) for message in messages)


def _shorter(message: Message, length: int) -> Message:
    calls = tuple(
        replace(call, arguments=capped(call.arguments, length, LONGEST_LIST))
        for call in message.tool_calls
    )
    return replace(message, content=cut(message.content, length), tool_calls=calls)


def _oldest_line(prompt: Sequence[Message]) -> int | None:
    lines = (
        at
        for at, message in enumerate(prompt)
        if message.component == contexts.CONVERSATION and message.role != "system"
    )
    return next(lines, None)


def _first_step(steps: Sequence[Message]) -> int:
    """Return where the second step begins; 0 where there is none."""
    begins = [at for at, message in enumerate(steps) if message.role == "assistant"]
    return begins[1] if len(begins) > 1 else 0
