"""The mind of one assistant: its ports, its configuration, and what it holds between two turns."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from ai_assistant.agent.attention.budget import Budget
from ai_assistant.agent.attention.energy import Energy
from ai_assistant.agent.attention.engagement import Engagement
from ai_assistant.agent.attention.purses import Purses
from ai_assistant.agent.config import Config
from ai_assistant.agent.delegation.errands import Delegates, Nobody
from ai_assistant.agent.keeping.waiting_writes import Unwatched, Watch
from ai_assistant.agent.prompt.macros import MacroRegistry
from ai_assistant.agent.state_parts import PARTS
from ai_assistant.agent.unasked.patience import Patience
from ai_assistant.core.contracts import Commit, Event, Json, MemoryRow
from ai_assistant.core.ports import CallLog, Clock, Limit, Model, Store, World
from ai_assistant.core.readers import Audience
from ai_assistant.memory.parts import with_ids
from ai_assistant.memory.policy import SMART_CHAT, RoleMemory
from ai_assistant.memory.search import searchable_parts
from ai_assistant.memory.search.recall import Recall
from ai_assistant.roleplay.lorebook.entries import Shelf
from ai_assistant.roleplay.play import Plays, StoryAct, no_story, only_the_game
from ai_assistant.roleplay.world_agent import WorldAgent
from ai_assistant.tools import ToolRegistry

CONTEXT_BUFFER = 40


@dataclass(frozen=True, slots=True)
class Proposal:
    """An act that is done only once somebody has confirmed it."""

    act: str
    """The tool and its arguments, names as ids: the same in another turn."""
    place: str
    """Where it was asked."""
    readers: str
    """The label of the line that wanted it."""
    turn_id: str
    """The turn that asked; the confirmation comes in a later one."""
    until: float
    """Until when it may be confirmed, in seconds of the steady clock."""


class NoCalls(CallLog):
    """Keeps no model call."""


@dataclass(slots=True)
class Mind:
    """Everything that a turn of one assistant needs. Built by `assembly.build_assistant`."""

    key: str
    """The id of the character."""
    world: World
    """The game, as this character has it before it."""
    store: Store
    """What it keeps on disk."""
    model: Model
    """All models, by job."""
    clock: Clock
    """The time of day, and the steady one."""
    budget: Budget
    """What calls may cost a day, shared by all."""
    energy: Energy
    """What each line still pays for, shared by all."""
    registry: ToolRegistry
    """The tools of the game."""
    config: Config
    """What was set for it."""
    persona: Mapping[str, object]
    """Who it is: the value of its persona block."""
    limit: Limit
    """Ends what takes too long."""
    pause: Callable[[float], Awaitable[object]]
    """Waits for so many seconds."""
    report: Callable[[str, BaseException], None]
    """Is told of an exception that the turn survived."""
    recall: Recall
    """Its searchable memory."""
    calls: CallLog = field(default_factory=NoCalls)
    """Is told of each call of a model."""
    role: RoleMemory = SMART_CHAT
    """What it keeps of its talk."""
    macros: MacroRegistry = field(default_factory=MacroRegistry)
    """What stands for what in its owner's texts."""
    epoch: int = 0
    """Rises whenever what was begun must not go on: it was stopped, reconfigured or taken over."""
    revision: int = 0
    """Rises with each commit that may change what it knows, its other bodies' too."""
    purses: Purses = field(default_factory=lambda: Purses(time.monotonic))
    """What each player may ask of the characters in a minute."""
    kept_lines: Purses = field(default_factory=lambda: Purses(time.monotonic))
    """What each player may have each assistant keep in a day."""
    patience: Patience = field(default_factory=Patience)
    """How much its company has heard of it unasked."""
    engagement: Engagement = field(default_factory=Engagement)
    """With whom it is talking in the room."""
    channel_talk: Engagement = field(default_factory=Engagement)
    """The same for talk on a channel, which does not end the one in the room."""
    heard: deque[Event] = field(default_factory=lambda: deque(maxlen=CONTEXT_BUFFER))
    """Lines that it only overheard, until the next turn or a heartbeat saves them."""
    tokens_per_char: float = 0.25
    """How many tokens a character of its prompts makes, as providers counted them."""
    excuses: int = 0
    """How often it excused itself for want of an answer: which excuse comes next."""
    excused: dict[str, str] = field(default_factory=dict)
    """Its last excuse to each person, and in each place, by id."""
    minted: int = 0
    """The number that the next goal has at least, saved or not."""
    failed_turns: int = 0
    """Turns in a row that failed."""
    refused: deque[str] = field(default_factory=lambda: deque(maxlen=1000))
    """The ids of lines that it is shown no more: the model's server refused requests that held
    them, and would those of anybody else.
    """
    accepted: frozenset[str] = frozenset()
    """The ids of the lines in the last request that was answered: none of them is to blame."""
    watch: Watch = field(default_factory=Unwatched)
    """Knows what to do about a write that the database refused."""
    proposals: dict[str, Proposal] = field(default_factory=dict)
    """Acts that wait for somebody's yes, by the id of that one."""
    shelf: Shelf = field(default_factory=Shelf)
    """The lorebooks that it reads."""
    delegates: Delegates = field(default_factory=Nobody)
    """Those to whom it may hand tasks."""
    pass_floor: Callable[[Event, str], bool] = field(default=lambda event, who: False)
    """Lets another assistant that heard a line answer it; False where that one cannot."""
    condition: Callable[[], Json] = dict
    """Returns what only the game knows: mode and length of the queue."""
    siblings: Callable[[], Iterable[Mind]] = tuple
    """Returns the running minds of the other bodies that embody the same character."""
    sign: Callable[..., object] = field(default=lambda state, audience, to=frozenset(): None)
    """Shows those of an audience that it is thinking, speaking `to` some of them, asleep, or
    listening again.
    """
    goals_changed: bool = False
    """Did its goals change since it last looked for one to walk?"""
    leases: dict[str, float] = field(default_factory=dict)
    """What this body has in hand, each until a time of the steady clock."""
    world_agent: WorldAgent = field(default_factory=WorldAgent)
    """Decides who took part in a line."""
    plays: Plays = only_the_game
    """Which scene it plays in, if any."""
    act_in_story: StoryAct = no_story
    """Does something with things and places of the story that it plays in."""
    told: dict[Any, Any] = field(default_factory=dict)
    """A cache of words of people: how the lines of its talk read in its last prompt."""
    _phase: str | None = None

    @property
    def phase(self) -> str:
        """The phase of its sleep, compacting or dreaming; empty while it is awake."""
        if self._phase is None:
            self._phase = self.store.view("sleep")["phase"]
        return self._phase

    def save(self, commit: Commit) -> list[MemoryRow]:
        """Write a commit and make what it wrote findable; returns the rows with their ids.

        Raises `StoreError`; nothing is written then.
        """
        rows = self.store.commit(commit)
        self.revision += 1
        self.store.once_written(partial(self._learn, commit, rows))
        return rows

    def _learn(self, commit: Commit, rows: Sequence[MemoryRow]) -> None:
        for spoken in commit.distributions:
            self.world_agent.stored(spoken.raw.session, spoken.raw.meta["event"], spoken.decision)
        self.recall.learn([row for row in rows if row.container in ("", self.key)])
        if commit.archived:
            self.recall.forget(commit.archived)
        changed = {(change.part, change.key): None for change in commit.changes}
        self._phase = None if ("sleep", "") in changed else self._phase
        self.goals_changed |= ("goals", "") in changed
        for part, key in changed:
            if part in searchable_parts.PARTS:
                for mind in (self, *(self.siblings() if PARTS[part].shared else ())):
                    mind.recall.learn_part(part, key)
                    mind.revision += 1
        if stored := [*commit.revived, *commit.annotated]:
            ids = with_ids(stored, [row.id for row in rows])
            self.recall.learn_stored(self.store.rows.by_ids(ids))

    def is_welcome(self, company: Audience | None = None) -> bool:
        """May it speak unasked where it is? Only before players whose patience is not used up.

        `company` are the players there, for who knows them already.
        """
        there = self.world.company() if company is None else company
        most, now = self.config["patience"], self.clock.now()
        place = self.world.whereabouts()
        return bool(there) and self.patience.allows(self.key, place, there, most=most, now=now)
