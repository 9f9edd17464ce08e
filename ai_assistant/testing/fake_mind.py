"""A complete mind over fakes, with a clock that goes when it is told to."""

from __future__ import annotations

from typing import Any

from ai_assistant.agent.attention.budget import Budget
from ai_assistant.agent.attention.energy import HUMAN_ENERGY, Energy
from ai_assistant.agent.config import Config
from ai_assistant.agent.mind import Mind
from ai_assistant.agent.state_parts import PARTS
from ai_assistant.agent.turn.loop import Report, take_turn
from ai_assistant.core.contracts import Entity, Event
from ai_assistant.memory.policy import OWN_CHOICES, AgentMemoryPolicy
from ai_assistant.memory.search.recall import Recall
from ai_assistant.testing.fake_store import DictBook, DictStore
from ai_assistant.testing.fake_world import FakeWorld
from ai_assistant.testing.scripted_model import Run, ScriptedModel, no_limit
from ai_assistant.tools import BUILTIN, ToolRegistry


class ManualClock:
    """Implements `ports.Clock`; time passes only through `advance`."""

    def __init__(self, now: float = 1_780_000_000.0, ahead: float = 0.0) -> None:
        self.time = now
        self.ahead = ahead
        """Seconds by which the time of day is wrong; a clock that jumps changes it."""

    def now(self) -> float:
        """Return the time of day."""
        return self.time + self.ahead

    def monotonic(self) -> float:
        """Return the steady time, which never jumps."""
        return self.time

    def advance(self, seconds: float) -> None:
        """Let time pass."""
        self.time += seconds


SERA = Entity("e-sera", "Captain Seraphina Stormborne", "npc")


class Stage:
    """A mind with its fakes: `world`, `store`, `model`, `clock`, `book`, `errors`, `pauses`."""

    def __init__(
        self,
        *,
        me: Entity = SERA,
        model: Any = None,
        store: DictStore | None = None,
        **config: Any,
    ) -> None:
        """`store` is what another stage left behind; without it nothing has happened yet."""
        self.world = FakeWorld(me)
        self.store = DictStore(PARTS) if store is None else store
        self.model: Any = model or ScriptedModel()
        self.clock = ManualClock()
        self.book = DictBook()
        self.energy = Energy()
        self.errors: list[tuple[str, BaseException]] = []
        self.caps = (1000, 10_000_000)
        self.pauses: list[float] = []
        chosen = Config(config)
        self.mind = Mind(
            key="sera",
            world=self.world,
            store=self.store,
            model=self.model,
            clock=self.clock,
            budget=Budget(self.book, self.clock, lambda owner: self.caps),
            energy=self.energy,
            registry=ToolRegistry(BUILTIN),
            config=chosen,
            role=AgentMemoryPolicy().effective(
                chosen["memory_role"], {name: chosen[name] for name in OWN_CHOICES}
            ),
            persona={"name": me.name, "role": "Captain of the Guard"},
            limit=no_limit,
            pause=self.pause,
            report=lambda where, error: self.errors.append((where, error)),
            recall=Recall(self.store),
        )
        self._turns = 0

    async def pause(self, seconds: float) -> None:
        """Note the pause; nobody waits for it."""
        self.pauses.append(seconds)

    def hear(self, who: Entity, text: str, kind: Any = "say", **options: Any) -> Event:
        """Let the mind be spoken to: the event is on disk and has its energy."""
        event = self.world.event(who, text, kind, at=self.clock.now(), **options)
        self.store.triggers.add(event)
        self.energy.mint(event.root, HUMAN_ENERGY)
        return event

    def overhear(self, who: Entity, text: str, kind: Any = "say", **options: Any) -> Event:
        """Let the mind perceive something that it will not answer."""
        event = self.world.event(who, text, kind, at=self.clock.now(), **options)
        self.mind.heard.append(event)
        return event

    def start(self, *events: Event, context_type: str = "tick_event", **about: Any) -> Run:
        """Begin a turn; it may stand still at a paused model. `about`: a goal or an occasion."""
        self._turns += 1
        turn_id = f"turn{self._turns}"
        return Run(take_turn(self.mind, events, turn_id, context_type, **about))

    def turn(self, *events: Event, context_type: str = "tick_event", **about: Any) -> Report:
        """Run a whole turn."""
        running = self.start(*events, context_type=context_type, **about)
        assert running.done, "the turn waits for a model that was paused"
        report: Report = running.result
        return report

    def ask(self, who: Entity, text: str, kind: Any = "say", **options: Any) -> Report:
        """Speak to the mind and run the turn that answers."""
        return self.turn(self.hear(who, text, kind, **options))
