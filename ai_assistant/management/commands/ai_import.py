"""``evennia ai_import <folder or file>``: cards, lorebooks and whole assistants at once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import evennia
from django.core.management.base import BaseCommand, CommandError, CommandParser

evennia._init()  # only the server does so by itself; its classes are not there before

from evennia.objects.models import ObjectDB  # noqa: E402
from evennia.objects.objects import DefaultRoom  # noqa: E402

from ai_assistant.api import card_exchange  # noqa: E402
from ai_assistant.api.whole.whole_exchange import import_whole  # noqa: E402
from ai_assistant.core.errors import AssistantError  # noqa: E402
from ai_assistant.core.text import counted  # noqa: E402


class Command(BaseCommand):
    """Imports each file by itself: one that is refused is told, and the rest goes on."""

    help = (
        "Import the character cards (.json, .png), lorebooks and whole assistants (.gz) of a "
        "folder, or one file. Characters come to life at the next start of the server: run it "
        "while the game is down, or reload then."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Name the folder, the room, and whether to try it only."""
        parser.add_argument("folder", help="the folder with the files, or one file")
        parser.add_argument("--room", default="#2", help="where the characters live (#2)")
        parser.add_argument("--dry-run", action="store_true", help="read all, change nothing")

    def handle(self, *args: Any, **options: Any) -> None:
        """Import, with a line for each file."""
        folder, one = Path(options["folder"]), []
        if folder.is_file():
            folder, one = folder.parent, [folder.name]
        if not folder.is_dir():
            raise CommandError(f"{folder} is no folder.")
        room = _room(options["room"])
        files = one or card_exchange.files(folder)
        refused = 0
        for number, name in enumerate(files, start=1):
            try:
                read = card_exchange.read_file(folder / name)
                told = self._imported(read, room, dry=options["dry_run"])
            except AssistantError as error:
                refused += 1
                told = f"refused: {error}"
            self.stdout.write(f"{number}/{len(files)} {name}: {told}")
        if refused:
            raise CommandError(f"Refused: {refused} of {counted(len(files), 'file')}.")
        self.stdout.write(self.style.SUCCESS(f"{counted(len(files), 'file')}, none refused."))

    def _imported(self, read: card_exchange.ImportedFile, room: Any, *, dry: bool) -> str:
        """Import what is in a file; returns what became of it."""
        if read.whole is None:
            return _imported(read, room, dry=dry)
        name, rows = read.name, counted(len(read.whole["rows"]), "memory", "memories")
        if not dry:
            made = import_whole(read.whole, location=room, by="a script", progress=self._progress)
            name = made.key
        return f"{name}, whole, with {rows}"

    def _progress(self, done: int, of: int) -> None:
        if not done % 1_000 or done == of:
            self.stdout.write(f"  {done:,} of {of:,} memories")


def _room(text: str) -> Any:
    found = ObjectDB.objects.search_object(text, exact=True)
    rooms = [room for room in found if isinstance(room, DefaultRoom)]
    if len(rooms) != 1:
        raise CommandError(f"'{text}' is not one room; give its number, such as --room '#2'.")
    return rooms[0]


def _imported(read: card_exchange.ImportedFile, room: Any, *, dry: bool) -> str:
    """Import a card or a lorebook; returns what became of it."""
    if read.card is None:
        return f"lorebook {read.name if dry else card_exchange.import_book(read, by='a script')}"
    entries = counted(len(read.book.entries), "entry", "entries") if read.book else ""
    with_book = f", with {entries} of lore" if entries else ""
    if not dry:
        card_exchange.import_card(read, location=room, by="a script")
    return f"{read.name} (version {read.card.version}){with_book}"
