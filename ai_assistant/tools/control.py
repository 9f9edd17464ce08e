"""Tools that steer the turn itself."""

from __future__ import annotations

from ai_assistant.contracts import Category, Json
from ai_assistant.tools.registry import ToolContext, tool


@tool(Category.TERMINAL)
def wait(turn: ToolContext) -> Json:
    """Say and do nothing for now. Ends your turn."""
    return {"waiting": True}


TOOLS = [wait]
