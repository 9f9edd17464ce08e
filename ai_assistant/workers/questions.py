"""Questions: what a model is asked and its outcome as JSON, from the game to a worker and back."""

from __future__ import annotations

import base64
import hashlib
import json
from dataclasses import asdict, replace
from typing import Any

from ai_assistant.core.contracts import Json
from ai_assistant.core.errors import BadReply, EmptyReply, ModelError, ModelTimeout
from ai_assistant.core.model_records import (
    CallOrigin,
    Message,
    ModelReply,
    ModelRequest,
    PromptSection,
    TokenUsage,
)
from ai_assistant.llm.breaker import CallEnding, Unavailable, kind_of
from ai_assistant.llm.embeddings import Embedded, EmbeddingBatch

QueuedRequest = ModelRequest | EmbeddingBatch
QueuedReply = ModelReply | Embedded
NOT_SENT = ("origin", "payer")
_PLAIN: dict[CallEnding, type[ModelError]] = {
    CallEnding.TIMEOUT: ModelTimeout,
    CallEnding.ANSWERED: EmptyReply,
    CallEnding.BAD: BadReply,
}
"""The errors that say by their class alone how a call ended."""


def question_text(profile: str, request: QueuedRequest) -> str:
    """Return a request to the profile of this name as text; the same for the same question."""
    if isinstance(request, EmbeddingBatch):
        return json.dumps({"profile": profile, "batch": asdict(request)}, sort_keys=True)
    asked = asdict(replace(request, origin=CallOrigin()))
    for name in NOT_SENT:
        del asked[name]
    return json.dumps({"profile": profile, "request": asked}, sort_keys=True)


def question_key(question: str) -> str:
    """Return the name of a question, by which its answer is found again."""
    return hashlib.sha256(question.encode(errors="surrogatepass")).hexdigest()


def question_from(text: str) -> tuple[str, QueuedRequest]:
    """Return the name of the profile and the request that `question_text` wrote."""
    given = json.loads(text)
    if "batch" in given:
        batch = given["batch"]
        return given["profile"], EmbeddingBatch(**batch | {"texts": tuple(batch["texts"])})
    asked = given["request"]
    asked["messages"] = tuple(map(Message.from_json, asked["messages"]))
    asked["sections"] = tuple(map(PromptSection.from_json, asked["sections"]))
    for name in ("tools", "registered"):
        asked[name] = tuple(asked[name])
    return given["profile"], ModelRequest(**asked)


def answer_text(outcome: QueuedReply | ModelError) -> str:
    """Return a reply or vectors, or why there are none, as text."""
    if isinstance(outcome, Embedded):
        vectors = [base64.b64encode(vector).decode() for vector in outcome.vectors]
        return json.dumps({"vectors": vectors, "usage": asdict(outcome.usage)})
    if isinstance(outcome, ModelReply):
        return json.dumps({"reply": asdict(outcome)})
    told: Json = {"kind": kind_of(outcome), "message": str(outcome)}
    for name in ("charge", "spent", "passing", "wait", "cause"):
        told[name] = getattr(outcome, name)
    return json.dumps({"problem": told})


def reply_in(text: str) -> QueuedReply:
    """Return what `answer_text` wrote, or raise the `ModelError` that it wrote."""
    answer: Json = json.loads(text)
    if "problem" in answer:
        raise _error(**answer["problem"])
    if "vectors" in answer:
        vectors = [base64.b64decode(vector) for vector in answer["vectors"]]
        return Embedded(vectors, TokenUsage(**answer["usage"]))
    return ModelReply.from_json(answer["reply"])


def _error(kind: str, message: str, **told: Any) -> ModelError:
    plain = _PLAIN.get(CallEnding(kind))
    error = plain(message) if plain else Unavailable(CallEnding(kind), message)
    for name, value in told.items():
        setattr(error, name, value)
    return error


LOST = answer_text(
    Unavailable(CallEnding.CANCELLED, "The worker that asked is gone.", charge="all", passing=True)
)
"""What a question comes to whose worker died: its call may be on the bill, so it stays booked, and
another has a reservation of its own."""
