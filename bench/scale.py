"""Past this machine: what 10,000 characters, 2,000 players and 100 million rows would ask of one.

python -m bench.scale [--real 1 3] [--each 2000] [--quick]

A small town on PostgreSQL is measured: what a character costs that nobody speaks to, a line that
four overhear, a turn, a memory. From these the whole is reckoned, and a minute of it is played.
Then towns of 1 % and 3 % of it really live, and what they took stands beside what was foretold.
"""

from __future__ import annotations

import argparse
import gc
import random
import sys
from dataclasses import asdict, dataclass

import psutil

from bench import report
from bench.chronicle import Chronicle
from bench.game import Lateness, on_postgresql, pause, play
from bench.load import ADDRESSED, LATENCY, SPREAD, Town
from bench.rows import fill

CHARACTERS, PLAYERS, ROWS = 10_000, 2_000, 100_000_000
A_LINE_EVERY = 20.0
"""Seconds between two lines of a player."""
SMALL = 60
"""Characters of the town that is measured first, and players; in the others no more players."""
STRETCH, LINES = 30.0, 90
"""Seconds of each stretch of it, and the lines in them."""
LIVED, PLAYED = 60.0, 60
"""Seconds that a town lives, and that are played."""
HOURS, TOKENS, NIGHT_CALLS, ROW_GB = 8, 3_500, 4, 0.7e-6
"""Taken from elsewhere: hours of play a day, tokens of a turn (`bench.prompt`), questions of a
night (`bench.nights`), and what a row with its indexes takes on the disk (2 GB for 3 million)."""
PARTS, BEATS, TICK = 4, 10, 0.01
"""Pieces in which a turn holds the reactor, and in which a second's upkeep does; the seconds
between two looks at how late it is."""
LATE_MS = 25.0
LIMITS = {
    "CPU %": (70.0, "slower ticks for those who idle; then several games, each its own server"),
    "memory GB": (16.0, "a larger machine; fewer memories a character, the older ones archived"),
    "in flight": (64.0, "AI_ASSISTANT_IN_FLIGHT, and an inference cluster behind the profile"),
    "night h": (6.0, "workers for the night, and an inference cluster behind the profile"),
    "disk GB": (500.0, "evennia ai_archive, and a replica for reports"),
}
"""From here on one server, a machine of 16 GB or the usual settings do not do; what does then."""
FIT = 1.5


