"""What a crowd does to the game: many assistants, many lines a second, a slow model.

    python -m bench.load [--seconds 20] [--every 60] [--quick]

Players speak in rooms of eight listeners, four of them assistants; a third of the lines address
one of those by name. Lines come at random times that do not wait for the game to keep up.

What memory and lateness were is told for each `--every` seconds as well: whether they stay flat in
twenty minutes, `--seconds 1200` shows.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import psutil

from bench import report
from bench.chronicle import ANSWERED, MERGED, Chronicle, Watched
from bench.game import SCREENS, Lateness, pause, play

LATENCY, SPREAD = 1.3, 0.4
"""Mean in seconds, and sigma, of the model's lognormal latency."""
PER_ROOM = 4
"""Assistants in a room, and as many players: whoever speaks is heard by the seven others."""
ADDRESSED = 1 / 3
EVERY = 60.0
"""Seconds of which lateness and memory are told apart."""
DRAIN = 20.0
"""Seconds that what still waits has at the end to be answered."""
FORMS = ("{name}, is the ferry in?", "What do you make of that, {name}?", "{name}, a word.")


@dataclass(frozen=True, slots=True)
class Stage:
    """So many assistants, lines a second, what the p99 of lateness should be at most (ms), and how
    many of the lines should be spoken a second at least."""

    assistants: int
    lines: float
    goal: float
    spoken: float = 0.0


STAGES = (Stage(50, 25, 25), Stage(200, 300, 50, spoken=150))
QUICK = (Stage(12, 6, 25), Stage(40, 60, 50))


class Town:
    """Rooms with assistants and players, to which more may be added."""

    def __init__(self) -> None:
        self.assistants: list[Any] = []
        self.rooms: list[tuple[list[Any], list[Any]]] = []

    async def grow(self, assistants: int) -> None:
        """Add rooms until there are so many assistants, and start them anew."""
        from bench import people

        while len(self.assistants) < assistants:
            number = len(self.rooms)
            room = people.a_room(f"Room {number}")
            guests = [people.a_player(f"guest{number}-{n}", room) for n in range(PER_ROOM)]
            minds = [people.an_assistant(f"Rowan{number}{n}", room) for n in "abcd"[:PER_ROOM]]
            for mind in minds:
                people.give_past(mind, guests)
            self.assistants += minds
            self.rooms.append((minds, guests))
        await people.restart(self.assistants)

    def watch(self, chronicle: Chronicle) -> None:
        """Have a new chronicle told of every trigger from now on."""
        from bench import people

        for assistant in self.assistants:
            mind = people.resident_of(assistant).mind
            mind.store = Watched(mind.store, mind.key, chronicle)

    def speak(self, chance: random.Random) -> None:
        """Let one player say one line."""
        from bench import people

        minds, guests = chance.choice(self.rooms)
        line = chance.choice(people.SMALL_TALK)
        if chance.random() < ADDRESSED:
            line = chance.choice(FORMS).format(name=chance.choice(minds).key)
        chance.choice(guests).at_say(line)


class Course:
    """What lateness and memory were while a stage went on, interval by interval."""

    def __init__(self, lateness: Lateness, every: float) -> None:
        self.intervals: list[report.Figures] = []
        self.late: list[float] = []
        self._lateness, self._every = lateness, every
        self._lines = 0
        self._begun = self._noted = time.perf_counter()
        lateness.take()

    def tell(self, lines: int, *, ends: bool = False) -> None:
        """Take how many lines were spoken until now; note an interval that is over, or `ends`."""
        now = time.perf_counter()
        if now - self._noted < self._every and not ends:
            return
        late = self._lateness.take()
        self.late += late
        if lines == self._lines:
            return
        self.intervals.append(
            {
                "until_s": round(now - self._begun, 1),
                "lines_per_s": round((lines - self._lines) / (now - self._noted), 1),
                "lateness": report.spread(late),
                "rss_mb": _rss(),
            }
        )
        self._lines, self._noted = lines, now
        told = "{until_s} s: {lines_per_s} lines/s, {rss_mb} MB".format(**self.intervals[-1])
        print(told, flush=True)


def _rss() -> float:
    return round(psutil.Process().memory_info().rss / 2**20, 1)


async def stage(town: Town, plan: Stage, seconds: float, course: Course) -> report.Figures:
    """Put the town under this load for so long, wait for what is still to be answered, report."""
    chronicle, process = Chronicle(), psutil.Process()
    town.watch(chronicle)
    before, seen = _rss(), SCREENS.lines
    cpu, began = sum(process.cpu_times()[:2]), time.perf_counter()
    spoken = await _speak_for(town, plan, seconds, course)
    took = time.perf_counter() - began
    cpu = (sum(process.cpu_times()[:2]) - cpu) / took
    end = time.perf_counter() + DRAIN
    while chronicle.open and time.perf_counter() < end:
        await pause(0.1)
    return {
        "assistants": plan.assistants,
        "lines_per_s": round(spoken / took, 1),
        "lines": spoken,
        "screens_per_s": round((SCREENS.lines - seen) / took, 1),
        "lateness": report.spread(course.late),
        "cpu_percent": round(cpu * 100, 1),
        "rss_before_mb": before,
        "rss_after_mb": _rss(),
        "intervals": course.intervals,
        **_fates(chronicle),
    }


