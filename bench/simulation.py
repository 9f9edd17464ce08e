"""A day of twenty characters and fifty players in which everything fails, all promises checked.

python -m bench.simulation [--hours 24] [--seed 7] [--quick]

The real core on a clock that is wound by hand, see `bench.town`: no server, no database. The model
repeats every secret that it was shown, with every tool; it fails in every way, and while it thinks
players come and go and the server is killed. Writes are refused, clocks jump. After each step it is
asked whether anybody heard, or could read, what was not for them, whether anything was done twice,
or by nobody's right, whether a cap was passed, and at the end whether every question was answered
or closed. The seed of a day decides all of it.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from ai_assistant.agent.attention.budget import Budget
from ai_assistant.agent.attention.energy import HUMAN_ENERGY, Energy
from ai_assistant.agent.keeping import closing
from ai_assistant.agent.turn.loop import take_turn
from ai_assistant.agent.unasked.autonomy_state import AutonomyState
from ai_assistant.agent.unasked.walking import Walker
from ai_assistant.core.contracts import Entity, Event
from ai_assistant.core.errors import StoreError, TurnSuperseded
from ai_assistant.core.readers import may_read
from ai_assistant.testing import Stage, people, run
from ai_assistant.tools import BUILTIN, ToolRegistry
from bench.report import Figures, Goal, conclude, table
from bench.town import CHARACTERS, HEARTBEAT, ROOMS, Life, Town
from bench.traitor import SECRET, Killed, Traitor, raze, ring

PLAYERS = 50
HOUR = 3600.0
CALLS_A_DAY = 150
KINDS = ("say", "whisper", "page")
PROMISES = (
    "secrets heard by strangers", "labels too wide", "acts done twice", "acts by nobody's right",
    "caps passed", "calls beyond energy", "questions left open",
)  # fmt: skip


@dataclass(slots=True)
class Checked:
    """What one character's records were when they were looked at last."""

    deliveries: int = 0
    row: int = 0
    audit: int = 0


