"""Asking a model once, within budget and time: what a turn and a summary have in common."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Awaitable
from dataclasses import asdict, replace
from functools import partial

from ai_assistant.agent.mind import Mind
from ai_assistant.agent.turn.turn_state import TurnState, check_epoch
from ai_assistant.core.errors import AssistantError, BadReply, ModelError, ModelTimeout
from ai_assistant.core.model_records import CallOrigin, Message, ModelReply, ModelRequest
from ai_assistant.core.ports import SLACK
from ai_assistant.core.readers import members
from ai_assistant.language.words import extent
from ai_assistant.llm.wire import worst_case_tokens
from ai_assistant.prompts import load_prompt

JITTER = 1.0
"""Seconds, at most, of the random pause before a second try, so that not all come at once."""
LEAST_TIME = 5.0
"""Seconds that a second try must have left."""
REFUSED = frozenset({"400", "403", "413"})
"""The causes of failures that lie in what a model was shown, and would again."""


async def ask_model(mind: Mind, request: ModelRequest) -> ModelReply:
    """Return a model's reply; its worst case is reserved before and settled after.

    What passes (no connection, too many requests, a server that fails) is asked once more, out
    of a tenth of all calls and with a reservation of its own, within the time of one call. What
    costs nothing is only counted, and so is whoever stands in for a model that failed.
    Raises `BudgetExhausted` before anything is sent, and a `ModelError` where no reply came.
    `mind.calls` is told of it in either case.
    """
    began = mind.clock.monotonic()
    try:
        reply = await _reply_to(mind, request)
    except ModelError as error:
        mind.calls.note(request, None, mind.clock.monotonic() - began, str(error))
        raise
    mind.calls.note(request, reply, mind.clock.monotonic() - began)
    return reply


async def _reply_to(mind: Mind, request: ModelRequest) -> ModelReply:
    if answer := mind.model.at_no_cost(request):
        return await _counted(mind, answer)
    try:
        return await _ask_patiently(mind, request)
    except ModelError as error:
        if not (answer := mind.model.at_no_cost(request, failed=True)):
            raise
        return replace(await _counted(mind, answer), instead=str(error), cause=error.cause)


async def _counted(mind: Mind, answer: Awaitable[ModelReply]) -> ModelReply:
    reply = await answer
    mind.watch.finish(partial(mind.budget.count_free, mind.key, reply.usage.total))
    return reply


async def _ask_patiently(mind: Mind, request: ModelRequest) -> ModelReply:
    calls = [call for message in request.messages for call in message.tool_calls]
    parts = [
        *(message.content for message in request.messages),
        *(call.name + json.dumps([call.arguments, call.extra]) for call in calls),
        *(json.dumps(message.extra) for message in request.messages if message.extra),
        json.dumps(request.tools),
        json.dumps(request.schema),
    ]
    count, letters = len(request.messages), sum(map(extent, parts))
    size = sum(len(part.encode(errors="surrogatepass")) for part in parts) + 64 * count
    seconds, longest = mind.model.most(request)
    most = worst_case_tokens(size, count, longest)  # but for JSON's escapes
    until = mind.clock.monotonic() + seconds
    likely = math.ceil(mind.tokens_per_char * letters)
    try:
        reply = await _ask_once(mind, request, (most, likely), until)
    except ModelError as error:
        pause = error.wait + random.uniform(0, JITTER)
        is_late = mind.clock.monotonic() + pause + LEAST_TIME > until - SLACK
        if not error.passing or is_late or not mind.budget.may_try_again():
            raise
        await mind.pause(pause)
        reply = await _ask_once(mind, request, (most, likely), until)
    if reply.usage.known:
        seen = min(1.0, max(0.1, reply.usage.prompt_tokens / letters))
        mind.tokens_per_char += 0.2 * (seen - mind.tokens_per_char)
    return reply


async def _ask_once(
    mind: Mind, request: ModelRequest, tokens: tuple[int, int], until: float
) -> ModelReply:
    """`tokens` are the most that it may take, and those that its prompt likely takes."""
    most, likely = tokens
    reserved = mind.budget.reserve(mind.key, most, request.payer)
    try:
        left = until - mind.clock.monotonic()
        reply: ModelReply = await mind.limit(mind.model.complete(request), left)
    except TimeoutError:
        raise ModelTimeout() from None
    except ModelError as error:
        mind.watch.finish(partial(mind.budget.fail, reserved, error, likely))
        raise
    used = mind.budget.settle(reserved, reply.usage, mind.watch.finish)
    if used.absurd:
        told = (
            f"A call was booked at {most} tokens, its worst case: what the server says cannot be."
        )
        mind.report("usage", BadReply(told))
    return replace(reply, usage=used)


def note_failure(turn: TurnState, cause: str) -> None:
    """Let a character be shown no more what a failed request was refused for, if it was for that:
    the lines that no answered one held."""
    if cause in REFUSED:
        shown = [*(line["id"] for line in turn.source_lines), *(event.id for event in turn.events)]
        turn.mind.refused.extend(id for id in shown if id not in turn.mind.accepted)


def briefing(instructions: str, data: object) -> tuple[Message, Message]:
    """Return the messages of a question that is no talk: what to do, and with what, as JSON."""
    return Message("system", instructions), Message("user", json.dumps(data, ensure_ascii=False))


def aside(turn: TurnState, job: str, prompt: str, data: object, most: int) -> ModelRequest:
    """Return a question beside the turn, by its prompt; `most` are the tokens of the answer."""
    return ModelRequest(
        messages=briefing(load_prompt(prompt), data),
        job=job,
        context_type=turn.context.context_type,
        assistant=turn.mind.key,
        payer=turn.payer,
        max_tokens=most,
        origin=origin_of(turn),
    )


def origin_of(turn: TurnState, *, leads: bool = False) -> CallOrigin:
    """Return where a call of a turn comes from; where it `leads`, it begins as the prompt does."""
    rows = {number for row in turn.source_rows for number in (row.id, *row.parents)}
    sources = {
        *turn.authors,
        *members(turn.ceiling),
        *turn.prompt.lines,
        *(id for event in turn.events for id in (event.id, event.source.id)),
        *(hit["ref"] for hit in turn.recollections if "ref" in hit),
        *(f"#{number}" for number in rows if number > 0),
    }
    if turn.partner:
        sources.add(turn.partner.id)
    return CallOrigin(
        turn=turn.id,
        readers=turn.ceiling,
        sources=frozenset(sources - {"", turn.me.id}),
        lead=turn.prompt.lead if leads else 0,
    )


async def ask_aside(turn: TurnState, request: ModelRequest, seconds: float) -> ModelReply | None:
    """Return what a model answers to a question beside the turn's own steps, and count its cost.

    None, and an entry of the audit log, where no answer came within so many seconds. Raises
    `TurnSuperseded`.
    """
    try:
        reply: ModelReply = await turn.mind.limit(ask_model(turn.mind, request), seconds)
    except (AssistantError, TimeoutError) as problem:
        check_epoch(turn)
        turn.audit("AsideFailed", {"job": request.job, "problem": type(problem).__name__})
        return None
    check_epoch(turn)
    note_usage(turn, reply)
    return reply


def note_usage(turn: TurnState, reply: ModelReply) -> None:
    """Count what a model call of this turn took."""
    turn.tokens += reply.usage.total
    instead = {"instead": reply.instead} if reply.instead else {}
    turn.model_calls.append({"model": reply.model, **asdict(reply.usage), **instead})
