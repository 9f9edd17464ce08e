"""``evennia ai_export <name> <file>``: a whole assistant, with all it remembers, as one file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import evennia
from django.core.management.base import BaseCommand, CommandError, CommandParser

evennia._init()  # only the server does so by itself; its classes are not there before

from ai_assistant.api import card_exchange  # noqa: E402
from ai_assistant.api.handlers import record_audit  # noqa: E402
from ai_assistant.api.lifecycle import all_assistants  # noqa: E402
from ai_assistant.api.whole import mind_files, whole_exchange  # noqa: E402
from ai_assistant.commands.choosing import find_character  # noqa: E402
from ai_assistant.core.errors import AssistantError, CardError  # noqa: E402
from ai_assistant.core.text import counted  # noqa: E402


class Command(BaseCommand):
    """Writes one assistant into a new file, and says how far it is."""

    help = (
        "Export a whole assistant: persona, memory, plans, people, blocks, settings. "
        "evennia ai_import <file> makes another of it. Run it while the game is down."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Name the assistant and the file."""
        parser.add_argument("name", help="the assistant's name, or its #number")
        parser.add_argument("file", help=f"a new file that ends in {mind_files.SUFFIX}")

    def handle(self, *args: Any, **options: Any) -> None:
        """Export, with a line for each some hundred memories."""
        try:
            character = find_character(all_assistants(), options["name"])
            path = card_exchange.place_of_whole(Path(options["file"]))
            whole = whole_exchange.exported_whole(character, self._progress)
            rows, data = counted(len(whole["rows"]), "memory", "memories"), mind_files.packed(whole)
            del whole  # of a large one there is no room for two
            card_exchange.write_new(path, data)
            record_audit(character, "AssistantExported", {"by": "a script"})
        except AssistantError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(self.style.SUCCESS(f"{character.key} is in {options['file']}: {rows}."))
        try:
            mind_files.unpacked(data)
        except CardError as error:
            self.stderr.write(self.style.WARNING(f"ai_import will not take this file. {error}"))

    def _progress(self, done: int, of: int) -> None:
        if not done % 1_000 or done == of:
            self.stdout.write(f"  {done:,} of {of:,} memories")