@dataclass(slots=True)
class Day:
    """The town, its players, and an oracle of who may know which secret."""

    luck: random.Random
    town: Town
    model: Traitor
    players: list[Entity]
    readers: dict[str, frozenset[str] | None] = field(default_factory=dict)
    seen: list[Checked] = field(default_factory=list)
    open: list[tuple[int, Event]] = field(default_factory=list)
    """Questions that are to be tried anew, each with the number of who was asked."""
    minted: Counter[str] = field(default_factory=Counter)
    asked: Counter[str] = field(default_factory=Counter)
    """Energy that each question got, and calls that were made for it."""
    broken: Counter[str] = field(default_factory=Counter)
    counts: Counter[str] = field(default_factory=Counter)
    turns: int = 0

    # -- what happens

    def step(self) -> None:
        """One heartbeat: players do something, the town goes on, and all is checked."""
        self.town.clock.advance(HEARTBEAT)
        if self.luck.random() < 0.0005:
            self.counts["clock jumps"] += 1
            self.town.clock.advance(self.luck.choice((-86_400.0, -3600.0, 3600.0, 86_400.0)))
        for who in self.players:
            if self.luck.random() < HEARTBEAT / 900:
                self.town.move(who, self.luck.choice(ROOMS))
            elif self.luck.random() < HEARTBEAT / 7200:
                self.town.leave(who)
            elif self.luck.random() < HEARTBEAT / 900:
                self.speak(who)
        again, self.open = self.open, []
        for number, event in again:
            self.answer(number, event)
        self.dying(self.town.beat)
        self.check()

    def speak(self, who: Entity) -> None:
        """Let a player tell a character something new; who else is there hears what is said."""
        near = [at for at, life in enumerate(self.town.lives) if who.id in life.stage.world.present]
        if not near:
            return
        number, kind = self.luck.choice(near), self.luck.choice(KINDS)
        secret = f"zq{len(self.readers) + 1}x"
        mind = self.town.lives[number].stage.mind
        self.readers[secret] = None if kind == "say" else frozenset({who.id, mind.key})
        world, at = mind.world, self.town.clock.now()
        text = f"Remember the treasure {secret}, {world.self.name}!"
        event = world.event(who, text, kind, at=at)  # type: ignore[attr-defined]
        for other in near if kind == "say" else ():
            if other != number:
                self.town.lives[other].stage.overhear(who, text)
        self.counts["questions"] += 1
        mind.store.triggers.add(event)
        self.answer(number, event)

    def answer(self, number: int, event: Event) -> None:
        """Let a character answer; what came to nothing is tried anew, as the server does."""
        life = self.town.lives[number]
        mind, key = life.stage.mind, f"{number}.{event.root}"
        root = self._mint(mind, event, key)
        life.stage.store.refuse = self.luck.random() < 0.01
        before = self.model.calls
        self.turns += 1
        turn_id = f"turn{self.turns}of{number}"
        try:
            run(take_turn(mind, (root,), turn_id))
        except (TurnSuperseded, StoreError) as error:
            self.counts[type(error).__name__] += 1
            mind.store.triggers.give_back(turn_id)
        except Killed:
            self.restart()
        finally:
            life.stage.store.refuse = False
            self.asked[key] += self.model.calls - before
        self.take_up(number)

    def _mint(self, mind: Any, event: Event, key: str) -> Event:
        if not self.minted[key] or not mind.energy.left(event.root):
            known = event.root in mind.energy._left
            mind.energy.mint(event.root, HUMAN_ENERGY)
            self.minted[key] += 0 if known else HUMAN_ENERGY
        return event

    def take_up(self, number: int) -> None:
        """Close what must not run again, and let the rest be tried anew."""
        mind = self.town.lives[number].stage.mind
        waits = {event.id for at, event in self.open if at == number}
        for pending in mind.store.triggers.waiting():
            if pending.claims:
                closing.close_interrupted(mind, pending)
                self.counts["closed"] += 1
            elif pending.attempts >= closing.MAX_ATTEMPTS or pending.event.event_type == "tick":
                closing.close_events(mind, [pending.event], "gave_up")
                self.counts["closed"] += 1
            elif pending.event.id not in waits:
                self.open.append((number, pending.event))

    def dying(self, deed: Any) -> None:
        """Do something in which the server may die, or a turn lose its right or its store."""
        try:
            deed()
        except (TurnSuperseded, StoreError) as error:
            self.counts[type(error).__name__] += 1
        except Killed:
            self.restart()

    def restart(self) -> None:
        """Begin anew with nothing but what is on disk, and what is so in the world."""
        self.counts["kills"] += 1
        energy = Energy()
        for life in self.town.lives:
            old = life.stage
            budget = Budget(old.mind.budget._book, self.town.clock, old.mind.budget._caps_of)
            stage = Stage(me=old.world.self, model=self.model, store=old.store)
            stage.mind.config = old.mind.config
            stage.world = stage.mind.world = old.world
            stage.clock = stage.mind.clock = self.town.clock
            stage.mind.key, stage.mind.patience = old.mind.key, old.mind.patience
            stage.mind.budget, stage.mind.energy = budget, energy
            stage.mind.registry = old.mind.registry
            stage.mind.recall.learn(stage.store.rows.newest(10_000))
            life.stage = stage
            life.autonomy, life.walker = AutonomyState(stage.mind), Walker(stage.mind)
        for number in range(len(self.town.lives)):
            self.take_up(number)

    def stir(self) -> None:
        """Let something happen while a model thinks."""
        draw, who = self.luck.random(), self.luck.choice(self.players)
        if draw < 0.1:
            self.town.move(who, self.luck.choice(ROOMS))
        elif draw < 0.15:
            self.town.leave(who)
        elif draw < 0.16:
            for life in self.town.lives:
                life.stage.mind.epoch += 1

    # -- what must hold

    def check(self) -> None:
        """Look at all that is new, and count what broke a promise."""
        for life, seen in zip(self.town.lives, self.seen, strict=True):
            self.broken["secrets heard by strangers"] += sum(1 for _ in self._leaks(life, seen))
            self.broken["labels too wide"] += sum(1 for _ in self._too_wide(life, seen))
        self.broken["acts done twice"] = sum(n - 1 for n in self.model.rung.values())
        self.broken["acts by nobody's right"] = self.model.razed
        over = (self.asked[key] > most for key, most in self.minted.items())
        self.broken["calls beyond energy"] = sum(over) if self.turns % 50 == 0 else 0
        budget = self.town.lives[0].stage.mind.budget
        passed = (
            calls > budget.caps(who)[0] or tokens > budget.caps(who)[1]
            for (_, who), (calls, tokens) in budget._book.days.items()  # type: ignore[attr-defined]
            if "+" not in who
        )
        self.broken["caps passed"] = max(self.broken["caps passed"], sum(passed))

    def _leaks(self, life: Life, seen: Checked) -> Iterator[str]:
        new = life.stage.world.deliveries[seen.deliveries :]
        seen.deliveries += len(new)
        for speech, end in new:
            for secret in SECRET.findall(speech.text) if end.outcome != "dropped" else ():
                self.counts["secrets told"] += 1
                allowed = self.readers[secret]
                if allowed is not None and not end.hearers <= allowed:
                    yield secret

    def _too_wide(self, life: Life, seen: Checked) -> Iterator[str]:
        store = life.stage.store
        rows = [row for id, row in store.memories.items() if id > seen.row]
        records = store.audit[seen.audit :]
        seen.row = max((row.id for row in rows), default=seen.row)
        seen.audit += len(records)
        kept = [(row.content, row.readers) for row in rows]
        kept += [(str(record.data), record.readers) for record in records]
        for text, readers in kept:
            for secret in set(SECRET.findall(text)):
                allowed, belongs = self.readers[secret], life.stage.world.belongs
                if allowed is not None:
                    yield from (
                        secret
                        for who in self.players
                        if who.id not in allowed and may_read(who.id, readers, belongs)
                    )


