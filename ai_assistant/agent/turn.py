"""One turn: its audience, its ceiling, the handles it gave out, and what it proposes to write."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any, Literal

from ai_assistant.agent.contexts import CONTEXTS, HARD_CAP, ContextConfig
from ai_assistant.agent.handles import mint
from ai_assistant.agent.mind import Mind
from ai_assistant.contracts import (
    AuditRecord,
    Change,
    Commit,
    Entity,
    Event,
    Json,
    MemoryRow,
    Message,
    Scene,
    Speech,
    SpeechKind,
    Thing,
    ToolResult,
)
from ai_assistant.errors import ToolError, TurnSuperseded
from ai_assistant.memory import PARTS
from ai_assistant.memory.recall import Found
from ai_assistant.ports import Clock, Store, World
from ai_assistant.readers import OPEN, Audience, meet, members, usable
from ai_assistant.text import clean
from ai_assistant.tools import Tool

NOTEBOOK_TOOL = "memory"
MAX_CALLS_PER_STEP = 4
_PRIVATE: dict[str, SpeechKind] = {"whisper": "whisper", "page": "page", "channel": "channel"}
_KIND_LETTERS = {"person": "p", "exit": "x", "item": "o"}


@dataclass(slots=True)
class Turn:
    """The state of one turn; implements `tools.ToolContext`.

    `utilisation` is the share of its budget that the prompt took before anything gave way;
    `withheld` are tools for whose descriptions there is no room.
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
    own_id: str
    commit: Commit
    things: dict[str, Thing] = field(default_factory=dict)
    prompt: tuple[Message, ...] = ()
    utilisation: float = 0.0
    withheld: set[str] = field(default_factory=set)
    transcript: list[Message] = field(default_factory=list)
    spent_tools: set[str] = field(default_factory=set)
    past_calls: dict[str, ToolResult] = field(default_factory=dict)
    failures: dict[str, int] = field(default_factory=dict)
    authors: set[str] = field(default_factory=set)
    deeds: list[str] = field(default_factory=list)
    speech: Speech | None = None
    ended: bool = False
    dangerous_done: bool = False
    steps: int = 0
    tokens: int = 0
    model_calls: list[Json] = field(default_factory=list)
    problem: str = ""

    @property
    def me(self) -> Entity:
        """The character itself."""
        return self.mind.world.me()

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
    def scene(self) -> tuple[Thing, ...]:
        """What the character saw when the turn began."""
        return self.surroundings.things

    @property
    def roots(self) -> tuple[str, ...]:
        """The root events that pay for this turn."""
        return tuple(dict.fromkeys(event.root for event in self.events)) or (self.id,)

    def check(self) -> None:
        """Raise `TurnSuperseded` when this turn may not go on. To be called after every await."""
        if self.epoch != self.mind.epoch:
            raise TurnSuperseded()

    def has_steps_left(self) -> bool:
        """May the model be asked once more?"""
        configured = self.mind.config["max_iterations_per_tick"]
        if not self.mind.config["multi_action_enabled"]:
            configured = 1
        most = min(HARD_CAP, configured, self.context.max_iterations)
        paid = self.steps == 0 or any(map(self.mind.energy.left, self.roots))
        return not self.ended and self.steps < most and paid

    # -- who may read what

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

    def may_say(self, kind: SpeechKind, target: str = "") -> bool:
        """May a speech of this kind be made, seen from its hearers now and the ceiling?"""
        if kind not in self._kinds():
            return False
        hearers = self.world.hearers(kind, self.place, target or self._answered())
        if kind == "whisper" and self.trigger is not None:
            hearers = hearers or self.audience
        return bool(hearers) and usable(self.ceiling, hearers, self.world.belongs)

    def _kinds(self) -> tuple[SpeechKind, ...]:
        private = _PRIVATE.get(self.trigger.source_type) if self.trigger else None
        return (private,) if private else ("say", "emote", "whisper")

    def _answered(self) -> str:
        return self.trigger.source.id if self.trigger else ""

    def offered(self) -> list[Tool]:
        """Return the tools that exist for this step; those that depend on who listens last."""
        return sorted(filter(self.is_offered, self.mind.registry), key=lambda one: bool(one.speech))

    def is_offered(self, tool: Tool) -> bool:
        """Does this one exist for this step?"""
        allowed = self.context.tool_filter
        return (
            tool.category in self.context.allowed_tool_categories
            and (allowed is None or tool.name in allowed)
            and tool.name not in self.mind.config["disabled_tools"]
            and tool.name not in self.withheld
            and (self.mind.role.memory_tool or tool.name != NOTEBOOK_TOOL)
            and (tool.speech is None or self.may_say(tool.speech))
            and self.is_permitted(tool)
        )

    def is_permitted(self, tool: Tool) -> bool:
        """Do the character and everybody whose words are in the context hold its permission?"""
        holders = (self.own_id, *self.authors)
        return not tool.permission or all(self.world.holds(one, tool.permission) for one in holders)

    # -- what tools may do

    def thing(self, handle: str, kind: Literal["person", "exit", "item", "any"]) -> Thing:
        """Return what a handle stands for; raises `ToolError` for an unknown one."""
        found = self.things.get(handle)
        letter = _KIND_LETTERS.get(kind, "")
        if found is None or not handle.startswith(letter):
            known = [one for one in self.things if one.startswith(letter)]
            raise ToolError(
                f"There is no {kind if kind != 'any' else 'handle'} '{clean(handle, 20)}' here; "
                f"you see: {', '.join(known) or 'none'}."
            )
        return found

    async def candidates(self, query: str, k: int, **options: Any) -> list[Found]:
        """Return usable memories, best first, of which none is admitted yet."""
        found = await self.mind.recall.search(
            query, k, now=self.clock.now(), allow=self._is_usable, **options
        )
        self.check()
        return found

    async def recall(self, query: str, k: int, **options: Any) -> list[Found]:
        """Return the memories that answer a query, best first; each is admitted."""
        found = await self.candidates(query, k, **options)
        return [one for one in found if self.admit(one.row.readers, one.row.author)]

    def state(self, part: str, key: str = "") -> Json:
        """Return a part of the state as it will be once this turn is saved."""
        state = self.store.read(part, key)
        for change in self.commit.changes:
            if (change.part, change.key) == (part, key):
                PARTS[part].apply(state, change.op, deepcopy(change.args))
        return state

    def _is_usable(self, readers: str) -> bool:
        return usable(readers, self.audience, self.world.belongs)

    def change(self, change: Change) -> None:
        """Propose a change; it is written when the turn is saved."""
        self.commit.changes.append(change)

    def keep(self, row: MemoryRow) -> None:
        """Propose a memory row; it is written when the turn is saved."""
        self.commit.rows.append(row)

    def audit(self, type: str, data: Json) -> None:
        """Propose an entry of the audit log, under the ceiling."""
        self.commit.audit.append(AuditRecord(type, data, self.ceiling, self.id, self.clock.now()))

    def speak(self, kind: SpeechKind, text: str, target: Entity | None = None) -> None:
        """Propose the words that end the turn; raises `ToolError` where they may not be said."""
        if not self.may_say(kind, target.id if target else ""):
            raise ToolError("That would be heard by somebody who must not hear it.")
        words = clean(text)
        if not words:
            raise ToolError("There are no words in it.")
        audience = self.audience
        if target is not None:
            audience = frozenset({target.id})
        elif not self.events:
            audience = self.world.hearers(kind, self.place)
        self.speech = Speech(kind, words, self.ceiling, audience, self.place, target, self.roots[0])


