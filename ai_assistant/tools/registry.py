"""Tools: what a tool is, what it may reach, and the registry of all of them."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, get_args

from ai_assistant.core.contracts import (
    Category,
    Change,
    Entity,
    Event,
    Json,
    MemoryRow,
    NewRow,
    SpeechKind,
)
from ai_assistant.core.errors import ConfigurationError
from ai_assistant.core.ports import Clock, Store, World
from ai_assistant.core.search_port import StoryNow
from ai_assistant.core.seen import SeenPlace, Thing
from ai_assistant.memory.search.recall import Found
from ai_assistant.tools.schema import Param, ThingKind, parameters_schema, read_params


class ToolReach(Protocol):
    """What a tool may reach beyond its turn."""

    persona: Json
    """Who the character is, as its persona block has it."""
    memory_action: str
    """What the tool `memory` does where the model does not say: append or write."""

    async def delegate(self, task: str, to: str = "") -> Json:
        """Hand a task to another assistant and wait; raises `ToolError` where that fails."""

    def heed_staff(self) -> None:
        """Let the next step begin anew, with nothing but what staff said."""

    def propose(self, act: str, arguments: Json) -> Json:
        """Put an act before the one who asked for it; raises `ToolError` where that is not one."""

    def delegates(self) -> list[Json]:
        """Return who may be given tasks, and why not now."""

    def condition(self) -> Json:
        """Return how the character is: numbers and words that tell nothing of anybody."""

    def may_do(self, goals: Sequence[Json], goal: Json) -> bool:
        """May one of the goals be worked on here, or does another body of the character?"""

    def take_on(self, goal: Json) -> None:
        """Claim a goal, so that the other bodies leave it alone for a while."""

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

    @property
    def story(self) -> StoryNow | None:
        """The story that the turn is in, and its day; None in the game itself."""

    def within(self, since: int, until: int, place: str) -> Json:
        """Return the filter for these days and a place; raises `ToolError` for what is none."""

    def look_up(self, entity_id: str) -> None:
        """Note that what is known of somebody was looked up: what is said may be drawn from it."""

    def outdate(self, rows: Sequence[int | NewRow], by: NewRow) -> None:
        """Mark rows as replaced by a new one: a search puts them after it."""


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
    """The id of the line that the turn follows from, also on arrival; empty for none."""
    events: tuple[Event, ...]
    """All the events that are answered."""
    ceiling: str
    """The label of everything that this turn may still say or write."""
    surroundings: SeenPlace
    """Where the character is, and what it sees there."""

    reach: ToolReach
    """What lies beyond the turn."""

    @property
    def inherits(self) -> bool:
        """Is what is known from the game known here? A scene may do without."""

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

    def audit(self, type: str, data: Json) -> None:
        """Propose an entry of the audit log, under the ceiling."""

    def new_goal_id(self) -> str:
        """Return an id for a goal of this turn that no goal ever had."""

    async def subtasks(self, goal: Json, above: list[str]) -> list[str]:
        """Return three to seven steps towards a goal, which is part of what `above` says."""

    def speak(self, kind: SpeechKind, text: str, target: Entity | None = None) -> None:
        """Propose the words that end the turn; raises `ToolError` where they may not be said."""


GAME, PLAIN = "game", "plain"
OPENABLE = {
    "projects": "work of many talks",
    "journal": "diary and thoughts",
    "blocks": "notes before your eyes",
    "planning": "goals and rounds",
    "people": "how you stand with somebody",
    "sleep": "rest",
}
"""The kits that the model opens when it needs them, each with what it is for."""
KITS = (PLAIN, *OPENABLE, "night", "unlisted", GAME)
"""Every kit. What is in that of the night, or unlisted, is called by those who know its name: it
does what a plain tool does, by the name that game code and documents have for it."""
Need = Literal["", "solitude", "delegates", "notebook", "six_blocks", "memories", "past", "staff"]
"""What may have to be there for a tool: that nobody is answered, that tasks may be handed on, a
role with a notebook, the six memory blocks, memories that are switched on, those of the game, which
a scene need not inherit, and staff who ask for what others' words in the context forbid."""

ToolFunction = Callable[..., Json | Awaitable[Json]]


