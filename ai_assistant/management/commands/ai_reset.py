"""``evennia ai_reset``: an assistant begins anew, while the game is down."""

from __future__ import annotations

import time
from typing import Any

import evennia
from django.core.management.base import BaseCommand, CommandError, CommandParser

evennia._init()  # only the server does so by itself; its classes are not there before

from ai_assistant.agent.attention.tenure import refuse_running  # noqa: E402
from ai_assistant.api.forgetting.reset import SCOPES, reset, what_goes  # noqa: E402
from ai_assistant.api.lifecycle import all_assistants  # noqa: E402
from ai_assistant.commands.choosing import find_character  # noqa: E402
from ai_assistant.core.errors import AssistantError  # noqa: E402
from ai_assistant.storage.server_lease import LeaseRow  # noqa: E402


class Command(BaseCommand):
    """Takes talk, memory or all from one assistant; without --sure it only says what would go."""

    help = (
        "Let an assistant begin anew with the persona and the settings that it has. Run it while "
        "the game is down; in the game it is ai/reset."
    )

    stealth_options = ("pause",)

    def add_arguments(self, parser: CommandParser) -> None:
        """Take whom, how much, and whether it is meant."""
        parser.add_argument("name", help="of the assistant")
        parser.add_argument("scope", choices=[*SCOPES], help="how much of it goes")
        parser.add_argument("--sure", action="store_true", help="do it")

    def handle(self, *args: Any, **options: Any) -> None:
        """Do it, or say what would go."""
        try:
            character = find_character(all_assistants(), options["name"])
            told = f"{character.key}: {what_goes(character, options['scope'])}"
            if not options["sure"]:
                self.stdout.write(f"{told} would go. Nothing was changed: add --sure.")
                return
            refuse_running(LeaseRow(), self.stdout.write, options.get("pause", time.sleep))
            reset(character, options["scope"], by="ai_reset")
        except AssistantError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(self.style.SUCCESS(f"{told} is gone."))
