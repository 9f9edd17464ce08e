"""The game's side: a question waits for a worker, and is asked here where none takes it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable, Collection
from functools import partial
from typing import Any, TypeVar, cast

from django.db import connection
from twisted.internet.defer import CancelledError, Deferred

from ai_assistant import conf
from ai_assistant.core.errors import ModelError
from ai_assistant.core.model_records import ModelReply, ModelRequest
from ai_assistant.core.ports import Clock
from ai_assistant.game.log import report
from ai_assistant.llm.embeddings import Embedded, EmbeddingBatch
from ai_assistant.llm.model_profiles import Profile
from ai_assistant.roleplay.day_summaries import RECAP
from ai_assistant.storage.calls.question_rows import (
    answer_lost,
    put_question,
    take_answers,
    unask,
)
from ai_assistant.workers.questions import (
    LOST,
    QueuedRequest,
    question_key,
    question_text,
    reply_in,
)

PATIENCE = 30.0
"""Seconds in which a worker has to take a question; after them the game asks it itself."""
FOR_WORKERS = {"sleep_consolidate": PATIENCE, "reflection": PATIENCE, RECAP: 5.0}
"""The same by the context of a question: what nobody waits for, or not at once."""
LONGEST = 120.0
"""Seconds in which one that took it has to answer; after them it is lost, and may be asked anew."""
MOST_SECONDS = PATIENCE + LONGEST + PATIENCE
"""Seconds that all this may take before the game asks."""
GLANCE = 0.5
"""Seconds between two looks for answers."""
INSTALL = "pip install 'evennia-ai-assistant[workers]'"
MEANWHILE = "Until then the game asks by itself."
_Reply = TypeVar("_Reply", ModelReply, Embedded)


class WorkerQueue:
    """Has workers answer what nobody waits for. All methods are for the reactor's thread."""

    def __init__(
        self,
        clock: Clock,
        defer: Callable[[str, str], None],
        beside: Callable[..., Deferred[Any]],
        later: Callable[[float, Callable[[], Any]], object],
        note: Callable[[Profile, ModelError | None], object],
    ) -> None:
        """Take what it needs of its process.

        Args:
            defer: ``defer(key, lock)`` lets a worker take a question; called in a thread.
            beside: Runs a function in a thread.
            later: Runs something some seconds later, one call in a step of the reactor.
            note: Hears how each call of a profile ended.
        """
        self._clock, self._defer = clock, defer
        self._beside, self._later, self._note = beside, later, note
        self._waiting: dict[str, tuple[Deferred[str], float]] = {}
        self._looking = False
        self.counts = Counter[str]()
        """How many questions were answered since the start: by "workers", or "here"."""

    @property
    def pending(self) -> int:
        """How many questions wait for a worker's answer."""
        return len(self._waiting)

    @staticmethod
    def takes(request: ModelRequest) -> bool:
        """Is this a question that nobody waits for at once?"""
        return request.context_type in FOR_WORKERS

    async def answer(
        self, profile: Profile, request: QueuedRequest, here: Callable[[], Awaitable[_Reply]]
    ) -> _Reply:
        """Return the reply of a worker, or what `here` answers where no worker takes the question.

        Raises a `ModelError` where there is no reply.
        """
        try:
            answer = await self._asked(profile.name, request)
        except CancelledError:
            raise
        except Exception as error:  # whatever ails the workers' engine, the night goes on
            report("workers", error)
            answer = ""
        self.counts["workers" if answer else "here"] += 1
        if not answer:
            return await here()
        try:
            reply = cast(_Reply, reply_in(answer))
        except ModelError as error:
            self._note(profile, error)
            raise
        self._note(profile, None)
        return reply

    def _put(self, profile: str, request: QueuedRequest) -> str:
        """Let a question wait for a worker; returns its key. Called in a thread.

        A character's questions wait for each other, batches of its memories for nothing.
        """
        question = question_text(profile, request)
        key = question_key(question)
        put_question(key, request.assistant, question, self._clock.now())
        self._defer(key, key if isinstance(request, EmbeddingBatch) else request.assistant)
        return key

    def _asked(self, profile: str, request: QueuedRequest) -> Deferred[str]:
        """Return what fires with an answer as text, or empty where nobody takes the question.

        Cancelled, the question is taken back from the workers with the next glance.
        """
        waits: Deferred[str] = Deferred()
        put = self._beside(self._put, profile, request)
        context = "" if isinstance(request, EmbeddingBatch) else request.context_type
        patience = FOR_WORKERS.get(context, PATIENCE)
        put.addCallbacks(lambda key: self._wait_for(key, waits, patience), waits.errback)
        return waits

    def _wait_for(self, key: str, waits: Deferred[str], patience: float) -> None:
        if waits.called and key in self._waiting:
            return  # given up at once, and asked the same again meanwhile
        self._waiting[key] = waits, self._clock.monotonic() + patience
        if not self._looking:
            self._looking = True
            self._later(GLANCE, self._look)

    def _look(self) -> None:
        now = self._clock.monotonic()
        late = [key for key, (_, until) in self._waiting.items() if until < now]
        dropped = [key for key, (waits, _) in self._waiting.items() if waits.called]
        lost = self._clock.now() - LONGEST
        looked = self._beside(_found, [*self._waiting], late, dropped, lost)
        looked.addCallbacks(self._sort_out, lambda failure: report("workers", failure.value))
        looked.addBoth(self._look_again)

    def _look_again(self, _: object) -> None:
        self._looking = bool(self._waiting)
        if self._looking:
            self._later(GLANCE, self._look)

    def _sort_out(self, found: tuple[dict[str, str], Collection[str]]) -> None:
        answers, unanswered = found
        for key in (*answers, *unanswered):
            if key in self._waiting:
                waits, _ = self._waiting.pop(key)
                self._later(0, partial(_hand_over, waits, answers.get(key, "")))


def _hand_over(waits: Deferred[str], answer: str) -> None:
    if not waits.called:
        waits.callback(answer)


def _found(
    keys: Collection[str], late: Collection[str], dropped: Collection[str], lost: float
) -> tuple[dict[str, str], Collection[str]]:
    """Return the answers that are there, and which questions nobody will answer: of the `late`
    ones those that no worker took, and all that were `dropped`.
    """
    if late:
        answer_lost(late, lost, LOST)
    answers = take_answers(keys)
    gone = unask(late) if late else set()
    gone |= unask(dropped, though_taken=True) if dropped else set()
    return answers, gone - answers.keys()


def build_worker_queue(
    tell: Callable[[str], object],
    clock: Clock,
    beside: Callable[..., Deferred[Any]],
    later: Callable[[float, Callable[[], Any]], object],
    note: Callable[[Profile, ModelError | None], object],
) -> WorkerQueue | None:
    """Return the queue that the settings want; None for none, and `tell` where it cannot be."""
    if not conf.settings.WORKERS:
        return None
    if connection.vendor != "postgresql":
        tell(f"AI_ASSISTANT_WORKERS needs PostgreSQL. {MEANWHILE}")
        return None
    try:
        from ai_assistant.workers.engine import QuestionBroker
    except ImportError:
        tell(f"AI_ASSISTANT_WORKERS needs its packages: {INSTALL}. {MEANWHILE}")
        return None
    return WorkerQueue(clock, QuestionBroker().defer, beside, later, note)
