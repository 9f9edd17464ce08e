"""What the doctor looks for in the game around us: tables, commands, database, clock, pages."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.util import find_spec
from typing import Any
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import Max
from django.template import TemplateDoesNotExist
from django.template.loader import get_template
from django.urls import NoReverseMatch, reverse
from evennia.utils.utils import class_from_module

from ai_assistant.core.contracts import Finding
from ai_assistant.core.times import MINUTE
from ai_assistant.models import AssistantEvent
from ai_assistant.storage.gateway import GATEWAY

OURS = "ai_assistant"
_SETS = (
    ("CMDSET_CHARACTER", "AssistantCmdSet", "problem"),
    ("CMDSET_CHARACTER", "AssistantPlayerCmdSet", "ok"),
    ("CMDSET_ACCOUNT", "AssistantAccountCmdSet", "ok"),
)
"""Which set of ours belongs into which of the game's, and how bad it is where it is not there."""
INPUTS = "ai_assistant.inputfuncs"
"""What bounds what Evennia does with a typed line."""
LOOKED_AT = 1000
"""So many of the newest records tell what the clock said last."""
_PRAGMAS = 'SQLITE3_PRAGMAS = ("PRAGMA journal_mode=WAL", "PRAGMA synchronous=NORMAL")'
_LIMITS = {
    "connect_timeout": 2,
    "tcp_user_timeout": 5000,
    "keepalives_idle": 2,
    "keepalives_interval": 1,
    "keepalives_count": 3,
}
"""Options with which a client of PostgreSQL gives up a server that the network does not reach."""


def migrations() -> Iterator[Finding]:
    """Has the database exactly the tables that this version works with?"""
    text, fix = schema_difference()
    if text:
        yield Finding("migrations", "problem", text, fix)
    else:
        yield Finding("migrations", "ok", "All of our migrations are applied.")


def schema_difference() -> tuple[str, str]:
    """Return how the database differs from what this version works with, and what to do; or nothing
    twice.
    """
    applied = MigrationRecorder(connection).applied_migrations()
    ours, theirs = migrations_on_disk(), {name for app, name in applied if app == OURS}
    if newer := theirs - ours:
        text = f"The database is of a newer version, which has {max(newer)}."
        return text, "pip install --upgrade evennia-ai-assistant"
    if left := len(ours - theirs):
        return f"{left} of our migrations are not applied.", "evennia migrate, then: evennia reload"
    return "", ""


@cache
def migrations_on_disk() -> frozenset[str]:
    """Return the names of our migrations; to find them, Django reads those of all apps."""
    return frozenset(name for app, name in MigrationLoader(None).disk_migrations if app == OURS)


def commands() -> Iterator[Finding]:
    """Are our commands in the game's command sets, and do they take no name from another?"""
    for setting, name, level in _SETS:
        where = getattr(settings, setting)
        keys, there = _our_keys(f"{OURS}.commands.{name}"), _our_keys(where)
        if keys <= there:
            yield Finding("commands", "ok", f"{name} is in {where}.")
        elif level == "ok" and not keys & there:
            yield Finding("commands", "ok", f"{name} is not in {where}; it need not be.")
        else:
            lacking = ", ".join(sorted(keys - there))
            fix = f"self.add({name}) at the end of {where}, and no command of these names after it"
            yield Finding("commands", "problem", f"{where} lacks: {lacking}.", fix)


@cache
def _our_keys(cmdset: str) -> frozenset[str]:
    """Return the keys of our commands in a set, which stays the same until the server reloads."""
    made = class_from_module(cmdset)()
    return frozenset(command.key for command in made if command.__module__.startswith(OURS))


def database() -> Iterator[Finding]:
    """Does the database keep what it was given, and let others read meanwhile?"""
    if connection.vendor != "sqlite":
        yield database_server(connection.vendor, connection.settings_dict)
        return
    with connection.cursor() as cursor:
        mode = cursor.execute("PRAGMA journal_mode").fetchone()[0]
        flushes = cursor.execute("PRAGMA synchronous").fetchone()[0]
        waits = GATEWAY.usual_wait or cursor.execute("PRAGMA busy_timeout").fetchone()[0]
    if mode != "memory" and (mode != "wal" or not flushes):
        text = f"SQLite has journal_mode {mode}, synchronous {flushes}: a power cut may spoil it."
        yield Finding(
            "database", "warning", text, f"{_PRAGMAS} in settings.py, then: evennia reboot"
        )
    elif waits < 1000:
        text = f"SQLite waits only {waits} ms for a lock."
        fix = "remove PRAGMA busy_timeout from SQLITE3_PRAGMAS, then: evennia reboot"
        yield Finding("database", "warning", text, fix)
    else:
        yield Finding("database", "ok", f"SQLite runs with journal_mode {mode}.")


