"""One tool call: found among the offered, checked, run, and put on record with what came of it."""

from __future__ import annotations

import inspect
import json
from collections.abc import Awaitable
from dataclasses import replace
from functools import partial

from ai_assistant.agent.attention import confirm
from ai_assistant.agent.keeping.own_words import is_play
from ai_assistant.agent.turn.deeds import (
    await_answer,
    ensure_pending,
    look_again,
    note_deed,
    note_refusal,
)
from ai_assistant.agent.turn.handles import sights, things_named
from ai_assistant.agent.turn.kits import offered
from ai_assistant.agent.turn.patient_writes import written
from ai_assistant.agent.turn.speaking import say_pending
from ai_assistant.agent.turn.speech_rules import ceiling_now, unheard
from ai_assistant.agent.turn.turn import Turn
from ai_assistant.agent.turn.turn_state import check_epoch, heeded_events, pattern_of
from ai_assistant.core.contracts import AuditRecord, Category, Change, Json
from ai_assistant.core.errors import StoreError, ToolError
from ai_assistant.core.model_records import ToolCall, ToolResult
from ai_assistant.core.readers import NOBODY
from ai_assistant.core.text import clean, clean_json
from ai_assistant.tools import Tool
from ai_assistant.tools.schema import check_arguments

MAX_FAILURES = 3


class Piece(ToolCall):
    """A call made of the text of an answer: it never counts as one that was made before."""

    __slots__ = ()


async def perform(turn: Turn, call: ToolCall) -> ToolResult:
    """Run one tool call. A refusal or failure is a result for the model to read, not an error."""
    key = "" if isinstance(call, Piece) else _meaning(turn, call)
    try:
        tool = _find(turn, call, key)
        if tool is None:
            return replace(turn.past_calls[key], call_id=call.id)
        data = await _run(turn, tool, call)
        is_done = data.get("success") is not False and "error" not in data
        result = ToolResult(call.id, call.name, is_done, data)
    except ToolError as refusal:
        result = ToolResult(call.id, call.name, False, {"error": str(refusal)})
    if key and not result.ok:
        turn.failures[call.name] += 1
    if key and not call.problem:  # what could not be read was not this call
        turn.past_calls.setdefault(key, result)  # refusing a repeat undoes nothing
    _put_on_record(turn, call, result)
    return result


def _put_on_record(turn: Turn, call: ToolCall, result: ToolResult) -> None:
    data = {
        "tool_name": clean(call.name, 64),
        "parameters": clean_json(_without_reasoning(call.arguments)),
        "reasoning": clean(call.arguments.get("reasoning", ""), 300),
        "success": result.ok,
        "error": result.data.get("error", ""),
    }
    if turn.hits is not None:
        data["found"], turn.hits = turn.hits, None
    given = {value for value in call.arguments.values() if isinstance(value, str)}
    if handles := given & turn.things.keys():  # which say nothing when the turn is over
        data["meant"] = {handle: turn.things[handle].entity.id for handle in handles}
    tool = turn.mind.registry.get(call.name)
    readers = NOBODY if tool and tool.private else turn.ceiling
    record = AuditRecord("ToolExecuted", data, readers, turn.id, turn.clock.now())
    turn.commit.audit.append(record)
    counted = {"name": call.name if tool else "unknown", "ok": result.ok}
    turn.change(Change("metrics", "", "count_tool", counted))


def _without_reasoning(arguments: Json) -> Json:
    return {key: value for key, value in arguments.items() if key != "reasoning"}


def _meaning(turn: Turn, call: ToolCall) -> str:
    """Return what a call asks for, and where: of things and people their ids, however named."""
    tool = turn.mind.registry.get(call.name)
    meant = _without_reasoning(call.arguments)
    named = things_named(turn, tool, meant) if tool else {}
    meant |= {name: thing.entity.id for name, thing in named.items()}
    return f"{call.name} {turn.place} {json.dumps(meant, sort_keys=True)}"


def _find(turn: Turn, call: ToolCall, key: str) -> Tool | None:
    tool = turn.mind.registry.get(call.name)
    if tool and pattern_of(turn).plays and not pattern_of(turn).allows(tool):
        raise ToolError("This is only played: show it in words, or with emote.")
    if tool is None or not turn.is_offered(tool):
        names = ", ".join(shown.name for shown in offered(turn))
        raise ToolError(f"There is no tool of that name here. You have: {names}.")
    if call.problem:
        raise ToolError(call.problem)
    if key and is_spent(turn, call.name):
        raise ToolError("You used that enough in this turn. Do something else.")
    if key in turn.past_calls:
        turn.failures[call.name] += MAX_FAILURES
        if tool.reads:
            return None
        raise ToolError("You made exactly this call already. Do something else.")
    most = turn.mind.config["acts_per_turn"]
    if tool.category is Category.DANGEROUS and turn.acts_done >= most:
        raise ToolError(f"You have done {most} things in this turn; more have to wait.")
    return tool


def is_spent(turn: Turn, tool: str) -> bool:
    """May a tool not be called again in this turn? It failed too often, or was asked the same."""
    return turn.failures[tool] >= MAX_FAILURES