@dataclass(slots=True, eq=False)
class Tool:
    """A function that the model may call; where nothing is said of it, it is what is safe."""

    name: str
    description: str
    params: tuple[Param, ...]
    run: ToolFunction
    category: Category = Category.SAFE_CHAIN
    """How a call governs the turn."""
    kit: str = GAME
    """The kit in which the model sees it, see `KITS`; that of a game's own is always open."""
    alone: bool = False
    """Is it seen as well where the character acts of its own accord?"""
    needs: Need = ""
    """Without what it does not exist."""
    reads: bool = False
    """Does it only look something up? Then it leads on, is for fiction, and is not run twice."""
    leads_on: bool = False
    """Is the model asked again after it, though it spoke?"""
    acts: bool = False
    """Does it do something in the world? Where it fails, words after it are held back. What is
    DANGEROUS acts."""
    fiction: bool = False
    """Does it leave no mark on the game or on what the character knows of it? In a scene that is
    only played there are no others."""
    speech: SpeechKind | None = None
    """The kind of speech it makes: it is only offered where that may be heard."""
    permission: str = ""
    """What the character and all whose words are in the context must hold; what is DANGEROUS as
    well is done once the one who asked confirms it."""
    proposes: bool = False
    """Does it put its act before staff by itself, and do no more?"""
    private: bool = False
    """Is what it is given nobody else's to read, in the audit log either?"""
    rule: str = ""
    """A sentence that the instructions say where it is shown."""
    timeout: float = 30.0
    """Seconds after which it is given up."""
    schema: Json = field(init=False, repr=False)
    """The tool as an OpenAI function schema, made once: every step sends it."""
    size: int = field(init=False, repr=False)
    """Characters that its schema takes in a request."""

    def __post_init__(self) -> None:
        """Check what is said of it, and fill in what follows from that."""
        self._check("kit", self.kit, KITS)
        self._check("need", self.needs, get_args(Need))
        self._check("speech", self.speech, (None, *get_args(SpeechKind)))
        dangerous = self.category is Category.DANGEROUS
        if self.reads and (self.acts or self.speech or dangerous):
            raise ConfigurationError(f"Tool {self.name} cannot both only read and act or speak.")
        function: Json = {"name": self.name, "description": self.description}
        function |= {"parameters": parameters_schema(self.params)}
        self.schema = {"type": "function", "function": function}
        self.size = len(json.dumps(self.schema)) + len(", ")
        self.acts = self.acts or dangerous
        self.leads_on = self.leads_on or self.reads
        self.fiction = self.fiction or self.reads

    def _check(self, what: str, given: str | None, known: Sequence[str | None]) -> None:
        if given not in known:
            names = ", ".join(filter(None, known))
            raise ConfigurationError(
                f"Tool {self.name}: there is no {what} '{given}', but {names}."
            )


def tool(
    category: Category = Category.SAFE_CHAIN,
    *,
    about: dict[str, str] | None = None,
    **options: Any,
) -> Callable[[ToolFunction], Tool]:
    """Make a tool of a function: name, description and schema come from the function itself.

    Args:
        category: How the call governs the loop.
        about: One sentence for each parameter.
        **options: Other fields of `Tool`, such as kit, needs, reads, acts, fiction, speech.

    Raises:
        ConfigurationError: A parameter lacks a description or a simple type, or what is said of
            the tool does not exist or contradicts itself.
    """

    def make(function: ToolFunction) -> Tool:
        name = getattr(function, "__name__", "tool")
        description = " ".join((function.__doc__ or "").split())
        if not description:
            raise ConfigurationError(f"Tool {name} needs a docstring: the model reads it.")
        params = read_params(function, about or {})
        return Tool(name, description, params, function, category, **options)

    return make


class ToolRegistry:
    """The tools of a game by name, in the order in which the model sees them."""

    def __init__(self, tools: Iterable[Tool] = ()) -> None:
        self._tools: dict[str, Tool] = {}
        for each in tools:
            self.add(each)

    def add(self, new: Tool) -> None:
        """Register a tool. Raises `ConfigurationError` when its name is taken or it is none."""
        if not isinstance(new, Tool):
            raise ConfigurationError(f"{new!r} is not a tool: decorate it with @tool.")
        if new.name in self._tools:
            raise ConfigurationError(f"There are two tools named '{new.name}'.")
        self._tools[new.name] = new

    def get(self, name: str) -> Tool | None:
        """Return a tool by name."""
        return self._tools.get(name)

    def __iter__(self) -> Iterator[Tool]:
        return iter(self._tools.values())
