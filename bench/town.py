"""A town of characters without a server: minds, heartbeats, walks and turns on one clock."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count, pairwise, permutations
from typing import Any

from ai_assistant.agent.attention.budget import Budget
from ai_assistant.agent.attention.energy import HUMAN_ENERGY, Energy
from ai_assistant.agent.turn.loop import take_turn
from ai_assistant.agent.unasked.autonomy_state import AutonomyState
from ai_assistant.agent.unasked.patience import Patience
from ai_assistant.agent.unasked.walking import Walker
from ai_assistant.core.contracts import Change, Commit, Entity, Json
from ai_assistant.core.model_records import ModelReply, ModelRequest, TokenUsage, ToolCall
from ai_assistant.core.ports import Model
from ai_assistant.core.readers import OPEN
from ai_assistant.planning.goals import new_goal
from ai_assistant.testing import DictBook, ManualClock, Stage, run

CHARACTERS = 20
HEARTBEAT = 5.0
INTERVAL = 240
PATIENCE = 2
CALLS_A_DAY, TOKENS_A_DAY = 60, 400_000
ROOMS = ("inn", "street", "market", "tower", "harbour")
CHARS_PER_TOKEN = 4


class Chatterbox(Model):
    """A model that notes progress on the goal at hand, and always has something to say."""

    def __init__(self) -> None:
        self._ids = count(1)
        self.calls = 0
        self.tokens = 0

    async def complete(self, request: ModelRequest) -> ModelReply:
        """Return the reply, with tokens counted as a provider would."""
        size = sum(len(message.content) for message in request.messages)
        size += sum(len(str(tool)) for tool in request.tools)
        used = TokenUsage(size // CHARS_PER_TOKEN, 20, known=True)
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
    autonomy: AutonomyState
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
    model: Any = field(default_factory=Chatterbox)
    calls_a_day: int = CALLS_A_DAY
    settle: Callable[[Stage, int], None] = lambda stage, number: _settle(stage, number)
    lives: list[Life] = field(default_factory=list)
    said: list[Said] = field(default_factory=list)
    answers: list[tuple[float, str, str, str]] = field(default_factory=list)
    walked: int = 0
    _turns: count[int] = field(default_factory=lambda: count(1))

    def people(self, number: int) -> None:
        """Let so many characters live here, with goals to work on and rounds to make."""
        book, energy, patience = DictBook(), Energy(), Patience()
        budget = Budget(book, self.clock, self._caps)
        for at in range(number):
            me = Entity(f"e-npc{at}", f"Npc{at}", "npc")
            stage = Stage(me=me, model=self.model, autonomy_interval=INTERVAL, patience=PATIENCE)
            stage.clock = stage.mind.clock = self.clock
            stage.mind.key, stage.mind.patience = me.id, patience
            stage.mind.budget, stage.mind.energy = budget, energy
            ways = [*pairwise(ROOMS), *((b, a) for a, b in pairwise(ROOMS))]
            stage.world.lay_out(**{r: [b for a, b in ways if a == r] for r in ROOMS})
            self.settle(stage, at)
            self.lives.append(Life(stage, AutonomyState(stage.mind), Walker(stage.mind)))

        for life, other in permutations(self.lives, 2):
            if life.stage.world.place == other.stage.world.place:
                life.stage.world.enter(other.stage.world.self, assistant=True)

    def _caps(self, owner: str) -> tuple[int, int]:
        share = 1 if owner else CHARACTERS
        return self.calls_a_day * share, TOKENS_A_DAY * self.calls_a_day // CALLS_A_DAY * share

    def beat(self) -> None:
        """One heartbeat of everybody."""
        for life in self.lives:
            step = "searching"
            while step == "searching":
                step = run(life.walker.step())
            self.walked += step == "moved"
            if step == "arrived" and life.walker.reached:
                life.autonomy.arrive(life.walker.reached)
            if life.autonomy.consider().act:
                self._act(life)

    def _act(self, life: Life) -> None:
        about, mind = life.autonomy.decision, life.stage.mind
        life.autonomy.begun()
        turn = take_turn(
            mind,
            (),
            f"turn{next(self._turns)}",
            "tick_autonomous",
            goal=about.goal,
            occasion=about.occasion,
        )
        ended = run(turn)
        life.autonomy.ended(idle=ended.idle)
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
                life.autonomy.notice(event)

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
                other.autonomy.notice(event)
        mind.energy.mint(event.root, HUMAN_ENERGY)
        life.autonomy.addressed(event)
        self.answers.append((self.clock.now(), who.id, mind.key, world.place))
        run(take_turn(mind, (event,), f"turn{next(self._turns)}"))


def _settle(stage: Stage, number: int) -> None:
    """Let one of the usual people live in one of the rooms, with work to do."""
    at, place = stage.clock.now(), ROOMS[number % len(ROOMS)]
    stage.world.place = place
    other = ROOMS[(number + 2) % len(ROOMS)]
    stops = [{"place": one, "name": one} for one in (place, other)]
    goals = [new_goal("goal_0_0", "Keep the place in order", at=at, readers=OPEN)]
    if number % 2:
        about = {"stops": stops, "pause": 300, "name": "rounds"}
        goals.append(new_goal("goal_0_1", "Rounds", at=at, kind="patrol", about=about))
    steps = [Change("goals", "", "add_goal", {"goal": one, "at": at}) for one in goals]
    stage.store.commit(Commit(at=at, changes=steps))
