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
from ai_assistant.tools.registry import GAME, Tool, ToolRegistry, tool, tools_in
from ai_assistant.tools.tool_reach import ToolContext

BUILTIN = tools_in(
    action,
    movement,
    recalling,
    learning,
    about_people,
    agenda,
    control,
    speaking_tools,
    keeping_notes,
    project_swaps,
    block_keeping,
    block_editing,
    selfcare,
)
"""In the order in which a model sees them: gestures and whispers end the plain kit, so that it
begins alike where everybody hears and where one does."""

if undeclared := [each.name for each in BUILTIN if each.kit == GAME]:
    raise ConfigurationError(f"Say in which kit they are: {', '.join(undeclared)}.")

__all__ = ["BUILTIN", "Tool", "ToolContext", "ToolRegistry", "tool", "tools_in"]
