"""Component 0: the instructions, the same for every turn of a kind, whoever it answers."""

from __future__ import annotations

from collections.abc import Iterator

from ai_assistant.agent.config import OPTIONS
from ai_assistant.agent.prompt.draft import Row, Section
from ai_assistant.agent.prompt.macros import MacroContext
from ai_assistant.agent.prompt.templates import NAME, RULES, SPEECH, TOOLS, render_template
from ai_assistant.agent.turn.kits import NOTEBOOK, shown
from ai_assistant.agent.turn.speech_rules import PRIVATE
from ai_assistant.agent.turn.turn import Turn
from ai_assistant.core.contracts import Json
from ai_assistant.core.readers import OPEN
from ai_assistant.prompts import load


def instructions(turn: Turn, template: str, context: MacroContext) -> Section:
    """Return the template filled in for this kind of turn."""
    told = [tool for tool in shown(turn) if turn.pattern.allows(tool)]  # whoever listens
    values: Json = {key: turn.mind.config[key] for key in OPTIONS}
    values |= {NAME: turn.me.name, SPEECH: _heard(turn)}
    values |= {TOOLS: "\n".join(f"- {tool.name}: {tool.description}" for tool in told)}
    values |= {RULES: "\n".join(_memory_rules(turn, {tool.name for tool in told}))}
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


def _memory_rules(turn: Turn, told: set[str]) -> Iterator[str]:
    """Yield what goes where, for each tool that the model is told of."""
    for line in load("memory_rules").splitlines():
        name, _, rule = line.partition(": ")
        if name in told and (name != NOTEBOOK or turn.mind.role.memory_tool):
            yield f"- {rule}"
