"""Tools: what a tool is, what it may reach, and the registry of all of them.

A game adds its own: write a function whose first parameter is the `ToolContext`, decorate it with
`tool`, list it in a module's ``TOOLS``, and name that module in ``AI_ASSISTANT_TOOL_MODULES``.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from ai_assistant.core.contracts import Category, Change, Entity, Event, Json, MemoryRow, SpeechKind
from ai_assistant.core.errors import ConfigurationError
from ai_assistant.core.ports import Clock, Store, Thing, World
from ai_assistant.memory.search.recall import Found
from ai_assistant.tools.schema import Param, ThingKind, parameters_schema, read_params


class Aid(Protocol):
    """What a tool may reach beyond its turn."""

    async def delegate(self, task: str, to: str = "") -> Json:
        """Hand a task to another assistant and wait; raises `ToolError` where that fails."""

    def delegates(self) -> list[Json]:
        """Return who may be given tasks, and why not now."""

    def persona(self) -> Json:
        """Return who the character is, as its persona block has it."""

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

    def may_use(self, name: str) -> bool:
        """May the tool of that name be called here?"""

    def look_up(self, entity_id: str) -> None:
        """Note that what is known of somebody was looked up: what is said may be drawn from it."""

    def outdate(self, rows: Sequence[int]) -> None:
        """Mark rows as replaced by something newer: a search puts them after it."""


class ToolContext(Protocol):
    """What a tool may reach during one turn. Whatever it reads must pass `admit` first."""

    @property
    def me(self) -> Entity:
        """The character itself."""

    @property
    def world(self) -> World:
        """The game."""

    @property
    def store(self) -> Store:
        """The state."""

    @property
    def clock(self) -> Clock:
        """The time."""

    @property
    def trigger(self) -> Event | None:
        """The event that is answered, the first of them; None on an autonomous turn."""

    @property
    def events(self) -> Sequence[Event]:
        """All the events that are answered."""

    @property
    def ceiling(self) -> str:
        """The label of everything that this turn may still say or write."""

    @property
    def scene(self) -> Iterable[Thing]:
        """What the character saw when the turn began."""

    @property
    def aid(self) -> Aid:
        """What lies beyond the turn."""

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

    @property
    def default_memory_action(self) -> str:
        """What the tool `memory` does where the model does not say: append or write."""

    async def recall(self, query: str, k: int, **options: Any) -> list[Found]:
        """Return the memories that answer a query, best first; each is admitted.

        `options` are those of `Index.search`: where, explain, scoring.
        """

    def state(self, part: str, key: str = "") -> Json:
        """Return a part of the state as it will be once this turn is saved.

        What is in it must pass `admit` all the same.
        """

    def change(self, change: Change) -> None:
        """Propose a change; it is written when the turn is saved."""

    def keep(self, row: MemoryRow) -> None:
        """Propose a memory row; it is written when the turn is saved."""

    def audit(self, type: str, data: Json) -> None:
        """Propose an entry of the audit log, under the ceiling."""

    def new_goal_id(self) -> str:
        """Return an id for a goal of this turn that no goal ever had."""

    async def subtasks(self, goal: Json, above: list[str]) -> list[str]:
        """Return three to seven steps towards a goal: a model's, or else by rule.

        `above` says what the goal is part of.
        """

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

ToolFunction = Callable[..., Json | Awaitable[Json]]


@dataclass(frozen=True, slots=True)
class Tool:
    """A function that the model may call, with what governs it.

    `speech` names the kind of speech it makes, so that it is only offered where that may be heard.
    `permission` is a permission of the game that everybody whose words are in the context must
    hold, and the character too. `cacheable` results are reused within the turn. What a `private`
    one is given is nobody else's to read, in the audit log either.

    `kit` names the kit in which the model sees it, see `KITS`: that of a game's own is always open.
    With `alone` it is seen as well when the character acts of its own accord; `by_itself` exists
    only then, and one that `delegates` only where tasks may be handed on. After one that `leads_on`
    the model is asked again, though it spoke; one that `acts` holds back, where it fails, the words
    after it. `fiction` leaves no mark on the game or on what the character knows of it: in a scene
    that is only played there are no others.
    """

    name: str
    description: str
    params: tuple[Param, ...]
    run: ToolFunction
    category: Category = Category.SAFE_CHAIN
    speech: SpeechKind | None = None
    permission: str = ""
    cacheable: bool = False
    private: bool = False
    kit: str = GAME
    alone: bool = False
    by_itself: bool = False
    delegates: bool = False
    leads_on: bool = False
    acts: bool = False
    fiction: bool = False
    timeout: float = 30.0
    _schema: Json = field(init=False, repr=False, compare=False, default_factory=dict)
    size: int = field(init=False, repr=False, compare=False, default=0)
    """Characters of its schema."""

    def __post_init__(self) -> None:
        """Put the schema together once: every step of every turn sends it."""
        if self.kit not in KITS:
            known = ", ".join(KITS)
            raise ConfigurationError(
                f"Tool {self.name}: there is no kit '{self.kit}', but {known}."
            )
        self._schema.update(
            type="function",
            function={
                "name": self.name,
                "description": self.description,
                "parameters": parameters_schema(self.params),
            },
        )
        object.__setattr__(self, "size", len(json.dumps(self._schema)))

    def schema(self) -> Json:
        """Return the tool as an OpenAI function schema, which is not to be changed."""
        return self._schema


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
        **options: Other fields of `Tool`, such as speech, permission, cacheable, kit, fiction.

    Raises:
        ConfigurationError: A parameter lacks a description or a simple type.
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
        for one in tools:
            self.add(one)

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
