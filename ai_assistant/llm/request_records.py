"""What a request tells the character, as the records from which the offline model answers."""

from __future__ import annotations

from dataclasses import dataclass

from ai_assistant.core.contracts import Json
from ai_assistant.language.words import sentences
from ai_assistant.memory.people.feelings import FIRST_IMPRESSION

UNSEEN = frozenset(
    "wait find_way add_session_memory drop_goal decompose_goal go_to_sleep list_projects"
    " create_project".split()
)
"""Tools that are called without being seen: where a kit can be opened, it need not be for that."""


@dataclass(frozen=True, slots=True)
class Done:
    """A tool call of this turn with its result."""

    name: str
    """The tool's name."""
    ok: bool
    """Did it do what was asked?"""
    data: Json
    """What it returned."""

    @property
    def text(self) -> str:
        """The result's main sentence, whatever the tool calls it."""
        keys = "description moved set_out gave result text message error reason".split()
        texts = (self.data.get(key) for key in keys)
        return next((text for text in texts if text and isinstance(text, str)), "")


@dataclass(frozen=True, slots=True)
class Remark:
    """Something said, done or remembered."""

    who: str = ""
    """The handle of who said it in this turn's prompt; empty where it has none."""
    name: str = ""
    """The name of who said it; of the owner's lore the topic; empty for nobody's word."""
    kind: str = "say"
    """How it was said, such as "say", or what it is, such as "note", "lore" or "place"."""
    text: str = ""
    """The words, on one line."""
    own: bool = False
    """Is it the character's own?"""
    perhaps: bool = False
    """May it have been for somebody else?"""
    day: int = 0
    """The day of the story; 0 outside of one."""
    of: str = ""
    """How the account begins that it is a line of, where it was played."""


@dataclass(frozen=True, slots=True)
class Persona:
    """The persona block."""

    name: str = ""
    """The character's name."""
    role: str = ""
    """What it is, such as an innkeeper."""
    traits: tuple[str, ...] = ()
    """How it is, each in a word or two, in small letters."""
    interests: tuple[str, ...] = ()
    """What it likes."""
    home: str = ""
    """Where it lives."""
    greeting: tuple[str, ...] = ()
    """How it greets."""
    sayings: tuple[str, ...] = ()
    """What it likes to say."""
    lore: tuple[Remark, ...] = ()
    """Everything else that the owner wrote, each text named by its topic."""


@dataclass(frozen=True, slots=True)
class Seen:
    """Somebody, an exit or an item in sight; `state` to `favorability` say how well known."""

    handle: str = ""
    """How the prompt names it, such as p1, x1 or o1."""
    name: str = ""
    """Its name."""
    kind: str = "player"
    """"player" or another kind of person, "exit" or "item"."""
    description: str = ""
    """What it looks like; of an exit, where it leads."""
    assistant: bool = False
    """Is it another assistant?"""
    carried: bool = False
    """Does the character carry it?"""
    givable: bool = False
    """May the character give it away?"""
    state: str = "stranger"
    """The relationship, such as stranger or friend."""
    times: int = 0
    """How often they have met."""
    last: str = ""
    """When they met last, as the prompt says it; empty for never."""
    favorability: float = FIRST_IMPRESSION
    """How much the character likes them."""


@dataclass(frozen=True, slots=True)
class Pursued:
    """A goal that the character is after."""

    goal: str = ""
    """The goal's id."""
    description: str = ""
    """What is to be reached."""
    progress: float = 0.0
    """How much of it is done, in percent."""
    under: str = ""
    """The id of the goal that it is a part of; empty for none."""
    subtasks: str = ""
    """The goals under it, in words."""
    kind: str = ""
    """What kind of goal it is; empty for a usual one."""
    project: str = ""
    """The project that it belongs to; empty for none."""
    next: bool = False
    """Is it the one to work on first?"""


@dataclass(frozen=True, slots=True)
class RequestView:
    """What one request tells the character."""

    persona: Persona = Persona()
    """Who the character is."""
    place: str = ""
    """The name of the place where it is."""
    description: str = ""
    """What the place looks like."""
    time: str = ""
    """The time of the game, as the prompt says it."""
    game_day: int = 0
    """The day of the game or the story; 0 where none is counted."""
    people: tuple[Seen, ...] = ()
    """Who is in sight."""
    exits: tuple[Seen, ...] = ()
    """The ways out of here."""
    items: tuple[Seen, ...] = ()
    """The things here and those it carries."""
    partner: Seen = Seen()
    """Whom it talks with, and how well they know each other."""
    observations: tuple[Remark, ...] = ()
    """What it knows of the one it talks with."""
    memories: tuple[Remark, ...] = ()
    """What else the prompt recalls: notes, knowledge, earlier lines."""
    stream: tuple[Remark, ...] = ()
    """What others said and did before, oldest first."""
    own: tuple[str, ...] = ()
    """What it said itself before, oldest first."""
    events: tuple[Remark, ...] = ()
    """The lines that are to be answered."""
    done: tuple[Done, ...] = ()
    """The tool calls of this turn that have a result, in order."""
    spoke: bool = False
    """Did it say anything in this turn already?"""
    on_channel: bool = False
    """Is it answered where many read along? Only what was said there may be said again."""
    tools: frozenset[str] = frozenset()
    """The names of the tools that it may call."""
    autonomous: bool = False
    """Does it act on its own, with nobody to answer?"""
    occasion: str = ""
    """Why it acts on its own, in a word; empty for no special reason."""
    goals: tuple[Pursued, ...] = ()
    """The open goals, in the order of the prompt."""
    project: str = ""
    """The project that it works on; empty for none."""

    @property
    def knowledge(self) -> list[Remark]:
        """What is known and nobody's word: the persona's lore, what was learned, the place."""
        scene = [Remark(text=text, kind="place") for text in sentences(self.description)]
        held = [item for item in self.memories if not (item.name or item.of)]
        return [*self.persona.lore, *held, *scene]

    def may(self, tool: str) -> bool:
        """May a tool be called?"""
        return tool in self.tools or (tool in UNSEEN and "open_kit" in self.tools)

    def result(self, tool: str) -> Done | None:
        """Return the last result of a tool in this turn."""
        return next((done for done in reversed(self.done) if done.name == tool), None)

    def succeeded(self, tool: str) -> bool:
        """Did a tool do its work in this turn?"""
        return (done := self.result(tool)) is not None and done.ok

    @property
    def carried(self) -> list[Seen]:
        """The things that the character carries."""
        return [item for item in self.items if item.carried]

    @property
    def lying(self) -> list[Seen]:
        """The things here that it does not carry."""
        return [item for item in self.items if not item.carried]
