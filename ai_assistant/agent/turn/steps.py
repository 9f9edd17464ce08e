"""One step: the model is asked once, and its answer, words and calls, is performed in order."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

from ai_assistant.agent.attention.classify import may_pass
from ai_assistant.agent.attention.layers import TOOL_RESULT
from ai_assistant.agent.keeping.why import verdicts
from ai_assistant.agent.prompt.fitting import request_messages
from ai_assistant.agent.turn.afresh import afresh
from ai_assistant.agent.turn.ask_model import ask_model, note_failure, note_usage, origin_of
from ai_assistant.agent.turn.calls import is_spent, perform
from ai_assistant.agent.turn.handles import names_of_handles
from ai_assistant.agent.turn.kits import offered
from ai_assistant.agent.turn.pieces import BEYOND_MENDING, is_in_character, pieces_of
from ai_assistant.agent.turn.speaking import say_pending
from ai_assistant.agent.turn.speech_rules import UNHEARD, refuses_speech
from ai_assistant.agent.turn.spoken_text import spoken
from ai_assistant.agent.turn.turn import Turn
from ai_assistant.agent.turn.turn_state import check_epoch, has_acted, pattern_of
from ai_assistant.core.contracts import Category
from ai_assistant.core.errors import EmptyReply, EnergySpent
from ai_assistant.core.model_records import Message, ModelReply, ModelRequest, ToolCall, ToolResult
from ai_assistant.core.readers import usable
from ai_assistant.core.text import clean
from ai_assistant.prompts import load_prompt
from ai_assistant.tools import Tool
from ai_assistant.tools.movement import SET_OUT

SKIPPED = "Skipped: you did not get there."


def has_steps_left(turn: Turn) -> bool:
    """May the model take one more step?"""
    paid = turn.steps == 0 or any(map(turn.mind.energy.left, turn.roots))
    return not turn.ended and turn.steps < pattern_of(turn).max_iterations and paid


# -- think


async def ask_for_answer(turn: Turn, *, tools: bool = True) -> ModelReply:
    """Ask the model for an answer; where it gives none, once more in a turn.

    An empty answer ends a turn that has spoken or acted, or that no player waits for. Raises
    what `ask_model` raises, and `EmptyReply` where the second answer is none either.
    """
    reply = await _ask(turn, tools=tools)
    turn.steps += 1
    if _may_be_empty(turn) and not (reply.text or reply.tool_calls):
        return reply
    is_fit, is_paid = is_in_character(turn, reply.text), any(map(turn.mind.energy.left, turn.roots))
    if is_paid and not (reply.tool_calls or is_fit or turn.asked_again):
        turn.asked_again = True
        reply = await _ask(turn, tools=tools)
        is_fit = is_in_character(turn, reply.text)
    if is_fit:
        return reply
    if not reply.tool_calls:
        raise EmptyReply
    return replace(reply, text="")


def _may_be_empty(turn: Turn) -> bool:
    """May it say nothing? It has spoken or acted, or no player waits for it."""
    asked = [event for event in turn.events if not event.by_assistant]
    is_free = turn.errand is None and all(may_pass(event, turn.world.company) for event in asked)
    return is_free or has_acted(turn)


def request_of(turn: Turn, *, tools: bool = True) -> ModelRequest:
    """Return what the turn's model is to be asked now, with the tools that it is offered."""
    mind, shown = turn.mind, offered(turn)
    turn.verdicts[turn.steps + 1] = verdicts(turn, shown)
    return ModelRequest(
        messages=request_messages(turn, sum(tool.size for tool in shown)),
        tools=tuple(tool.schema for tool in shown) if tools else (),
        sections=turn.prompt.sections,
        profile=mind.config["llm_profile"],
        context_type=turn.context.context_type,
        assistant=mind.key,
        payer=turn.payer,
        max_tokens=mind.config["llm_max_tokens"],
        registered=tuple(tool.schema for tool in mind.registry.values()) if tools else (),
        may_be_empty=_may_be_empty(turn),
        origin=origin_of(turn, leads=True),
    )


async def _ask(turn: Turn, *, tools: bool) -> ModelReply:
    if turn.asks_afresh:
        await afresh(turn)
    mind, request = turn.mind, request_of(turn, tools=tools)
    if not mind.energy.spend(turn.roots):
        raise EnergySpent
    try:
        reply = await ask_model(mind, request)
    except EmptyReply:
        reply = ModelReply()
    check_epoch(turn)
    if reply.instead:
        note_failure(turn, reply.cause)
    else:
        shown = (line["id"] for line in turn.source_lines)
        mind.accepted = frozenset(shown).union(event.id for event in turn.events)
    note_usage(turn, reply)
    return reply


# -- act


