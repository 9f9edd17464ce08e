"""Tools: what a tool is, and the registry of all of them."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any, Literal, get_args

from ai_assistant.core.contracts import Category, Json, SpeechKind
from ai_assistant.core.errors import ConfigurationError
from ai_assistant.tools.schema import Param, parameters_schema, read_params

GAME, PLAIN = "game", "plain"
OPENABLE = {
    "projects": "work of many talks",
    "journal": "diary and thoughts",
    "blocks": "notes before your eyes",
    "planning": "goals, and rounds where you make them",
    "people": "how you stand with somebody",
    "sleep": "rest",
}
"""The kits that the model opens when it needs them, each with what it is for."""
KITS = (PLAIN, *OPENABLE, "night", "unlisted", GAME)
"""Every kit. What is in that of the night, or unlisted, is called by those who know its name: it
does what a plain tool does, by the name that game code and documents have for it."""
Need = Literal[
    "",
    "solitude",
    "delegates",
    "notebook",
    "six_blocks",
    "memories",
    "past",
    "agenda",
    "staff",
    "ground",
    "ways",
]
"""What may have to be there for a tool: that nobody is answered, that tasks may be handed on, a
role with a notebook, the six memory blocks, memories that are switched on, those of the game, its
goals and projects, staff who ask for what others' words in the context forbid, something to act on:
the game, or things and places of the story that is played, and another place of it to go to. A
scene need not inherit what is of the game."""

ToolFunction = Callable[..., Json | Awaitable[Json]]


@dataclass(slots=True, eq=False)
class Tool:
    """A function that the model may call; where nothing is said of it, it is what is safe."""

    name: str
    """That of the function."""
    description: str
    """What the model reads of it: the docstring."""
    params: tuple[Param, ...]
    """What the model has to give."""
    run: ToolFunction
    """The function; its first argument is the turn."""
    category: Category = Category.SAFE_CHAIN
    """How a call governs the turn."""
    kit: str = GAME
    """The kit in which the model sees it, see `KITS`; that of a game's own is always open."""
    alone: bool = False
    """Is it seen as well where the character acts on its own?"""
    needs: Need = ""
    """Without what it does not exist."""
    reads: bool = False
    """Does it only look something up? Then it leads on, is for fiction, and is not run twice."""
    leads_on: bool = False
    """Is the model asked again after it, though it spoke?"""
    acts: bool = False
    """Does it do something in the world? Where it fails, words after it are held back. What is
    DANGEROUS acts."""
    walks: bool = False
    """Would it lead the character away from its place? Who keeps that does so in a story only."""
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
    category: Category = Category.SAFE_CHAIN, *, about: dict[str, str] | None = None, **options: Any
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


def tools_in(*modules: ModuleType) -> list[Tool]:
    """Return every tool of these modules in the order of their lines, imported ones too."""
    names = (value for module in modules for value in vars(module).values())
    return [value for value in names if isinstance(value, Tool)]


class ToolRegistry(dict[str, Tool]):
    """The tools of a game by name, in the order in which the model sees them."""

    def __init__(self, tools: Iterable[Tool] = ()) -> None:
        super().__init__()
        for each in tools:
            self.add(each)

    def add(self, new: Tool) -> None:
        """Register a tool. Raises `ConfigurationError` when its name is taken or it is none."""
        if not isinstance(new, Tool):
            raise ConfigurationError(f"{new!r} is not a tool: decorate it with @tool.")
        if new.name in self:
            raise ConfigurationError(f"There are two tools named '{new.name}'.")
        self[new.name] = new