async def _speak_for(town: Town, plan: Stage, seconds: float, course: Course) -> int:
    chance = random.Random(11)
    now = time.perf_counter()
    end, due, spoken = now + seconds, now, 0
    while (due := due + chance.expovariate(plan.lines)) < end and time.perf_counter() < end:
        await pause(max(0.0, due - time.perf_counter()))
        town.speak(chance)
        spoken += 1
        course.tell(spoken)
    course.tell(spoken, ends=True)
    return spoken


def _fates(chronicle: Chronicle) -> report.Figures:
    fates = list(chronicle.fates.values())
    answered = (ANSWERED, MERGED)
    lost = Counter(fate.how for fate in fates if fate.how not in answered)
    return {
        "triggers": len(fates),
        "addressed": sum(fate.addressed for fate in fates),
        "turns": chronicle.turns,
        "most_in_flight": chronicle.most_running,
        "answered": sum(fate.how == ANSWERED for fate in fates),
        "merged": sum(fate.how == MERGED for fate in fates),
        "not_answered": dict(lost),
        "addressed_not_answered": sum(
            fate.addressed and fate.how not in answered for fate in fates
        ),
        "queue_wait": report.spread([fate.begun - fate.heard for fate in fates if fate.begun]),
        "reply_after": report.spread(
            [fate.ended - fate.heard for fate in fates if fate.how in answered]
        ),
    }


async def bench(stages: Sequence[Stage], seconds: float, every: float) -> report.Figures:
    """Return the figures of each stage."""
    lateness, town = Lateness(), Town()
    lateness.start()
    found = []
    for plan in stages:
        await town.grow(plan.assistants)
        found.append(await stage(town, plan, seconds, Course(lateness, every)))
    return {"latency_s": LATENCY, "stages": found}


def show(figures: report.Figures, stages: Sequence[Stage]) -> list[report.Goal]:
    """Print the tables, and return the goals."""
    found = figures["stages"]
    rows: list[tuple[str, Any]] = [
        ("assistants", lambda one: one["assistants"]),
        ("lines spoken a second", lambda one: one["lines_per_s"]),
        ("lines shown to players a second", lambda one: one["screens_per_s"]),
        ("lateness p50 / p99 / max, ms", lambda one: _three(one["lateness"], 1)),
        ("triggers (addressed by name)", lambda one: f"{one['triggers']} ({one['addressed']})"),
        ("answered, %", lambda one: _share(one, one["answered"])),
        ("merged into an answered turn, %", lambda one: _share(one, one["merged"])),
        ("closed or unanswered", lambda one: one["not_answered"] or "none"),
        ("addressed and not answered", lambda one: one["addressed_not_answered"]),
        ("turns (most at once)", lambda one: f"{one['turns']} ({one['most_in_flight']})"),
        ("queue wait p50 / p99 / max, s", lambda one: _three(one["queue_wait"], 1000)),
        ("reply after p50 / p99 / max, s", lambda one: _three(one["reply_after"], 1000)),
        ("CPU, % of one core", lambda one: one["cpu_percent"]),
        ("memory before / after, MB", lambda one: "{rss_before_mb} / {rss_after_mb}".format(**one)),
    ]
    head = ["", *(f"{one.assistants} × {one.lines:g}/s" for one in stages)]
    print(f"Load (model: lognormal, mean {LATENCY} s)\n")
    print(report.table(head, [[name, *map(of, found)] for name, of in rows]))
    goals = []
    for plan, one in zip(stages, found, strict=True):
        name = f"{plan.assistants} assistants, {plan.lines:g} lines/s"
        _show_course(name, one["intervals"])
        late, lost = one["lateness"]["p99_ms"], one["addressed_not_answered"]
        goals.append(report.Goal(f"{name}: lateness, p99", late, plan.goal, "ms"))
        goals.append(report.Goal(f"{name}: addressed and not answered", lost, 0, must=True))
        spoken = one["lines_per_s"]
        if plan.spoken:
            goals.append(report.Goal(f"{name}: spoken a second", spoken, plan.spoken, least=True))
    return goals


def _show_course(name: str, intervals: Sequence[report.Figures]) -> None:
    head = ["until, s", "lines a second", "lateness p50 / p99 / max, ms", "memory, MB"]
    rows = [
        (one["until_s"], one["lines_per_s"], _three(one["lateness"], 1), one["rss_mb"])
        for one in intervals
    ]
    print(f"\n{name}:\n\n{report.table(head, rows)}")


def _three(figures: report.Figures, scale: float) -> str:
    values = (figures[key] for key in ("p50_ms", "p99_ms", "max_ms"))
    return " / ".join("-" if value is None else f"{value / scale:.1f}" for value in values)


def _share(one: report.Figures, part: int) -> str:
    return f"{100 * part / max(1, one['triggers']):.1f}"


def main() -> int:
    """Run the bench and print what it found; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=20.0, help="per stage")
    parser.add_argument("--every", type=float, default=EVERY, help="seconds of an interval")
    parser.add_argument("--quick", action="store_true", help="a few seconds, a small town")
    chosen = parser.parse_args()
    stages, seconds = (QUICK, 5.0) if chosen.quick else (STAGES, chosen.seconds)
    limit = 180 + len(stages) * (seconds + DRAIN)
    figures = play(
        lambda: bench(stages, seconds, chosen.every), mean=LATENCY, spread=SPREAD, limit=limit
    )
    goals = show(figures, stages)
    return report.conclude("load", figures, goals)


if __name__ == "__main__":
    sys.exit(main())
