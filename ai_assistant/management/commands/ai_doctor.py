"""``evennia ai_doctor``: what is wrong with the set-up, and what to do about it."""

from __future__ import annotations

import asyncio
import sys
from typing import Any

import evennia
from django.core.management.base import BaseCommand, CommandParser

evennia._init()  # only the server does so by itself; its classes are not there before

from ai_assistant.api.doctor import (  # noqa: E402
    endpoint_findings,
    finding_lines,
    findings,
    servers,
)
from ai_assistant.core.contracts import Finding  # noqa: E402
from ai_assistant.core.text import counted  # noqa: E402
from ai_assistant.llm.model_profiles import Profile  # noqa: E402

SECONDS = 5.0
"""How long a server may take to say which models it has."""


class Command(BaseCommand):
    """Tells each finding in a line, with what to do in the next; ends with 1 on a problem."""

    requires_system_checks = []
    help = (
        "Look at the set-up of the AI assistants: settings, profiles, keys, commands, database, "
        "clock, pages, and whether the models' servers answer."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Let the network be left alone."""
        parser.add_argument("--offline", action="store_true", help="ask no model's server")

    def handle(self, *args: Any, **options: Any) -> None:
        """Print the findings, and how many of them are bad."""
        found = findings() + ([] if options["offline"] else asyncio.run(_asked(servers())))
        self.stdout.write("\n".join(finding_lines(found)))
        problems = sum(finding.level == "problem" for finding in found)
        warnings = sum(finding.level == "warning" for finding in found)
        told = f"{counted(problems, 'problem')}, {counted(warnings, 'warning')}"
        self.stdout.write(f"{told}. docs/troubleshooting.md has more.")
        if problems:
            sys.exit(1)


async def _asked(profiles: list[Profile]) -> list[Finding]:
    from ai_assistant.llm.client import Client  # loading the SDK takes half a second

    client = Client(timeout=SECONDS)
    try:
        return await endpoint_findings(profiles, client.models)
    finally:
        await client.close()
