"""What a tool may reach: the turn that it runs in, and what lies beyond that."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from ai_assistant.core.contracts import Change, Entity, Event, Json, MemoryRow, NewRow, SpeechKind
from ai_assistant.core.ports import Clock, Store, World
from ai_assistant.core.search_port import StoryNow
from ai_assistant.core.seen import SeenPlace, Thing
from ai_assistant.memory.search.recall import Found
from ai_assistant.tools.registry import Tool
from ai_assistant.tools.schema import ThingKind


class GoalReach(Protocol):
    """What a tool may ask about the character's goals."""

    def new_id(self) -> str:
        """Return an id for a goal of this turn that no goal ever had."""

    async def subtasks(self, goal: Json, above: list[str]) -> list[str]:
        """Return three to seven steps towards a goal, which is part of what `above` says."""

    def may_do(self, goals: Sequence[Json], goal: Json) -> bool:
        """May one of the goals be worked on here, or does another body of the character?"""

    def take_on(self, goal: Json) -> None:
        """Claim a goal, so that the other bodies leave it alone for a while."""


class DelegateReach(Protocol):
    """What a tool may ask of other assistants."""

    async def hand_over(self, task: str, to: str = "") -> Json:
        """Hand a task to one of them and wait; raises `ToolError` where that fails."""

    def listed(self) -> list[Json]:
        """Return who may be given tasks, and why not now."""


class ToolReach(Protocol):
    """What a tool may reach beyond its turn."""

    persona: Json
    """Who the character is, as its persona block has it."""
    memory_action: str
    """What the tool `memory` does where the model does not say: append or write."""
    goals: GoalReach
    """What is to be asked about goals."""
    delegates: DelegateReach
    """Those who may be given tasks."""
    story: StoryNow | None
    """The story that the turn is in, and its day; None in the game itself."""
    is_acted: bool
    """Is the turn itself only played, so that its acts are of the story and not of the game?"""
    inherits: bool
    """Is what is known from the game known here? A scene may do without."""

    def act_in_story(self, act: str, thing: str, to: str = "") -> str:
        """Do something with things or places of the story; raises `ToolError` where one cannot."""

    def heed_staff(self) -> None:
        """Let the next step begin anew, with nothing but what staff said."""

    def confide(self) -> bool:
        """Keep what is answered, and all that follows, between the character and who said it.

        False where others heard it: then it stays as it is.
        """

    def propose(self, act: str, arguments: Json) -> Json:
        """Put an act before the one who asked for it; raises `ToolError` where that is not one."""

    def condition(self) -> Json:
        """Return how the character is: numbers and words that tell nothing of anybody."""

    def think(self, words: str) -> None:
        """Keep a thought, which nobody else ever reads."""

    async def thoughts(self, query: str, k: int) -> list[Found]:
        """Return own thoughts, best first; nothing of this turn is for anybody else from now on."""

    def look_around(self) -> Json:
        """Return the place, and all that is seen there now, each with its handle."""

    def open_kit(self, kit: str) -> list[Tool]:
        """Show the tools of a kit for the rest of the conversation; raises `ToolError` for none."""

    def when(self, stamp: str | float, session: str = "", day: int = 0) -> str:
        """Return when something was, in words; of what this scene told, on its own days."""

    def within(self, since: int, until: int, place: str) -> Json:
        """Return the filter for these days and a place; raises `ToolError` for what is none."""

    def look_up(self, entity_id: str) -> None:
        """Note that what is known of somebody was looked up: what is said may be drawn from it."""


class ToolContext(Protocol):
    """What a tool may reach during one turn. Whatever it reads must pass `admit` first."""

    me: Entity
    """The character itself."""
    world: World
    """The game."""
    store: Store
    """The state."""
    clock: Clock
    """The time."""
    trigger: Event | None
    """The event that is answered, the first of them; None on an autonomous turn."""
    question: str
    """The id of the line that it answers, or for which it set out before it came here; or empty."""
    payer: str
    """The id of the player whose share of the day it takes; empty for nobody's."""
    events: tuple[Event, ...]
    """All the events that are answered."""
    source_lines: list[Json]
    """Entries of the stream: others' lines before the turn's eyes, the newest last."""
    ceiling: str
    """The label of everything that this turn may still say or write."""
    surroundings: SeenPlace
    """Where the character is, and what it sees there."""

    reach: ToolReach
    """What lies beyond the turn."""

    def is_offered(self, tool: Tool) -> bool:
        """May that tool be called here?"""

    def thing(self, name: str, kind: ThingKind) -> Thing:
        """Return what a handle or a name stands for: of what is seen, else of what is known.

        Raises `ToolError` where there is nothing of that name, or more than one.
        """

    def find(self, name: str, kind: ThingKind) -> Thing | None:
        """Return the same, but None for nothing; raises `ToolError` where it is not clear."""

    def admit(self, readers: str, author: str = "") -> bool:
        """May something with this label be used here? If so, the ceiling sinks accordingly.

        `author` is the id of whoever wrote it: their words permit no more than they may do.
        """

    async def recall(
        self,
        query: str,
        k: int,
        worth: Callable[[Found], bool] = lambda found: True,
        **options: Any,
    ) -> list[Found]:
        """Return the memories that answer a query and are `worth` it, best first.

        `options` are those of a search. What is returned counts as read by the model.
        """

    def state(self, part: str, key: str = "") -> Json:
        """Return a part of the state as it will be saved; what is in it must pass `admit`."""

    def change(self, change: Change) -> None:
        """Propose a change; it is written when the turn is saved."""

    def keep(self, row: MemoryRow) -> NewRow:
        """Propose a memory row; it is written when the turn is saved."""

    def outdate(self, rows: Sequence[int | NewRow], by: NewRow) -> None:
        """Mark rows as replaced by a new one: a search puts them after it."""

    def audit(self, type: str, data: Json) -> None:
        """Propose an entry of the audit log, under the ceiling."""

    def speak(self, kind: SpeechKind, text: str, target: Entity | None = None) -> None:
        """Propose the words that end the turn; raises `ToolError` where they may not be said."""
