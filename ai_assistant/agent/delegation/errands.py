"""An errand: what one assistant asks of another, its answer, and the port over which both go."""

from __future__ import annotations

from collections.abc import Awaitable, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from ai_assistant.core.contracts import Entity, Event, Json
from ai_assistant.core.errors import ToolError
from ai_assistant.core.importance import OWN
from ai_assistant.core.readers import Audience
from ai_assistant.memory.talk.hearsay import FICTION

Insulation = Literal["none", "orchestrator", "delegate"]
ERRAND_SECONDS = 90.0
"""Seconds that an errand may take, those that follow from it included."""
MAX_DEPTH = 3
"""Assistants that may hand the same errand on, one after the other."""
LONGEST_ANSWER = 4000


@dataclass(frozen=True, slots=True)
class Errand:
    """A task on its way, with everything that bounds it.

    `chain` are the ids of the assistants through whose hands it went. Everybody in `authors` has a
    say in which tools are permitted. Only what all of `audience` may read is used for it, and what
    is written gets at most the label `ceiling`. `roots` pay for it. `briefing` is what the
    delegate is told beside the task. It is done within the scene `session` of its requester, and
    what is only `played` there is so for the delegate.
    """

    id: str
    task: str
    requester: Entity
    at: float
    audience: Audience
    ceiling: str
    roots: tuple[str, ...]
    authors: frozenset[str] = frozenset()
    chain: tuple[str, ...] = ()
    insulation: Insulation = "orchestrator"
    briefing: tuple[Json, ...] = ()
    session: str = ""
    day: int = 0
    played: bool = False

    def as_event(self) -> Event:
        """Return the errand as what the delegate perceives of it."""
        return Event(
            id=f"errand-{self.id}",
            timestamp=self.at,
            event_type="external",
            source=self.requester,
            source_type="system",
            content=self.task,
            importance=OWN,
            readers=self.ceiling,
            root=self.roots[0] if self.roots else "",
            by_assistant=self.requester.kind == "npc",
            requires_response=True,
            session=self.session,
            game_day=self.day,
            metadata={FICTION: True} if self.played else {},
        )


@dataclass(frozen=True, slots=True)
class Answer:
    """What a delegate answered: its words, who may read them, and whose words they were made of.

    `played`: are they part of a play, or made of one?
    """

    text: str
    ceiling: str
    authors: frozenset[str]
    steps: int = 0
    tokens: int = 0
    played: bool = False


@dataclass(frozen=True, slots=True)
class Delegate:
    """An assistant that may be given errands; `hindrance` says why not now, empty where it may."""

    id: str
    name: str
    about: str = ""
    hindrance: str = ""


class Delegates(Protocol):
    """How one assistant reaches those to whom it may hand tasks."""

    def known(self) -> Sequence[Delegate]:
        """Everybody with the configured tag, but the assistant itself."""

    def running(self) -> int:
        """How many errands of this assistant are in other hands right now."""

    def send(self, delegate_id: str, errand: Errand) -> Awaitable[Answer]:
        """Have an errand done. Raises `ToolError` where the delegate cannot, or was interrupted."""


class Nobody:
    """Implements `Delegates` where there is nobody to hand anything to."""

    def known(self) -> Sequence[Delegate]:
        """Nobody."""
        return ()

    def running(self) -> int:
        """None."""
        return 0

    def send(self, delegate_id: str, errand: Errand) -> Awaitable[Answer]:
        """Refuse."""
        raise ToolError("There is nobody to whom you could hand that.")
