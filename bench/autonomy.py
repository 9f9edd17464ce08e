"""Autonomy: a day of twenty characters of their own accord, alone and among players.

python -m bench.autonomy [--hours 24] [--seed 7] [--quick]

The real core on a clock that is wound by hand: minds, heartbeats, budget, patience, walks and
turns; no server, no database. The model is one that works on every goal and tries to say something
in every single turn, whether it may or not. Alone, nobody must ever hear a word of it, and what it
costs must stay inside the budget hour by hour. Among players, who come, go, stay silent or answer,
somebody who keeps a log of his own counts what was said unasked, and to whom.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Sequence

from ai_assistant.core.contracts import Entity
from ai_assistant.testing import Stage, people
from bench.report import Figures, Goal, conclude, table
from bench.town import (
    CALLS_A_DAY,
    CHARACTERS,
    HEARTBEAT,
    PATIENCE,
    ROOMS,
    TOKENS_A_DAY,
    Said,
    Town,
)

PLAYERS = 10
HOUR = 3600.0


# -- alone


def alone(hours: int) -> Figures:
    """Return what a day without any player costs, hour by hour."""
    town = Town()
    town.people(CHARACTERS)
    calls, tokens = [], []
    for _ in range(hours):
        before = town.model.calls, town.model.tokens
        for _ in range(int(HOUR / HEARTBEAT)):
            town.clock.advance(HEARTBEAT)
            town.beat()
        calls.append(town.model.calls - before[0])
        tokens.append(town.model.tokens - before[1])
    return {"calls": calls, "tokens": tokens, "said": _heard(town), "walked": town.walked}


def _heard(town: Town) -> int:
    return sum(len(life.stage.world.said) for life in town.lives)


# -- among players


def in_company(hours: int, seed: int) -> Figures:
    """Return what was said unasked in a day with players, as a bystander counts it."""
    town, luck = Town(), random.Random(seed)
    town.people(CHARACTERS)
    players = list(people(*(f"Player{at}" for at in range(PLAYERS))))
    for life in town.lives:
        for known in players[::2]:
            _acquaint(life.stage, known)
    beats = int(hours * HOUR / HEARTBEAT)
    for _ in range(beats):
        town.clock.advance(HEARTBEAT)
        _live(town, luck, players)
        town.beat()
    return {
        "calls": town.model.calls,
        "said": len(town.said),
        "answers": len(town.answers),
        "most_in_a_room_an_hour": _most_an_hour(town),
        "twice_in_a_row": _twice_in_a_row(town),
        "to_nobody": sum(not one.heard for one in town.said),
        "walked": town.walked,
    }


def _acquaint(stage: Stage, who: Entity) -> None:
    profile = stage.store.parts["profile"].empty()
    profile["relationship"] |= {"state": "friend", "favorability": 0.6}
    stage.store.state["profile", who.id] = profile


def _live(town: Town, luck: random.Random, players: Sequence[Entity]) -> None:
    """Let players do what players do: some go elsewhere, some say a word, some log out."""
    for at, who in enumerate(players):
        if luck.random() < HEARTBEAT / 900:
            town.move(who, luck.choice(ROOMS))
        elif luck.random() < HEARTBEAT / 7200:
            town.leave(who)
        elif at % 3 and luck.random() < HEARTBEAT / 600:  # every third never says a word
            near = [life for life in town.lives if who.id in life.stage.world.company()]
            if near:
                town.tell(who, luck.choice(near))


def _most_an_hour(town: Town) -> int:
    """Return the most lines that nobody asked for in one room within one hour."""
    most = 0
    for one in town.said:
        same = (other for other in town.said if other.place == one.place)
        most = max(most, sum(0 <= one.at - other.at < HOUR for other in same))
    return most


def _twice_in_a_row(town: Town) -> int:
    """Return how many lines were said to somebody who had not answered the last one there."""
    wrong: Counter[str] = Counter()
    for number, one in enumerate(town.said):
        for other in town.said[:number]:
            again = one.heard & other.heard and (other.place == one.place or other.who == one.who)
            if again and not any(_answers(given, other, one.at) for given in town.answers):
                wrong[one.who] += 1
    return wrong.total()


def _answers(given: tuple[float, str, str, str], line: Said, before: float) -> bool:
    at, who, to, place = given
    fits = place == line.place or (to == line.who and who in line.heard)
    return fits and line.at <= at <= before


# -- the tale


def show(quiet: Figures, busy: Figures, hours: int) -> list[Goal]:
    """Print the tables, and return the goals."""
    day = CHARACTERS * CALLS_A_DAY
    rows = [
        ("model calls an hour, mean", sum(quiet["calls"]) / hours),
        ("model calls, busiest hour", max(quiet["calls"])),
        ("tokens an hour, mean", sum(quiet["tokens"]) / hours),
        ("tokens, busiest hour", max(quiet["tokens"])),
        ("calls in all", sum(quiet["calls"])),
        ("the day's budget of calls", day),
        ("words said", quiet["said"]),
        ("rooms walked", quiet["walked"]),
    ]
    print(table(["twenty characters, nobody near", ""], rows), end="\n\n")
    print(table([f"the same with {PLAYERS} players", ""], busy.items()))
    an_hour, tokens = 2 * day / 24, 2 * CHARACTERS * TOKENS_A_DAY / 24
    return [
        Goal("calls of a day alone", sum(quiet["calls"]), day * hours / 24, must=True),
        Goal("calls in the busiest hour alone", max(quiet["calls"]), an_hour, must=True),
        Goal("tokens in the busiest hour alone", max(quiet["tokens"]), tokens, must=True),
        Goal("words into empty rooms", quiet["said"] + busy["to_nobody"], 0, must=True),
        Goal(
            "unasked lines in a room and hour",
            busy["most_in_a_room_an_hour"],
            PATIENCE,
            must=True,
        ),
        Goal("unasked lines without an answer to the last", busy["twice_in_a_row"], 0, must=True),
    ]


def main() -> int:
    """Live both days and tell; returns the exit status."""
    options = argparse.ArgumentParser(description="A day of twenty characters, unasked.")
    options.add_argument("--hours", type=int, default=24)
    options.add_argument("--seed", type=int, default=7)
    options.add_argument("--quick", action="store_true", help="four hours")
    chosen = options.parse_args()
    hours = 4 if chosen.quick else chosen.hours
    print(f"seed {chosen.seed}, {hours} hours\n")
    quiet, busy = alone(hours), in_company(hours, chosen.seed)
    goals = show(quiet, busy, hours)
    figures = {"hours": hours, "alone": quiet, "in_company": busy, "errors_logged": 0}
    return conclude("autonomy", figures, goals)


if __name__ == "__main__":
    sys.exit(main())
