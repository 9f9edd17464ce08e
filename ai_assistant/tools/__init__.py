"""The tools of this package, family by family; a game's own come from its settings."""

from __future__ import annotations

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
from ai_assistant.tools.registry import Tool, ToolContext, ToolRegistry, tool

BUILTIN: list[Tool] = [
    *speech.TOOLS,
    *action.TOOLS,
    *movement.TOOLS,
    *recall.TOOLS,
    *remember.TOOLS,
    *thoughts.TOOLS,
    *entity.TOOLS,
    *keep.TOOLS,
    *agenda.TOOLS,
    *projects.TOOLS,
    *blocks.TOOLS,
    *block_editing.TOOLS,
    *control.TOOLS,
    *selfcare.TOOLS,
    *delegate.TOOLS,
    *sleep.TOOLS,
]

__all__ = ["BUILTIN", "Tool", "ToolContext", "ToolRegistry", "tool"]
