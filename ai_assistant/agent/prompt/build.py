"""Building the prompt: the components in order, made of what the turn may use, inside the budget.

What never changes comes first, so that providers cache it; then what changes least, the
conversation, and at last what is of this moment, before the lines that are to be answered. Whatever
is loaded passes `Turn.admit` first, which is where the ceiling sinks. What people said stands on
lines and in quotes that it cannot leave: data with its source, never an instruction.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ai_assistant.agent.attention import layers
from ai_assistant.agent.prompt import block_sections, here, plan_sections, sections
from ai_assistant.agent.prompt.component import PromptComponent, user_components
from ai_assistant.agent.prompt.draft import Draft, Place, Row, Section, merged
from ai_assistant.agent.prompt.fitting import TOOLS_SHARE, fitted, limit, room_of, size_of, withhold
from ai_assistant.agent.prompt.instructions import instructions
from ai_assistant.agent.prompt.lore_section import Lore, lore
from ai_assistant.agent.prompt.macros import (
    MEMORIES,
    MacroContext,
    holds_memories,
    partner_of,
    resolve_macros,
)
from ai_assistant.agent.prompt.measures import calculate_utilization
from ai_assistant.agent.prompt.partner import entity, summaries, talks
from ai_assistant.agent.prompt.recalled import memories
from ai_assistant.agent.prompt.templates import template_texts
from ai_assistant.agent.prompt.window import History, history
from ai_assistant.agent.turn.turn import Turn
from ai_assistant.core.owner_text import MARK


@dataclass(frozen=True, slots=True)
class _Owned:
    """What the owner wrote for this turn: the template's text, and components by what they do."""

    template: str
    components: Sequence[PromptComponent]
    context: MacroContext

    @property
    def recalls(self) -> bool:
        """Does any of it say where recalled memories belong?"""
        shown = (one.content for one in self.components if not one.injection_depth)
        return any(map(holds_memories, (self.template, *shown)))


async def build_prompt(turn: Turn) -> None:
    """Fill `turn.prompt` with the messages that every step of the turn begins with.

    `turn.parts` are the same by component, `turn.sections` the same as data; `turn.utilisation`
    says how much of the budget they would take if nothing gave way, and `turn.withheld` names the
    tools for which there is no room.
    """
    owned = _owned(turn)
    draft = await _drafted(turn, owned)
    room = room_of(turn)
    offered = turn.offered()
    kept = withhold(turn, offered, int(room * TOOLS_SHARE))
    limit(draft)
    turn.utilisation = calculate_utilization(draft.size() + size_of(offered), room)
    turn.parts = tuple(fitted(draft, room - size_of(kept)))
    turn.sections = draft.data()
    turn.prompt = merged(part for _, part in turn.parts)


def _owned(turn: Turn) -> _Owned:
    prompting = turn.store.read("prompt")
    text, native = template_texts(prompting)
    if native and turn.mind.native_tools(turn.mind.config["llm_profile"]):
        text = native
    text = turn.context.component_overrides.get("system_prompt", text)
    shown = turn.context.enabled_components
    found = user_components(prompting["components"], turn.mind.macros)
    return _Owned(
        template=text,
        components=[one for one in found if one.enabled and one.follows in shown],
        context=MacroContext(
            me=turn.me,
            scene=turn.surroundings,
            now=turn.clock.now(),
            speaker=turn.trigger.source if turn.trigger else None,
            partner=partner_of(turn.mind.config["user_entity"]),
        ),
    )


async def _drafted(turn: Turn, owned: _Owned) -> Draft:
    """Return everything that is to be told, each component where its id puts it."""
    draft = await _built_in(turn, owned)
    recalled = next((one for one in draft.sections if one.key == "memories"), None)
    placed = list(_placed(turn, owned, recalled))
    ours = [one for one in draft.sections if not any(one is other for other in placed)]
    draft.sections = [*ours, *placed]
    if layers.CONVERSATION in turn.context.enabled_components:
        deep = (one for one in owned.components if one.injection_depth)
        draft.injected[:0] = [(one, _resolved(turn, owned, one.content)) for one in deep]
    return draft


async def _built_in(turn: Turn, owned: _Owned) -> Draft:
    """Return our own components, as far as this context type shows them."""
    loaded = talks(turn)
    shown = turn.context.enabled_components
    made: list[Section] = []
    said, told = History(), Lore()
    if layers.INSTRUCTIONS in shown:
        made.append(instructions(turn, owned.template, owned.context))
    if layers.PERSONA in shown:
        made += _of_itself(turn, owned)
    if layers.CONVERSATION in shown:
        said = history(turn, loaded)
        turn.shown = frozenset(one["id"] for one in said.entries)
        made.append(summaries(turn, loaded, said))
    if layers.ENTITY in shown:
        made += [entity(turn, loaded, said), *block_sections.drawn(turn, block_sections.about)]
    if layers.KNOWLEDGE in shown:
        told = lore(turn, said.entries, owned.context)
        made += [*block_sections.knowledge(turn), *told.sections]
    made += [plan_sections.goals(turn)] if layers.GOALS in shown else []
    if layers.MEMORIES in shown and turn.mind.config["memory_enabled"] and owned.recalls:
        made.append(await memories(turn, said, made, told.keys))
    made += [sections.question(turn)] if layers.EVENT in shown else []
    return Draft(made, said.window, told.injected)


def _of_itself(turn: Turn, owned: _Owned) -> list[Section]:
    """Return who the character is, what it keeps at hand, and where it is."""
    made = [sections.persona(turn, owned.context)]
    made += [sections.guided(turn), sections.learned(turn), sections.noted(turn)]
    made += [plan_sections.project(turn), *block_sections.drawn(turn, block_sections.status)]
    return [*made, here.now(turn), here.seen(turn)]


def _placed(turn: Turn, owned: _Owned, recalled: Section | None) -> Iterator[Section]:
    """Yield the owner's components; the memories stand in the first of them that marks a place."""
    waiting = recalled
    for one in owned.components:
        if one.injection_depth:
            continue
        texts = _around_memories(one.content) if waiting else [one.content]
        rows = [_resolved(turn, owned, text).strip() for text in texts]
        made = [
            Section("user", one.id, [Row(row)], role=one.role, place=_place_of(one)) for row in rows
        ]
        if waiting and len(made) > 1:
            waiting.component, waiting.role = one.id, one.role
            made.insert(1, waiting)
            waiting = None
        yield from (section for section in made if section.text)


def _place_of(one: PromptComponent) -> Place:
    if one.leads:
        return "lead"
    late = one.role == "system" or one.id > layers.CONVERSATION
    return "tail" if late else "front"


def _around_memories(text: str) -> list[str]:
    """Return what stands before and after the first ``{{memories}}`` of a text."""
    marks = (found for found in MARK.finditer(text) if found["macro"] == MEMORIES)
    first = next(marks, None)
    return [text[: first.start()], text[first.end() :]] if first else [text]


def _resolved(turn: Turn, owned: _Owned, text: str) -> str:
    return resolve_macros(text, owned.context, turn.mind.macros, marks={MEMORIES: ""})
