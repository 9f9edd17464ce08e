"""The tools of this package, family by family; a game's own come from its settings."""

from __future__ import annotations

from ai_assistant.core.errors import ConfigurationError
from ai_assistant.tools import (
    about_people,
    action,
    agenda,
    block_editing,
    block_keeping,
    control,
    keeping_notes,
    learning,
    movement,
    project_swaps,
    recalling,
    selfcare,
    speaking_tools,
)
from ai_assistant.tools.registry import GAME, Tool, ToolRegistry, tool
from ai_assistant.tools.tool_reach import ToolContext

BUILTIN: list[Tool] = [
    *action.TOOLS,
    *movement.TOOLS,
    *recalling.TOOLS,
    *learning.TOOLS,
    *about_people.TOOLS,
    *agenda.TOOLS,
    *control.TOOLS,
    *speaking_tools.TOOLS,
    *keeping_notes.TOOLS,
    *project_swaps.TOOLS,
    *block_keeping.TOOLS,
    *block_editing.TOOLS,
    *selfcare.TOOLS,
]
"""In the order in which a model sees them: gestures and whispers end the plain kit, so that it
begins alike where everybody hears and where one does."""

if undeclared := [each.name for each in BUILTIN if each.kit == GAME]:
    raise ConfigurationError(f"Say in which kit they are: {', '.join(undeclared)}.")

__all__ = ["BUILTIN", "Tool", "ToolContext", "ToolRegistry", "tool"]