@dataclass(frozen=True, slots=True)
class Costs:
    """What was measured: seconds of CPU, memory and rows."""

    still: float
    """A second of the server, without anybody."""
    character: float
    """A second of a character to whom nobody speaks."""
    line: float
    turn: float
    base_gb: float
    character_gb: float
    row_gb: float
    """Of a memory in the process, by which it is found."""
    turns_of_line: float
    rows_of_line: float

    def of(self, share: float, each: int = ROWS // CHARACTERS) -> report.Figures:
        """Return what that share of the whole takes, with so many memories of each character."""
        lines = PLAYERS * share / A_LINE_EVERY
        turns, minds = lines * self.turns_of_line, CHARACTERS * share
        cpu = self.still + minds * self.character + lines * self.line + turns * self.turn
        rows = lines * self.rows_of_line * HOURS * 3600
        return {
            "CPU %": cpu * 100,
            "memory GB": self.base_gb + minds * (self.character_gb + each * self.row_gb),
            "in flight": turns * LATENCY,
            "night h": minds * NIGHT_CALLS * LATENCY / 64 / 3600,
            "disk GB": minds * each * ROW_GB,
            "rows a day, million": rows / 1e6,
            "tokens a day, million": turns * HOURS * 3600 * TOKENS / 1e6,
        }

    def lateness(self, share: float) -> float:
        """Play a minute of the reactor, which does one thing at a time; return the p99 in ms."""
        luck, lines, now = random.Random(7), PLAYERS * share / A_LINE_EVERY, 0.0
        still = (self.still + CHARACTERS * share * self.character) / BEATS
        due = [(beat / BEATS, still) for beat in range(PLAYED * BEATS)]
        while (now := now + luck.expovariate(lines)) < PLAYED:
            due.append((now, self.line))
            if luck.random() < self.turns_of_line:
                due += [(now + LATENCY * part / PARTS, self.turn / PARTS) for part in range(PARTS)]
        free, tick, late = 0.0, 0.0, list[float]()
        for at, takes in [*sorted(due), (PLAYED, 0.0)]:
            while tick < at:
                late.append(max(0.0, free - tick))
                tick += TICK
            free = max(free, at) + takes
        return report.percentile(late, 0.99) * 1000


class Village(Town):
    """A town whose characters have a long past; most have no player near."""

    def __init__(self) -> None:
        super().__init__()
        self.chronicle, self.lateness = Chronicle(), Lateness()
        self.lateness.start()
        self.filled = 0

    async def settle(self, characters: int, each: int) -> None:
        """Let so many live there, with so many memories each that the database makes."""
        from django.db import connection

        from bench import people

        if not self.assistants:
            await self.grow(SMALL)
        quiet = people.a_room("Elsewhere")
        while len(self.assistants) < characters:
            self.assistants.append(people.an_assistant(f"Hob{len(self.assistants)}", quiet))
        fresh = [people.resident_of(one).mind.store.id for one in self.assistants[self.filled :]]
        if each:
            self.filled = len(self.assistants)
            with connection.cursor() as cursor:
                fill(cursor, fresh, each * len(fresh))
        gc.unfreeze()  # the service freezes what it has loaded, and lets go of it here
        await people.restart(self.assistants)
        while any(people.resident_of(one).warming for one in self.assistants):
            await pause(1.0)
        gc.collect()
        self.chronicle = Chronicle()
        self.watch(self.chronicle)

    async def stretch(self, seconds: float, lines: int, addressed: float) -> report.Figures:
        """Live for so long with so many lines, and until all is answered; return what it took."""
        from ai_assistant.models import Memory
        from bench import people

        luck, process, turns = random.Random(3), psutil.Process(), self.chronicle.turns
        rows, cpu = Memory.objects.count(), sum(process.cpu_times()[:2])
        self.lateness.take()
        for _ in range(max(1, lines)):
            await pause(seconds / max(1, lines))
            if lines:
                minds, guests = luck.choice(self.rooms)
                said = luck.choice(people.SMALL_TALK)
                named = luck.random() < addressed
                luck.choice(guests).at_say(f"{luck.choice(minds).key}, {said}" if named else said)
        while self.chronicle.open:
            await pause(0.1)
        late = report.spread(self.lateness.take())
        return {
            "cpu": sum(process.cpu_times()[:2]) - cpu,
            "turns": self.chronicle.turns - turns,
            "rows": Memory.objects.count() - rows,
            "late p99 ms": late["p99_ms"],
            "gb": process.memory_info().rss / 1e9,
        }


async def bench(shares: list[float], each: int) -> report.Figures:
    """Return the costs, what they foretell, and what towns of these shares took."""
    town = Village()
    alone = await town.stretch(STRETCH, 0, 0)
    await town.settle(SMALL, 0)
    young = await town.stretch(1.0, 0, 0)
    await town.settle(SMALL, each)
    idle = await town.stretch(STRETCH, 0, 0)
    heard = await town.stretch(STRETCH, LINES, 0)
    spoken = await town.stretch(STRETCH, LINES, ADDRESSED)
    line = max(0.0, heard["cpu"] - idle["cpu"]) / LINES
    costs = Costs(
        still=alone["cpu"] / STRETCH,
        character=max(0.0, idle["cpu"] - alone["cpu"]) / STRETCH / SMALL,
        line=line,
        turn=(spoken["cpu"] - idle["cpu"] - LINES * line) / max(1, spoken["turns"]),
        base_gb=alone["gb"],
        character_gb=(young["gb"] - alone["gb"]) / SMALL,
        row_gb=(idle["gb"] - young["gb"]) / SMALL / each,
        turns_of_line=spoken["turns"] / LINES,
        rows_of_line=spoken["rows"] / LINES,
    )
    real = {}
    for share in shares:
        await town.settle(max(SMALL, int(CHARACTERS * share)), each)
        lines = int(PLAYERS * share / A_LINE_EVERY * LIVED)
        lived = await town.stretch(LIVED, lines, ADDRESSED)
        took = {"CPU %": lived["cpu"] / LIVED * 100, "memory GB": lived["gb"]}
        real[share] = {**took, "late p99 ms": lived["late p99 ms"]}
    foretold = {
        share: {
            **costs.of(share, each if share in shares else ROWS // CHARACTERS),
            "late p99 ms": costs.lateness(share),
        }
        for share in sorted({*shares, 0.1, 0.3, 1.0})
    }
    return {"costs": asdict(costs), "foretold": foretold, "bends": bends(costs), "real": real}


def bends(costs: Costs) -> report.Figures:
    """Return the percentage of the whole from which on each limit is passed."""
    none, whole = costs.of(0.0), costs.of(1.0)
    found = {
        name: 100 * (limit - none[name]) / (whole[name] - none[name])
        for name, (limit, _) in LIMITS.items()
    }
    late = (share for share in range(1, 101) if costs.lateness(share / 100) > LATE_MS)
    return {**found, "late": next(late, None)}


def show(figures: report.Figures) -> list[report.Goal]:
    """Print the tables, and return the goals."""
    costs = [(name, f"{value:.4g}") for name, value in figures["costs"].items()]
    print(report.table(("measured: s, GB, rows", ""), costs) + "\n")
    foretold, goals = figures["foretold"], []
    head = ["foretold", *(f"{share:.0%}" for share in foretold)]
    names = foretold[1.0]
    rows = [[name, *(one[name] for one in foretold.values())] for name in names]
    print(report.table(head, rows) + "\n")
    for share, took in figures["real"].items():
        rows = [[name, foretold[share][name], value] for name, value in took.items()]
        print(report.table((f"{share:.0%}", "foretold", "lived"), rows) + "\n")
        for name in ("CPU %", "memory GB"):
            ratio = foretold[share][name] / took[name]
            off = round(max(ratio, 1 / ratio), 2)
            goals.append(report.Goal(f"{name} at {share:.0%}, off by", off, FIT, "×"))
    for name, (limit, remedy) in LIMITS.items():
        print(f"{name} over {limit:g} from {figures['bends'][name]:.0f} % on: {remedy}")
    print(f"p99 of lateness over {LATE_MS:g} ms from {figures['bends']['late']} % on")
    return goals


def main() -> int:
    """Run the bench on a PostgreSQL of its own."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--real", type=float, nargs="*", default=[1, 3], help="percent that live")
    parser.add_argument("--each", type=int, default=2_000, help="memories of those who live")
    parser.add_argument("--quick", action="store_true", help="200 memories each, 1 %% alone")
    options = parser.parse_args()
    each = 200 if options.quick else options.each
    shares = [0.01] if options.quick else [percent / 100 for percent in options.real]
    with on_postgresql():
        figures = play(lambda: bench(shares, each), mean=LATENCY, spread=SPREAD, limit=3600.0)
    return report.conclude("scale", figures, show(figures))


if __name__ == "__main__":
    sys.exit(main())