def lived(hours: float, seed: int) -> Day:
    """Return a day as it was lived, all of it checked."""
    luck = random.Random(seed)
    model = Traitor(luck)
    town = Town(model=model, calls_a_day=CALLS_A_DAY)
    town.people(CHARACTERS)
    players = list(people(*(f"Player{at}" for at in range(PLAYERS))))
    day = Day(luck, town, model, players, seen=[Checked() for _ in town.lives])
    model.stir = day.stir
    for life in town.lives:
        life.stage.mind.registry = ToolRegistry([*BUILTIN, ring, raze])
        life.stage.world.permissions["Builder"] = {life.stage.world.self.id}
    for who in players:
        town.move(who, luck.choice(ROOMS))
    for _ in range(int(hours * HOUR / HEARTBEAT)):
        day.step()
    for _ in range(closing.MAX_ATTEMPTS + 20):
        again, day.open = day.open, []
        for number, event in again:
            day.answer(number, event)
    left = (len(life.stage.store.triggers.waiting()) for life in town.lives)
    day.broken["questions left open"] = sum(left)
    return day


def main() -> int:
    """Run the bench and print what broke; returns the exit status."""
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--hours", type=float, default=24.0, help="simulated ones")
    options.add_argument("--seed", type=int, default=7)
    options.add_argument("--quick", action="store_true", help="a quarter of an hour")
    chosen = options.parse_args()
    hours = 0.25 if chosen.quick else chosen.hours
    print(f"seed {chosen.seed}, {hours} hours, {CHARACTERS} characters, {PLAYERS} players")
    day = lived(hours, chosen.seed)
    counts = day.counts | Counter({"calls": day.model.calls, "acts": day.model.rung.total()})
    print(table(("what happened", "times"), sorted(counts.items())))
    figures: Figures = {"seed": chosen.seed, "hours": hours, **counts, "errors_logged": 0}
    goals = [Goal(name, day.broken[name], 0, must=True) for name in PROMISES]
    return conclude("simulation", figures, goals)


if __name__ == "__main__":
    sys.exit(main())
