"""What one "hello" runs through: the functions of ours that are called, in a real Server.

python -m bench.house.hello prints them as JSON, in the order of their first calls. In the demo
village a player says hello to the innkeeper by the game's own command; she asks a model over HTTP
and answers on the player's screen.
What runs until the model has the request is counted before it, everything later after it, in all
threads, until a second after the end of the turn. It is the first hello of the process,
so what is loaded for it counts. Heartbeats, the renewal of the server's lease and the look at how
late the reactor is rest meanwhile: they come whether anybody speaks or not, and fall into that
second by chance.
What only serves the model, in the same process, is not counted (`testing/`), nor are comprehensions
and lambdas.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from bench.house.source import PACKAGE, Measure
from world.people import INNKEEPER

MOST, NEVER_OVER = 400, 550
SETTLING, ANSWERING, QUIET, LIMIT = 3.0, 120.0, 1.0, 600.0
"""Seconds: until a new assistant rests, for an answer, after its turn, and for everything."""
WORDS = "hello, tansy"
CO_OPTIMIZED = 1
"""Python's flag of a code object that is a function's, not a module's or a class's."""


class Recorder:
    """Notes which functions of the package are called, in which part of the turn."""

    def __init__(self) -> None:
        self.parts: dict[str, dict[CodeType, None]] = {"before": {}, "after": {}}
        """Each function once, in the order of the first calls."""
        self._into: dict[CodeType, None] | None = None
        self._ours = f"{PACKAGE}/"
        self._served = f"{PACKAGE / 'testing'}/"

    def switch(self, part: str = "") -> None:
        """Note what follows as that part, or nothing more."""
        self._into = self.parts[part] if part else None

    def __call__(self, frame: FrameType, event: str, _: Any) -> None:
        """Take what Python tells a profiler."""
        if self._into is not None and event == "call" and self._counts(frame.f_code):
            self._into.setdefault(frame.f_code)

    def _counts(self, code: CodeType) -> bool:
        file = code.co_filename
        function = code.co_flags & CO_OPTIMIZED and not code.co_name.startswith("<")
        return bool(function) and file.startswith(self._ours) and not file.startswith(self._served)

    def told(self) -> dict[str, list[str]]:
        """Return the names of what was called first in each part, in that order."""
        before, after = self.parts["before"], self.parts["after"]
        return {
            "before": [*map(_place, before)],
            "after": [_place(code) for code in after if code not in before],
        }


def _place(code: CodeType) -> str:
    path = Path(code.co_filename).relative_to(PACKAGE.parent)
    return f"{path}:{code.co_firstlineno} {code.co_qualname}"


def main() -> None:
    """Play the hello, and print what ran."""
    recorder = Recorder()
    threading.setprofile(recorder)
    from twisted.internet import reactor
    from twisted.web.server import Site

    from bench.game import play_with
    from bench.model import Model

    class Asked(Model):
        """The model, which tells when it was asked."""

        def render_POST(self, request: Any) -> int:  # noqa: N802 - Twisted's name
            recorder.switch("after")
            return super().render_POST(request)

    port = reactor.listenTCP(0, Site(Asked(lambda: 0.1)), interface="127.0.0.1")
    address = f"http://127.0.0.1:{port.getHost().port}"
    figures = play_with(address, lambda: say_hello(recorder), LIMIT)
    print(json.dumps(figures))


async def say_hello(recorder: Recorder) -> dict[str, Any]:
    """Build the village, let a player greet the innkeeper after some seconds; return what ran."""
    import evennia

    from ai_assistant.runtime.service import SERVICE
    from bench import people
    from bench.game import SCREENS, pause
    from server.conf.at_initial_setup import at_initial_setup

    evennia.create_account("Owner", None, "a password for benches")
    people.a_room("#1, elsewhere the owner's body")
    inn = people.a_room("#2, which becomes the inn")
    player = people.a_player("Mira", inn)  # there before it: an arrival would be told as well
    at_initial_setup()
    (innkeeper,) = evennia.search_object(INNKEEPER["name"])
    seen: list[str] = []
    SCREENS.watch(player, lambda line, _: seen.append(line))
    await pause(SETTLING)
    await _warmed_up(SERVICE)
    _stop_clocks(SERVICE)
    sys.setprofile(recorder)
    recorder.switch("before")
    player.execute_cmd(f"say {WORDS}")
    for _ in range(int(ANSWERING / 0.1)):
        await pause(0.1)
        if any(line.startswith(f"{innkeeper.key} says") for line in seen):
            break
    else:
        raise TimeoutError(f"Nobody answered: {seen}")
    while any(one.turn_id for one in SERVICE.residents.values()):
        await pause(0.1)
    await pause(QUIET)
    recorder.switch()
    sys.setprofile(None)
    return recorder.told()


def _stop_clocks(service: Any) -> None:
    """Let nothing run in the turn that a clock would begin, or that only the first one asks for."""
    from evennia.scripts.models import ScriptDB
    from twisted.internet import reactor

    from ai_assistant.game import quiet
    from ai_assistant.game.reactor_lateness import PROBE, spare_full_rounds

    for script in ScriptDB.get_all_cached_instances():
        if script.ndb._task and script.ndb._task.running:
            script.ndb._task.stop()
    for call in reactor.getDelayedCalls():  # type: ignore[attr-defined]
        if spare_full_rounds in (call.func, *call.args):
            call.cancel()
    assert not quiet.QUIET.everywhere
    PROBE.stop()
    service.watch._loop.interval = LIMIT
    service.watch._loop.reset()


async def _warmed_up(service: Any) -> None:
    """Wait until the client of models, and the memories of those who live there, are warmed up."""
    from bench.game import pause

    idle = asyncio.run_coroutine_threadsafe(asyncio.sleep(0), service.shared.bridge._worker.loop)
    while not idle.done() or any(one.warming for one in service.residents.values()):
        await pause(0.1)


def measure_hello() -> tuple[list[Measure], int]:
    """Play the hello in a process of its own; return the figures, and how many errors it logged."""
    command = [sys.executable, "-m", "bench.house.hello"]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    *_, last = done.stdout.splitlines()
    found = json.loads(last)
    return _measures(found["before"], found["after"]), found["errors_logged"]


def _measures(before: Sequence[str], after: Sequence[str]) -> list[Measure]:
    both = [*before, *after]
    files = Counter(one.partition(":")[0] for one in both)
    worst = [f"{count} {file}" for file, count in files.most_common()]
    return [
        Measure("hello", "functions that run for one hello", len(both), MOST, worst=worst),
        Measure("hello_most", "the same, never over", len(both), NEVER_OVER),
        Measure("hello_before", "of them up to the model's call", len(before)),
        Measure("hello_after", "of them only after it", len(after)),
        Measure("hello_files", "files that they stand in", len(files)),
    ]


if __name__ == "__main__":
    main()