def database_server(vendor: str, given: Mapping[str, Any]) -> Finding:
    """Does the game give up a database server that the network does not reach any more?

    `given` are its settings in ``DATABASES``.
    """
    host, options = str(given.get("HOST") or ""), given.get("OPTIONS") or {}
    lacking = [name for name in _LIMITS if name not in options]
    if vendor != "postgresql" or not host or host.startswith("/") or not lacking:
        return Finding("database", "ok", f"The database is {vendor}.")
    limits = ", ".join(f"{name}={value}" for name, value in _LIMITS.items())
    fix = f'DATABASES["default"].setdefault("OPTIONS", {{}}).update({limits})'
    text = (
        f"PostgreSQL at {host} has no {', '.join(lacking)}: where the network drops packets, the "
        "whole game waits for minutes."
    )
    return Finding("database", "warning", text, f"{fix} in settings.py, then: evennia reboot")


def clock() -> Iterator[Finding]:
    """Do the machine's clock and the game's go forward, in a zone that exists?"""
    factor = settings.TIME_FACTOR
    last = AssistantEvent.objects.order_by("-pk")[:LOOKED_AT]  # there is no index by time
    newest = last.aggregate(at=Max("at"))["at"] or 0.0
    if not isinstance(factor, int | float) or factor <= 0:
        text = (
            f"TIME_FACTOR is {factor!r}: the game's hours never come, and nobody sleeps or wakes."
        )
        yield Finding(
            "clock", "problem", text, "a number over 0, in settings.py; then: evennia reboot"
        )
    if newest > time.time() + 10 * MINUTE:
        text = "The clock was set back: what the assistants remember lies in the future."
        yield Finding("clock", "problem", text, "set the machine's clock right, by NTP")
    try:
        ZoneInfo(settings.TIME_ZONE)
    except (KeyError, ValueError, TypeError):
        text = f"TIME_ZONE is {settings.TIME_ZONE!r}, which is no zone."
        yield Finding("clock", "problem", text, 'a name such as "Europe/Berlin", in settings.py')
    else:
        if factor and newest <= time.time() + 10 * MINUTE:
            text = (
                f"An hour of the game is {60 / factor:g} minutes; the zone is {settings.TIME_ZONE}."
            )
            yield Finding("clock", "ok", text)


def web() -> Iterator[Finding]:
    """Is the owner's page there, with all that it is made of?"""
    try:
        get_template("ai_assistant/overview.html")
        yield Finding("web", "ok", f"The owner's page is at {reverse('ai_assistant:overview')}.")
    except NoReverseMatch:
        line = 'path("ai/", include("ai_assistant.web.urls"))'
        yield Finding(
            "web", "ok", f"There is no page for the owner; {line} in web/urls.py adds it."
        )
    except TemplateDoesNotExist as error:
        text = f"The template {error} of the owner's page is not installed."
        yield Finding("web", "problem", text, "pip install --force-reinstall evennia-ai-assistant")


def typed() -> Iterator[Finding]:
    """Can one typed line keep the whole game waiting?"""
    if INPUTS in settings.INPUT_FUNC_MODULES:
        yield Finding("typed", "ok", "No typed line keeps the game waiting.")
        return
    text = "Any player can type a line with which Evennia keeps the whole game waiting for seconds."
    fix = f'INPUT_FUNC_MODULES.insert(1, "{INPUTS}") in settings.py, then: evennia reboot'
    yield Finding("typed", "warning", text, fix)


def packages() -> Iterator[Finding]:
    """Is all installed that a model's server is asked with?"""
    lacking = [name for name in ("openai", "genai_prices") if find_spec(name) is None]
    if lacking:
        names = " ".join(lacking).replace("_", "-")
        yield Finding("packages", "problem", f"Not installed: {names}.", f"pip install {names}")
    else:
        yield Finding("packages", "ok", "All that is needed is installed.")
