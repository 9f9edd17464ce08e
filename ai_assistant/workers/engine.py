"""The engine: Procrastinate on the game's own PostgreSQL, which hands each question to one worker.

Its jobs hold a question's key alone; what is asked stands in a table of ours, which forgetting
reaches. Questions with the same lock are answered one after the other.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from threading import Lock
from typing import Any

from django.db import connection
from procrastinate import App, PsycopgConnector, SyncPsycopgConnector
from procrastinate.exceptions import AlreadyEnqueued, ConnectorException, UniqueViolation
from procrastinate.jobs import Job, Status
from procrastinate.manager import JobManager

QUEUE = "ai_assistant"
TASK = "ai_assistant.answer"
HEARTBEAT = 5.0
"""Seconds between two signs of life of a worker,"""
STALLED_AFTER = 15.0
"""and without one after which what it had taken is given to another."""
RECONNECT = 5.0
"""Seconds until a worker looks for its database again."""


_ADDRESS = ("dbname", "user", "password", "host", "port", "sslmode", "service", "passfile")


def address() -> dict[str, Any]:
    """Return where the game's PostgreSQL is, as its driver wants it."""
    known = connection.get_connection_params()
    return {"kwargs": {name: known[name] for name in _ADDRESS if name in known}}


class QuestionBroker:
    """Lets questions wait for the workers. Its method may be called in any thread."""

    def __init__(self) -> None:
        self._opened: App | None = None
        self._opening = Lock()

    def defer(self, key: str, lock: str) -> None:
        """Let a worker take a question, once however often it is said.

        Raises `ConnectorException` where the database is away.
        """
        job = self._app().configure_task(TASK, queue=QUEUE, lock=lock, queueing_lock=key)
        with suppress(AlreadyEnqueued):
            job.defer(key=key)

    def _app(self) -> App:
        with self._opening:
            if self._opened is None:
                app = App(connector=SyncPsycopgConnector(**address(), min_size=1, max_size=2))
                app.open()
                if not app.check_connection():
                    app.schema_manager.apply_schema()
                self._opened = app
            return self._opened


AnswerQuestion = Callable[[str], Awaitable[None]]
"""``await answer(key)``: answers the question of this key."""


async def serve_questions(answer: AnswerQuestion, *, at_once: int, once: bool) -> None:
    """Answer questions by `answer(key)`, so many at once, until the process is told to stop.

    With `once` until none waits. A database that is away is looked for again.
    """
    while True:
        try:
            await _serve(answer, at_once=at_once, once=once)
            return
        except ConnectorException:
            if once:
                raise
            await asyncio.sleep(RECONNECT)


async def _serve(answer: AnswerQuestion, *, at_once: int, once: bool) -> None:
    app = App(connector=PsycopgConnector(**address(), max_size=4))

    @app.task(name=TASK, queue=QUEUE)
    async def answered(key: str) -> None:
        await answer(key)

    async with app.open_async():
        if not await app.check_connection_async():
            await app.schema_manager.apply_schema_async()
        rescue = asyncio.create_task(_rescue(app))
        try:
            await app.run_worker_async(
                queues=[QUEUE],
                concurrency=at_once,
                wait=not once,
                delete_jobs="always",
                update_heartbeat_interval=HEARTBEAT,
                stalled_worker_timeout=STALLED_AFTER,
            )
        finally:
            rescue.cancel()


async def _rescue(app: App) -> None:
    """Give what a dead worker had taken to the others, now and again."""
    while True:
        with suppress(ConnectorException):
            stalled = await app.job_manager.get_stalled_jobs(
                queue=QUEUE, seconds_since_heartbeat=STALLED_AFTER
            )
            for job in stalled:
                with suppress(ConnectorException):  # another worker was quicker
                    await _give_on(app.job_manager, job)
        await asyncio.sleep(HEARTBEAT)


async def _give_on(jobs: JobManager, job: Job) -> None:
    """Let another worker take a job; where the game asked the same again, that one alone is left.

    A job that stays with the dead keeps all others of its character waiting.
    """
    try:
        await jobs.retry_job(job)
    except UniqueViolation:
        await jobs.finish_job(job, status=Status.ABORTED, delete_job=True)
