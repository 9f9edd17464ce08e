"""What a line and an answer cost the process, beside the same line among players alone.

    python -m bench.cost [--rounds 7] [--quick]

Three rooms of eight: players alone; four of our assistants and four players; the same with four of
`contrib.rpg.llm`. CPU of the whole process, all threads, what an idle second costs taken off;
rounds go from room to room, and the median of the rounds' ratios counts. The model is a process of
its own and is not counted. Calls and statements are counted in a round of their own.

The same turn again with more and more of it kept on record: nothing, the states of the past, the
figures of its model calls, what was sent and answered; by turns, and written before it is over.
"""

from __future__ import annotations

import argparse
import sys
import threading
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from statistics import median
from types import FrameType
from typing import Any

from django.conf import settings
from django.db import connection

from bench import report
from bench.game import SCREENS, pause, play
from bench.house.source import PACKAGE
from bench.reply_overhead import Talk, talk_to

LATENCY = 0.05
PEOPLE = 8
LINES, ANSWERS = 60, 12
"""Lines and answers of each room in a round."""
APART, SETTLED = 0.02, 1.2
"""Seconds between two lines, and until what one line leads to has been written."""
RESTED = 7
"""Seconds in which nothing happens, of which the middle one counts."""
HEARD, ANSWERED, CONTRIB = 3.0, 25.0, 2.0
"""Goals: a heard line and a turn over a line among players; a turn over one of the contrib."""
OURS = f"{PACKAGE}/"
NOTHING, STATES = "nothing on record", "states on record"
FIGURES, BODIES = "figures of calls as well", "bodies of calls as well"
KEPT: dict[str, dict[str, float]] = {
    NOTHING: {"CALL_DAYS": 0.0, "STATE_DAYS": 0},
    STATES: {"CALL_DAYS": 0.0},
    FIGURES: {"CALL_BODY_DAYS": 0.0},
    BODIES: {},
}
"""What is kept of a turn, each as well as the one before, and the settings for it."""
DEARER = {FIGURES: 1.05, BODIES: 1.10}
"""Goals: a turn with that on record over one of which nothing is kept."""


@dataclass(slots=True)
class Meter:
    """Milliseconds of CPU of each thing that was measured, round by round."""

    idle: float = 0.0
    rounds: dict[str, list[float]] = field(default_factory=dict)

    async def rest(self) -> None:
        """Learn what a second in which nothing happens costs: the middle one of some.

        What the turns before left to do is no part of it, as the record of their calls.
        """
        seconds = []
        for _ in range(RESTED):
            before = time.process_time()
            await pause(1.0)
            seconds.append(time.process_time() - before)
        self.idle = median(seconds)

    async def measure(self, name: str, act: Callable[[], Awaitable[None]], times: int) -> None:
        """Do it so many times, let it settle, and note what one cost."""
        began, before = time.perf_counter(), time.process_time()
        for _ in range(times):
            await act()
        await pause(SETTLED)
        spent = time.process_time() - before - self.idle * (time.perf_counter() - began)
        self.rounds.setdefault(name, []).append(1000 * spent / times)

    def ratio(self, name: str, other: str) -> float:
        """Return the median over the rounds of one cost over another."""
        pairs = zip(self.rounds[name], self.rounds[other], strict=True)
        return round(median(one / than for one, than in pairs), 2)


class Tally:
    """Counts the calls of our functions, and the statements of the database."""

    def __init__(self) -> None:
        self.calls: Counter[str] = Counter()
        self.statements: Counter[str] = Counter()

    def __call__(self, frame: FrameType, event: str, _: Any) -> None:
        """Take what Python tells a profiler."""
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(OURS):
            self.calls[f"{code.co_filename}:{code.co_firstlineno}"] += 1

    def _statement(self, execute: Any, sql: str, *rest: Any) -> Any:
        self.statements[sql.split(None, 1)[0]] += 1
        return execute(sql, *rest)

    async def count(self, act: Callable[[], Awaitable[None]]) -> report.Figures:
        """Do it once; return how many calls, functions and statements it took."""
        self.calls.clear()
        self.statements.clear()
        threading.setprofile(self)
        sys.setprofile(self)
        with connection.execute_wrapper(self._statement):
            await act()
            await pause(SETTLED)
        sys.setprofile(None)
        threading.setprofile(None)  # type: ignore[arg-type]
        return {
            "calls": self.calls.total(),
            "functions": len(self.calls),
            "statements": self.statements.total(),
            "writes": sum(self.statements[one] for one in ("INSERT", "UPDATE", "DELETE")),
        }


