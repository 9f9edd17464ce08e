"""perceive → classify → queue → wait → assemble → think → act → remember → save → speak.

This file is the second half of that line: one turn, from the moment it has a slot. It is
`async def` without any event loop: only the model, and acts of the game, are awaited.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Sequence
from dataclasses import dataclass

from ai_assistant.agent.components import build_prompt
from ai_assistant.agent.energy import TICK_ENERGY
from ai_assistant.agent.mind import Mind
from ai_assistant.agent.remember import remember, stock_line
from ai_assistant.agent.turn import MAX_CALLS_PER_STEP, Turn, begin, handle_of
from ai_assistant.contracts import (
    Category,
    Change,
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
    ModelTimeout,
    ToolError,
    TurnSuperseded,
)
from ai_assistant.llm.wire import worst_case_tokens
from ai_assistant.tools import Tool
from ai_assistant.tools.schema import check_arguments

MODEL_SECONDS = 45.0
"""A last resort above the client's own limit: no turn waits for ever for a lost answer."""
MAX_FAILURES = 3


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
    build_prompt(turn)
    try:
        while turn.has_steps_left():
            reply = await think(turn)
            await act(turn, reply)
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
        messages=(*turn.prompt, *turn.transcript),
        tools=tuple(tool.schema() for tool in turn.offered()),
        context_type=turn.context.context_type,
        assistant=mind.key,
        max_tokens=mind.config["llm_max_tokens"],
    )
    if not mind.energy.spend(turn.roots):
        raise BudgetExhausted("The event that this follows from has no energy left.")
    size = _size(request)
    reserved = mind.budget.reserve(
        mind.key, worst_case_tokens(size, len(request.messages), request.max_tokens)
    )
    turn.steps += 1
    try:
        reply: ModelReply = await mind.limit(mind.model.complete(request), MODEL_SECONDS)
    except TimeoutError:
        raise ModelTimeout() from None
    mind.budget.settle(reserved, reply.usage)
    turn.check()
    turn.tokens += reply.usage.total
    if reply.usage.known:
        mind.calibrate(size, reply.usage.prompt_tokens)
    return reply


def _size(request: ModelRequest) -> int:
    words = sum(len(message.content.encode()) + 64 for message in request.messages)
    return words + len(json.dumps(request.tools))


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
    calls = list(reply.tool_calls)
    text = reply.text.strip()
    speeches = [tool for tool in turn.offered() if tool.speech and tool.speech != "emote"]
    if calls or not text or not speeches:
        return calls
    arguments: Json = {"text": text, "reasoning": ""}
    if speeches[0].speech == "whisper" and turn.trigger:
        arguments["to"] = handle_of(turn, turn.trigger.source.id)
    return [ToolCall(f"{turn.id}.text", speeches[0].name, arguments)]


def _is_terminal(turn: Turn, call: ToolCall) -> bool:
    tool = turn.mind.registry.get(call.name)
    return tool is not None and tool.category is Category.TERMINAL


def _note(turn: Turn, result: ToolResult) -> None:
    content = json.dumps({"ok": result.ok, **result.data}, ensure_ascii=False)
    turn.transcript.append(
        Message("tool", content, tool_call_id=result.call_id, component=7000)
    )


async def perform(turn: Turn, call: ToolCall) -> ToolResult:
    """Run one tool call. A refusal or failure is a result for the model to read, not an error."""
    key = f"{call.name} {json.dumps(_without_reasoning(call.arguments), sort_keys=True)}"
    try:
        tool = _find(turn, call, key)
        if tool is None:
            return turn.past_calls[key]
        data = await _run(turn, tool, call)
        result = ToolResult(call.id, call.name, True, data)
    except ToolError as refusal:
        result = ToolResult(call.id, call.name, False, {"error": str(refusal)})
        turn.failures[call.name] = turn.failures.get(call.name, 0) + 1
        if turn.failures[call.name] >= MAX_FAILURES:
            turn.spent_tools.add(call.name)
    turn.past_calls[key] = result
    _audit(turn, call, result)
    return result


def _without_reasoning(arguments: Json) -> Json:
    return {key: value for key, value in arguments.items() if key != "reasoning"}


def _find(turn: Turn, call: ToolCall, key: str) -> Tool | None:
    """Return the tool to run, or None where a cached result stands; raises `ToolError`."""
    tool = turn.mind.registry.get(call.name)
    offered = turn.offered()
    if tool is None or tool not in offered:
        names = ", ".join(one.name for one in offered)
        raise ToolError(f"There is no tool of that name here. You have: {names}.")
    if call.problem:
        raise ToolError(call.problem)
    if call.name in turn.spent_tools:
        raise ToolError("You used that enough in this turn. Do something else.")
    if key in turn.past_calls:
        turn.spent_tools.add(call.name)
        if tool.cacheable:
            return None
        raise ToolError("You made exactly this call already. Do something else.")
    if tool.category is Category.DANGEROUS and turn.dangerous_done:
        raise ToolError("Only one act of this kind is possible in a turn.")
    return tool


async def _run(turn: Turn, tool: Tool, call: ToolCall) -> Json:
    arguments = check_arguments(tool.params, call.arguments)
    acts = tool.category is Category.DANGEROUS
    if acts:
        turn.dangerous_done = True
        turn.store.claim(turn.id, {"id": call.id, "tool": tool.name, "arguments": arguments})
    try:
        data = tool.run(turn, **arguments)
        if inspect.isawaitable(data):
            data = await turn.mind.limit(data, tool.timeout)
        turn.check()
    except TimeoutError:
        raise ToolError("It took too long and was given up.") from None
    except ToolError as refusal:
        if acts:
            turn.store.settle(turn.id, call.id, {"error": str(refusal)})
        raise
    except Exception as bug:  # a tool's bug must not take the character down: report it
        turn.check()
        turn.mind.report(f"tool {tool.name}", bug)
        raise ToolError("That failed for a reason that is not yours. Do something else.") from bug
    if acts:
        turn.store.settle(turn.id, call.id, data)
        turn.deeds.append(str(next(iter(data.values()), tool.name)))
    turn.ended = tool.category is Category.TERMINAL and turn.context.terminal_ends_loop
    return data


def _audit(turn: Turn, call: ToolCall, result: ToolResult) -> None:
    data = {
        "tool_name": call.name,
        "parameters": _without_reasoning(call.arguments),
        "reasoning": str(call.arguments.get("reasoning", ""))[:300],
        "success": result.ok,
        "error": result.data.get("error", ""),
    }
    turn.audit("ToolExecuted", data)
    counted = {"name": call.name if turn.mind.registry.get(call.name) else "unknown"}
    turn.change(Change("metrics", "", "count_tool", {**counted, "ok": result.ok}))


# -- remember, save, speak


def save_then_speak(turn: Turn) -> Report:
    """Write everything in one commit, then deliver, in the same step: nothing is awaited."""
    mind = turn.mind
    expected = mind.world.route(turn.speech) if turn.speech else None
    outcome = remember(turn, expected)
    mind.learn(mind.store.commit(turn.commit))
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
