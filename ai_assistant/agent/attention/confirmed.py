"""What staff confirmed: one call of a game's own tool, made as it was shown to them.

It is a turn without a model, beside whatever turn runs: checked, claimed on disk, done and
remembered as any act is. Of the context there is nothing but who asked for it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
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
    mind: Mind, call: ToolCall, asked_by: str, readers: str, must_hold: Callable[[], object]
) -> str:
    """Make a confirmed call for the one who asked, known by id; returns what came of it.

    Its arguments are those that were shown, a thing as `{"id": …}`; its id is the turn's. `readers`
    are those who may know of what it was asked for, and so of what is done. `must_hold()` raises
    `ToolError` where it may not be done any more: it is asked in the very step of the act, which
    may have waited for the database. Raises `ToolError` where it was refused or failed as well,
    `TurnSuperseded` and `StoreError` as a turn does.
    """
    turn = begin(mind, (), call.id)

    def as_given() -> Json:
        must_hold()
        return {name: _as_given(turn, value) for name, value in call.arguments.items()}

    turn.ceiling, turn.authors, turn.confirmed = readers, {asked_by}, as_given
    result = await perform(turn, replace(call, id="confirmed", arguments=as_given()))
    await save_then_speak(turn)
    told = str(next(iter(result.data.values()), call.name))
    if not result.ok:
        raise ToolError(told)
    return told


def _as_given(turn: Turn, value: Any) -> Any:
    """Return an argument as a model would give it; raises `ToolError` for what is not there."""
    if not isinstance(value, Mapping):
        return value
    if any(thing.entity.id == value["id"] for thing in turn.world.scene().things):
        return handle_of(turn, value["id"])
    raise ToolError("That is not here any more.")
