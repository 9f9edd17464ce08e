"""One step: the model is asked once, and the tool calls of its reply are run."""

from __future__ import annotations

import json

from ai_assistant.agent.asking import ask_model, usage_of
from ai_assistant.agent.calls import perform
from ai_assistant.agent.handles import handle_of
from ai_assistant.agent.prompt.results import request_messages
from ai_assistant.agent.turn import Turn
from ai_assistant.contracts import (
    Category,
    Json,
    Message,
    ModelReply,
    ModelRequest,
    ToolCall,
    ToolResult,
)
from ai_assistant.errors import BudgetExhausted


async def take_step(turn: Turn) -> bool:
    """Think once and act on it; says whether every call of the step succeeded."""
    return await act(turn, await think(turn))


# -- think


async def think(turn: Turn, *, tools: bool = True) -> ModelReply:
    """Ask the model once, within energy, budget and time; `tools` False offers none."""
    mind = turn.mind
    request = ModelRequest(
        messages=request_messages(turn),
        tools=tuple(tool.schema() for tool in turn.offered()) if tools else (),
        sections=turn.sections,
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
    note_usage(turn, reply)
    return reply


def note_usage(turn: Turn, reply: ModelReply) -> None:
    """Count what a model call of this turn took."""
    turn.tokens += reply.usage.total
    turn.model_calls.append(usage_of(reply))


# -- act


async def act(turn: Turn, reply: ModelReply) -> bool:
    """Run the tool calls of a reply: first those that look up or do, then the one that speaks.

    So no line is spoken before the acts that it may speak of have happened; where one of them
    failed, the line is held back and the model is told. Says whether all went well.
    """
    calls = _calls(turn, reply)
    if not calls:
        turn.words = reply.text.strip()
        turn.ended = True
        return True
    most = turn.pattern.calls_per_step
    kept, dropped = calls[:most], calls[most:]
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
    return not failed


def _calls(turn: Turn, reply: ModelReply) -> list[ToolCall]:
    """Return the reply's calls; words outside of any call are spoken by the natural tool."""
    text = reply.text.strip()
    if not text:
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