def begin(
    mind: Mind,
    events: Sequence[Event],
    turn_id: str,
    context_type: str = "tick_event",
    *,
    rehearsal: bool = False,
) -> Turn:
    """Start a turn: count the attempt on disk, fix the audience and the first ceiling.

    Whoever will hear the answer is decided here and never widened (design §3.4). A `rehearsal`
    writes nothing. Raises `ValueError` where the events have not all the same readers and place.
    """
    if len({(event.readers, event.place) for event in events}) > 1:
        raise ValueError("Events of different readers or places must not join one turn.")
    if events and not rehearsal:
        mind.store.begin(turn_id, [event.id for event in events])
    scene = mind.world.scene()
    first = events[0] if events else None
    readers = first.readers if first else OPEN
    kind = first.source_type if first else "say"
    audience = members(readers) if kind in _PRIVATE else frozenset()
    place = first.place if first and kind in _PRIVATE else scene.place
    if kind not in _PRIVATE:
        audience = mind.world.hearers("say", place)
    at = mind.clock.now()
    return Turn(
        id=turn_id,
        mind=mind,
        context=CONTEXTS[context_type],
        events=tuple(events),
        audience=audience,
        place=place,
        ceiling=readers,
        surroundings=scene,
        epoch=mind.epoch,
        own_id=mind.world.me().id,
        commit=Commit(at=at, turn_id=turn_id),
        authors={event.source.id for event in events},
        things=mint(scene.things, events),
    )


def handle_of(turn: Turn, entity_id: str) -> str:
    """Return the handle of this turn for an entity; empty where it has none."""
    return next((h for h, thing in turn.things.items() if thing.entity.id == entity_id), "")
