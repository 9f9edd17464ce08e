"""The stage: a real server of the demo game in a folder: its players, its state, its clock."""

from __future__ import annotations

import contextlib
import json
import re
import struct
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ai_assistant.testing.box import Box
from server.bootstrap import Trouble
from tests.e2e.harness import Game, Line

HERE = Path(__file__).parent
BEGINS = datetime(2030, 1, 7, 18, tzinfo=UTC).timestamp()
"""When the first evening begins, in the game: a Monday."""
RUNS = 5.0
"""Seconds that the game's clock runs before it waits for the next word of ours."""
QUIET = 1.5
"""Seconds without a word on any screen before a step is over."""
_LOOK = 0.1
_ASLEEP = 5.0
_HEARD = 15.0
_STARTS = 4
_CHANNEL = re.compile(r"^\[\w+\] ")
Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Shown:
    """A line on a screen, during the step of that number."""

    step: int
    player: str
    text: str


def by(text: str, names: Sequence[str]) -> bool:
    """Is a line what one of them said or did? On a channel its name stands before theirs."""
    return _CHANNEL.sub("", text).startswith(tuple(names))


class Stage:
    """A game that plays a cast. `box`, where a model is asked, tells what is under way."""

    def __init__(self, folder: Path, settings: Json, box: Box | None, patience: float) -> None:
        self._folder, self._box, self._patience = folder, box, patience
        self._clock = folder / "clock"
        self._now = BEGINS
        self._clock.write_bytes(struct.pack("d", self._now))
        path = f"{folder}:{HERE / 'clock'}"  # Evennia's launcher drops the first
        self.game = Game.village(folder / "game", settings=settings, python_path=path)
        self.game.process._env["BENCH_CLOCK"] = str(self._clock)
        self._lines: dict[str, Line] = {}
        self._owner: Line | None = None
        self._left: dict[str, str] = {}
        self.shown: list[Shown] = []
        self.late: list[int] = []
        """Steps that were not over when patience was."""
        self.step = 0

    def open(self, build: Sequence[Json]) -> None:
        """Start the game, and build what the cast needs beside the village."""
        self.game.process.evennia("migrate")
        self._start()
        plan = self._folder / "build.json"
        plan.write_text(json.dumps(build), "utf-8")
        self._py(f"BUILD={str(plan)!r}")

    def close(self) -> None:
        """Stop the game."""
        self.game.close()

    # -- players

    def join(self, player: str) -> None:
        """Let a player in."""
        if player not in self._lines:
            self._lines[player] = self.game.join(player)

    def leave(self, player: str) -> None:
        """Let a player log out."""
        line = self._lines.pop(player)
        line.send("quit")
        self._take(player, line.read(0.5))
        line.close()

    def type(self, typed: Sequence[tuple[str, str]]) -> None:
        """Let players type their lines, one right after the other; each sees something of it."""
        before = len(self.shown)
        for player, line in typed:
            self._lines[player].send(line)
        end, players = time.monotonic() + _HEARD, {player for player, _ in typed}
        while players - {one.player for one in self.shown[before:]} and time.monotonic() < end:
            self._listen()

    def settle(self) -> None:
        """Wait until nothing is under way any more and the screens are still."""
        end, quiet = time.monotonic() + self._patience, time.monotonic()
        while time.monotonic() - quiet < QUIET:
            if self._listen() or self._busy():
                quiet = time.monotonic()
            if time.monotonic() > end:
                self.late.append(self.step)
                return

    def listen(self, seconds: float) -> None:
        """Let time pass, in the game as well."""
        while seconds > 0:
            end = time.monotonic() + min(seconds, RUNS)
            while time.monotonic() < end:
                self._listen()
            self.later(RUNS)
            seconds -= RUNS

    def _listen(self) -> bool:
        heard = False
        for player, line in self._lines.items():
            heard |= self._take(player, line.read(_LOOK / len(self._lines)))
        if not self._lines:
            time.sleep(_LOOK)
        return heard

    def _take(self, player: str, text: str) -> bool:
        """Keep whole lines; half a line waits for its end."""
        *whole, left = (self._left.get(player, "") + text).split("\n")
        self._left[player] = left
        self.shown += [Shown(self.step, player, line) for line in whole if line.strip()]
        return bool(text.strip())

    def _busy(self) -> bool:
        if self._box and self._box.under_way():
            return True
        return bool(self.game.sql("SELECT COUNT(*) FROM ai_assistant_pending")[0][0])

    # -- staff

    def staff(self, line: str) -> None:
        """Let the owner type a line."""
        self._owned().send(line)

    def state(self) -> Json:
        """Return what `in_game` tells of the game."""
        return self._py("")

    def _owned(self) -> Line:
        if self._owner is None:
            self._owner = self.game.owner()
        self._owner.read(0)
        return self._owner

    def _py(self, options: str) -> Json:
        out = self._folder / "state.json"
        out.unlink(missing_ok=True)
        names = ", ".join(filter(None, (f"OUT={str(out)!r}", options)))
        self._owned().send(
            f"py import runpy; runpy.run_path({str(HERE / 'in_game.py')!r}, dict({names}))"
        )
        end = time.monotonic() + 60
        while not out.exists():
            if time.monotonic() > end:
                raise TimeoutError(self._owned().transcript[-3000:])
            time.sleep(_LOOK)
        state: Json = json.loads(out.read_text("utf-8"))
        return state

    # -- time

    def set_clock(self, seconds: float) -> None:
        """Say what time it is in the game; see `clock/sitecustomize.py`."""
        self._now = seconds
        with self._clock.open("r+b") as file:
            file.write(struct.pack("d", seconds))

    def later(self, seconds: float) -> None:
        """Go on some time later."""
        self.set_clock(self._now + seconds)

    def night(self, hours: float) -> None:
        """Send everybody home, let all assistants sleep, and go on so many hours later."""
        evening = self._now
        for player in list(self._lines):
            self.leave(player)
        self.settle()
        for name in self.state()["minds"]:
            self.staff(f"aisleep/now {name}")
        end = time.monotonic() + self._patience
        self.listen(_ASLEEP)
        while any(one["asleep"] for one in self.state()["minds"].values()):
            if time.monotonic() > end:
                self.late.append(self.step)
                break
            self.listen(_ASLEEP)
        self.set_clock(evening + hours * 3600)
        self.game.stop()
        self._hang_up()
        self._start()

    def _start(self) -> None:
        """Start the game; Evennia's launcher gives up after ten seconds on a busy machine."""
        for _ in range(_STARTS - 1):
            with contextlib.suppress(Trouble):
                self.game.start()
                return
        self.game.start()

    def _hang_up(self) -> None:
        if self._owner:
            self._owner.close()
        self._owner = None
