"""``evennia ai_openapi``: the description of the REST API, as it ships with every release."""

from __future__ import annotations

from typing import Any

import evennia
from django.core.management.base import BaseCommand, CommandError, CommandParser

evennia._init()  # only the server does so by itself; its classes are not there before

from ai_assistant.web.rest.openapi import FILE, as_text  # noqa: E402


class Command(BaseCommand):
    """Prints it; or writes or checks the file in the package, which is for releases."""

    requires_system_checks = []
    help = (
        "Print the REST API of the assistants as OpenAPI 3.1, for clients that are made of it. "
        "It needs neither the server nor the API to be on."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Take what is to be done with it, where it is not to be printed."""
        choice = parser.add_mutually_exclusive_group()
        choice.add_argument(
            "--write", action="store_true", help="write it into the package, for a release"
        )
        choice.add_argument(
            "--check", action="store_true", help="end with 1 where the package has another"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Print, write or check it."""
        text = as_text()
        if options["write"]:
            FILE.write_text(text, encoding="utf-8")
            self.stdout.write(f"Written: {FILE}")
        elif not options["check"]:
            self.stdout.write(text)
        elif not FILE.is_file() or FILE.read_text(encoding="utf-8") != text:
            raise CommandError(f"{FILE.name} is not what the endpoints are: make openapi")
        else:
            self.stdout.write(f"{FILE.name} is what the endpoints are.")
