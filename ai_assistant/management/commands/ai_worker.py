"""``evennia ai_worker``: a process that answers what nobody in the game waits for."""

from __future__ import annotations

import asyncio
import os
from typing import Any

import evennia
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection

evennia._init()  # only the server does so by itself; its classes are not there before

from ai_assistant import conf  # noqa: E402
from ai_assistant.api.doctor.game_checks import schema_difference  # noqa: E402
from ai_assistant.language import use  # noqa: E402
from ai_assistant.runtime.embedder import read_profiles  # noqa: E402
from ai_assistant.workers.worker_queue import INSTALL  # noqa: E402

AT_ONCE = 16


class Command(BaseCommand):
    """Answers what nobody waits for until it is told to stop; as many may run as are wanted."""

    requires_system_checks = []
    help = (
        "Answer what the characters ask by night, and make vectors of memories, on as many "
        "machines as you like. Needs PostgreSQL, AI_ASSISTANT_WORKERS = True, and the models' keys."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Say how many questions at once, and whether to stay."""
        parser.add_argument(
            "--at-once", type=int, default=AT_ONCE, help=f"questions at once, {AT_ONCE} if not said"
        )
        parser.add_argument("--once", action="store_true", help="stop when no question waits")

    def handle(self, *args: Any, **options: Any) -> None:
        """Answer, or say in one line why not."""
        if connection.vendor != "postgresql":
            raise CommandError("Workers need PostgreSQL; this game's database is another one.")
        if not conf.settings.WORKERS:
            raise CommandError("No game asks workers: set AI_ASSISTANT_WORKERS = True, and reload.")
        try:
            from ai_assistant.workers.engine import serve_questions
            from ai_assistant.workers.worker import Worker
        except ImportError as error:
            raise CommandError(f"Workers need their packages: {INSTALL}") from error
        text, fix = schema_difference()
        if text:
            raise CommandError(f"{text} To do: {fix}.")
        use(conf.language())
        os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"  # Evennia reads its settings in the database
        self.stdout.write("This worker waits for questions; Ctrl-C ends it.")
        answer = Worker(read_profiles).answer
        asyncio.run(
            serve_questions(answer, at_once=max(1, options["at_once"]), once=options["once"])
        )
