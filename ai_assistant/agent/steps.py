"""One step: the model is asked once, and its answer, words and calls, is performed in order."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace

from ai_assistant.agent.asking import ask_model, usage_of
from ai_assistant.agent.calls import perform
from ai_assistant.agent.contexts import INSTRUCTIONS
from ai_assistant.agent.handles import handle_of
from ai_assistant.agent.kits import PRIVATE
from ai_assistant.agent.prompt.results import request_messages
from ai_assistant.agent.speaking import say_pending
from ai_assistant.agent.turn import Turn
from ai_assistant.agent.wording import Spoken, gesture, is_no_answer, spoken
from ai_assistant.contracts import (
    Category,
    Json,
    Message,
    ModelReply,
    ModelRequest,
    SpeechKind,
    ToolCall,
    ToolResult,
)
from ai_assistant.errors import BudgetExhausted, EmptyReply
from ai_assistant.readers import OPEN
from ai_assistant.text import clean
from ai_assistant.tools import Tool

WORDS = {"say": "say", "whisper": "whisper", "page": "page", "channel": "channel_say"}
"""By which tool plain words are spoken, by the kind of what is answered."""


async def take_step(turn: Turn) -> bool:
    """Think once and act on it; says whether every call of the step succeeded."""
    return await act(turn, await think(turn))


# -- think


async def think(turn: Turn, *, tools: bool = True) -> ModelReply:
    """Ask the model for an answer; for none, an echo or words out of character it is asked again.

    Once the turn has spoken or acted, an empty answer ends it. Raises what `ask_model` raises, and
    `EmptyReply` where the second answer is none either.
    """
    reply = await _ask(turn, tools=tools)
    if turn.acted and not (reply.text or reply.tool_calls):
        return reply
    if not (reply.tool_calls or _is_in_character(turn, reply.text)) and turn.has_steps_left():
        reply = await _ask(turn, tools=tools)
    if _is_in_character(turn, reply.text):
        return reply
    if not reply.tool_calls:
        raise EmptyReply
    return replace(reply, text="")


def _is_in_character(turn: Turn, text: str) -> bool:
    ours = (one.content for _, one in turn.parts if one.component == INSTRUCTIONS)
    return not is_no_answer(text, ours)


async def _ask(turn: Turn, *, tools: bool) -> ModelReply:
    """Ask once, within energy, budget and time; `tools` False offers none."""
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
    try:
        reply = await ask_model(mind, request)
    except EmptyReply:
        reply = ModelReply()
    turn.check()
    note_usage(turn, reply)
    return reply


def note_usage(turn: Turn, reply: ModelReply) -> None:
    """Count what a model call of this turn took."""
    turn.tokens += reply.usage.total
    turn.model_calls.append(usage_of(reply))


# -- act


async def act(turn: Turn, reply: ModelReply) -> bool:
    """Perform an answer piece by piece, in order; says whether every call succeeded.

    Words after an act that failed are held back, and the model is told. Words end the turn, unless
    a call beside them leads on, or they could not be said.
    """
    calls = list(reply.tool_calls)[: turn.pattern.calls_per_step]
    if dropped := len(reply.tool_calls) - len(calls):
        turn.audit("CallsDropped", {"count": dropped})
    if turn.errand and not calls:
        turn.words, turn.ended = _plain(turn, reply.text).words, True
        return True
    said = "" if turn.errand else reply.text
    turn.transcript.append(Message("assistant", said, tool_calls=tuple(calls), extra=reply.extra))
    failed: list[ToolCall] = []
    unsaid: list[Message] = []
    pieces = _pieces(turn, said, calls)
    ends, leads_on = not pieces, False
    for call in pieces:
        tool = turn.mind.registry.get(call.name)
        result = await _performed(turn, call, tool, failed)
        if any(call.id == one.id for one in calls):
            turn.transcript.append(_told(result))
        elif not result.ok:
            unsaid.append(_told_of_words(result))
        leads_on = leads_on or _leads_on(turn, call)
        if not result.ok:
            failed.append(call)
            continue
        ends = ends or (tool is not None and tool.category is Category.TERMINAL)
    turn.transcript += unsaid  # results follow their calls at once
    goes_on = leads_on or any(_acts(turn, call) for call in failed)
    turn.ended = ends and not goes_on and turn.pattern.terminal_ends_loop
    if not turn.ended:
        say_pending(turn)
    return not failed


async def _performed(
    turn: Turn, call: ToolCall, tool: Tool | None, failed: Iterable[ToolCall]
) -> ToolResult:
    """Perform one call, unless it speaks and an act before it failed."""
    if tool is not None and tool.speech and any(_acts(turn, one) for one in failed):
        held = {"error": "Not said: something you did before it failed. Speak of what is true."}
        turn.audit("SpeechHeld", {"text": clean(call.arguments.get("text", "")), **held})
        return ToolResult(call.id, call.name, False, held)
    return await perform(turn, call)


def _acts(turn: Turn, call: ToolCall) -> bool:
    """Was this meant as an act in the world? A tool that nobody knows may have been."""
    tool = turn.mind.registry.get(call.name)
    return tool is None or tool.acts


def _leads_on(turn: Turn, call: ToolCall) -> bool:
    tool = turn.mind.registry.get(call.name)
    return tool is not None and tool.leads_on


def _pieces(turn: Turn, text: str, calls: list[ToolCall]) -> list[ToolCall]:
    """Return an answer's pieces in order; words come before its first move, else at its end."""
    leaves = (at for at, call in enumerate(calls) if _acts(turn, call) and _leads_on(turn, call))
    at = next(leaves, len(calls))
    ordered = [*calls[:at], *_words(turn, text, calls), *calls[at:]]
    return [piece for call in ordered for piece in _voiced(turn, call)]


