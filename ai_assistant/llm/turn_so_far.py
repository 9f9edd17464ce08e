"""What was done in a turn so far, as the messages of a request tell it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ai_assistant.core.contracts import Json
from ai_assistant.core.model_records import Message

_OF_THE_TURN = 7000
"""Messages with this component came after the event; the answer to it begins before them."""


@dataclass(frozen=True, slots=True)
class Done:
    """A tool call of this turn with its result."""

    name: str
    """The tool's name."""
    ok: bool
    """Did it do what was asked?"""
    data: Json
    """What it returned."""

    @property
    def text(self) -> str:
        """The result's main sentence, whatever the tool calls it."""
        keys = "description moved set_out gave result text message error reason".split()
        texts = (self.data.get(key) for key in keys)
        return next((text for text in texts if text and isinstance(text, str)), "")


def answers_in(messages: Sequence[Message]) -> Sequence[Message]:
    """Return what was answered and done in this turn: all that came after the event."""
    later: list[Message] = []
    for message in messages:
        if message.role == "user" and message.component != _OF_THE_TURN:
            later = []
        elif message.role == "tool" or message.component != _OF_THE_TURN:
            later.append(message)
    return later


def results_in(answers: Sequence[Message]) -> Iterator[Done]:
    """Yield the calls among these answers that have a result."""
    names = {call.id: call.name for message in answers for call in message.tool_calls}
    for message in answers:
        if message.role == "tool" and message.tool_call_id in names:
            try:
                data = json.loads(message.content)
            except (ValueError, RecursionError):
                data = {}
            data = data if isinstance(data, dict) else {}
            yield Done(names[message.tool_call_id], data.get("ok") is True, data)
