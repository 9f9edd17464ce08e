"""What one request tells the character: who it is, where, with whom, and what was asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from ai_assistant.core.contracts import Json
from ai_assistant.llm.offline.plain_english import overlap

Thing = TypeVar("Thing")
UNSEEN = frozenset(
    "wait add_session_memory drop_goal update_goal decompose_goal go_to_sleep list_projects"
    " create_project update_project swap_project complete_project".split()
)
"""Tools that are called without being seen: where a kit can be opened, it need not be for that."""


@dataclass(frozen=True, slots=True)
class Persona:
    """The persona block; `lore` holds everything else the owner wrote, as (topic, text)."""

    name: str = ""
    role: str = ""
    traits: tuple[str, ...] = ()
    interests: tuple[str, ...] = ()
    home: str = ""
    greeting: tuple[str, ...] = ()
    sayings: tuple[str, ...] = ()
    lore: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Seen:
    """Somebody, an exit or an item in sight, by the handle of this turn.

    `state`, `times` and `last` tell of the one talked to how well they are known, how often they
    met, and when last.
    """

    handle: str = ""
    name: str = ""
    kind: str = "player"
    description: str = ""
    assistant: bool = False
    carried: bool = False
    givable: bool = False
    state: str = "stranger"
    times: int = 0
    last: str = ""

    @property
    def is_person(self) -> bool:
        """A player or another character?"""
        return self.kind not in {"exit", "item"}


@dataclass(frozen=True, slots=True)
class Line:
    """Something said or done: by whom (`who` is a handle where there is one), how, in words."""

    who: str = ""
    name: str = ""
    kind: str = "say"
    text: str = ""
    own: bool = False


@dataclass(frozen=True, slots=True)
class Known:
    """A remembered thing: its words, who said it (if known), and what it is."""

    text: str
    who: str = ""
    kind: str = "utterance"


@dataclass(frozen=True, slots=True)
class Pursued:
    """A goal that the character is after; `next` marks the one to work on first."""

    id: str = ""
    text: str = ""
    progress: float = 0.0
    under: str = ""
    subtasks: str = ""
    kind: str = ""
    project: str = ""
    next: bool = False


@dataclass(frozen=True, slots=True)
class Done:
    """A tool call of this turn with its result."""

    name: str
    ok: bool
    data: Json

    @property
    def text(self) -> str:
        """The result's main sentence, whatever the tool calls it."""
        keys = "description moved set_out gave result text message error reason".split()
        texts = (self.data.get(key) for key in keys)
        return next((text for text in texts if text and isinstance(text, str)), "")


@dataclass(frozen=True, slots=True)
class View:
    """One request, understood. `spoke`: were words spoken in this turn already?"""

    persona: Persona = Persona()
    place: str = ""
    description: str = ""
    time: str = ""
    seen: tuple[Seen, ...] = ()
    partner: Seen = Seen()
    observations: tuple[Known, ...] = ()
    notes: tuple[Known, ...] = ()
    memories: tuple[Known, ...] = ()
    stream: tuple[Line, ...] = ()
    own: tuple[str, ...] = ()
    events: tuple[Line, ...] = ()
    done: tuple[Done, ...] = ()
    spoke: bool = False
    tools: frozenset[str] = frozenset()
    autonomous: bool = False
    occasion: str = ""
    goals: tuple[Pursued, ...] = ()
    project: str = ""
    context: str = ""

    def may(self, tool: str) -> bool:
        """May a tool be called?"""
        return tool in self.tools or (tool in UNSEEN and "open_kit" in self.tools)

    def result(self, tool: str) -> Done | None:
        """Return the last result of a tool in this turn."""
        return next((one for one in reversed(self.done) if one.name == tool), None)

    def succeeded(self, tool: str) -> bool:
        """Did a tool do its work in this turn?"""
        result = self.result(tool)
        return bool(result and result.ok)

    def by_handle(self, handle: str) -> Seen | None:
        """Return what a handle stands for."""
        return next((one for one in self.seen if one.handle == handle), None)

    def of_kind(self, *kinds: str) -> list[Seen]:
        """Return what is in sight and in hand of these kinds; people where none is given."""
        return [one for one in self.seen if (one.kind in kinds if kinds else one.is_person)]


def pick(text: str, among: Sequence[Thing], key: str = "name") -> Thing | None:
    """Return the thing whose name (or other `key`) fits the text best; None where none does."""
    scores = [(overlap(text, getattr(one, key)), one) for one in among]
    best, found = max(scores, key=lambda pair: pair[0], default=(0, None))
    return found if best else None
