"""The tools of this package, family by family; a game's own come from its settings."""

from __future__ import annotations

from ai_assistant.errors import ConfigurationError
from ai_assistant.tools import (
    action,
    agenda,
    block_editing,
    blocks,
    control,
    delegate,
    entity,
    keep,
    movement,
    projects,
    recall,
    remember,
    selfcare,
    sleep,
    speech,
    thoughts,
)
from ai_assistant.tools.registry import GAME, Tool, ToolContext, ToolRegistry, tool

BUILTIN: list[Tool] = [
    *action.TOOLS,
    *movement.TOOLS,
    *recall.TOOLS,
    *remember.TOOLS,
    *entity.TOOLS,
    *agenda.TOOLS,
    *delegate.TOOLS,
    *control.TOOLS,
    *speech.TOOLS,
    *keep.TOOLS,
    *thoughts.TOOLS,
    *projects.TOOLS,
    *blocks.TOOLS,
    *block_editing.TOOLS,
    *selfcare.TOOLS,
    *sleep.TOOLS,
]
"""In the order in which a model sees them: gestures and whispers end the plain kit, so that it
begins alike where everybody hears and where one does."""

if undeclared := [one.name for one in BUILTIN if one.kit == GAME]:
    raise ConfigurationError(f"Say in which kit they are: {', '.join(undeclared)}.")

__all__ = ["BUILTIN", "Tool", "ToolContext", "ToolRegistry", "tool"]
