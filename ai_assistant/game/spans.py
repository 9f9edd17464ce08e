"""Spans for OpenTelemetry: each turn with its model calls, without any word that was said."""

from __future__ import annotations

import time
from collections.abc import Callable, Coroutine
from typing import Any

from ai_assistant import __version__, conf
from ai_assistant.core.model_records import ModelReply, ModelRequest
from ai_assistant.llm.model_profiles import Profile

INSTALL = "pip install 'evennia-ai-assistant[traces]'"
NAMES = {
    "does": "gen_ai.operation.name",
    "who": "gen_ai.agent.id",
    "provider": "gen_ai.provider.name",
    "asked": "gen_ai.request.model",
    "most": "gen_ai.request.max_tokens",
    "answered": "gen_ai.response.model",
    "sent": "gen_ai.usage.input_tokens",
    "got": "gen_ai.usage.output_tokens",
    "failed": "error.type",
    "job": "ai_assistant.job",
    "profile": "ai_assistant.profile",
}
"""What is told under which name: OpenTelemetry's for GenAI, which still change, and ours."""
TURN, CALL = "invoke_agent", "chat"


class Spans:
    """Tells a tracer of turns and model calls. Use it on the reactor thread only."""

    def __init__(self, tracer: Any, context_of: Callable[[Any], Any]) -> None:
        """`context_of(span)` returns the context in which a span's children begin."""
        self._tracer, self._context_of = tracer, context_of
        self._turns: dict[str, Any] = {}

    async def around(self, turn: Coroutine[Any, Any, Any], who: str, turn_id: str) -> object:
        """Run a turn within a span; return or raise what the turn does."""
        told = _named(does=TURN, who=who)
        span = self._turns[turn_id] = self._tracer.start_span(TURN, attributes=told)
        try:
            return await turn
        except BaseException as error:
            span.set_attributes(_named(failed=type(error).__name__))
            raise
        finally:
            span.end()
            del self._turns[turn_id]

    def called(
        self, request: ModelRequest, reply: ModelReply | None, seconds: float, profile: Profile
    ) -> None:
        """Record a model call that is over, within the span of its turn if that still runs."""
        now, turn = time.time_ns(), self._turns.get(request.origin.turn)
        told = _named(
            does=CALL, who=request.assistant, provider=profile.provider, asked=profile.model,
            most=request.max_tokens, job=request.job, profile=profile.name,
        )  # fmt: skip
        if reply is None:
            told |= _named(failed="_OTHER")
        elif reply.usage.known:
            told |= _named(sent=reply.usage.prompt_tokens, got=reply.usage.completion_tokens)
        if reply and reply.model:
            told |= _named(answered=reply.model)
        self._tracer.start_span(
            f"{CALL} {profile.model}".strip(),
            context=self._context_of(turn) if turn else None,
            attributes=told,
            start_time=now - round(seconds * 1e9),
        ).end(end_time=now)


def _named(**told: Any) -> dict[str, Any]:
    return {NAMES[key]: value for key, value in told.items()}


def build_spans(tell: Callable[[str], object]) -> Spans | None:
    """Return spans if the settings ask for them; `tell` is called if their package is missing."""
    if not conf.settings.SPANS:
        return None
    try:
        from opentelemetry import trace
    except ImportError:
        tell(f"AI_ASSISTANT_SPANS needs its package: {INSTALL}.")
        return None
    return Spans(trace.get_tracer("ai_assistant", __version__), trace.set_span_in_context)
