"""``evennia ai_archive <file>``: what is old goes into a file before the game lets go of it."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import evennia
from django.core.management.base import BaseCommand, CommandError, CommandParser

evennia._init()  # only the server does so by itself; its classes are not there before

from ai_assistant.api.lifecycle import all_assistants  # noqa: E402
from ai_assistant.commands.choosing import find_character  # noqa: E402
from ai_assistant.core.errors import AssistantError, StoreError  # noqa: E402
from ai_assistant.core.text import counted  # noqa: E402
from ai_assistant.core.times import DAY  # noqa: E402
from ai_assistant.game.identity import entity_id  # noqa: E402
from ai_assistant.storage.history.archive_files import note_archive, strike_archive  # noqa: E402
from ai_assistant.storage.history.archiving import (  # noqa: E402
    archive_lines,
    forgotten_since,
    read_back,
    sealed,
)

_WORDS = {"record": ("record",), "state": ("state",), "memory": ("memory", "memories")}
SHOWN_EVERY = 10_000
"""Lines between two reports of how far it is."""


class Command(BaseCommand):
    """Writes a new file, reads it back, and deletes nothing; keeps where it is, for forgetting."""

    help = (
        "Write the audit log, what states were, and memories that are out of use into a new file "
        "of JSON lines, and read it back. Nothing is deleted: evennia ai_prune does that."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Name the file; then whose, and how old."""
        parser.add_argument("file", help="a new file, best one that ends in .jsonl")
        parser.add_argument("--assistant", default="", help="its name or #number; else all")
        parser.add_argument("--days", type=float, default=0, help="only what is older than these")
        parser.add_argument(
            "--deleted", action="store_true", help="write nothing: that file is gone for good"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Write it, read it back, and say what it holds; or look for it no more."""
        path, name = Path(options["file"]), options["assistant"]
        if options["deleted"]:
            self._strike(path)
            return
        began = time.time()
        try:
            owner = entity_id(find_character(all_assistants(), name)) if name else ""
            with path.open("x", encoding="utf-8") as file:
                note_archive(path)
                lines = archive_lines(began - options["days"] * DAY, owner)
                for number, line in enumerate(sealed(lines), 1):
                    file.write(f"{line}\n")
                    self._tell(number)
            with path.open(encoding="utf-8") as file:
                counts = read_back(file)
            self._keep_forgotten(path, began)
        except AssistantError as error:
            raise CommandError(f"{path} holds no archive: {error}") from error
        except OSError as error:
            raise CommandError(f"{path} cannot be written ({type(error).__name__}).") from error
        held = ", ".join(counted(count, *_WORDS[table]) for table, count in counts.items())
        self.stdout.write(self.style.SUCCESS(f"{path} was read back: {held or 'nothing so old'}."))

    def _strike(self, path: Path) -> None:
        if path.exists():
            raise CommandError(f"{path} is still there.")
        if not strike_archive(path):
            raise CommandError(f"No archive was written to {path}.")
        self.stdout.write(f"{path} is looked for no more.")

    def _keep_forgotten(self, path: Path, began: float) -> None:
        """Keep no archive that may hold what was forgotten while it was written."""
        if forgotten_since(began):
            path.unlink()
            strike_archive(path)
            raise StoreError(
                "something was forgotten meanwhile, so it was deleted. Write it again."
            )

    def _tell(self, number: int) -> None:
        if number % SHOWN_EVERY == 0:
            self.stdout.write(f"  {number:,} lines")
