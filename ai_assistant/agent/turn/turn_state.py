"""One turn: its audience, its ceiling, the handles it gave out, and what it proposes to write."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from ai_assistant.agent.attention.layers import ContextConfig, ExecutionPattern, narrow, of_config
from ai_assistant.agent.config import Config
from ai_assistant.agent.delegation.errands import Errand
from ai_assistant.agent.mind import Mind
from ai_assistant.agent.state_parts import PARTS
from ai_assistant.agent.unasked.autonomy import Occasion
from ai_assistant.core.contracts import (
    IN_KIND,
    AuditRecord,
    Change,
    Commit,
    Delivery,
    Entity,
    Event,
    Json,
    MemoryRow,
    NewRow,
    Speech,
    SpeechKind,
)
from ai_assistant.core.errors import TurnSuperseded
from ai_assistant.core.model_records import BuiltPrompt, Message, ToolResult
from ai_assistant.core.ports import Clock, Store, World
from ai_assistant.core.readers import Audience, meet, usable
from ai_assistant.core.seen import SeenPlace, Thing
from ai_assistant.memory.parts import with_ids
from ai_assistant.memory.search.recall import Found
from ai_assistant.roleplay.permanent import CARD
from ai_assistant.roleplay.play import Play, marked

NOT_BUILT = BuiltPrompt()

UNSAVED = range(-1, -1000, -1)
"""What stands for the ids of a turn's new rows until it is saved."""