class Rooms:
    """The three rooms, and what is said in them."""

    def __init__(self) -> None:
        from bench import people

        self.assistants: list[Any] = []
        self.bystanders: dict[str, Any] = {}
        self.talks: dict[str, Talk] = {}
        self._said = 0
        for side in ("players", "ours", "contrib"):
            room = people.a_room(side)
            count = PEOPLE if side == "players" else PEOPLE // 2
            guests = [people.a_player(f"{side}-guest{n}", room) for n in range(count)]
            self.bystanders[side] = guests[1]
            if side == "ours":
                self.assistants = [people.an_assistant(f"Rowan{n}", room) for n in "abcd"]
                for one in self.assistants:
                    people.give_past(one, guests)
                self._talk(side, guests[0], self.assistants[0], guests[0].at_say)
            elif side == "contrib":
                talkers = [people.a_talker(f"Talker{n}", room) for n in "abcd"]
                people.give_talker_past(talkers[0], guests[0])
                self._talk(side, guests[0], talkers[0], partial(talk_to, guests[0], talkers[0]))

    def _talk(self, side: str, player: Any, npc: Any, say: Callable[[str], None]) -> None:
        self.talks[side] = talk = Talk(npc, player, say)
        SCREENS.watch(player, talk.see)

    def line(self, side: str) -> Callable[[], Awaitable[None]]:
        """Return what says a line there, by somebody who talks with no assistant."""
        from bench.people import SMALL_TALK

        async def say() -> None:
            self._said += 1
            self.bystanders[side].at_say(SMALL_TALK[self._said % len(SMALL_TALK)])
            await pause(APART)

        return say


async def bench(rounds: int) -> report.Figures:
    """Return what each costs, and how often one costs the other."""
    from bench import people

    rooms, meter = Rooms(), Meter()
    await people.restart(rooms.assistants)
    kinds: dict[str, tuple[Callable[[], Awaitable[None]], int]] = {
        "a line among players": (rooms.line("players"), LINES),
        "a line heard by assistants": (rooms.line("ours"), LINES),
        "an answered turn": (rooms.talks["ours"].exchange, ANSWERS),
        "an answer of the contrib": (rooms.talks["contrib"].exchange, ANSWERS),
    }
    for act, _ in kinds.values():
        await act()
    await pause(SETTLED)
    await meter.rest()
    for _ in range(rounds):
        for name, (act, times) in kinds.items():
            await meter.measure(name, act, times)
        for name, chosen in KEPT.items():
            await _measure_kept(rooms, meter, name, chosen)
    tally = Tally()
    counted = {name: await tally.count(act) for name, (act, _) in kinds.items()}
    ms = {name: round(median(found), 2) for name, found in meter.rounds.items()}
    ms |= {name: round(ms[name] / ANSWERS, 2) for name in KEPT}
    plain, heard, turn, contrib = kinds
    ratios = {
        "heard": meter.ratio(heard, plain),
        "answered": meter.ratio(turn, plain),
        "contrib": meter.ratio(turn, contrib),
        "kept": {name: meter.ratio(name, NOTHING) for name in KEPT if name != NOTHING},
    }
    return {"idle_ms": round(meter.idle * 1000, 2), "ms": ms, "counted": counted, **ratios}


async def _measure_kept(rooms: Rooms, meter: Meter, name: str, chosen: dict[str, float]) -> None:
    """Measure turns of which so much is kept, what is written beside them included."""
    from bench.people import resident_of

    calls, turn = resident_of(rooms.assistants[0]).mind.calls, rooms.talks["ours"].exchange

    async def turns() -> None:
        for _ in range(ANSWERS):
            await turn()
        await calls.write()

    with kept(chosen):
        await turn()  # what another setting left out is written whole, once
        await calls.write()
        await meter.measure(name, turns, 1)


@contextmanager
def kept(chosen: dict[str, float]) -> Iterator[None]:
    """Within, these settings hold."""
    for name, value in chosen.items():
        setattr(settings, f"AI_ASSISTANT_{name}", value)
    try:
        yield
    finally:
        for name in chosen:
            delattr(settings, f"AI_ASSISTANT_{name}")


def show(figures: report.Figures) -> list[report.Goal]:
    """Print the table, and return the goals."""
    head = ["what", "ms of CPU", "calls", "functions", "statements", "writes"]
    rows = [
        (name, f"{figures['ms'][name]:.2f}", *counted.values())
        for name, counted in figures["counted"].items()
    ]
    print("CPU of the process; calls of ours, of how many functions, statements of the database\n")
    print(report.table(head, rows))
    print("\nA turn of which is kept:\n")
    print(report.table(["what", "ms of CPU"], [(name, figures["ms"][name]) for name in KEPT]))
    return [
        report.Goal("a line heard over one among players", figures["heard"], HEARD, "times"),
        report.Goal("an answered turn over that line", figures["answered"], ANSWERED, "times"),
        report.Goal("an answered turn over the contrib's", figures["contrib"], CONTRIB, "times"),
        *(
            report.Goal(f"a turn, {name}, over {NOTHING}", figures["kept"][name], most, "times")
            for name, most in DEARER.items()
        ),
    ]


def main() -> int:
    """Run the bench and print what it found; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--quick", action="store_true", help="two rounds")
    chosen = parser.parse_args()
    rounds = 2 if chosen.quick else chosen.rounds
    figures = play(lambda: bench(rounds), mean=LATENCY, spread=0.0, limit=150 + 60 * rounds)
    return report.conclude("cost", figures, show(figures))


if __name__ == "__main__":
    sys.exit(main())
