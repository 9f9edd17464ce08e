"""What the owner wrote for a prompt: the template filled in (0), and components in their places."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ai_assistant.agent.attention import layers
from ai_assistant.agent.config import OPTIONS
from ai_assistant.agent.prompt.component import PromptComponent, user_components
from ai_assistant.agent.prompt.draft import Place, Row, Section
from ai_assistant.agent.prompt.macros import (
    MEMORIES,
    MacroContext,
    MacroRegistry,
    holds_memories,
    resolve_macros,
)
from ai_assistant.agent.prompt.templates import (
    NAME,
    REMEMBERED,
    RULES,
    SPEECH,
    TOOLS,
    template_texts,
)
from ai_assistant.agent.turn.kits import shown_tools
from ai_assistant.agent.turn.turn import Turn
from ai_assistant.agent.turn.turn_state import pattern_of
from ai_assistant.core.owner_text import MARK
from ai_assistant.core.readers import OPEN
from ai_assistant.core.seen import SeenPlace
from ai_assistant.prompts import load_prompt


@dataclass(frozen=True, slots=True)
class Owned:
    """What the owner wrote, as far as this kind of turn shows it."""

    template: str
    """The instructions with their placeholders."""
    components: Sequence[PromptComponent]
    """Those that stand between ours, in the order of their ids."""
    injected: Sequence[tuple[PromptComponent, str]]
    """Those that stand within the conversation, and what they say."""
    recalls: bool
    """Does any of it say where recalled memories belong?"""
    context: MacroContext
    """What macros stand for in this turn."""


def _as_played(turn: Turn) -> SeenPlace:
    """Return where a turn is in its story, and at which hour of that."""
    play, here = turn.play, turn.surroundings
    if play.place:
        here = replace(here, place_name=play.place, description="")
    return replace(here, time=str(play.facts.get("timeOfDay", "")))


def owned_by(turn: Turn) -> Owned:
    """Return what the owner wrote for a turn of this kind."""
    prompting, macros = turn.store.view("prompt"), turn.mind.macros
    text, native = template_texts(prompting)
    if native and turn.mind.model.has_native_tools(turn.mind.config["llm_profile"]):
        text = native
    text = turn.context.component_overrides.get("system_prompt", text)
    context = MacroContext(
        me=turn.me,
        scene=_as_played(turn) if turn.play.session else turn.surroundings,
        now=turn.clock.now(),
        story_day=turn.play.day if turn.play.session else 0,
        speaker=turn.trigger.source if turn.trigger else None,
        user_entity=turn.mind.config["user_entity"],
    )
    visible = turn.context.enabled_components
    written = prompting["components"]
    stored = user_components(written, macros) if written else []
    shown = [part for part in stored if part.enabled and part.follows in visible]
    standing = [part for part in shown if not part.injection_depth]
    deep = [part for part in shown if part.injection_depth and layers.CONVERSATION in visible]
    return Owned(
        template=text,
        components=standing,
        injected=[(part, _resolved(part.content, context, macros)) for part in deep],
        recalls=turn.mind.config["memory_enabled"]
        and any(map(holds_memories, (text, *(part.content for part in standing)))),
        context=context,
    )


# -- the instructions, the same for every turn of a kind, whoever it answers


def instructions(turn: Turn, template: str, context: MacroContext) -> Section:
    """Return the template filled in for this kind of turn; what nobody knows stays as it is."""
    heard = "heard_alone"
    if turn.trigger is not None:
        heard = f"heard_{turn.in_kind or 'open'}"
    elif turn.goal is None or turn.goal["readers"] == OPEN:
        heard = "heard_own"
    told = [tool for tool in shown_tools(turn) if pattern_of(turn).allows(tool)]  # whoever listens
    marks = {MEMORIES: f"## {REMEMBERED}"}
    text = resolve_macros(template, context, turn.mind.macros, constant=True, marks=marks)
    options = {key: turn.mind.config[key] for key in OPTIONS if key in text}
    values = {
        key: ", ".join(map(str, value)) if isinstance(value, list | dict) else str(value)
        for key, value in options.items()
    } | {
        NAME: turn.me.name,
        SPEECH: "" if turn.errand else load_prompt(heard).format_map({"name": turn.me.name}),
        TOOLS: "\n".join(f"- {tool.name}: {tool.description}" for tool in told),
        RULES: "\n".join(f"- {tool.rule}" for tool in told if tool.rule),
    }
    text = MARK.sub(lambda found: values.get(found["placeholder"] or "", found[0]), text)
    return Section([Row(text)], fixed=1)


# -- components


def owned_sections(turn: Turn, owned: Owned, recalled: Section | None) -> Iterator[Section]:
    """Yield the owner's components; the memories stand in the first of them that marks a place."""
    waiting = recalled
    for component in owned.components:
        place: Place = "lead" if component.leads else "front"
        if not component.leads and (
            component.role == "system" or component.id > layers.CONVERSATION
        ):
            place = "tail"
        texts = _around_memories(component.content) if waiting else [component.content]
        for at, text in enumerate(texts):
            if waiting and at:
                waiting.component, waiting.role = component.id, component.role
                yield from [waiting] if waiting.text else []
                waiting = None
            row = Row(_resolved(text, owned.context, turn.mind.macros).strip())
            if row.text:
                yield Section([row], key="user", component=component.id, role=component.role,
                              place=place)  # fmt: skip


def _around_memories(text: str) -> list[str]:
    marks = (found for found in MARK.finditer(text) if found["macro"] == MEMORIES)
    first = next(marks, None)
    return [text[: first.start()], text[first.end() :]] if first else [text]


def _resolved(text: str, context: MacroContext, macros: MacroRegistry) -> str:
    return resolve_macros(text, context, macros, marks={MEMORIES: ""})
