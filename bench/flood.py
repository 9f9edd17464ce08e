"""One player floods the game: eighty of the worst lines a second, beside nine who talk.

    python -m bench.flood [--seconds 30] [--length 1000] [--quick]

Ten players and three characters are in one room. Nine talk to the characters by name, first in
peace, then while the tenth says, whispers, poses and pages the texts of `bench.texts` as fast as
Evennia's Portal lets anybody. The same flood among ten players without a character tells what of
it is the game's own.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from string import ascii_lowercase
from typing import Any

from django.conf import settings
from twisted.internet.defer import Deferred, gatherResults

from ai_assistant.core.contracts import Event
from bench import report
from bench.chronicle import ANSWERED, MERGED, Chronicle, Fate, Watched
from bench.game import SCREENS, Lateness, pause, play
from bench.texts import BEGUN, PIECES

LATENCY = 0.5
PLAYERS, CHARACTERS = 9, 3
A_SECOND = 80
"""Lines of one player that Evennia's Portal lets through."""
BETWEEN = (5.0, 9.0)
"""Seconds between two lines of one of the nine."""
DRAIN = 30.0
"""Seconds that what still waits has at the end to be answered."""
LIMITS = {"LINES_PER_MINUTE": 20, "ADDRESS_LINES_PER_MINUTE": 60}
"""As a game has them: the settings of the other benches lift them."""
MADE_UP = 0.3
"""The share of its lines whose words are all new: a piece that is repeated is looked up once."""
LINKS = ("|lc|lt", "|lu|lt")
"""Marks of links, for which Evennia searches each typed line."""
SAY_GOAL, ANSWER_GOAL = 150.0, 1.5
BREAKS = ("pose {}",)
"""Evennia's own command raises where a brace is in its text."""
FORMS = (*BREAKS, "say {}", "say {name}, {}", "whisper {name} = {}", "page {name} = {}")


class Speakers(Chronicle):
    """A chronicle that knows whose line each trigger was."""

    def __init__(self) -> None:
        super().__init__()
        self.by: dict[tuple[str, str], str] = {}

    def hear(self, who: str, event: Event) -> None:
        """A trigger was put on disk."""
        self.by[who, event.id] = event.source.id
        super().hear(who, event)

    def of(self, speakers: Sequence[str]) -> list[Fate]:
        """Return what became of the lines of these."""
        return [fate for key, fate in self.fates.items() if self.by[key] in speakers]


@dataclass(slots=True)
class Player:
    """Somebody at a keyboard; `echoes` are seconds from the key to the line on the own screen."""

    body: Any
    echoes: list[float] = field(default_factory=list)
    lines: int = 0
    _due: dict[str, float] = field(default_factory=dict)

    def sit_down(self, address: str) -> None:
        """Play from an address of one's own, and read the screen."""
        self.body.sessions.all()[0].address = address
        SCREENS.watch(self.body, self._see)

    def type(self, command: str) -> None:
        """Send a line as a client does."""
        session = self.body.sessions.all()[0]
        session.data_in(text=([command], {}))

    def talk(self, to: str, due: float) -> None:
        """Say something to somebody; it was typed when it was `due`."""
        self.lines += 1
        words = f"{to}, is the ferry in? ({self.body.key} {self.lines})"
        self._due[words] = due
        self.type(f"say {words}")

    def _see(self, line: str, now: float) -> None:
        if line.startswith("You say"):
            found = next((words for words in self._due if words in line), "")
            if found:
                self.echoes.append(now - self._due.pop(found))


