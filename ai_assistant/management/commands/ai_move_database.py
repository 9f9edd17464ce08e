"""``evennia ai_move_database <name>``: the whole game into another entry of ``DATABASES``."""

from __future__ import annotations

from typing import Any

import evennia
from django.core.management.base import BaseCommand, CommandError, CommandParser

evennia._init()  # only the server does so by itself; its classes are not there before

from ai_assistant.api.doctor.game_checks import schema_difference  # noqa: E402
from ai_assistant.core.errors import AssistantError  # noqa: E402
from ai_assistant.storage.moving.database_move import move_database, tables_left_behind  # noqa: E402


class Command(BaseCommand):
    """Copies and compares; the database that the game has now is only read."""

    help = (
        "Move the game, all of its rows with their ids, from the database that it has now into "
        "another entry of DATABASES: from SQLite to PostgreSQL, or back. Run it while the game is "
        "down; after an interruption run it again."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Name where to."""
        parser.add_argument("to", help="the entry of DATABASES that the game moves to")

    def handle(self, *args: Any, **options: Any) -> None:
        """Move it, and say what to change."""
        to = options["to"]
        try:
            text, fix = schema_difference()
            if text:
                raise AssistantError(f"{text} To do: {fix}")
            rows = move_database(to, self._tell)
            left = tables_left_behind()
        except AssistantError as error:
            raise CommandError(str(error)) from error
        if left:
            self._tell(f"Not moved, since no app of the game has them: {', '.join(left)}")
        self.stdout.write(
            self.style.SUCCESS(
                f"{rows:,} rows, each the same in both. To do: let DATABASES['default'] be what "
                f"{to!r} is, then: evennia start"
            )
        )

    def _tell(self, line: str) -> None:
        self.stdout.write(f"  {line}")
        self.stdout.flush()
