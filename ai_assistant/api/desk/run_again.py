"""A model call of the past is made again: as it was sent, or with the prompt of today."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from twisted.internet.defer import Deferred

from ai_assistant.agent.mind import Mind
from ai_assistant.agent.turn.steps import request_of
from ai_assistant.api.desk.staff_calls import TriedAnswer, ask_for_staff, calls_in_words
from ai_assistant.api.desk.tried_minds import mind_before
from ai_assistant.api.overview import running
from ai_assistant.api.turns.opened_calls import OpenedCall, open_call
from ai_assistant.api.turns.rehearsal import prepared
from ai_assistant.api.turns.traces import Trace, trace_of
from ai_assistant.core.contracts import TO_ONE, Json
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.model_records import ModelRequest
from ai_assistant.core.times import epoch, iso
from ai_assistant.game.identity import entity_id, find, name_of
from ai_assistant.storage.calls.call_rows import calls_of_turn

UNASKED = "tick_autonomous"
"""The kind of a turn on its own."""


@dataclass(frozen=True, slots=True)
class RunAgain:
    """A call of the past beside what came of it now."""

    number: int
    """The call's."""
    prompt: str
    """What was sent: ``the prompt of today``, or ``as it was``."""
    before: str
    """The words of its answer."""
    calls_before: tuple[str, ...]
    """The tools that it called."""
    after: TriedAnswer
    """The answer of now."""


def run_again(
    character: Any, number: int, *, profile: str = "", today: bool = False
) -> Deferred[RunAgain]:
    """Return what a call of a running assistant comes to now; no tool runs, nothing is kept of it.

    Args:
        character: The assistant.
        number: The call, as `ai/call` lists it.
        profile: Another model profile than that of its time.
        today: With the prompt that the line which it answered would bring about today, from what
            was known before it; else as it was sent.

    Raises `AssistantError` where there is no such call, or what is needed was not kept.
    """
    mind, call = running(character).mind, open_call(character, number)

    async def run() -> RunAgain:
        if today:
            request = await _of_today(mind, character, call)
        else:
            request = _as_it_was(call)
        before = call.reply
        return RunAgain(
            number,
            "the prompt of today" if today else "as it was",
            before.text if before else call.figures.no_answer,
            calls_in_words(before) if before else (),
            await ask_for_staff(mind, request, profile),
        )

    return Deferred.fromCoroutine(run())


def _as_it_was(call: OpenedCall) -> ModelRequest:
    if call.request is None:
        raise AssistantError(f"It cannot be sent as it was: {call.figures.without}.")
    origin = replace(
        call.request.origin, readers=call.figures.readers, sources=frozenset(call.sources)
    )
    return replace(call.request, origin=origin)


def has_prompt_of_today(character: Any, call: OpenedCall) -> bool:
    """Did a turn begin with this call? What a later one had read beside it is not there today."""
    turn = call.figures.turn
    calls = calls_of_turn(entity_id(character), turn) if turn else []
    return next((one.pk for one in calls if one.job == "chat"), 0) == call.figures.number


async def _of_today(mind: Mind, character: Any, call: OpenedCall) -> ModelRequest:
    if not has_prompt_of_today(character, call):
        raise AssistantError("Only the call with which a turn began has a prompt of today.")
    line = line_of_turn(character, trace_of(character, call.figures.turn))
    return await request_of_today(mind, character, line, call.figures.turn)


def line_of_turn(character: Any, trace: Trace) -> Json | None:
    """Return the last line that a turn answered, as an entry of the stream; None where none of them
    is kept.

    For what it did on its own an entry of its own stands, without words.
    """
    if trace.lines or trace.record["context_type"] != UNASKED:
        return next((line.entry for line in reversed(trace.lines) if line.entry), None)
    began = iso(epoch(trace.at) - trace.record["duration_ms"] / 1000)
    me = {"who_id": entity_id(character), "who": name_of(character)}
    asked = {"content": "", "kind": "", "readers": trace.readers}
    return {"id": trace.id, "timestamp": began, **me, **asked}


async def request_of_today(
    mind: Mind, character: Any, line: Json | None, turn: str
) -> ModelRequest:
    """Return what would be sent today for a line (as `line_of_turn` has it; None: it is gone).

    The mind knows what it did before it answered that in a turn, so not its answer. Raises
    `AssistantError` where the line, its speaker or what was known is gone.
    """
    if line is None:
        raise AssistantError("The line that it answered is not kept any more.")
    speaker = find(line["who_id"])
    if speaker is None:
        raise AssistantError("Whoever said that has left the game.")
    kind = line["kind"] if line["kind"] in TO_ONE else ""
    before = mind_before(mind, character, turn, line)
    return request_of(await prepared(before, character, speaker, line["content"], kind))
