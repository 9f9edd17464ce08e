"""A running game killed again and again, in turns, at the boundaries of scenes, and in nights.

python -m bench.kills --database sqlite|wal|postgresql [--times 100] [--seed 7]

A copy of the demo game with real telnet lines, on SQLite as Evennia sets it, on SQLite with the
demo game's write-ahead log, or on PostgreSQL. Its Server is killed with SIGKILL at random moments
and started again; then whoever spoke logs in again and asks. The audit log says what became of each
line.
"""

from __future__ import annotations

import json
import random
import re
import sqlite3
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from bench import report
from tests.e2e.harness import FakeModel, Game
from tests.e2e.postgres import LACKING, postgresql

DATABASES = ("sqlite", "wal", "postgresql")
MOMENTS = {"a turn": 1.6, "the boundary of a scene": 1.0, "a night": 3.0}
"""Where the Server is killed: within so many seconds after that began."""
LATENCY = 0.3
ANSWERED_AFTER = 10.0
"""Seconds from a restart to an answer, as a goal."""
PATIENCE = 40.0
"""Seconds after which an answer does not come any more."""
CHARACTER = "tansy"
ANSWER = r"^Tansy Brewell says"
PID = "Removing stale pidfile"
"""What Twisted logs as an error after each kill."""
MARK = re.compile(r"\(line \d+\)")
SETTINGS = {"AI_ASSISTANT_DAILY_CALLS": 1_000_000, "AI_ASSISTANT_SCENES_A_DAY": 1000}
FATES = "select type, data from ai_assistant_event where type in ('TurnCompleted', 'EventClosed')"
HEARD = "select container, kind, content, meta from ai_assistant_memory where author != ''"


@dataclass(slots=True)
class Played:
    """What was seen of it, from without."""

    kills: Counter[str] = field(default_factory=Counter)
    answered_after: list[float] = field(default_factory=list)
    """Seconds, one of each restart."""
    silent: int = 0
    """Restarts after which nobody answered."""
    shown: set[str] = field(default_factory=set)
    """The marks of lines that were on their speaker's screen before the Server died."""
    said: Counter[str] = field(default_factory=Counter)
    """The marks in the characters' lines."""
    waiting: dict[str, str] = field(default_factory=dict)
    """The ids of events that a killed Server left behind, by their marks."""


@contextmanager
def a_game(database: str, model: FakeModel) -> Iterator[tuple[Game, Callable[[str], list[Any]]]]:
    """Within, a village runs on such a database; with it comes what asks the database."""
    settings = {**SETTINGS, **model.settings()}
    with tempfile.TemporaryDirectory(prefix="kills") as name:
        folder = Path(name)
        if database == "postgresql":
            with postgresql() as server:
                settings |= server.settings
                path = server.python_path(folder)
                with Game.village(folder, settings=settings, python_path=path) as game:
                    yield game.open(), server.sql
            return
        if database == "sqlite":
            pragmas = ["PRAGMA journal_mode = delete", "PRAGMA synchronous = off"]
            settings["SQLITE3_PRAGMAS"] = pragmas
        with Game.village(folder, settings=settings) as game:
            game.process.evennia("migrate")
            game.is_new = False
            yield game.open(), partial(_ask, game.root / "server" / "evennia.db3")


def _ask(path: Path, query: str) -> list[Any]:
    """Return the rows of a query; a write that was cut short is undone first, as Evennia does."""
    with closing(sqlite3.connect(path, timeout=10)) as connection:
        return connection.execute(query).fetchall()


class Storm:
    """One game through all its kills."""

    def __init__(self, game: Game, sql: Callable[[str], list[Any]], luck: random.Random) -> None:
        self._game, self._sql, self._luck = game, sql, luck
        self.played = Played()
        self._line = game.join("Alice")
        self._lines = self._scenes = 0

    def kill(self) -> None:
        """Let something begin, kill the Server amid it, start it, and wait for an answer."""
        where, span = self._luck.choice(list(MOMENTS.items()))
        self._begin(where)
        time.sleep(self._luck.uniform(0, span))
        self._game.kill9_server()
        self.played.kills[where] += 1
        self._hang_up(again=True)
        self._game.start()
        started = time.monotonic()
        self._line = self._game.join("Alice")
        self._say()
        heard = self._wait(lambda: re.search(ANSWER, self._line.transcript, re.MULTILINE))
        if heard:
            self.played.answered_after.append(time.monotonic() - started)
        else:
            self.played.silent += 1
            print(f"Silent after a kill in {where}; the log:", self._game.logs(30), sep="\n")
        self._settle()

    def _begin(self, where: str) -> None:
        if where == "a night":
            self._settle()
            with self._game.owner() as owner:
                owner.send(f"aisleep/now {CHARACTER}")
                owner.read(0.2)
            if self._luck.random() < 0.5:
                self._say()
        elif where == "a turn":
            self._say()
        else:
            self._scenes += 1
            for step in (
                f"scene/create Scene {self._scenes}",
                f"scene/invite {CHARACTER}",
                "scene/start",
            ):
                self._line.send(step)
            if self._luck.random() < 0.5:
                self._line.read(0.5)
                self._say()
                self._line.read(0.3)
                self._line.send("scene/stop")
            else:
                self._say()

    def _say(self) -> None:
        self._lines += 1
        self._line.send(f"say {CHARACTER}, what of the ferry? (line {self._lines})")

    def _wait(self, true: Callable[[], Any]) -> Any:
        end = time.monotonic() + PATIENCE
        while not (found := true()) and time.monotonic() < end:
            self._line.read(0.1)
        return found

    def _settle(self) -> None:
        """Wait until nothing is to be answered any more, and leave a scene that may be on."""
        self._line.read(0.5)
        self._wait(lambda: not self._sql("select 1 from ai_assistant_pending"))
        self._line.send("scene/stop")
        self._line.read(1.0)

    def _hang_up(self, *, again: bool) -> None:
        """Note what was shown, and what the dead Server left behind."""
        self._line.read(0.2)
        for line in self._line.transcript.splitlines():
            marks = MARK.findall(line)
            if line.startswith("You say"):
                self.played.shown.update(marks)
            elif re.match(ANSWER, line):
                self.played.said.update(set(marks))
        self._line.close()
        if again:
            for event, payload in self._sql("select event_id, payload from ai_assistant_pending"):
                self.played.waiting.update(dict.fromkeys(MARK.findall(payload), event))

    def end(self) -> report.Figures:
        """Return what the screens and the database tell in the end."""
        self._settle()
        self._hang_up(again=False)
        found = _Found(self._sql)
        ids = {**found.events, **self.played.waiting}
        missing = [mark for mark in self.played.shown if not found.fates[ids.get(mark, "")]]
        self._game.stop()
        log = self._game.logs(1_000_000).splitlines()
        wrong = [
            line for line in log if "Traceback" in line or ("[!!]" in line and PID not in line)
        ]
        print(*wrong[:3], sep="\n", end="\n" * bool(wrong))
        return {
            "kills": self.played.kills.total(),
            "kills_in": dict(self.played.kills),
            "lines": len(self.played.shown),
            "closed": found.closed,
            "said_twice": sum(count > 1 for count in self.played.said.values()),
            "ended_twice": sum(count > 1 for count in found.fates.values()),
            "neither_answered_nor_closed": len(missing),
            "waiting": len(self._sql("select 1 from ai_assistant_pending")),
            "torn": found.torn(),
            "silent": self.played.silent,
            "answered_after": report.spread(self.played.answered_after),
            "errors_logged": len(wrong),
        }


