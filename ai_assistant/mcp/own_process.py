"""A process beside the game: it reads the same rows, writes none, and keeps nothing of them."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Any

from django.db import close_old_connections, connection, connections
from django.db.backends.signals import connection_created

from ai_assistant import conf
from ai_assistant.api.doctor.game_checks import schema_difference
from ai_assistant.api.handlers import store_of
from ai_assistant.core.errors import AssistantError
from ai_assistant.game.evennia_cache import read_anew
from ai_assistant.language import use
from ai_assistant.memory.search.recall import Found, Recall
from ai_assistant.memory.search.searchable_parts import AT_HAND

MOST_ROWS = 20_000
"""The newest memories of one character: so many are searched."""
AT_ONCE = 500
"""Rows of one statement: where SQLite has no write-ahead log, the game cannot write meanwhile."""
_READ_ONLY = {
    "sqlite": "PRAGMA query_only = ON",
    "postgresql": "SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY",
    "mysql": "SET SESSION TRANSACTION READ ONLY",
}


def only_read() -> None:
    """Make this process one that only reads.

    Raises `AssistantError` where the database is of another version than this code.
    """
    text, fix = schema_difference()
    if text:
        raise AssistantError(f"{text} To do: {fix}.")
    use(conf.language())
    connection_created.connect(read_only, dispatch_uid="ai_assistant.read_only")
    connections.close_all()


def read_only(connection: Any, **_: Any) -> None:
    """Let the database itself refuse whatever would be written through a connection."""
    statement = _READ_ONLY.get(connection.vendor)
    if statement is not None:
        with connection.cursor() as cursor:
            cursor.execute(statement)


def look_anew() -> None:
    """Let what is read from now on be what stands in the database: the game goes on meanwhile."""
    if not connection.in_atomic_block:  # Django would close it amid the transaction of a test
        close_old_connections()
    read_anew(force=True)


def found_now(search: Coroutine[Any, Any, list[Found]]) -> list[Found]:
    """Return what a search finds that waits for nothing: no loop of asyncio may run around rows."""
    try:
        search.send(None)
    except StopIteration as done:
        return list(done.value)
    raise RuntimeError("A search by words had something to wait for.")


def recall_of(character: Any) -> Recall:
    """Return the memory of a character as it stands in the database, to be searched by words."""
    store = store_of(character)
    recall = Recall(store)
    for part in AT_HAND:
        recall.learn_part(part)
    for person in store.keys("profile"):
        recall.learn_part("profile", person)
    rows = store.rows.newest(AT_ONCE)
    while rows and len(recall) < MOST_ROWS:
        recall.learn(rows)
        rows = store.rows.newest(AT_ONCE, rows[-1].id)
    return recall
