"""Where the nights of the workers' bench are slept: a town of characters, and a crew of workers."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count, islice, product
from pathlib import Path
from typing import Any

from twisted.internet.threads import deferToThread

from ai_assistant.core.contracts import Commit, MemoryRow
from bench.game import Lateness, pause
from bench.mortal_days import ENDINGS, NAMES, SMALL_TALK, SYLLABLES, id_of

LINES, FACTS = 60, 10
"""Lines of a day, and how many of them tell something."""
IN_A_ROOM = 10
"""Who live together, and see each other fall asleep."""
THINGS = ["".join(one) for one in product(SYLLABLES, SYLLABLES, ENDINGS)]
ROOT = Path(__file__).resolve().parents[1]
WAITS = "waits for questions"


class Crew:
    """Worker processes of this game."""

    def __init__(self, at_once: int) -> None:
        self._at_once = at_once
        self._names = map(str, count(1))
        self._workers: dict[str, subprocess.Popen[bytes]] = {}
        self._log = Path(os.environ["AI_ASSISTANT_BENCH_FOLDER"], f"workers{id(self)}.out")

    def hire(self, number: int = 1) -> None:
        """Start so many more."""
        command = [sys.executable, "-m", "django", "ai_worker", f"--at-once={self._at_once}"]
        with self._log.open("ab") as log:
            for name in islice(self._names, number):
                env = {**os.environ, "AI_ASSISTANT_BENCH_WORKER": name}
                self._workers[name] = subprocess.Popen(
                    command, cwd=ROOT, env=env, stdout=log, stderr=log
                )

    async def ready(self, number: int) -> None:
        """Wait until so many have begun to work since the first."""
        while number and self._log.read_text().count(WAITS) < number:
            await pause(0.2)

    def kill(self, names: Iterable[str], luck: random.Random) -> bool:
        """Kill one of those that are named; False where none of them lives."""
        alive = sorted(self._workers.keys() & {*names})
        if alive:
            worker = self._workers.pop(luck.choice(alive))
            worker.kill()
            worker.wait()
        return bool(alive)

    def dismiss(self) -> None:
        """Let all end."""
        for worker in self._workers.values():
            worker.terminate()
        for worker in self._workers.values():
            with suppress(subprocess.TimeoutExpired):
                worker.wait(10)
            worker.kill()


@dataclass(slots=True)
class Town:
    """All characters, what they were told, and what the model's server knows of their nights."""

    model: str
    lateness: Lateness = field(default_factory=Lateness)
    people: list[Any] = field(default_factory=list)
    told: dict[str, list[str]] = field(default_factory=dict)
    """What there is to know, by the character who heard of it."""
    days: int = 0

    @property
    def residents(self) -> Iterator[Any]:
        """Those who run them just now."""
        from bench.people import resident_of

        return map(resident_of, self.people)

    async def settle(self, size: int) -> None:
        """Let so many live here."""
        from ai_assistant.api import lifecycle
        from bench import people

        for number in range(size):
            if number % IN_A_ROOM == 0:
                room = people.a_room(f"Quay {number}")
            name = f"Rowan{number}"
            persona, config = {**people.PERSONA, "name": name}, {"tick_rate_sleep": 5}
            self.people.append(
                lifecycle.create_assistant(name, location=room, persona=persona, config=config)
            )
            self.told[name] = []
        await self.restart(by_workers=False)
        self.lateness.start()

    async def restart(self, *, by_workers: bool) -> None:
        """Begin anew, as after a reload, with or without workers."""
        from django.conf import settings

        from bench import people

        settings.AI_ASSISTANT_WORKERS = by_workers
        await people.restart(self.people)

    async def live(self) -> None:
        """Let everybody hear another day."""
        for number, resident in enumerate(self.residents):
            name = self.people[number].key
            rows, told = a_day(random.Random(f"{name} {self.days}"), self.days)
            resident.mind.save(Commit(at=time.time(), rows=rows))
            self.told[name] += told
            await pause(0)
        self.days += 1

    async def sleep(self) -> None:
        """Let everybody sleep through a night."""
        from ai_assistant.runtime.service import SERVICE

        for resident in self.residents:
            if not resident.mind.phase:
                resident.sleeper.begin()
            SERVICE.offer(resident.id, night=True)
            await pause(0)
        while any(resident.mind.phase for resident in self.residents):
            await pause(0.1)

    async def calls(self, path: str = "") -> list[Any]:
        """Return what the model's server knows of all calls so far, or tells at a path."""
        return await deferToThread(lambda: json.load(urllib.request.urlopen(self.model + path)))

    def unread(self) -> int:
        """Return how many lines no night has read yet."""
        return sum(_unread(resident.mind.store) for resident in self.residents)


def a_day(luck: random.Random, day: int) -> tuple[list[MemoryRow], list[str]]:
    """Return the lines of a day, and what they tell."""
    told = [(luck.choice(NAMES), thing) for thing in THINGS[day * FACTS :][:FACTS]]
    lines = [(name, f"I own a {thing}.") for name, thing in told]
    lines += [(luck.choice(NAMES), luck.choice(SMALL_TALK)) for _ in range(LINES - FACTS)]
    luck.shuffle(lines)
    since = time.time() - 6 * 3600
    rows = [
        MemoryRow(
            content=f"{text} ({day * LINES + number})",
            author=id_of(name),
            author_name=name,
            learned_at=since + 60 * number,
            meta={"event": f"d{day}e{number}", "type": "say", "turn": ""},
        )
        for number, (name, text) in enumerate(lines)
    ]
    return rows, [f"{name} owns a {thing}" for name, thing in told]


def _unread(store: Any) -> int:
    sleep = store.read("sleep")
    waiting = sum(entry["lines"] + len(entry["again"]) for entry in sleep["waiting"].values())
    return waiting + sum(
        row.kind == "utterance" for row in store.rows.after(sleep["gathered"], 1000)
    )
