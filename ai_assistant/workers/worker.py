"""A worker: it answers questions by the game's own profiles, and writes nothing else."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping
from typing import ParamSpec, TypeVar

from asgiref.sync import sync_to_async
from django.db import close_old_connections, connection

from ai_assistant import conf
from ai_assistant.core.errors import ModelError, ModelUnavailable
from ai_assistant.llm.breaker import CallEnding, Unavailable
from ai_assistant.llm.client import Client
from ai_assistant.llm.embeddings import MAX_BYTES, Embedded, EmbeddingBatch, vectors_name
from ai_assistant.llm.model_profiles import Profile
from ai_assistant.llm.offline import OfflineModel
from ai_assistant.storage.calls.question_rows import keep_answer, take_question
from ai_assistant.workers.questions import (
    LOST,
    QueuedReply,
    QueuedRequest,
    answer_text,
    question_from,
)

log = logging.getLogger(__name__)
_P = ParamSpec("_P")
_T = TypeVar("_T")


class Worker:
    """Answers one question at a time for each character, several characters' at once."""

    def __init__(self, profiles: Callable[[], Mapping[str, Profile]]) -> None:
        """`profiles()` are those of the game, looked up anew for each question."""
        self._profiles = profiles
        self._client = Client(
            timeout=conf.settings.MODEL_TIMEOUT, max_bytes=conf.settings.MAX_REPLY_BYTES
        )
        self._embedding = Client(timeout=conf.settings.MODEL_TIMEOUT, max_bytes=MAX_BYTES)
        self._offline = OfflineModel()

    async def answer(self, key: str) -> None:
        """Answer the question of this key, unless it is no longer asked or a worker died at it."""
        question = await sync_to_async(_fresh(take_question))(key, time.time())
        answer = answer_text(await self._outcome(question)) if question else LOST
        await sync_to_async(_fresh(keep_answer))(key, answer)

    async def _outcome(self, question: str) -> QueuedReply | ModelError:
        name, request = question_from(question)
        try:
            profile = (await sync_to_async(_fresh(self._profiles))()).get(name)
            return await self._reply(profile, name, request)
        except ModelError as error:
            return error
        except Exception:  # a question that nobody can answer must not come back to every worker
            log.exception("A question could not be answered.")
            return ModelUnavailable("A worker failed at this question; its log says why.")

    async def _reply(
        self, profile: Profile | None, name: str, request: QueuedRequest
    ) -> QueuedReply:
        if profile is None or profile.problem:
            told = profile.problem if profile else f"The worker knows no profile {name!r}."
            raise Unavailable(CallEnding.SETTINGS, told, cause="settings")
        if isinstance(request, EmbeddingBatch):
            return await self._vectors(profile, request)
        if profile.offline:
            return await self._offline.complete(request)
        return await self._client.complete(profile, request)

    async def _vectors(self, profile: Profile, batch: EmbeddingBatch) -> Embedded:
        """Return vectors of the model that the game has: no others may be kept under its name."""
        if vectors_name(profile) != batch.model:
            told = f"The worker's profile {profile.name!r} makes no vectors of {batch.model}."
            raise Unavailable(CallEnding.SETTINGS, told, cause="settings")
        return await self._embedding.embed(profile, batch.texts, size=batch.size)


def _fresh(work: Callable[_P, _T]) -> Callable[_P, _T]:
    """Return a function that first lets go of a connection that is lost or too old."""

    def fresh(*args: _P.args, **named: _P.kwargs) -> _T:
        if not connection.in_atomic_block:  # Django would close it amid the transaction of a test
            close_old_connections()
        return work(*args, **named)

    return fresh
