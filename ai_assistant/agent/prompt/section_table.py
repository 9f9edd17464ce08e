"""The table of sections: what stands in a prompt, who makes it, its budget, and what gives way.

A new section is one entry here. Every field without a default has to be said: an entry that forgets
one, or that shares its turn of giving way with another, does not load.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property

from ai_assistant.agent.attention import layers
from ai_assistant.agent.prompt import block_sections, here, plan_sections, sections
from ai_assistant.agent.prompt.draft import Place, Section
from ai_assistant.agent.prompt.lore_section import LORE_TOKENS, Lore, lore
from ai_assistant.agent.prompt.owned import Owned, instructions
from ai_assistant.agent.prompt.partner import entity, summaries
from ai_assistant.agent.prompt.recalled import memories
from ai_assistant.agent.prompt.window import History, history
from ai_assistant.agent.turn.turn import Turn
from ai_assistant.core.contracts import Json
from ai_assistant.core.ports import States
from ai_assistant.memory.blocks.old_blocks import SIX, THREE


@dataclass
class Sources:
    """What sections are made of; what is admitted sinks the ceiling, so each is loaded once."""

    turn: Turn
    """The turn whose prompt it is."""
    owned: Owned
    """What the owner wrote for it."""
    room: int
    """Characters that the request may have, its tools included."""
    talks: Sequence[Json]
    """The conversations with the one talked to, loaded before anything else."""
    made: list[Section] = field(default_factory=list)
    """The sections made so far, in the order of the table."""

    @cached_property
    def blocks(self) -> States:
        """The memory blocks, read together."""
        return self.turn.store.blocks()

    @cached_property
    def said(self) -> History:
        """What was said before, where the conversation is shown."""
        if layers.CONVERSATION not in self.turn.context.enabled_components:
            return History()
        return history(self.turn, self.talks)

    @cached_property
    def lore(self) -> Lore:
        """What lorebooks say to that, where knowledge is shown."""
        if layers.KNOWLEDGE not in self.turn.context.enabled_components:
            return Lore()
        said = [line.entry for line in self.said.window]
        return lore(self.turn, said, self.owned.context, self.room)


Made = Section | None


@dataclass(frozen=True, slots=True)
class SectionKind:
    """One entry: a section of the prompt."""

    key: str
    """What it is called wherever sections are told apart; entries of one key share a budget."""
    component: int
    """The component with which it is switched on, and by whose id it is ordered."""
    place: Place
    """Where it stands."""
    most: int | None
    """Tokens that it may take, however much room there is; None for no limit of its own."""
    gives_way: int | None
    """Its turn where there is too little room, the lowest first; None for never."""
    make: Callable[[Sources], Made | Awaitable[Made]] | None
    """Makes it, or nothing; None where its sections come from elsewhere."""
    is_user: bool = False
    """Is it told as the user's words, not the system's?"""
    by_hand: bool = False
    """May people have written its data by hand, so that reading it may fail?"""
    layout: str = ""
    """The layout of memory blocks that has it; empty for any."""
    part: str = ""
    """The part of the state that it tells of: it is not made where that was never filled."""
    of_life: bool = False
    """Is it of the game, so that a scene that does not inherit that is without it?"""


STREAM = "stream"
SECTIONS: tuple[SectionKind, ...] = (
    SectionKind("instructions", layers.INSTRUCTIONS, "lead", None, None,
                lambda at: instructions(at.turn, at.owned.template, at.owned.context)),
    SectionKind("persona", layers.PERSONA, "lead", None, None,
                lambda at: sections.persona(at.turn, at.owned.context)),
    SectionKind("guided", layers.PERSONA, "head", None, None,
                lambda at: sections.guided(at.turn), part="guidelines"),
    SectionKind("learned", layers.PERSONA, "head", 250, 30,
                lambda at: sections.learned(at.turn), part="session", of_life=True),
    SectionKind("notebook", layers.PERSONA, "head", 300, 40,
                lambda at: sections.notebook_lines(at.turn), part="notebook", of_life=True),
    SectionKind("project", layers.PERSONA, "head", 200, 80,
                lambda at: plan_sections.project(at.turn), part="projects", of_life=True),
    SectionKind("status", layers.PERSONA, "tail", None, None,
                lambda at: block_sections.status_now(at.turn, at.blocks), by_hand=True, layout=SIX),
    SectionKind("now", layers.PERSONA, "tail", None, None,
                lambda at: here.now(at.turn)),
    SectionKind("seen", layers.PERSONA, "tail", 300, 120,
                lambda at: here.seen(at.turn)),
    SectionKind("summary", layers.CONVERSATION, "head", 1600, 110,
                lambda at: (summaries(at.turn, at.said)
                            if at.said.talks or at.said.earlier or at.said.older else None)),
    SectionKind(STREAM, layers.CONVERSATION, "talk", None, 100, None),
    SectionKind("entity", layers.ENTITY, "tail", 300, 130,
                lambda at: entity(at.turn, at.talks, at.said), of_life=True),
    SectionKind("entity", layers.ENTITY, "tail", 300, 130,
                lambda at: block_sections.about_them(at.turn), by_hand=True, layout=THREE,
                of_life=True),
    SectionKind("lore", layers.KNOWLEDGE, "lead", LORE_TOKENS, 20,
                lambda at: at.lore.always),
    SectionKind("lore", layers.KNOWLEDGE, "tail", LORE_TOKENS, 20,
                lambda at: at.lore.now),
    SectionKind("world", layers.KNOWLEDGE, "head", 250, 60,
                lambda at: block_sections.world(at.turn, at.blocks), by_hand=True, of_life=True),
    SectionKind("social", layers.KNOWLEDGE, "head", 150, 50,
                lambda at: block_sections.social(at.turn, at.blocks, at.said), by_hand=True,
                layout=SIX, of_life=True),
    SectionKind("blocks", layers.KNOWLEDGE, "head", 200, 70,
                lambda at: block_sections.custom(at.turn, at.blocks), by_hand=True, layout=SIX,
                of_life=True),
    SectionKind("goals", layers.GOALS, "head", 300, 90,
                lambda at: plan_sections.goals(at.turn), of_life=True),
    SectionKind("memories", layers.MEMORIES, "tail", 350, 10,
                lambda at: (memories(at.turn, at.said, at.made, at.lore.keys)
                            if at.owned.recalls else None)),
    SectionKind("staff_notes", layers.EVENT, "head", None, None,
                lambda at: sections.staff_notes(at.turn), part="staff_notes"),
    SectionKind("event", layers.EVENT, "tail", None, None,
                lambda at: sections.question(at.turn, at.said), is_user=True),
    SectionKind("user", layers.PERSONA, "tail", 1000, 140, None),
)  # fmt: skip
"""In the order in which they are made, which is also that of sections of one component. The owner's
components (`user`) say themselves where they stand."""


@cache
def giving_way(kinds: tuple[SectionKind, ...]) -> list[str]:
    """Return the keys in the order of giving way; raises `ValueError` where entries clash."""
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