async def _run(turn: Turn, tool: Tool, call: ToolCall) -> Json:
    arguments, unknown = check_arguments(tool.params, call.arguments)
    if not tool.fiction and is_play(turn, _words(tool, arguments)):
        raise ToolError("That was only played in a scene. Make no fact of it.")
    is_act = tool.category is Category.DANGEROUS
    if turn.speech is not None and (tool.speech or tool.needs == "delegates" or is_act):
        await say_pending(turn)
    before = len(turn.commit.changes), len(turn.commit.rows)
    _must_be_allowed(turn, tool)
    if is_act and tool.permission and not (tool.proposes or turn.confirmed):
        return confirm.put_before_staff(turn, tool, arguments)
    try:
        data = await (_act if is_act else _use)(turn, tool, call.id, arguments)
    except StoreError:
        raise
    except Exception as error:
        check_epoch(turn)
        raise _refusal(turn, tool, error) from error
    check_epoch(turn)
    if (len(turn.commit.changes), len(turn.commit.rows)) != before:
        # What was read before tells of what was so then.
        read = {name for name, tool in turn.mind.registry.items() if tool.reads}
        turn.past_calls = {
            key: result for key, result in turn.past_calls.items() if result.name not in read
        }
    if tool.speech and turn.speech and (why := unheard(turn.world.route(turn.speech))):
        data = {"error": why}
    return data | ({"ignored": unknown} if unknown else {})


def _must_be_allowed(turn: Turn, tool: Tool) -> None:
    """Ask once more as it is about to run, whatever was offered, or allowed a moment ago.

    Raises `ToolError` where the pattern bars it, somebody whose words are in the context, the
    character included, does not hold its permission now, or what staff confirmed is over.
    """
    asking = {turn.me.id, *turn.authors, *(event.source.id for event in heeded_events(turn))}
    asking |= turn.errand.authors if turn.errand else set()
    if not pattern_of(turn).allows(tool) or (
        tool.permission and not all(turn.world.holds(who, tool.permission) for who in asking)
    ):
        raise ToolError("That is not allowed here.")
    if turn.confirmed:
        turn.confirmed()


def _words(tool: Tool, arguments: Json) -> str:
    named = {param.name for param in tool.params if param.handle}
    values = [value for name, value in arguments.items() if name not in named]
    listed = (value if isinstance(value, list) else [value] for value in values)
    return ". ".join(text for some in listed for text in some if isinstance(text, str))


async def _use(turn: Turn, tool: Tool, call_id: str, arguments: Json) -> Json:
    token = ceiling_now.set(lambda: turn.ceiling)
    try:
        data = tool.run(turn, **arguments)
        if inspect.isawaitable(data):
            data = await turn.mind.limit(data, tool.timeout)
    finally:
        ceiling_now.reset(token)
    json.dumps({**data})  # whatever is no JSON object is that tool's bug
    return data


async def _act(turn: Turn, tool: Tool, call_id: str, arguments: Json) -> Json:
    """Run a tool that changes the world: on disk before it happens, and with what came of it."""
    await written(turn, partial(ensure_pending, turn))
    confirm.require(turn, tool, arguments)
    begun = {"id": call_id, "tool": tool.name, "arguments": arguments, "readers": turn.ceiling}
    await written(turn, partial(turn.store.triggers.claim, turn.id, begun))
    turn.acts_done += 1
    things = things_named(turn, tool, arguments)  # their names stay true after the turn
    names = {name: thing.entity.name for name, thing in things.items()}
    named = {"name": tool.name, "arguments": arguments | names}

    def settle(result: Json) -> Awaitable[None]:
        return written(turn, partial(turn.store.triggers.settle, turn.id, call_id, result))

    is_seen = not tool.leads_on and any(map(turn.world.in_reach, turn.events))
    try:
        _must_be_allowed(turn, tool)  # what was written may have waited, and the game went on
        confirm.require(turn, tool, arguments)
        data = await _use(turn, tool, call_id, arguments)
    except ToolError as refusal:  # nothing was done; after any other error, nobody knows
        turn.acts_done -= 1
        await settle({"error": str(refusal)})
        note_refusal(turn, _told(named), str(refusal))
        raise
    except Exception:
        turn.acts_done = turn.mind.config["acts_per_turn"]
        raise
    await settle(data)
    turn.acted_in_sight = turn.acted_in_sight or is_seen
    note_deed(turn, str(next(iter(data.values()), tool.name)), named)
    turn.past_calls.clear()  # what was looked up before may look different now
    before = turn.surroundings.place
    look_again(turn)
    if not tool.leads_on:
        await_answer(turn)
    return data if turn.surroundings.place == before else data | sights(turn)


def _told(named: Json) -> str:
    arguments = _without_reasoning(named["arguments"])
    return clean(" ".join([named["name"].replace("_", " "), *map(str, arguments.values())]), 120)


def _refusal(turn: Turn, tool: Tool, error: Exception) -> ToolError:
    """Return what the model is told of an error; a tool's bug must not take the character down."""
    if isinstance(error, ToolError):
        return error
    if isinstance(error, TimeoutError):
        return ToolError("It took too long and was given up.")
    turn.mind.report(f"tool {tool.name}", error)
    return ToolError("That failed for a reason that is not yours. Do something else.")