class Scene:
    """A room with ten players; the last of them floods. The nine talk `to` these names."""

    def __init__(self, name: str, characters: int) -> None:
        from bench import people

        room = people.a_room(name)
        everybody = [people.a_player(f"{name}{at}", room) for at in range(PLAYERS + 1)]
        self.minds = [people.an_assistant(f"Rowan{at}", room) for at in "abc"[:characters]]
        for mind in self.minds:
            people.give_past(mind, everybody)
        *self.nine, self.flooder = map(Player, everybody)
        for number, player in enumerate((*self.nine, self.flooder)):
            player.sit_down(f"10.0.{len(name)}.{number}")
        self.to = [one.key for one in self.minds or everybody[:CHARACTERS]]
        self.flooded = 0

    def watch(self) -> Speakers:
        """Return a chronicle of what the characters are asked from now on."""
        from bench import people

        speakers = Speakers()
        for one in self.minds:
            mind = people.resident_of(one).mind
            mind.store = Watched(mind.store, mind.key, speakers)
        return speakers

    async def talk(self, seconds: float) -> None:
        """Let the nine talk for so long."""
        await _together([self._talk(at, one, seconds) for at, one in enumerate(self.nine)])

    async def _talk(self, at: int, player: Player, seconds: float) -> None:
        chance, end = random.Random(at), time.perf_counter() + seconds
        due = time.perf_counter() + chance.uniform(0, BETWEEN[1])
        while due < end:
            await pause(max(0.0, due - time.perf_counter()))
            player.talk(self.to[at % len(self.to)], due)
            due += chance.uniform(*BETWEEN)

    async def flood(self, seconds: float, length: int) -> None:
        """Let the tenth flood for so long."""
        chance, due = random.Random(7), time.perf_counter()
        end = due + seconds
        while (due := due + 1 / A_SECOND) < end and time.perf_counter() < end:
            await pause(max(0.0, due - time.perf_counter()))
            form, piece = chance.choice(FORMS), chance.choice((*PIECES, *LINKS))
            text = BEGUN.get(piece, "") + piece * (length // len(piece))
            if chance.random() < MADE_UP:
                text = " ".join("".join(chance.choices(ascii_lowercase, k=4)) for _ in text[::5])
            text = text.replace("{", "(") if form in BREAKS else text
            self.flooder.type(form.format(text, name=chance.choice(self.to)))
            self.flooded += 1


async def _together(doing: Sequence[Awaitable[None]]) -> None:
    running = [Deferred.fromCoroutine(one) for one in doing]
    await gatherResults(running, consumeErrors=True)


async def stage(
    scene: Scene, lateness: Lateness, *doing: Callable[[], Awaitable[None]]
) -> report.Figures:
    """Let this happen, wait for what is still to be answered, and return the figures."""
    speakers = scene.watch()
    for player in scene.nine:
        player.echoes.clear()
    lateness.take()
    flooded, began, cpu = scene.flooded, time.perf_counter(), time.process_time()
    await _together([one() for one in doing])
    took, cpu = time.perf_counter() - began, time.process_time() - cpu
    late = lateness.take()
    end = time.perf_counter() + DRAIN
    while speakers.open and time.perf_counter() < end:
        await pause(0.1)
    fates = speakers.of(_ids(scene.nine))
    answered = [fate for fate in fates if fate.how in (ANSWERED, MERGED)]
    return {
        "flood_per_s": round((scene.flooded - flooded) / took, 1),
        "say": report.spread([one for player in scene.nine for one in player.echoes]),
        "answers": report.spread([fate.ended - fate.heard for fate in answered]),
        "asked": len(fates),
        "unanswered": len(fates) - len(answered),
        "flooder_answered": len(speakers.of(_ids([scene.flooder]))),
        "open": speakers.open,
        "lateness": report.spread(late),
        "cpu_percent": round(100 * cpu / took, 1),
    }


def _ids(players: Sequence[Player]) -> list[str]:
    from ai_assistant.game.identity import entity_id

    return [entity_id(player.body) for player in players]


async def bench(seconds: float, length: int) -> report.Figures:
    """Return the figures in peace, in the flood, and of the flood among players alone."""
    from bench import people

    for name, value in LIMITS.items():
        setattr(settings, f"AI_ASSISTANT_{name}", value)
    lateness = Lateness()
    inn, yard = Scene("Inn", CHARACTERS), Scene("Yard", 0)
    await people.restart(inn.minds)
    lateness.start()
    calm = await stage(inn, lateness, lambda: inn.talk(seconds))
    flooded = await stage(
        inn, lateness, lambda: inn.talk(seconds), lambda: inn.flood(seconds, length)
    )
    alone = await stage(
        yard, lateness, lambda: yard.talk(seconds), lambda: yard.flood(seconds, length)
    )
    return {"length": length, "calm": calm, "flooded": flooded, "players_alone": alone}


def show(figures: report.Figures) -> list[report.Goal]:
    """Print the table, and return the goals."""
    calm, flooded, alone = (figures[one] for one in ("calm", "flooded", "players_alone"))
    stages = (calm, flooded, alone)
    rows = [
        ("lines of the flooder a second", *(one["flood_per_s"] for one in stages)),
        *(
            (f"{name} {part}, ms", *(one[key][f"{part}_ms"] for one in stages))
            for name, key in (("say", "say"), ("answer", "answers"), ("lateness", "lateness"))
            for part in ("p50", "p99", "max")
        ),
        ("lines to characters", *(one["asked"] for one in stages)),
        ("  without an answer", *(one["unanswered"] for one in stages)),
        ("lines of the flooder taken up", *(one["flooder_answered"] for one in stages)),
        ("CPU, % of one core", *(one["cpu_percent"] for one in stages)),
    ]
    print(f"A flood of lines of {figures['length']} characters (model: {LATENCY} s)\n")
    print(report.table(["nine players", "in peace", "in the flood", "no character near"], rows))
    before, after = (one["answers"]["p50_ms"] for one in (calm, flooded))
    figures["answers"] = round(after / before, 2)
    return [
        report.Goal("say in the flood, p99", flooded["say"]["p99_ms"], SAY_GOAL, "ms"),
        report.Goal("answers beside those in peace, p50", figures["answers"], ANSWER_GOAL, "times"),
        report.Goal("lines of the nine unanswered", flooded["unanswered"], 0, must=True),
        report.Goal("triggers left open", flooded["open"], 0, must=True),
    ]


def main() -> int:
    """Run the bench and print what it found; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=30.0, help="per stage")
    parser.add_argument(
        "--length", type=int, default=1000, help="characters of the flooder's lines"
    )
    parser.add_argument("--quick", action="store_true", help="a few seconds each")
    chosen = parser.parse_args()
    seconds = 10.0 if chosen.quick else chosen.seconds
    limit = 180 + 3 * (seconds + DRAIN)
    figures = play(lambda: bench(seconds, chosen.length), mean=LATENCY, spread=0.0, limit=limit)
    return report.conclude("flood", figures, show(figures))


if __name__ == "__main__":
    sys.exit(main())
