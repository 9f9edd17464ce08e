"""The gateway: how long a statement of ours may keep the game waiting for a database that is busy.

Evennia lets SQLite wait five seconds for a lock, and PostgreSQL for ever; on the reactor everybody
waits along. Ours wait a quarter of a second, once: until some time after a refusal they do not
wait at all. PostgreSQL also breaks off what it works at for too long. Evennia's own statements find
everything as it was.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable
from contextlib import suppress
from threading import local
from typing import Any

from django.conf import settings
from django.db import (
    DEFAULT_DB_ALIAS,
    Error,
    InterfaceError,
    OperationalError,
    connection,
    connections,
)

from ai_assistant.core.errors import NotMigrated, StoreError, StoreUnavailable

LONGEST_WAIT = 250
"""Milliseconds that a statement of ours waits for a lock."""
LONGEST_STATEMENT = 2000
"""Milliseconds after which PostgreSQL breaks off a statement of ours, whatever keeps it."""
WARY = 5.0
"""Seconds after a refusal in which the next ones do not wait."""
_LACKING = re.compile(
    r"no such (?:table|column)|unknown column"
    r"|(?:relation|column|table) .*(?:does not|doesn't) exist",
    re.IGNORECASE,
)
"""How SQLite, PostgreSQL and MySQL put it that the game was never migrated. A whole database that
does not exist is away: it is being restored."""
_LIMITED = f"SET lock_timeout = {{}}; SET statement_timeout = {LONGEST_STATEMENT}"
_UNLIMITED = "RESET lock_timeout; RESET statement_timeout"
_UNSURE = -1
"""What PostgreSQL was told within a transaction, which takes it back where it is rolled back."""
_READ_ONLY = "25006"
"""PostgreSQL's state of a transaction that may not write, which Django takes for a bug of ours."""


class Gateway(local):
    """A context within which statements are ours; contexts may nest.

    What the database refuses within it, or cannot encode, raises a `StoreError`.
    How long a connection waits is told to it only where that changes: before the first statement of
    ours, and before the first of others after it. No connection is opened for that: a server out of
    reach keeps nobody waiting who asks it nothing. It counts for the thread that called `limit`
    alone: in shells, commands and threads beside the game everything waits as Evennia does. Never
    leave a coroutine's `await` within it.
    """

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._monotonic = monotonic
        self._is_limited = False
        self._depth = 0
        self._usual: tuple[Any, int] = (None, 0)
        """An open connection, and how long Evennia lets its statements wait, in milliseconds."""
        self._database: Any = None
        """The connection of this thread, as Django keeps it."""
        self._waits: int | None = None
        """How long it waits as we told it; None: as Evennia wants it."""
        self._refused = float("-inf")

    def limit(self) -> None:
        """From now on statements of this thread wait for `LONGEST_WAIT` at most."""
        self._is_limited = True
        self._database = connections[DEFAULT_DB_ALIAS]
        if self._before_others not in self._database.execute_wrappers:
            self._database.execute_wrappers.insert(0, self._before_others)

    def __enter__(self) -> None:
        if self._is_limited and not self._depth:
            wary = self._monotonic() < self._refused + WARY
            try:
                self._let_wait(1 if wary else LONGEST_WAIT)
            except Error:  # whatever is asked within fails by itself, or asks a new connection
                _drop_lost()
        self._depth += 1

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        self._depth -= 1
        if self._waits is not None and not self._depth and self._database.in_atomic_block:
            self._before_others(bool)  # the end of a transaction is no statement
        if isinstance(error, Error | UnicodeError):
            raise self.judged(error) from error

    def _before_others(self, execute: Any, *statement: Any) -> Any:
        """Tell the connection of a change, before others and where it was opened amid ours."""
        is_told = self._database.connection is self._usual[0]
        if not is_told if self._depth else self._waits is not None:
            with suppress(Error):  # a lost connection, or a transaction that is to be rolled back
                self._let_wait(LONGEST_WAIT if self._depth else None)
        try:
            return execute(*statement)
        except OperationalError:
            if self._depth:
                self._be_wary()
            raise

    def _be_wary(self) -> None:
        """Let no statement wait after one that was refused: neither the next ones, nor another
        within the same block, for a line that waits twice holds up whoever said it twice."""
        self._refused = self._monotonic()
        if self._is_limited and self._depth:
            with suppress(Error):
                self._let_wait(1)

    @property
    def usual_wait(self) -> int:
        """Milliseconds that others' statements wait for SQLite; 0 until one of ours was limited."""
        return self._usual[1]

    def _let_wait(self, milliseconds: int | None) -> None:
        """Tell the connection how long to wait; what a transaction may take back is told again."""
        database = self._database
        is_told = self._waits == milliseconds and database.connection is self._usual[0]
        if is_told or database.connection is None:
            return
        if self._usual[0] is not database.connection:
            is_sqlite = database.vendor == "sqlite"
            usual = _tell("PRAGMA busy_timeout") if is_sqlite else 0
            self._usual = (database.connection, usual)
        if database.vendor == "sqlite":
            _tell(f"PRAGMA busy_timeout = {milliseconds or self._usual[1]}")
        elif database.vendor == "postgresql":
            _tell(_LIMITED.format(milliseconds) if milliseconds else _UNLIMITED)
            milliseconds = _UNSURE if database.in_atomic_block else milliseconds
        self._waits = milliseconds

    def judged(self, error: Exception) -> StoreError:
        """Return our own error for one of the database's; a connection that was lost is dropped.

        The next statement, whoever's it is, opens another one.
        """
        if _LACKING.search(str(error)):
            return NotMigrated()
        if not _passes(error):
            return StoreError(f"The database refused ({type(error).__name__}).")
        self._be_wary()
        _drop_lost()
        return StoreUnavailable()


def leave_nothing_to_children() -> None:
    """Close all connections before this process forks; whoever needs one opens it anew.

    Evennia's server opens one and only then becomes a daemon, by a fork that SQLite's locks do not
    survive: with a write-ahead log, the next process to open the file took the log for left over
    and removed it under the running game.
    """
    os.register_at_fork(before=_close_all)


def _close_all() -> None:
    for opened in connections.all(initialized_only=True):
        if not opened.in_atomic_block:
            with suppress(Error):
                opened.close()


def prepare(connection: Any, **signal: Any) -> None:
    """Give a new connection the pragmas that Evennia gives its first one alone."""
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            for pragma in settings.SQLITE3_PRAGMAS:
                cursor.execute(pragma)


def _drop_lost() -> None:
    """Close a connection that was lost, unless a transaction has yet to find that out."""
    if connection.vendor != "sqlite" and not connection.in_atomic_block:
        with suppress(Error):
            connection.close_if_unusable_or_obsolete()


def _passes(error: Exception) -> bool:
    """May the same statement succeed later, without anybody having changed it?"""
    if isinstance(error, InterfaceError):  # SQLite's tell of values that it cannot bind
        return connection.vendor != "sqlite"
    state = getattr(error.__cause__, "sqlstate", "")
    return isinstance(error, OperationalError) or state == _READ_ONLY


def _tell(statement: str) -> Any:
    """Run a statement about the connection itself, past Django, which would log and count it."""
    with connection.wrap_database_errors:
        cursor = connection.connection.cursor()
        try:
            cursor.execute(statement)
            return (cursor.fetchone() or [0])[0] if connection.vendor == "sqlite" else 0
        finally:
            cursor.close()


GATEWAY = Gateway()