@dataclass(slots=True)
class TurnState:
    """The state of one turn."""

    id: str
    """The id of the turn, by which its changes and records are found."""
    mind: Mind
    """The character's mind, which outlives the turn."""
    world: World = field(init=False)
    """The game, as the mind knows it."""
    store: Store = field(init=False)
    """The state, as it is stored."""
    clock: Clock = field(init=False)
    """The time of the mind."""
    context: ContextConfig
    """What the kind of turn shows and allows."""
    events: tuple[Event, ...]
    """What is answered; none on a turn of the character's own accord."""
    trigger: Event | None = field(init=False)
    """The first of the events; None on a turn on its own."""
    in_kind: SpeechKind | None = field(init=False)
    """How it is answered where it was asked by whisper, page or channel; else None: aloud."""
    question: str = field(init=False)
    """The id of the line that it answers, or for which it set out before it came here; or empty."""
    partner: Entity | None = field(init=False)
    """The one whom this turn is about: who asked, or who came in."""
    roots: tuple[str, ...] = field(init=False)
    """The root events that pay for this turn."""
    payer: str = field(init=False)
    """The player whose share of the assistant's day it takes; empty for nobody's."""
    audience: Audience
    """Whoever hears the answer: fixed when the turn begins."""
    place: str
    """The id of the place where it began."""
    ceiling: str
    """The label of everything that may still be said or written; it only sinks."""
    surroundings: SeenPlace
    """Where the character is, and what it sees there now."""
    epoch: int
    """That of the mind when the turn began."""
    began: float
    """When it did, by the clock that only runs."""
    me: Entity
    """The character itself."""
    commit: Commit
    """What is written when the turn is saved."""
    bounds: ExecutionPattern
    """What context type, scene and assessment allow."""
    play: Play = field(default_factory=Play)
    """The scene that it is in."""
    goal: Json | None = None
    """The goal that it works on, if it began for one."""
    occasion: Occasion | None = None
    """Why it acts unasked, if it does."""
    things: dict[str, Thing] = field(default_factory=dict)
    """What has a handle in this turn, by that."""
    prompt: BuiltPrompt = NOT_BUILT
    """What the model reads before the transcript."""
    tools_left_out: set[str] = field(default_factory=set)
    """Names of tools for whose descriptions there is no room."""
    verdicts: dict[int, Json] = field(default_factory=dict)
    """What became of every tool in each step, by its number from 1; see `keeping.verdicts`."""
    kits: list[str] | None = None
    """The kits that were opened in this talk, once that is known."""
    lookups: set[str] = field(default_factory=set)
    """The ids of those of whom it was looked up what is known."""
    transcript: list[Message] = field(default_factory=list)
    """What was thought and done in this turn, as the model reads it."""
    past_calls: dict[str, ToolResult] = field(default_factory=dict)
    """Results by what the call meant."""
    failures: Counter[str] = field(default_factory=Counter)
    """How often each tool failed or was refused, by its name; see `calls.is_spent`."""
    authors: set[str] = field(default_factory=set)
    """The ids of everybody else whose words are in the context."""
    asks_afresh: bool = False
    """Does the model want to do what staff asked, apart from what others said?"""
    heeds: frozenset[str] = frozenset()
    """The staff whose words alone are in the context; empty where everybody's may be."""
    confirmed: Callable[[], object] | None = None
    """Asks anew if what staff confirmed may be done, or raises `ToolError`; None: they did not."""
    deeds: list[Json] = field(default_factory=list)
    """The stream's entries of what it did since the last piece of speech was saved."""
    deeds_done: int = 0
    """Deeds of this turn, refused ones as well."""
    acts_done: int = 0
    """Acts that changed the world."""
    recollections: list[Json] = field(default_factory=list)
    """Memories that came to mind by themselves: the reference and mark of each, and why."""
    hits: list[Json] | None = None
    """What the running tool call found, as in `recollections`; None where it did not search."""
    source_rows: list[MemoryRow] = field(default_factory=list)
    """Memories that what it says may come from."""
    source_lines: list[Json] = field(default_factory=list)
    """Entries of the stream: others' lines in the prompt, which what it says may come from too."""
    speech: Speech | None = None
    """The piece of speech that waits to be saved and said."""
    is_excuse: bool = False
    """Is that an excuse for want of an answer?"""
    deliveries: list[tuple[Speech, Delivery]] = field(default_factory=list)
    """What was said, in order: each piece with what became of it."""
    speeches: list[Speech] = field(default_factory=list)
    """The pieces of its speech as they are remembered, in order."""
    saved_events: set[str] = field(default_factory=set)
    """The ids of events that an earlier piece was saved with."""
    moved: bool = False
    """Is it at another place than where it began?"""
    is_on_disk: bool = False
    """Has a turn that nobody asked for a row there, so that its acts count?"""
    errand: Errand | None = None
    """The task of another assistant that it works on."""
    answer: str = ""
    """The words that whoever gave the errand gets; empty until there are any."""
    errands_given: int = 0
    """How many tasks it gave to other assistants."""
    ended: bool = False
    """Is it over?"""
    closing: bool = False
    """Are there only words left to it?"""
    mending: bool = False
    """Is there only left to mend what was refused?"""
    asked_again: bool = False
    """Was the model asked once more because it gave no answer?"""
    refusals: list[tuple[str, str]] = field(default_factory=list)
    """Acts that were refused, each with the reason, of which the model does not know yet."""
    acted_in_sight: bool = False
    """Did it act before the eyes of whoever asked?"""
    steps: int = 0
    """Answers of the model so far."""
    tokens: int = 0
    """Tokens that its calls of models took."""
    model_calls: list[Json] = field(default_factory=list)
    """What each call of a model took, and who answered."""
    problem: str = ""
    """Why it failed; empty where it did not."""
    passes: bool = False
    """Does it let the line pass, because that pays for no more calls, or it is for others?"""
    pattern_memo: tuple[Config, ExecutionPattern, ExecutionPattern] | None = None
    """The configuration and the bounds from which the pattern was made, and what came of them."""

    def __post_init__(self) -> None:
        """Take what follows from the rest."""
        self.world, self.store, self.clock = self.mind.world, self.mind.store, self.mind.clock
        self.trigger = self.events[0] if self.events else None
        self.in_kind = IN_KIND.get(self.trigger.source_type) if self.trigger else None
        before = self.occasion or Occasion("arrival")
        self.question = self.trigger.id if self.trigger else before.question
        self.partner = self.trigger.source if self.trigger else before.who
        self.roots = tuple(dict.fromkeys(event.root for event in self.events)) or (self.id,)
        self.payer = self.mind.energy.payer((*self.roots, self.question)) or before.payer

    def admit(self, readers: str, author: str = "") -> bool:
        """May this be used here? If so the ceiling sinks, and its author permits tools as well."""
        belongs = self.world.belongs
        if not usable(readers, self.audience, belongs):
            return False
        if self.heeds and not {*author.split(",")} - {""} <= self.heeds:
            return False
        self.ceiling = meet(self.ceiling, readers, belongs, self.audience)
        self.authors.update({*author.split(",")} - {"", self.me.id})
        return True

    def state(self, part: str, key: str = "") -> Json:
        """Return a part of the state as it will be once this turn is saved: to be looked at."""
        steps = [step for step in self.commit.changes if (step.part, step.key) == (part, key)]
        if not steps:
            return self.store.view(part, key)
        state = self.store.read(part, key)
        for step in steps:
            PARTS[part].apply(state, step.op, with_ids(step.args, UNSAVED))
        return state

    def change(self, change: Change) -> None:
        """Propose a change; it is written when the turn is saved."""
        self.commit.changes.append(change)

    def keep(self, row: MemoryRow) -> NewRow:
        """Propose a memory row, saved with the turn; what is kept of a play is marked."""
        self.commit.rows.append(marked(row, self.play.fiction))
        return NewRow(len(self.commit.rows) - 1)

    def audit(self, type: str, data: Json) -> None:
        """Propose an entry of the audit log, under the ceiling."""
        self.commit.audit.append(AuditRecord(type, data, self.ceiling, self.id, self.clock.now()))


