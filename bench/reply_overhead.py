"""What a reply costs beside the model's own time: ours, and Evennia's own `contrib.rpg.llm`.

    python -m bench.reply_overhead [--seconds 30] [--quick]

From the hook that hears (`at_msg_receive`, `at_talked_to`) to the line on the player's screen,
inside `deliver()` and `msg_contents`, less the time that the model's server held the request.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from twisted.internet import reactor
from twisted.internet.defer import Deferred, gatherResults

from bench import report
from bench.game import SCREENS, Lateness, pause, play
from bench.model import held_seconds

LATENCY = 0.25
CROWD = 200
SPEAK_AFTER = (4.0, 8.0)
"""In the crowd each player reads, thinks and types for so many seconds between two lines."""
BETWEEN = 0.05
"""Seconds of quiet between two exchanges with one assistant alone."""
SIDES = ("ours", "contrib")
LINES = (
    "{name}, is the ferry in?",
    "And when does it leave, {name}?",
    "{name}, what do I owe you?",
)


@dataclass(slots=True)
class Talk:
    """One player alone with one assistant in a room. `overheads` are seconds, one per reply."""

    npc: Any
    player: Any
    say: Callable[[str], None]
    overheads: list[float] = field(default_factory=list)
    lines: int = 0
    _reply: Deferred[float] | None = None

    async def exchange(self) -> None:
        """Say something and wait for the answer; raises `TimeoutError` where none comes."""
        self._reply = reply = Deferred()
        reply.addTimeout(30, reactor)
        self.lines += 1
        self.say(LINES[self.lines % len(LINES)].format(name=self.npc.key))
        self.overheads.append(await reply)

    def see(self, line: str, now: float) -> None:
        """Take a line from the player's screen; the answer ends the exchange."""
        held = held_seconds(line)
        if held is not None and self._reply is not None:
            reply, self._reply = self._reply, None
            overhead = now - self.npc.ndb.heard - held
            reactor.callLater(0, reply.callback, overhead)


def build(side: str, number: int) -> Talk:
    """Make a room with one assistant of that side and one player, who know each other."""
    from bench import people

    room = people.a_room(f"{side} {number}")
    player = people.a_player(f"{side}-player-{number}", room)
    if side == "ours":
        npc = people.an_assistant(f"Rowan{number}", room)
        people.give_past(npc, [player])
        talk = Talk(npc, player, player.at_say)
    else:
        npc = people.a_talker(f"Talker{number}", room)
        people.give_talker_past(npc, player)
        talk = Talk(npc, player, lambda words: talk_to(player, npc, words))
    SCREENS.watch(player, talk.see)
    return talk


def talk_to(player: Any, npc: Any, words: str) -> None:
    """What the contrib's own command `talk` does."""
    player.location.msg_contents(
        f"$You() $conj(say) (to $You(target)): {words}", mapping={"target": npc}, from_obj=player
    )
    npc.at_talked_to(words, player)


async def alone(talks: dict[str, Talk], seconds: float, lateness: Lateness) -> report.Figures:
    """One conversation of each side, exchange by exchange in turns."""
    late: dict[str, list[float]] = {side: [] for side in SIDES}
    for talk in talks.values():
        await talk.exchange()
        talk.overheads.clear()
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        for side, talk in talks.items():
            lateness.take()
            await talk.exchange()
            late[side] += lateness.take()
            await pause(BETWEEN)
    return {
        side: {
            "overhead": report.spread(talks[side].overheads),
            "lateness": report.spread(late[side]),
        }
        for side in SIDES
    }


async def crowd(talks: dict[str, list[Talk]], seconds: float, lateness: Lateness) -> report.Figures:
    """Two hundred conversations of one side, then of the other, and once more."""
    late: dict[str, list[float]] = {side: [] for side in SIDES}
    for side in SIDES:
        await _converse_all(talks[side], 0.0)
        for talk in talks[side]:
            talk.overheads.clear()
    for side in SIDES * 2:
        await pause(0.5)
        lateness.take()
        await _converse_all(talks[side], seconds)
        late[side] += lateness.take()
    return {
        side: {
            "overhead": report.spread([one for talk in talks[side] for one in talk.overheads]),
            "lateness": report.spread(late[side]),
        }
        for side in SIDES
    }


async def _converse_all(talks: list[Talk], seconds: float) -> None:
    """Have them all talk for so long, each at its own pace; without time, one exchange each."""
    chance = random.Random(7)
    end = time.perf_counter() + seconds
    running = [Deferred.fromCoroutine(_converse(talk, end, chance)) for talk in talks]
    await gatherResults(running, consumeErrors=True)


async def _converse(talk: Talk, end: float, chance: random.Random) -> None:
    await pause(chance.uniform(0, SPEAK_AFTER[1]))
    await talk.exchange()
    while time.perf_counter() < end:
        await pause(chance.uniform(*SPEAK_AFTER))
        await talk.exchange()


async def bench(seconds: float, many: int) -> report.Figures:
    """Return the figures of both sides, alone and in the crowd."""
    from bench import people

    lateness = Lateness()
    talks = {side: [build(side, number) for number in range(many)] for side in SIDES}
    await people.restart([talk.npc for talk in talks["ours"]])
    lateness.start()
    await pause(2.0)
    idle = report.spread(lateness.take())
    one = await alone({side: talks[side][0] for side in SIDES}, seconds, lateness)
    all_of_them = await crowd(talks, seconds / 2, lateness)
    return {"latency_s": LATENCY, "idle_lateness": idle, "1": one, str(many): all_of_them}


def show(figures: report.Figures, many: int) -> list[report.Goal]:
    """Print the table, and return the goals."""
    head = ["conversations", "side", "replies", "p50", "p99", "max", "late p50", "p99", "max"]
    rows = [
        [number, side, *figures[number][side]["overhead"].values(), *_late(figures, number, side)]
        for number in ("1", str(many))
        for side in SIDES
    ]
    print(f"Overhead of a reply and lateness of the reactor, ms (model: {LATENCY} s)\n")
    print(report.table(head, rows))
    ours, theirs = (figures["1"][side]["overhead"]["p50_ms"] for side in SIDES)
    late = figures[str(many)]["ours"]["lateness"]["p99_ms"]
    figures["ratio"] = round(ours / theirs, 2)
    return [
        report.Goal("overhead of one conversation, p50", ours, 15, "ms"),
        report.Goal(f"lateness at {many} conversations, p99", late, 25, "ms"),
        report.Goal("overhead beside the contrib, p50 at 1", figures["ratio"], 1.5, "times"),
    ]


def _late(figures: report.Figures, number: str, side: str) -> list[float | None]:
    found = figures[number][side]["lateness"]
    return [found[key] for key in ("p50_ms", "p99_ms", "max_ms")]


def main() -> int:
    """Run the bench and print what it found; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=30.0, help="per side and stage")
    parser.add_argument("--quick", action="store_true", help="a few seconds, a small crowd")
    chosen = parser.parse_args()
    seconds, many = (6.0, 20) if chosen.quick else (chosen.seconds, CROWD)
    limit = 120 + many + 5 * seconds
    figures = play(lambda: bench(seconds, many), mean=LATENCY, spread=0.0, limit=limit)
    goals = show(figures, many)
    return report.conclude("reply_overhead", figures, goals)


if __name__ == "__main__":
    sys.exit(main())
