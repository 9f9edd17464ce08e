"""``evennia ai_mcp``: the memory of the characters for programs that speak MCP."""

from __future__ import annotations

import os
import sys
from typing import Any

import evennia
from django.core.management.base import BaseCommand, CommandError, CommandParser
from twisted.logger import globalLogBeginner, textFileLogObserver

evennia._init()  # only the server does so by itself; its classes are not there before

from ai_assistant.core.errors import AssistantError  # noqa: E402
from ai_assistant.mcp.own_process import only_read  # noqa: E402
from ai_assistant.mcp.principals import KINDS, principal_named  # noqa: E402
from ai_assistant.mcp.running_game import TOKEN, RunningGame  # noqa: E402

LOOPBACK = "127.0.0.1"
DOOR_TOKEN = "AI_ASSISTANT_MCP_TOKEN"
"""The environment variable that has what clients bring over HTTP."""
SHORTEST = 16
MISSING = "MCP needs its SDK: pip install 'evennia-ai-assistant[mcp]'."


class Command(BaseCommand):
    """Serves one principal until its client leaves; nothing but MCP goes to standard output."""

    requires_system_checks = []
    help = (
        "Let a program read what the characters remember, by the Model Context Protocol: over "
        "standard input and output, or over HTTP. What it changes, the running game writes."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Name the principal, and the port where it is to be HTTP."""
        parser.add_argument("--as", dest="principal", required=True, help=KINDS, metavar="WHOM")
        parser.add_argument(
            "--http",
            metavar="[HOST:]PORT",
            help=f"serve HTTP, on {LOOPBACK} unless a host is named",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Serve, or say in one line why not."""
        globalLogBeginner.beginLoggingTo(
            [textFileLogObserver(sys.stderr)], redirectStandardIO=False, discardBuffer=True
        )
        try:
            from ai_assistant.mcp.mcp_server import Door, serve_http, serve_stdio
        except ImportError as error:
            raise CommandError(MISSING) from error
        try:
            only_read()
            door = Door(
                principal_named(options["principal"]), RunningGame(os.environ.get(TOKEN, ""))
            )
        except AssistantError as error:
            raise CommandError(str(error)) from error
        if options["http"]:
            serve_http(door, *_host_and_port(options["http"]), _token())
        else:
            serve_stdio(door)


def _host_and_port(typed: str) -> tuple[str, int]:
    host, _, port = typed.rpartition(":")
    if not port.isdecimal() or int(port) > 65_535:
        raise CommandError(f"'{typed}' is no port, such as 8765 or 0.0.0.0:8765.")
    return host.strip("[]") or LOOPBACK, int(port)


def _token() -> str:
    token = os.environ.get(DOOR_TOKEN, "")
    if len(token) < SHORTEST:
        told = f"Over HTTP a token is needed: set {DOOR_TOKEN}, at least {SHORTEST} characters."
        raise CommandError(told)
    return token