def heeded_events(turn: TurnState) -> tuple[Event, ...]:
    """Return the events whose words are in the context."""
    return tuple(e for e in turn.events if not turn.heeds or e.source.id in turn.heeds)


def has_acted(turn: TurnState) -> bool:
    """Did it do or say anything that others could perceive?"""
    return bool(turn.acts_done or turn.speeches or turn.answer)


def has_answered(turn: TurnState) -> bool:
    """Did it say anything, or do something that whoever asked could see?"""
    return bool(turn.acted_in_sight or turn.speech or turn.speeches or turn.answer)


def check_epoch(turn: TurnState) -> None:
    """Raise `TurnSuperseded` when a turn may not go on. To be called after every await."""
    if turn.epoch != turn.mind.epoch:
        raise TurnSuperseded()


def pattern_of(turn: TurnState) -> ExecutionPattern:
    """Return what a turn may do: its bounds within the configuration of this moment."""
    made, config = turn.pattern_memo, turn.mind.config
    if made is None or made[0] is not config or made[1] is not turn.bounds:
        own = of_config(config, in_story=turn.play.fiction and turn.play.has_props)
        made = turn.pattern_memo = config, turn.bounds, narrow(own, turn.bounds)
    return made[2]


async def find_usable(turn: TurnState, query: str, k: int, **options: Any) -> list[Found]:
    """Return usable memories, best first, but for its own card; none of them is admitted yet."""
    found = await turn.mind.recall.search(
        query,
        k,
        now=turn.clock.now(),
        allow=partial(may_use, turn),
        **turn.play.search(turn.surroundings.place_name, query),
        **options,
    )
    check_epoch(turn)
    return [memory for memory in found if memory.row.kind != CARD]


def draw_from(turn: TurnState, row: MemoryRow) -> bool:
    """Admit a memory, if it may be used; what is said from now on may be drawn from it."""
    admitted = turn.admit(row.readers, row.author)
    turn.source_rows += [row] if admitted else []
    return admitted


def may_use(turn: TurnState, readers: str, author: str = "") -> bool:
    """May this be used here, whoever wrote it? Only to look at it: nothing is admitted."""
    return usable(readers, turn.audience, turn.world.belongs)


def is_admitted(turn: TurnState, readers: str) -> bool:
    """Is this for a turn's audience, and its ceiling no wider? What is sent is asked once more."""
    ceiling = meet(turn.ceiling, readers, turn.world.belongs, turn.audience)
    return may_use(turn, readers) and ceiling == turn.ceiling
