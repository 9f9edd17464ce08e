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
from dataclasses import dataclass, field
from itertools import count, pairwise

from ai_assistant.agent.budget import Budget
from ai_assistant.agent.energy import HUMAN_ENERGY, Energy
from ai_assistant.agent.initiative import Initiative
from ai_assistant.agent.loop import take_turn
from ai_assistant.agent.patience import Patience
from ai_assistant.agent.walking import Walker
from ai_assistant.contracts import (
    Change,
    Commit,
    Entity,
    Json,
    ModelReply,
    ModelRequest,
    ToolCall,
    Usage,
)
from ai_assistant.planning.goals import new_goal
from ai_assistant.readers import OPEN
from ai_assistant.testing import DictBook, ManualClock, Stage, people, run
from bench.report import Figures, Goal, conclude, table

CHARACTERS = 20
PLAYERS = 10
HEARTBEAT = 5.0
INTERVAL = 240
PATIENCE = 2
CALLS_A_DAY, TOKENS_A_DAY = 60, 400_000
HOUR = 3600.0
ROOMS = ("inn", "street", "market", "tower", "harbour")
CHARS_PER_TOKEN = 4


class Chatterbox:
    """A model that notes progress on the goal at hand, and always has something to say."""

    def __init__(self) -> None:
        self._ids = count(1)
        self.calls = 0
        self.tokens = 0

    async def complete(self, request: ModelRequest) -> ModelReply:
        """Return the reply, with tokens counted as a provider would."""
        size = sum(len(message.content) for message in request.messages)
        size += sum(len(str(tool)) for tool in request.tools)
        used = Usage(size // CHARS_PER_TOKEN, 20, known=True)
        self.calls += 1
        self.tokens += used.total
        wishes: list[tuple[str, Json]] = [("say", {"text": "What a day it is!"})]
        if request.context_type == "tick_autonomous":
            wishes.insert(0, ("add_journal_entry", {"content": "The work goes on."}))
            wishes.append(("emote", {"text": "hums a tune."}))
        made = [ToolCall(f"c{next(self._ids)}", name, given) for name, given in wishes]
        return ModelReply(tool_calls=tuple(made), usage=used)


@dataclass(slots=True)
class Life:
    """One character with what keeps it going between its turns."""

    stage: Stage
    initiative: Initiative
    walker: Walker


@dataclass(frozen=True, slots=True)
class Said:
    """A line that nobody asked for, as the log of a bystander has it."""

    at: float
    who: str
    place: str
    heard: frozenset[str]


@dataclass(slots=True)
class Town:
    """All lives on one clock, one budget and one patience, and the bystander's log."""

    clock: ManualClock = field(default_factory=lambda: ManualClock(1_780_012_800.0))
    model: Chatterbox = field(default_factory=Chatterbox)
    lives: list[Life] = field(default_factory=list)
    said: list[Said] = field(default_factory=list)
    answers: list[tuple[float, str, str, str]] = field(default_factory=list)
    walked: int = 0
    _turns: count[int] = field(default_factory=lambda: count(1))

    def people(self, number: int) -> None:
        """Let so many characters live here, with goals to work on and rounds to make."""
        book, energy, patience = DictBook(), Energy(), Patience()
        budget = Budget(book, self.clock, lambda owner: _caps(owner))
        for at in range(number):
            me = Entity(f"e-npc{at}", f"Npc{at}", "npc")
            stage = Stage(me=me, model=self.model, autonomy_interval=INTERVAL, patience=PATIENCE)
            stage.clock = stage.mind.clock = self.clock
            stage.mind.key, stage.mind.patience = me.id, patience
            stage.mind.budget, stage.mind.energy = budget, energy
            ways = [*pairwise(ROOMS), *((b, a) for a, b in pairwise(ROOMS))]
            stage.world.lay_out(**{r: [b for a, b in ways if a == r] for r in ROOMS})
            stage.world.place = ROOMS[at % len(ROOMS)]
            _give_goals(stage, at)
            self.lives.append(Life(stage, Initiative(stage.mind), Walker(stage.mind)))

    def beat(self) -> None:
        """One heartbeat of everybody."""
        for life in self.lives:
            step = "searching"
            while step == "searching":
                step = run(life.walker.step())
            self.walked += step == "moved"
            if life.initiative.consider().act:
                self._act(life)

    def _act(self, life: Life) -> None:
        about, mind = life.initiative.decision, life.stage.mind
        life.initiative.begun()
        turn = take_turn(
            mind,
            (),
            f"turn{next(self._turns)}",
            "tick_autonomous",
            goal=about.goal,
            occasion=about.occasion,
        )
        ended = run(turn)
        life.initiative.ended(idle=ended.idle)
        if ended.delivery and ended.delivery.outcome != "dropped":
            heard = life.stage.world.company()
            place = life.stage.world.place
            self.said.append(Said(self.clock.now(), mind.key, place, heard))

    # -- players

    def move(self, who: Entity, place: str) -> None:
        """Let a player go somewhere; whoever is there sees it."""
        for life in self.lives:
            life.stage.world.put(who, place)
            if life.stage.world.place == place:
                event = life.stage.world.event(who, f"{who.name} arrives.", "move")
                life.initiative.notice(event)

    def leave(self, who: Entity) -> None:
        """Let a player leave the game."""
        for life in self.lives:
            life.stage.world.leave(who)
            life.stage.world.elsewhere.pop(who.id, None)

    def tell(self, who: Entity, life: Life) -> None:
        """Let a player turn to a character, which answers."""
        world, mind = life.stage.world, life.stage.mind
        event = world.event(who, f"{mind.key}, how are you?", at=self.clock.now())
        for other in self.lives:
            if other.stage.world.place == world.place:
                other.initiative.notice(event)
        mind.energy.mint(event.root, HUMAN_ENERGY)
        life.initiative.addressed(event)
        self.answers.append((self.clock.now(), who.id, mind.key, world.place))
        run(take_turn(mind, (event,), f"turn{next(self._turns)}"))


def _caps(owner: str) -> tuple[int, int]:
    share = 1 if owner else CHARACTERS
    return CALLS_A_DAY * share, TOKENS_A_DAY * share


def _give_goals(stage: Stage, number: int) -> None:
    at, place = stage.clock.now(), stage.world.place
    other = ROOMS[(number + 2) % len(ROOMS)]
    stops = [{"place": one, "name": one} for one in (place, other)]
    goals = [new_goal("goal_0_0", "Keep the place in order", at=at, readers=OPEN)]
    if number % 2:
        about = {"stops": stops, "pause": 300, "name": "rounds"}
        goals.append(new_goal("goal_0_1", "Rounds", at=at, kind="patrol", about=about))
    steps = [Change("goals", "", "add_goal", {"goal": one, "at": at}) for one in goals]
    stage.store.commit(Commit(at=at, changes=steps))


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
