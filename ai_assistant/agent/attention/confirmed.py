"""What staff confirmed: one call of a game's own tool, made as it was shown to them.

It is a turn without a model, beside whatever turn runs: checked, claimed on disk, done and
remembered as any act is. Of the context there is nothing but who asked for it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ai_assistant.agent.mind import Mind
from ai_assistant.agent.turn.calls import perform
from ai_assistant.agent.turn.handles import handle_of
from ai_assistant.agent.turn.loop import save_then_speak
from ai_assistant.agent.turn.opening import begin
from ai_assistant.agent.turn.turn import Turn
from ai_assistant.core.contracts import Json
from ai_assistant.core.errors import ToolError
from ai_assistant.core.model_records import ToolCall


async def make_confirmed(
    mind: Mind, tool: str, arguments: Json, asked_by: str, readers: str, turn_id: str
) -> str:
    """Make a confirmed call for the one who asked, known by id; returns what came of it.

    `arguments` are those that were shown; a thing is `{"id": …}`. `readers` are those who may know
    of what it was asked for, and so of what is done. Raises `ToolError` where it may
    not be done any more, was refused or failed, `TurnSuperseded` and `StoreError` as a turn does.
    """
    turn = begin(mind, (), turn_id)
    turn.ceiling, turn.authors, turn.is_confirmed = readers, {asked_by}, True
    meant = {name: _as_given(turn, value) for name, value in arguments.items()}
    result = await perform(turn, ToolCall("confirmed", tool, meant))
    await save_then_speak(turn)
    told = str(next(iter(result.data.values()), tool))
    if not result.ok:
        raise ToolError(told)
    return told


def _as_given(turn: Turn, value: Any) -> Any:
    """Return an argument as a model would give it; raises `ToolError` for what is not there."""
    if not isinstance(value, Mapping):
        return value
    if handle := handle_of(turn, value["id"]):
        return handle
    raise ToolError("That is not here any more.")
