"""Asking a model once, within budget and time: what a turn and a summary have in common."""

from __future__ import annotations

import json
from dataclasses import asdict

from ai_assistant.agent.mind import Mind
from ai_assistant.agent.turn.turn_state import TurnState
from ai_assistant.core.errors import ModelError, ModelTimeout
from ai_assistant.core.model_records import ModelReply, ModelRequest, TokenUsage
from ai_assistant.language.words import extent
from ai_assistant.llm.wire import worst_case_tokens


async def ask_model(mind: Mind, request: ModelRequest) -> ModelReply:
    """Return a model's reply; its worst case is reserved before and settled after.

    Raises `BudgetExhausted` before anything is sent, and a `ModelError` where no reply came.
    """
    calls = [call for message in request.messages for call in message.tool_calls]
    parts = [
        *(message.content for message in request.messages),
        *(call.name + json.dumps([call.arguments, call.extra]) for call in calls),
        *(json.dumps(message.extra) for message in request.messages if message.extra),
        json.dumps(request.tools),
        json.dumps(request.schema),
    ]
    count = len(request.messages)
    size = sum(len(part.encode(errors="surrogatepass")) for part in parts) + 64 * count
    most = worst_case_tokens(size, count, request.max_tokens)  # but for JSON's escapes
    reserved = mind.budget.reserve(mind.key, most)
    try:
        reply: ModelReply = await mind.limit(
            mind.model.complete(request), mind.longest_call(request)
        )
    except TimeoutError:
        raise ModelTimeout() from None
    except ModelError as error:
        if not error.billed:
            mind.watch.finish(lambda: mind.budget.settle(reserved, TokenUsage(known=True)))
        raise
    mind.watch.finish(lambda: mind.budget.settle(reserved, reply.usage))
    if reply.usage.known and reply.usage.prompt_tokens > 0:
        seen = min(1.0, max(0.1, reply.usage.prompt_tokens / sum(map(extent, parts))))
        mind.tokens_per_char += 0.2 * (seen - mind.tokens_per_char)
    return reply


def note_usage(turn: TurnState, reply: ModelReply) -> None:
    """Count what a model call of this turn took."""
    turn.tokens += reply.usage.total
    turn.model_calls.append({"model": reply.model, **asdict(reply.usage)})
