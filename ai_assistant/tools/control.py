"""Tools that steer the turn itself."""

from __future__ import annotations

from typing import Annotated

from ai_assistant.core.contracts import Category, Json
from ai_assistant.tools.registry import OPENABLE, PLAIN, ToolContext, tool
from ai_assistant.tools.schema import OneOf

_KITS = "; ".join(f"{name}: {what}" for name, what in OPENABLE.items())


@tool(
    kit=PLAIN,
    alone=True,
    leads_on=True,
    fiction=True,
    rule="More is within reach in kits: projects, journal, planning, sleep; people for how you "
    "feel about somebody, blocks for what everybody may know and for your notebook.",
    about={"kit": _KITS},
)
def open_kit(turn: ToolContext, kit: Annotated[str, OneOf(tuple(OPENABLE))]) -> Json:
    """Get more tools for the rest of this talk."""
    return {"opened": kit, "tools": [one.name for one in turn.aid.open_kit(kit)]}


@tool(Category.TERMINAL, kit="unlisted", alone=True, fiction=True)
def wait(turn: ToolContext) -> Json:
    """Say and do nothing for now."""
    return {"waiting": True}


TOOLS = [open_kit, wait]