async def take_step(turn: Turn) -> bool:
    """Think once, and perform the answer in order; says whether every call succeeded.

    After an act that failed words are held back. Words end the turn, unless a call beside them
    leads on, or they could not be said, or something is to be mended.
    """
    reply = await ask_for_answer(turn)
    calls, notes = reply.tool_calls[: pattern_of(turn).calls_per_step], list[str]()
    if dropped := len(reply.tool_calls) - len(calls):
        turn.audit("CallsDropped", {"count": dropped})
        notes.append(f"{dropped} more calls were not made.")
    if turn.errand and not calls:
        turn.answer = spoken(reply.text, name=turn.me.name, handles=names_of_handles(turn)).words
        turn.ended = True
        return True
    said = _to_be_said(turn, reply.text) if turn.mending or turn.errand else reply.text
    turn.transcript.append(Message("assistant", said, tool_calls=calls, extra=reply.extra))
    failed, failed_acts, leading = list[ToolResult](), list[Tool](), list[Tool]()
    pieces, asked = pieces_of(turn, said, calls), {call.id for call in calls}
    ends = turn.mending or not pieces
    for call in pieces:
        tool = turn.mind.registry.get(call.name)
        held = _held(turn, call, tool, failed_acts) if failed_acts and tool else None
        result = held or await perform(turn, call)
        why = "" if result.ok else _reason(result)
        if call.id in asked:
            turn.transcript.append(_as_message(result))
        elif not result.ok:
            notes.append(f"Your words: {why}")
        has_failed = not result.ok and why != SKIPPED
        failed += [result] if has_failed else []
        failed_acts += [tool] if has_failed and tool and tool.acts else []
        is_heard = result.ok or why.startswith(UNHEARD)
        ends = ends or bool(tool and tool.category is Category.TERMINAL and is_heard)
        leading += [tool] if tool and tool.leads_on and not _ends_there(turn, tool, result) else []
        if result.ok and tool and tool.speech and tool.speech != "emote":  # it walked, and spoke
            leading = [earlier for earlier in leading if not earlier.acts]
    turn.transcript += [Message("user", f"({it})", component=TOOL_RESULT) for it in notes]
    await _end(turn, failed, ends=ends and not (leading or failed_acts))
    if not (turn.ended or failed or any(not tool.acts for tool in leading)):
        _tell_spoken(turn)
    return not failed


def _is_barred(turn: Turn) -> bool:
    """Must it say nothing aloud here, since somebody must not hear what its context holds?"""
    return refuses_speech(turn, "say") == "hearers"


def _may_know_errand(turn: Turn) -> bool:
    """May they know of the line for which it came, so that it can go on with that?"""
    asked, world = turn.trigger, turn.world
    if asked is None or turn.errand or pattern_of(turn).mode != "react_loop":
        return False
    return usable(asked.readers, world.hearers("say", turn.place), world.belongs)


def _ends_there(turn: Turn, tool: Tool, result: ToolResult) -> bool:
    """Is nothing to be done after this call: a way that begins later, or that led home?

    There, with nobody to speak to, it has nothing to do: so it is with a way home by rule.
    """
    there, world = turn.surroundings.place, turn.world
    is_home = turn.moved and there == world.home() and not world.hearers("say", there)
    return SET_OUT in result.data or (tool.walks and is_home)


def _to_be_said(turn: Turn, text: str) -> str:
    """Return what of these words is said: none in an errand, and none a second time."""
    if turn.mending and text and any(speech.kind != "emote" for speech in turn.speeches):
        turn.audit("SpeechHeld", {"text": clean(text), "error": "It had answered before."})
        return ""
    return "" if turn.errand else text


async def _end(turn: Turn, failed: Sequence[ToolResult], *, ends: bool) -> None:
    """Let the turn end, if it `ends`; once, what was refused may be mended first.

    Where a confidence bars it from speaking where it came to, a turn of its own follows instead.
    """
    turn.arrives_anew = turn.moved and _is_barred(turn) and _may_know_errand(turn)
    if turn.arrives_anew:
        failed, ends = (), True
    mends = ends and not turn.mending and any(_is_worth_a_step(turn, result) for result in failed)
    turn.ended = ends and not mends and pattern_of(turn).terminal_ends_loop
    reasons = ((result.name.replace("_", " "), _reason(result)) for result in failed)
    turn.refusals = [(act, why) for act, why in reasons if not why.startswith(UNHEARD)]
    if mends:
        turn.mending = True
        turn.transcript.append(Message("user", load_prompt("mend"), component=TOOL_RESULT))
    if not turn.ended:
        await say_pending(turn)


def _tell_spoken(turn: Turn) -> None:
    spoke = any(speech.kind != "emote" for speech in turn.speeches)
    told = Message("user", load_prompt("spoken"), component=TOOL_RESULT)
    may_go_on = pattern_of(turn).mode == "react_loop" and not (turn.moved and _is_barred(turn))
    if spoke and may_go_on and told not in turn.transcript:
        turn.transcript.append(told)


def _is_worth_a_step(turn: Turn, refused: ToolResult) -> bool:
    why = _reason(refused)
    in_vain = is_spent(turn, refused.name) or why in BEYOND_MENDING or why.startswith(UNHEARD)
    return not in_vain and pattern_of(turn).mode == "react_loop" and has_steps_left(turn)


def _held(turn: Turn, call: ToolCall, tool: Tool, failed: Sequence[Tool]) -> ToolResult | None:
    """Return why a call is not made after these acts, which failed; None where it is made."""
    if tool.acts and any(act.leads_on for act in failed):
        return ToolResult(call.id, call.name, False, {"error": SKIPPED})
    if tool.speech:
        held = {"error": "Not said: something you did before it failed. Speak of what is true."}
        turn.audit("SpeechHeld", {"text": clean(call.arguments.get("text", "")), **held})
        return ToolResult(call.id, call.name, False, held)
    return None


def _reason(refused: ToolResult) -> str:
    return str(refused.data.get("error", "it did not work"))


def _as_message(result: ToolResult) -> Message:
    content = json.dumps({"ok": result.ok, **result.data}, ensure_ascii=False)
    return Message("tool", content, tool_call_id=result.call_id, component=TOOL_RESULT)
