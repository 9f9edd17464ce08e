"""Server hooks of a test's village: the Server kills itself while it writes a scene.

`server/cut_short` says when: at "COMMIT", when all statements ran and the transaction is open
still, so that what was kept too early shows, or "after" it. `server/cut_short.ran` then names the
tables that the transaction had written. Copied to where Evennia looks for such hooks.
"""

import os
import re
import signal
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
            self._kill_if("after")
            self.__init__()
        if sql == "COMMIT" and self.ran:
            self._kill_if("COMMIT")
            self.is_over = True
        elif sql == "ROLLBACK":
            self.ran = []
        elif (found := WRITES.match(sql)) and (self.ran or found[1] == SCENES):
            self.ran.append(found[1])

    def _kill_if(self, now):
        if ORDER.exists() and ORDER.read_text() == now:
            ORDER.with_suffix(".ran").write_text(" ".join(self.ran))
            os.kill(os.getpid(), signal.SIGKILL)


def follow(connection, **_):
    """Follow a connection that is open."""
    connection.connection.set_trace_callback(Trace())


connection_created.connect(follow)
connection.ensure_connection()
follow(connection)
