"""The table of sections: what stands in a prompt, who makes it, its budget, and what gives way.

A new section is one entry here. Every field without a default has to be said: an entry that forgets
one, or that shares its turn of giving way with another, does not load.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property

from ai_assistant.agent.attention import layers
from ai_assistant.agent.prompt import block_sections, here, plan_sections, sections
from ai_assistant.agent.prompt.draft import Place, Section
from ai_assistant.agent.prompt.lore_section import LORE_TOKENS, Lore, lore
from ai_assistant.agent.prompt.owned import Owned, instructions
from ai_assistant.agent.prompt.partner import entity, summaries, talks
from ai_assistant.agent.prompt.recalled import memories
from ai_assistant.agent.prompt.window import History, history
from ai_assistant.agent.turn.turn import Turn
from ai_assistant.core.contracts import Json


@dataclass
class Sources:
    """What sections are made of; what is admitted sinks the ceiling, so each is loaded once."""

    turn: Turn
    owned: Owned
    room: int
    """Characters that the request may have, its tools included."""
    made: list[Section] = field(default_factory=list)
    """The sections made so far, in the order of the table."""

    def __post_init__(self) -> None:
        """Load the conversations with the one talked to, before anything else."""
        self.talks: list[Json] = talks(self.turn)

    def shows(self, component: int) -> bool:
        """Does this kind of turn show that component?"""
        return component in self.turn.context.enabled_components

    @cached_property
    def said(self) -> History:
        """What was said before, where the conversation is shown."""
        if not self.shows(layers.CONVERSATION):
            return History()
        found = history(self.turn, self.talks)
        self.turn.shown = frozenset(entry["id"] for entry in found.entries)
        return found

    @cached_property
    def lore(self) -> Lore:
        """What lorebooks say to that, where knowledge is shown."""
        if not self.shows(layers.KNOWLEDGE):
            return Lore()
        return lore(self.turn, self.said.entries, self.owned.context, self.room)

    @property
    def recalls(self) -> bool:
        """Are memories to be recalled, and is there a place for them?"""
        return bool(self.turn.mind.config["memory_enabled"]) and self.owned.recalls


Made = Section | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SectionKind:
    """One entry: a section of the prompt."""

    key: str
    """What it is called wherever sections are told apart; entries of one key share a budget."""
    make: Callable[[Sources], Made | Awaitable[Made]] | None
    """Makes it, or nothing; None where its sections come from elsewhere."""
    component: int
    """The component with which it is switched on, and by whose id it is ordered."""
    place: Place
    """Where it stands."""
    most: int | None
    """Tokens that it may take, however much room there is; None for no limit of its own."""
    gives_way: int | None
    """Its turn where there is too little room, the lowest first; None for never."""
    is_user: bool = False
    """Is it told as the user's words, not the system's?"""
    by_hand: bool = False
    """May people have written its data by hand, so that reading it may fail?"""


STREAM = "stream"
SECTIONS: tuple[SectionKind, ...] = (
    SectionKind(
        key="instructions", component=layers.INSTRUCTIONS, place="lead", most=None, gives_way=None,
        make=lambda at: instructions(at.turn, at.owned.template, at.owned.context),
    ),
    SectionKind(
        key="persona", component=layers.PERSONA, place="lead", most=None, gives_way=None,
        make=lambda at: sections.persona(at.turn, at.owned.context),
    ),
    SectionKind(
        key="guided", component=layers.PERSONA, place="head", most=None, gives_way=None,
        make=lambda at: sections.guided(at.turn),
    ),
    SectionKind(
        key="learned", component=layers.PERSONA, place="head", most=250, gives_way=30,
        make=lambda at: sections.learned(at.turn),
    ),
    SectionKind(
        key="notebook", component=layers.PERSONA, place="head", most=300, gives_way=40,
        make=lambda at: sections.noted(at.turn),
    ),
    SectionKind(
        key="project", component=layers.PERSONA, place="head", most=200, gives_way=80,
        make=lambda at: plan_sections.project(at.turn),
    ),
    SectionKind(
        key="status", component=layers.PERSONA, place="tail", most=None, gives_way=None,
        make=lambda at: block_sections.status(at.turn), by_hand=True,
    ),
    SectionKind(
        key="now", component=layers.PERSONA, place="tail", most=None, gives_way=None,
        make=lambda at: here.now(at.turn),
    ),
    SectionKind(
        key="seen", component=layers.PERSONA, place="tail", most=300, gives_way=120,
        make=lambda at: here.seen(at.turn),
    ),
    SectionKind(
        key="summary", component=layers.CONVERSATION, place="head", most=1600, gives_way=110,
        make=lambda at: summaries(at.turn, at.talks, at.said),
    ),
    SectionKind(
        key=STREAM, component=layers.CONVERSATION, place="talk", most=None, gives_way=100,
        make=None,
    ),
    SectionKind(
        key="entity", component=layers.ENTITY, place="tail", most=300, gives_way=130,
        make=lambda at: entity(at.turn, at.talks, at.said),
    ),
    SectionKind(
        key="entity", component=layers.ENTITY, place="tail", most=300, gives_way=130,
        make=lambda at: block_sections.about(at.turn), by_hand=True,
    ),
    SectionKind(
        key="lore", component=layers.KNOWLEDGE, place="lead", most=LORE_TOKENS, gives_way=20,
        make=lambda at: at.lore.always,
    ),
    SectionKind(
        key="lore", component=layers.KNOWLEDGE, place="tail", most=LORE_TOKENS, gives_way=20,
        make=lambda at: at.lore.now,
    ),
    SectionKind(
        key="world", component=layers.KNOWLEDGE, place="head", most=250, gives_way=60,
        make=lambda at: block_sections.world(at.turn), by_hand=True,
    ),
    SectionKind(
        key="social", component=layers.KNOWLEDGE, place="head", most=150, gives_way=50,
        make=lambda at: block_sections.social(at.turn), by_hand=True,
    ),
    SectionKind(
        key="blocks", component=layers.KNOWLEDGE, place="head", most=200, gives_way=70,
        make=lambda at: block_sections.custom(at.turn), by_hand=True,
    ),
    SectionKind(
        key="goals", component=layers.GOALS, place="head", most=300, gives_way=90,
        make=lambda at: plan_sections.goals(at.turn),
    ),
    SectionKind(
        key="memories", component=layers.MEMORIES, place="tail", most=350, gives_way=10,
        make=lambda at: (
            memories(at.turn, at.said, at.made, at.lore.keys) if at.recalls else None
        ),
    ),
    SectionKind(
        key="event", component=layers.EVENT, place="tail", most=None, gives_way=None,
        make=lambda at: sections.question(at.turn), is_user=True,
    ),
    SectionKind(
        key="user", component=layers.PERSONA, place="tail", most=1000, gives_way=140, make=None,
    ),
)  # fmt: skip
"""In the order in which they are made, which is also that of sections of one component. The owner's
components (`user`) say themselves where they stand."""


def giving_way(kinds: Iterable[SectionKind]) -> list[str]:
    """Return the keys of what gives way, the first to do so first.

    Raises `ValueError` where two keys have the same turn, or entries of one key do not agree.
    """
    turns: dict[int, SectionKind] = {}
    budgets: dict[str, tuple[int | None, int | None]] = {}
    for kind in kinds:
        budget = (kind.most, kind.gives_way)
        if budgets.setdefault(kind.key, budget) != budget:
            raise ValueError(f"The entries of '{kind.key}' do not agree on what it may take.")
        if kind.gives_way is not None and turns.setdefault(kind.gives_way, kind).key != kind.key:
            raise ValueError(f"'{kind.key}' gives way in the turn of another.")
    return [turns[turn].key for turn in sorted(turns)]


giving_way(SECTIONS)  # raises while loading
