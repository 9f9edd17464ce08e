"""A real Evennia Server in this process: its reactor, its hooks, its database, and no Portal.

Django, the migrations and Evennia's service are set up as `evennia start` does it for the Server,
the pragmas of its SQLite connection included. What differs: the connection to the Portal is a
`Screens`, which takes what players would see and notes when.
"""

from __future__ import annotations

import json
import os
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import django
import evennia
from django.conf import settings
from django.core.management import call_command
from twisted.internet import reactor
from twisted.internet.defer import Deferred
from twisted.internet.task import LoopingCall, deferLater
from twisted.logger import globalLogBeginner, textFileLogObserver
from twisted.python.failure import Failure

from bench.model import serving
from bench.report import Figures

TICK = 0.01
LOG = "server.log"


class Screens:
    """Stands in for the connection to the Portal: every line that a session is sent ends here."""

    def __init__(self) -> None:
        self.watchers: dict[int, Callable[[str, float], None]] = {}
        self.lines = 0

    def watch(self, player: Any, see: Callable[[str, float], None]) -> None:
        """Have `see(line, time)` called for what the player of this character reads."""
        self.watchers[player.sessions.all()[0].sessid] = see

    def send_MsgServer2Portal(self, session: Any, **kwargs: Any) -> None:  # noqa: N802 - Evennia's
        """Take a line on its way to a player's client."""
        now = time.perf_counter()
        text = kwargs.get("text")
        see = self.watchers.get(session.sessid)
        if text:
            self.lines += 1
            if see:
                see(str(text[0][0]), now)

    def send_AdminServer2Portal(self, *args: Any, **kwargs: Any) -> None:  # noqa: N802 - Evennia's
        """Nobody is there to be told of logins."""


class Lateness:
    """How late a `LoopingCall` of 10 ms is: what every player and script of the game would notice.

    A call that comes so late that others were due meanwhile stands for all of those: a pause of
    50 ms counts as five, 50, 40, 30, 20 and 10 ms late.
    """

    def __init__(self) -> None:
        self._seconds: list[float] = []
        self._slot = 0
        self._loop = LoopingCall(self._tick)

    def start(self) -> None:
        """Begin to watch."""
        self._loop.start(TICK, now=False)

    def take(self) -> list[float]:
        """Return the seconds of lateness since this was asked last, and since `start` at first."""
        taken, self._seconds = self._seconds, []
        return taken

    def _tick(self) -> None:
        passed = reactor.seconds() - self._loop.starttime
        last, self._slot = self._slot, int(passed / TICK + 0.001)
        self._seconds += [passed - slot * TICK for slot in range(last + 1, self._slot + 1)]


async def pause(seconds: float) -> None:
    """Wait while the game goes on."""
    await deferLater(reactor, seconds)


def play(
    bench: Callable[[], Awaitable[Figures]], *, mean: float, spread: float, limit: float
) -> Figures:
    """Run `bench` inside a Server whose assistants ask a model of that latency; return its figures.

    The model is a process of its own, which is gone afterwards. See `play_with` for the rest.
    """
    with serving(mean, spread) as address:
        return play_with(address, bench, limit)


@contextmanager
def on_postgresql() -> Iterator[Any]:
    """Within, the game lives on a PostgreSQL of its own, which is handed out.

    Where there is none, says why and ends the program.
    """
    from tests.e2e.postgres import LACKING, postgresql

    if LACKING:
        print(f"Not run: {LACKING}")
        raise SystemExit(0)
    with postgresql() as server:
        os.environ["AI_ASSISTANT_BENCH_DATABASES"] = json.dumps(server.settings["DATABASES"])
        yield server


def play_with(address: str, bench: Callable[[], Awaitable[Figures]], limit: float) -> Figures:
    """Run `bench` inside a Server whose assistants ask the model at an address; return its figures.

    With them comes how many errors the Server logged. Raises what the bench raises, and
    `TimeoutError` when it takes longer than `limit` seconds. Everything that was started or
    written is gone afterwards.
    """
    outcome: list[Any] = [Failure(KeyboardInterrupt())]

    def begin() -> None:
        running = Deferred.fromCoroutine(bench())
        running.addTimeout(limit, reactor)
        running.addBoth(outcome.append)
        running.addBoth(lambda _: reactor.stop())

    with tempfile.TemporaryDirectory(prefix="bench") as folder:
        _set_up(Path(folder), address)
        reactor.callWhenRunning(begin)
        reactor.run()
        errors = _show_errors(Path(folder))
    if isinstance(outcome[-1], Failure):
        outcome[-1].raiseException()
    return {**outcome[-1], "errors_logged": errors}


def _set_up(folder: Path, address: str) -> None:
    os.environ["AI_ASSISTANT_BENCH_FOLDER"] = str(folder)
    os.environ["AI_ASSISTANT_BENCH_MODEL"] = address
    os.environ["DJANGO_SETTINGS_MODULE"] = "bench.settings"
    django.setup()
    call_command("migrate", run_syncdb=True, verbosity=0)
    evennia._init()
    evennia.EVENNIA_SERVER_SERVICE.amp_protocol = SCREENS
    for channel in filter(None, (settings.CHANNEL_MUDINFO, settings.CHANNEL_CONNECTINFO)):
        evennia.create_channel(**channel)  # where Evennia tells of logins
    log = textFileLogObserver((folder / LOG).open("w"))
    globalLogBeginner.beginLoggingTo([log], redirectStandardIO=False)


def _show_errors(folder: Path) -> int:
    """Print the beginning of what went wrong, if anything did; return how many errors there are."""
    lines = (folder / LOG).read_text(errors="replace").splitlines()
    wrong = [at for at, line in enumerate(lines) if "Traceback" in line or "[!!]" in line]
    if wrong:
        print(f"{len(wrong)} errors were logged, first:")
        print("\n".join(lines[wrong[0] : wrong[0] + 30]))
    return len(wrong)


SCREENS = Screens()
