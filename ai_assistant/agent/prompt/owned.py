"""What the owner wrote for a prompt: the template, and components with the place of each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ai_assistant.agent.attention import layers
from ai_assistant.agent.prompt.component import PromptComponent, user_components
from ai_assistant.agent.prompt.draft import Place, Row, Section
from ai_assistant.agent.prompt.macros import (
    MEMORIES,
    MacroContext,
    holds_memories,
    partner_of,
    resolve_macros,
)
from ai_assistant.agent.prompt.templates import template_texts
from ai_assistant.agent.turn.turn import Turn
from ai_assistant.core.owner_text import MARK


@dataclass(frozen=True, slots=True)
class Owned:
    """What the owner wrote, as far as this kind of turn shows it."""

    template: str
    """The instructions with their placeholders."""
    components: Sequence[PromptComponent]
    """Those that are switched on, in the order of their ids."""
    context: MacroContext
    """What macros stand for in this turn."""

    @property
    def recalls(self) -> bool:
        """Does any of it say where recalled memories belong?"""
        shown = (part.content for part in self.components if not part.injection_depth)
        return any(map(holds_memories, (self.template, *shown)))


def owned_by(turn: Turn) -> Owned:
    """Return what the owner wrote for a turn of this kind."""
    prompting = turn.store.read("prompt")
    text, native = template_texts(prompting)
    if native and turn.mind.native_tools(turn.mind.config["llm_profile"]):
        text = native
    shown = turn.context.enabled_components
    found = user_components(prompting["components"], turn.mind.macros)
    return Owned(
        template=turn.context.component_overrides.get("system_prompt", text),
        components=[part for part in found if part.enabled and part.follows in shown],
        context=MacroContext(
            me=turn.me,
            scene=turn.surroundings,
            now=turn.clock.now(),
            speaker=turn.trigger.source if turn.trigger else None,
            partner=partner_of(turn.mind.config["user_entity"]),
        ),
    )


def owned_sections(turn: Turn, owned: Owned, recalled: Section | None) -> Iterator[Section]:
    """Yield the owner's components; the memories stand in the first of them that marks a place."""
    waiting = recalled
    for component in owned.components:
        if component.injection_depth:
            continue
        content = component.content
        for place, text in enumerate(_around_memories(content) if waiting else [content]):
            if waiting and place:
                waiting.component, waiting.role = component.id, component.role
                yield from [waiting] if waiting.text else []
                waiting = None
            row = Row(_resolved(turn, owned, text).strip())
            if row.text:
                yield Section([row], key="user", component=component.id, role=component.role,
                              place=_place_of(component))  # fmt: skip


def injected(turn: Turn, owned: Owned) -> list[tuple[PromptComponent, str]]:
    """Return the owner's components that stand within the conversation."""
    return [
        (component, _resolved(turn, owned, component.content))
        for component in owned.components
        if component.injection_depth
    ]


def _place_of(component: PromptComponent) -> Place:
    if component.leads:
        return "lead"
    late = component.role == "system" or component.id > layers.CONVERSATION
    return "tail" if late else "front"


def _around_memories(text: str) -> list[str]:
    """Return what stands before and after the first ``{{memories}}`` of a text."""
    marks = (found for found in MARK.finditer(text) if found["macro"] == MEMORIES)
    first = next(marks, None)
    return [text[: first.start()], text[first.end() :]] if first else [text]


def _resolved(turn: Turn, owned: Owned, text: str) -> str:
    return resolve_macros(text, owned.context, turn.mind.macros, marks={MEMORIES: ""})
