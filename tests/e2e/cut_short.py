"""Server hooks of a test's village: the Server kills itself as soon as it has written a scene.

It does where `server/cut_short` is there, right after the transaction. `server/cut_short.ran` then
names the tables that this had written, and `server/cut_short.db3` is what others saw of the
database before, so that what was kept too early shows. Copied to where Evennia looks for hooks.
"""

import os
import re
import signal
import sqlite3
from contextlib import closing
from pathlib import Path

from django.conf import settings
from django.db import connection
from django.db.backends.signals import connection_created

ORDER = Path(settings.GAME_DIR) / "server" / "cut_short"
WRITES = re.compile(r'\s*(?:INSERT INTO|UPDATE|DELETE FROM) "?(ai_assistant_\w+)')
SCENES = "ai_assistant_scene"


class Trace:
    """Follows one connection: SQLite names each statement before it runs."""

    def __init__(self):
        self.ran = []
        """The tables written in this transaction since a scene was."""
        self.is_over = False

    def __call__(self, sql):
        """Kill the process where that was ordered."""
        if self.is_over:
            os.kill(os.getpid(), signal.SIGKILL)
        if sql == "COMMIT" and self.ran and ORDER.exists():
            ORDER.with_suffix(".ran").write_text(" ".join(self.ran))
            keep_what_others_see()
            self.is_over = True
        elif sql in ("COMMIT", "ROLLBACK"):
            self.ran = []
        elif (found := WRITES.match(sql)) and (self.ran or found[1] == SCENES):
            self.ran.append(found[1])


def keep_what_others_see():
    """Copy the database without the transaction that is open."""
    with (
        closing(sqlite3.connect(settings.DATABASES["default"]["NAME"])) as seen,
        closing(sqlite3.connect(ORDER.with_suffix(".db3"))) as copy,
    ):
        seen.backup(copy)


def follow(connection, **_):
    """Follow a connection that is open."""
    connection.connection.set_trace_callback(Trace())


connection_created.connect(follow)
connection.ensure_connection()
follow(connection)
