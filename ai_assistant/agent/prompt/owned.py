"""What the owner wrote for a prompt: the template filled in (0), and components in their places."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ai_assistant.agent.attention import layers
from ai_assistant.agent.config import OPTIONS
from ai_assistant.agent.prompt.component import PromptComponent, user_components
from ai_assistant.agent.prompt.draft import Place, Row, Section
from ai_assistant.agent.prompt.macros import (
    MEMORIES,
    MacroContext,
    holds_memories,
    partner_of,
    resolve_macros,
)
from ai_assistant.agent.prompt.templates import (
    NAME,
    RULES,
    SPEECH,
    TOOLS,
    render_template,
    template_texts,
)
from ai_assistant.agent.turn.kits import shown
from ai_assistant.agent.turn.speech_rules import PRIVATE
from ai_assistant.agent.turn.turn import Turn
from ai_assistant.core.contracts import Json
from ai_assistant.core.owner_text import MARK
from ai_assistant.core.readers import OPEN
from ai_assistant.prompts import load


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
    found = user_components(prompting["components"], turn.mind.macros)
    visible = turn.context.enabled_components
    return Owned(
        template=turn.context.component_overrides.get("system_prompt", text),
        components=[part for part in found if part.enabled and part.follows in visible],
        context=MacroContext(
            me=turn.me,
            scene=turn.surroundings,
            now=turn.clock.now(),
            speaker=turn.trigger.source if turn.trigger else None,
            partner=partner_of(turn.mind.config["user_entity"]),
        ),
    )


# -- the instructions, the same for every turn of a kind, whoever it answers


def instructions(turn: Turn, template: str, context: MacroContext) -> Section:
    """Return the template filled in for this kind of turn."""
    told = [tool for tool in shown(turn) if turn.pattern.allows(tool)]  # whoever listens
    values: Json = {key: turn.mind.config[key] for key in OPTIONS}
    values |= {NAME: turn.me.name, SPEECH: _heard(turn)}
    values |= {TOOLS: "\n".join(f"- {tool.name}: {tool.description}" for tool in told)}
    values |= {RULES: "\n".join(f"- {tool.rule}" for tool in told if tool.rule)}
    text = render_template(template, values, context, turn.mind.macros)
    return Section([Row(text)], fixed=1)


def _heard(turn: Turn) -> str:
    """Return who hears what the character writes in this kind of turn."""
    if turn.errand is not None:
        return ""
    if turn.trigger is not None:
        return load(f"heard_{PRIVATE.get(turn.trigger.source_type, 'open')}").format_map(
            {"name": turn.me.name}
        )
    is_open = turn.goal is None or turn.goal["readers"] == OPEN
    return load("heard_own" if is_open else "heard_alone").format_map({"name": turn.me.name})


# -- components


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
