"""``evennia ai_import_blocks <file>``: the older blocks of many assistants at once."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import evennia
from django.core.management.base import BaseCommand, CommandError, CommandParser

evennia._init()  # only the server does so by itself; its classes are not there before

from ai_assistant.api import blocks, lifecycle  # noqa: E402
from ai_assistant.core.errors import AssistantError  # noqa: E402


class Command(BaseCommand):
    """Splits each assistant's older blocks by itself: one that is refused is told."""

    help = (
        "Split the older blocks (persona, human, locations) of assistants over the six. The file "
        "is JSON: the name of each assistant with its blocks. Without --write nothing is changed."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Name the file, and whether to do it."""
        parser.add_argument("file", help='JSON such as {"Marrek": {"persona": {}, "human": {}}}')
        parser.add_argument("--write", action="store_true", help="do it, not only tell how")

    def handle(self, *args: Any, **options: Any) -> None:
        """Import, with a report for each assistant."""
        known = {npc.key.casefold(): npc for npc in lifecycle.all_assistants()}
        refused = 0
        found = _read(Path(options["file"]))
        for name, data in found.items():
            npc = known.get(name.casefold())
            try:
                if npc is None:
                    raise AssistantError(f"There is no assistant '{name}'.")
                told = str(blocks.import_old_layout(npc, data, dry_run=not options["write"]))
            except AssistantError as error:
                refused += 1
                told = f"{name}: refused: {error}"
            self.stdout.write(told)
        if refused:
            raise CommandError(f"{refused} of {len(found)} assistants were refused.")


def _read(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise CommandError(f"{path} cannot be read: {error}") from error
    if not isinstance(found, dict):
        raise CommandError(f"{path} is no JSON object of assistants by name.")
    return found