class _Found:
    """What stands in the database in the end."""

    def __init__(self, sql: Callable[[str], list[Any]]) -> None:
        self._sql = sql
        self.fates: Counter[str] = Counter()
        """How often the audit log says of an event that it came to an end."""
        self.closed: Counter[str] = Counter()
        self._answered: set[str] = set()
        for kind, data in map(_record, sql(FATES)):
            ended = data["events"] if kind == "TurnCompleted" else [data["event"]]
            self.fates.update(ended)
            if kind == "EventClosed":
                self.closed[data["reason"]] += 1
            elif data["outcome"] == "answered":
                self._answered.update(ended)
        self._heard = Counter[tuple[str, str, str]]()
        self.events: dict[str, str] = {}
        """The ids of events, by their marks, as the memories have it."""
        for container, kind, content, meta in sql(HEARD):
            event = json.loads(meta).get("event", "")
            if event and content.startswith("Tansy, what of the ferry?".lower()):
                self._heard[container, kind, event] += 1
                self.events |= dict.fromkeys(MARK.findall(content), event)

    def torn(self) -> report.Figures:
        """Return what is half there, or there twice."""
        known = {event for _, _, event in self._heard}
        numbers = "select assistant, count(*), min(seq), max(seq) from ai_assistant_event"
        logs = self._sql(f"{numbers} group by assistant")
        return {
            "answered but not remembered": len(self._answered - known),
            "remembered twice": sum(count > 1 for count in self._heard.values()),
            "gaps in audit logs": sum(last - first + 1 - rows for _, rows, first, last in logs),
        }


def _record(row: tuple[str, str]) -> tuple[str, Any]:
    return row[0], json.loads(row[1])


def bench(database: str, times: int, seed: int) -> report.Figures:
    """Kill a game on such a database so many times; return what is found then."""
    model = FakeModel(latency=LATENCY)
    try:
        with a_game(database, model) as (game, sql):
            storm = Storm(game, sql, random.Random(f"{database} {seed}"))
            while storm.played.kills.total() < times:
                storm.kill()
            return {"database": database, "seed": seed, **storm.end()}
    finally:
        model.close()


def show(figures: report.Figures) -> list[report.Goal]:
    """Print what happened, and return the goals."""
    rows = [
        *((f"kills in {name}", count) for name, count in figures["kills_in"].items()),
        ("lines that a player had said", figures["lines"]),
        *((f"lines closed: {why}", count) for why, count in figures["closed"].items()),
        *((f"answer after a restart, {key}", at) for key, at in figures["answered_after"].items()),
    ]
    print(report.table([f"Servers killed, on {figures['database']}", ""], rows))
    slowest = (figures["answered_after"]["max_ms"] or 0) / 1000
    torn = [report.Goal(name, count, 0, must=True) for name, count in figures["torn"].items()]
    return [
        report.Goal("lines answered twice on a screen", figures["said_twice"], 0, must=True),
        report.Goal("lines with two ends", figures["ended_twice"], 0, must=True),
        report.Goal(
            "neither answered nor closed", figures["neither_answered_nor_closed"], 0, must=True
        ),
        report.Goal("still waiting", figures["waiting"], 0, must=True),
        *torn,
        report.Goal("restarts without an answer", figures["silent"], 0, must=True),
        report.Goal("answer after a restart", slowest, ANSWERED_AFTER, "s"),
    ]


def run(database: str, times: int, seed: int) -> int:
    """Run the bench and print what it found; returns the exit status."""
    if database == "postgresql" and LACKING:
        print(f"No kills on PostgreSQL: {LACKING}")
        return 0
    figures = bench(database, times, seed)
    return report.conclude("kills", figures, show(figures))
