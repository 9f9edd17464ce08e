"""perceive → classify → queue → wait → assemble → think → act → remember → save → speak.

This file is the second half of that line: one turn, from the moment it has a slot. It is
`async def` without any event loop: only the model, and acts of the game, are awaited.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from ai_assistant.agent.asking import ask_model
from ai_assistant.agent.calls import perform
from ai_assistant.agent.energy import TICK_ENERGY
from ai_assistant.agent.mind import Mind
from ai_assistant.agent.prompt.build import build_prompt
from ai_assistant.agent.prompt.results import request_messages
from ai_assistant.agent.remember import remember, stock_line
from ai_assistant.agent.turn import MAX_CALLS_PER_STEP, Turn, begin, handle_of
from ai_assistant.contracts import (
    Category,
    Delivery,
    Event,
    Json,
    Message,
    ModelReply,
    ModelRequest,
    ToolCall,
    ToolResult,
)
from ai_assistant.errors import (
    BudgetExhausted,
    ModelError,
)


@dataclass(frozen=True, slots=True)
class Report:
    """How a turn ended: what became of its speech, and of each event it answered."""

    turn_id: str
    outcome: str
    answered: tuple[str, ...] = ()
    delivery: Delivery | None = None
    steps: int = 0
    tokens: int = 0
    problem: str = ""


async def take_turn(
    mind: Mind, events: Sequence[Event], turn_id: str, context_type: str = "tick_event"
) -> Report:
    """Run one turn over events with equal readers and place; none for an autonomous turn.

    Raises `TurnSuperseded` when the turn lost its right to act, and `StoreError` when it could
    not be saved; nothing was said or written then, and the events are still on disk.
    """
    turn = begin(mind, events, turn_id, context_type)
    if not events:
        mind.energy.mint(turn_id, TICK_ENERGY)
    await build_prompt(turn)
    try:
        while turn.has_steps_left():
            reply = await think(turn)
            await act(turn, reply)
        if turn.events and not (turn.ended or turn.deeds):
            turn.problem = "Its steps ran out before it spoke."
            stock_line(turn)
    except (ModelError, BudgetExhausted) as problem:
        turn.check()
        turn.problem = f"{type(problem).__name__}: {problem}"
        stock_line(turn)
    return save_then_speak(turn)


# -- think


async def think(turn: Turn) -> ModelReply:
    """Ask the model once, within energy, budget and time."""
    mind = turn.mind
    request = ModelRequest(
        messages=request_messages(turn),
        tools=tuple(tool.schema() for tool in turn.offered()),
        profile=mind.config["llm_profile"],
        context_type=turn.context.context_type,
        assistant=mind.key,
        max_tokens=mind.config["llm_max_tokens"],
    )
    if not mind.energy.spend(turn.roots):
        raise BudgetExhausted("The event that this follows from has no energy left.")
    turn.steps += 1
    reply = await ask_model(mind, request)
    turn.check()
    _count(turn, reply)
    return reply


def _count(turn: Turn, reply: ModelReply) -> None:
    used = reply.usage
    turn.tokens += used.total
    turn.model_calls.append(
        {
            "model": reply.model,
            "prompt_tokens": used.prompt_tokens,
            "completion_tokens": used.completion_tokens,
            "known": used.known,
        }
    )


# -- act


async def act(turn: Turn, reply: ModelReply) -> None:
    """Run the tool calls of a reply: first those that look up or do, then the one that speaks.

    So no line is spoken before the acts that it may speak of have happened; where one of them
    failed, the line is held back and the model is told.
    """
    calls = _calls(turn, reply)
    if not calls:
        turn.ended = True
        return
    kept, dropped = calls[:MAX_CALLS_PER_STEP], calls[MAX_CALLS_PER_STEP:]
    turn.transcript.append(Message("assistant", reply.text, tool_calls=tuple(kept)))
    kept.sort(key=lambda call: _is_terminal(turn, call))
    if dropped:
        turn.audit("CallsDropped", {"count": len(dropped)})
    failed = False
    for call in kept:
        if turn.ended:
            break
        if failed and _is_terminal(turn, call):
            held = {"error": "Not said: another call of this step failed. Speak of what is true."}
            _note(turn, ToolResult(call.id, call.name, False, held))
            continue
        result = await perform(turn, call)
        failed = failed or not result.ok
        _note(turn, result)


def _calls(turn: Turn, reply: ModelReply) -> list[ToolCall]:
    """Return the reply's calls; words outside of any call are spoken by the natural tool."""
    text = reply.text.strip()
    if not text or (reply.tool_calls and not reply.speaks):
        return list(reply.tool_calls)
    speeches = [tool for tool in turn.offered() if tool.speech and tool.speech != "emote"]
    if not speeches:
        return list(reply.tool_calls)
    arguments: Json = {"text": text, "reasoning": ""}
    if speeches[0].speech == "whisper" and turn.trigger:
        arguments["to"] = handle_of(turn, turn.trigger.source.id)
    return [ToolCall(f"{turn.id}.text", speeches[0].name, arguments), *reply.tool_calls]


def _is_terminal(turn: Turn, call: ToolCall) -> bool:
    tool = turn.mind.registry.get(call.name)
    return tool is not None and tool.category is Category.TERMINAL


def _note(turn: Turn, result: ToolResult) -> None:
    content = json.dumps({"ok": result.ok, **result.data}, ensure_ascii=False)
    turn.transcript.append(Message("tool", content, tool_call_id=result.call_id, component=7000))


# -- remember, save, speak


def save_then_speak(turn: Turn) -> Report:
    """Write everything in one commit, then deliver, in the same step: nothing is awaited."""
    mind = turn.mind
    expected = mind.world.route(turn.speech) if turn.speech else None
    outcome = remember(turn, expected)
    mind.save(turn.commit)
    mind.heard.clear()
    delivery = mind.world.deliver(turn.speech) if turn.speech else None
    if delivery and delivery.outcome != "dropped" and turn.trigger:
        mind.engagement.who = turn.trigger.source.id
        mind.engagement.place = turn.trigger.place
        mind.engagement.since = mind.clock.now()
    return Report(
        turn_id=turn.id,
        outcome=outcome,
        answered=tuple(event.id for event in turn.events),
        delivery=delivery,
        steps=turn.steps,
        tokens=turn.tokens,
        problem=turn.problem,
    )