def _words(turn: Turn, text: str, calls: list[ToolCall]) -> list[ToolCall]:
    """Return plain words as the call that speaks them, by the channel that the turn began with."""
    name = WORDS[_channel(turn)]
    said = {str(one.arguments.get("text", "")).strip() for one in calls if one.name == name}
    said |= {one.text for one in turn.words_kept if (one.kind, one.place) == (name, turn.place)}
    if text.strip() in said | {""}:
        return []
    arguments: Json = {"text": text, "reasoning": ""}
    if name == "whisper" and turn.trigger:
        arguments["to"] = handle_of(turn, turn.trigger.source.id)
    unasked = not turn.events and turn.ceiling != OPEN
    problem = "Nobody asked: say to whom it is, with whisper." if unasked else ""
    return [ToolCall(f"{turn.id}.words{turn.steps}", name, arguments, problem)]


def _channel(turn: Turn) -> SpeechKind:
    """Return how plain words are spoken: as the turn began, and privately before wrong ears."""
    if turn.trigger is None:
        return "say"
    kind = PRIVATE.get(turn.trigger.source_type, "say")
    may_not = kind == "say" and turn.world.hearers("say", turn.place) and not turn.may_say("say")
    return "whisper" if may_not else kind


def _voiced(turn: Turn, call: ToolCall) -> list[ToolCall]:
    """Return a call that speaks with what is truly said of its text, its gestures as such."""
    tool = turn.mind.registry.get(call.name)
    if tool is None or not tool.speech or not isinstance(call.arguments.get("text"), str):
        return [call]
    text = call.arguments["text"]
    if tool.speech == "emote":
        done = gesture(text, name=turn.me.name, handles=_handles(turn))
        return [replace(call, arguments={**call.arguments, "text": done})]
    if text.strip() and not _is_in_character(turn, text):
        return [replace(call, problem=f"That is not how {turn.me.name} speaks.")]
    words, gestures = _plain(turn, text)
    if tool.speech != "say":  # what is done in private is for nobody else's eyes
        return [replace(call, arguments={**call.arguments, "text": words or ". ".join(gestures)})]
    made = [
        ToolCall(f"{call.id}.{n}", "emote", {"text": one, "reasoning": ""})
        for n, one in enumerate(gestures, 1)
        if turn.may_say("emote")
    ]
    if made and not words:
        return [*made[:-1], replace(made[-1], id=call.id)]
    return [*made, replace(call, arguments={**call.arguments, "text": words})]


def _plain(turn: Turn, text: str) -> Spoken:
    return spoken(text, name=turn.me.name, handles=_handles(turn))


def _handles(turn: Turn) -> dict[str, str]:
    return {handle: thing.entity.name for handle, thing in turn.things.items()}


def _told(result: ToolResult) -> Message:
    content = json.dumps({"ok": result.ok, **result.data}, ensure_ascii=False)
    return Message("tool", content, tool_call_id=result.call_id, component=7000)


def _told_of_words(result: ToolResult) -> Message:
    return Message("user", f"(Your words: {result.data['error']})", component=7000)
