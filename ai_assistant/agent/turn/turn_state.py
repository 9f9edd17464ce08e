"""One turn: its audience, its ceiling, the handles it gave out, and what it proposes to write."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

from ai_assistant.agent.attention.layers import ContextConfig, ExecutionPattern, narrow, of_config
from ai_assistant.agent.delegation.errands import Errand
from ai_assistant.agent.mind import Mind
from ai_assistant.agent.state_parts import PARTS
from ai_assistant.agent.unasked.autonomy import Occasion
from ai_assistant.core.contracts import (
    AuditRecord,
    Change,
    Commit,
    Delivery,
    Entity,
    Event,
    Json,
    MemoryRow,
    Message,
    PromptSection,
    Speech,
    ToolResult,
)
from ai_assistant.core.errors import TurnSuperseded
from ai_assistant.core.ports import Clock, Scene, Store, Thing, World
from ai_assistant.core.readers import Audience, meet, usable
from ai_assistant.memory.search.recall import Found
from ai_assistant.roleplay.play import Play, marked
from ai_assistant.tools import Tool


@dataclass(slots=True)
class TurnState:
    """The state of one turn.

    `goal` or `occasion` is what an autonomous turn is about. `parts` are those of the prompt by
    their keys, `sections` what they tell, as data; `utilisation` is the share of its budget that it
    took before anything gave way, `withheld` are tools for whose descriptions there is no room.
    `shown` are the ids of the lines in it. `kits` were opened in this talk, once that is known.
    `bounds` is what context type and assessment allow. Once it is `closing`, only words are left to
    it; once it is `mending`, only what was refused. `untold` is what was, and the model does not
    know yet. `showed`: did it act before the eyes of whoever asked? It is `asked_again` once it
    gave no answer. `errand` is what it does for another assistant, `words` the answer to that;
    `handed_out` counts the errands it gave away.
    What it says may come from `drawn` memories, and from what is known of those `looked_up`;
    `recalled` are those that came to mind by themselves, each with why.
    `speech` is the piece that is to be said next, `said` those that were, each with its end, and
    `words_kept` what is remembered of them. `noted` are events that an earlier piece was saved
    with, `deeds` the stream's entries of what it did since. It `moved` once it is elsewhere;
    `is_on_disk` says whether a turn that nobody asked for has a row there, so that its acts count.
    """

    id: str
    mind: Mind
    context: ContextConfig
    events: tuple[Event, ...]
    audience: Audience
    place: str
    ceiling: str
    surroundings: Scene
    epoch: int
    me: Entity
    commit: Commit
    bounds: ExecutionPattern
    play: Play = field(default_factory=Play)
    goal: Json | None = None
    occasion: Occasion | None = None
    things: dict[str, Thing] = field(default_factory=dict)
    prompt: tuple[Message, ...] = ()
    parts: tuple[tuple[str, Message], ...] = ()
    sections: tuple[PromptSection, ...] = ()
    utilisation: float = 0.0
    shown: frozenset[str] = frozenset()
    withheld: set[str] = field(default_factory=set)
    kits: list[str] | None = None
    looked_up: set[str] = field(default_factory=set)
    transcript: list[Message] = field(default_factory=list)
    spent_tools: set[str] = field(default_factory=set)
    past_calls: dict[str, ToolResult] = field(default_factory=dict)
    failures: dict[str, int] = field(default_factory=dict)
    authors: set[str] = field(default_factory=set)
    deeds: list[Json] = field(default_factory=list)
    deeds_done: int = 0
    acts_done: int = 0
    drawn: list[MemoryRow] = field(default_factory=list)
    recalled: list[Json] = field(default_factory=list)
    speech: Speech | None = None
    said: list[tuple[Speech, Delivery]] = field(default_factory=list)
    words_kept: list[Speech] = field(default_factory=list)
    noted: set[str] = field(default_factory=set)
    moved: bool = False
    is_on_disk: bool = False
    errand: Errand | None = None
    words: str = ""
    handed_out: int = 0
    ended: bool = False
    closing: bool = False
    mending: bool = False
    asked_again: bool = False
    untold: list[str] = field(default_factory=list)
    showed: bool = False
    steps: int = 0
    tokens: int = 0
    model_calls: list[Json] = field(default_factory=list)
    problem: str = ""

    @property
    def own_id(self) -> str:
        """The id of the character itself."""
        return self.me.id

    @property
    def world(self) -> World:
        """The game."""
        return self.mind.world

    @property
    def store(self) -> Store:
        """The state."""
        return self.mind.store

    @property
    def clock(self) -> Clock:
        """The time."""
        return self.mind.clock

    @property
    def default_memory_action(self) -> str:
        """What the tool `memory` does where the model does not say: append or write."""
        return self.mind.role.default_action

    @property
    def trigger(self) -> Event | None:
        """The first event to answer; None on an autonomous turn."""
        return self.events[0] if self.events else None

    @property
    def partner(self) -> Entity | None:
        """The one whom this turn is about: who asked, or who came in."""
        if self.trigger:
            return self.trigger.source
        return self.occasion.who if self.occasion else None

    @property
    def scene(self) -> tuple[Thing, ...]:
        """What the character saw when the turn began."""
        return self.surroundings.things

    @property
    def acted(self) -> bool:
        """Did it do or say anything that others could perceive?"""
        return bool(self.acts_done or self.words_kept or self.words)

    @property
    def answered(self) -> bool:
        """Did it say anything, or do something that whoever asked could see?"""
        return bool(self.showed or self.speech or self.words_kept or self.words)

    @property
    def roots(self) -> tuple[str, ...]:
        """The root events that pay for this turn."""
        if self.errand:
            return self.errand.roots
        return tuple(dict.fromkeys(event.root for event in self.events)) or (self.id,)

    def check(self) -> None:
        """Raise `TurnSuperseded` when this turn may not go on. To be called after every await."""
        if self.epoch != self.mind.epoch:
            raise TurnSuperseded()

    @property
    def pattern(self) -> ExecutionPattern:
        """What the turn may do: its bounds within the configuration of this moment."""
        return narrow(of_config(self.mind.config), self.bounds)

    def is_paid(self) -> bool:
        """Is there energy left to ask the model once more?"""
        return any(map(self.mind.energy.left, self.roots))

    def has_steps_left(self) -> bool:
        """May the model take one more step?"""
        paid = self.steps == 0 or self.is_paid()
        return not self.ended and self.steps < self.pattern.max_iterations and paid

    def admit(self, readers: str, author: str = "") -> bool:
        """May something with this label be used here? If so, the ceiling sinks accordingly.

        Whoever wrote it has from now on a say in which tools are permitted.
        """
        belongs = self.world.belongs
        if not usable(readers, self.audience, belongs):
            return False
        self.ceiling = meet(self.ceiling, readers, belongs, self.audience)
        self.authors.update({*author.split(",")} - {"", self.own_id})
        return True

    def is_permitted(self, tool: Tool) -> bool:
        """Do the character and everybody whose words are in the context hold its permission?"""
        holders = (self.own_id, *self.authors)
        return not tool.permission or all(self.world.holds(one, tool.permission) for one in holders)

    async def candidates(self, query: str, k: int, **options: Any) -> list[Found]:
        """Return usable memories, best first; none of them is admitted yet."""
        found = await self.mind.recall.search(
            query,
            k,
            now=self.clock.now(),
            allow=lambda readers: usable(readers, self.audience, self.world.belongs),
            **self.play.search(self.surroundings.place_name, query),
            **options,
        )
        self.check()
        return found

    async def recall(self, query: str, k: int, **options: Any) -> list[Found]:
        """Return memories that answer a query and are not `shown`, best first; each is admitted."""
        found = await self.candidates(query, k, besides=self.shown, **options)
        return [one for one in found if self.draw(one.row)]

    def draw(self, row: MemoryRow) -> bool:
        """Admit a memory, if it may be used; what is said from now on may be drawn from it."""
        admitted = self.admit(row.readers, row.author)
        self.drawn += [row] if admitted else []
        return admitted

    def state(self, part: str, key: str = "") -> Json:
        """Return a part of the state as it will be once this turn is saved."""
        state = self.store.read(part, key)
        for change in self.commit.changes:
            if (change.part, change.key) == (part, key):
                PARTS[part].apply(state, change.op, deepcopy(change.args))
        return state

    def change(self, change: Change) -> None:
        """Propose a change; it is written when the turn is saved."""
        self.commit.changes.append(change)

    def keep(self, row: MemoryRow) -> None:
        """Propose a memory row, saved with the turn; what is kept of a play is marked."""
        self.commit.rows.append(marked(row, self.play.fiction))

    def audit(self, type: str, data: Json) -> None:
        """Propose an entry of the audit log, under the ceiling."""
        self.commit.audit.append(AuditRecord(type, data, self.ceiling, self.id, self.clock.now()))
