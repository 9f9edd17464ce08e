"""An errand: what one assistant asks of another, its answer, and the port over which both go."""

from __future__ import annotations

from collections.abc import Awaitable, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from ai_assistant.core.contracts import Entity, Event, Json
from ai_assistant.core.errors import ToolError
from ai_assistant.core.readers import Audience
from ai_assistant.memory.importance import OWN
from ai_assistant.memory.talk.hearsay import FICTION

ERRAND_SECONDS = 90.0
"""Seconds that an errand may take, those that follow from it included."""
MAX_DEPTH = 3
"""Assistants that may hand the same errand on, one after the other."""
LONGEST_ANSWER = 4000
ASKED = "asked"
"""The rule by which a delegate answers it."""


@dataclass(frozen=True, slots=True)
class Errand:
    """A task on its way, with everything that bounds it."""

    id: str
    """Twelve hexadecimal digits, minted for it."""
    task: str
    """What to do, in words."""
    requester: Entity
    """Who gave it: an assistant, or whoever asked by command."""
    at: float
    """When it was given, in seconds since the epoch."""
    audience: Audience
    """Only what all of these may read is used for it."""
    ceiling: str
    """The widest label of what is written."""
    roots: tuple[str, ...]
    """The events whose energy pays for it."""
    authors: frozenset[str] = frozenset()
    """Those who have a say in which tools are permitted."""
    chain: tuple[str, ...] = ()
    """The ids of the assistants through whose hands it went."""
    insulation: Literal["none", "orchestrator", "delegate"] = "orchestrator"
    """How much of the requester's mind the delegate is told."""
    briefing: tuple[Json, ...] = ()
    """What the delegate is told beside the task."""
    session: str = ""
    """The scene of its requester, within which it is done; empty for none."""
    day: int = 0
    """The day of that scene."""
    played: bool = False
    """Is it only played there, and so for the delegate?"""

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
            addressing=ASKED,
            root=self.roots[0] if self.roots else "",
            by_assistant=self.requester.kind == "npc",
            requires_response=True,
            session=self.session,
            game_day=self.day,
            metadata={FICTION: True} if self.played else {},
        )


@dataclass(frozen=True, slots=True)
class ErrandAnswer:
    """What a delegate answered."""

    text: str
    """The last words of the delegate's turn."""
    ceiling: str
    """The label of those who may read it."""
    authors: frozenset[str]
    """Those whose words it was made of."""
    steps: int = 0
    """Model steps that it took."""
    tokens: int = 0
    """What those cost."""
    played: bool = False
    """Is it part of a play, or made of one?"""


@dataclass(frozen=True, slots=True)
class Delegate:
    """An assistant that may be given errands."""

    id: str
    """The id of the character."""
    name: str
    """By which the model names it."""
    about: str = ""
    """Its role and interests, in words."""
    hindrance: str = ""
    """Why not now; empty where it may."""


class Delegates(Protocol):
    """How one assistant reaches those to whom it may hand tasks."""

    def known(self) -> Sequence[Delegate]:
        """Everybody with the configured tag, but the assistant itself."""

    def running(self) -> int:
        """How many errands of this assistant are in other hands right now."""

    def send(self, delegate_id: str, errand: Errand) -> Awaitable[ErrandAnswer]:
        """Have an errand done. Raises `ToolError` where the delegate cannot, or was interrupted."""


class Nobody:
    """Implements `Delegates` where there is nobody to hand anything to."""

    def known(self) -> Sequence[Delegate]:
        """Nobody."""
        return ()

    def running(self) -> int:
        """None."""
        return 0

    def send(self, delegate_id: str, errand: Errand) -> Awaitable[ErrandAnswer]:
        """Refuse."""
        raise ToolError("There is nobody to whom you could hand that.")
