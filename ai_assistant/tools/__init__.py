"""The tools of this package, family by family; a game's own come from its settings."""

from __future__ import annotations

from ai_assistant.tools import (
    action,
    agenda,
    control,
    entity,
    keep,
    projects,
    recall,
    remember,
    speech,
)
from ai_assistant.tools.registry import Tool, ToolContext, ToolRegistry, tool

BUILTIN: list[Tool] = [
    *speech.TOOLS,
    *action.TOOLS,
    *recall.TOOLS,
    *remember.TOOLS,
    *entity.TOOLS,
    *keep.TOOLS,
    *agenda.TOOLS,
    *projects.TOOLS,
    *control.TOOLS,
]

__all__ = ["BUILTIN", "Tool", "ToolContext", "ToolRegistry", "tool"]
