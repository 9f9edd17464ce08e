"""Tools that steer the turn itself: to ask other assistants, to open a kit, to wait."""

from __future__ import annotations

from typing import Annotated

from ai_assistant.core.contracts import Category, Json
from ai_assistant.tools.registry import OPENABLE, PLAIN, tool
from ai_assistant.tools.schema import OneOf, Prose
from ai_assistant.tools.tool_reach import ToolContext

SECONDS = 120.0
"""A last resort above the limit of the errand itself."""
_HANDED: Json = {
    "timeout": SECONDS, "needs": "delegates", "leads_on": True, "acts": True, "fiction": True
}  # fmt: skip
"""What a task in another's hands is to the turn."""
_KITS = "; ".join(f"{name}: {what}" for name, what in OPENABLE.items())


@tool(
    Category.ASYNC_REQUIRED,
    kit=PLAIN,
    **_HANDED,
    about={
        "question": "In words for somebody who was not here.",
        "whom": "Leave it out for whoever knows most.",
    },
)
async def ask(turn: ToolContext, question: Annotated[str, Prose(800)], whom: str = "") -> Json:
    """Ask somebody you know who knows more, and wait for the answer."""
    return await turn.reach.delegates.hand_over(question, whom)


@tool(
    Category.ASYNC_REQUIRED,
    kit="unlisted",
    **_HANDED,
    about={
        "task": "What to find out or do, in words that somebody understands who was not here.",
        "to": "The name of the one who shall do it; leave it out for whoever knows most about it.",
    },
)
async def delegate_task(turn: ToolContext, task: Annotated[str, Prose(800)], to: str = "") -> Json:
    """Hand a task to somebody who knows more about it, and wait for the answer."""
    return await turn.reach.delegates.hand_over(task, to)


@tool(reads=True, kit="people", needs="delegates")
def list_delegates(turn: ToolContext) -> Json:
    """See whom you may ask, and what they know."""
    return {"delegates": turn.reach.delegates.listed()}


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
    return {"opened": kit, "tools": [opened.name for opened in turn.reach.open_kit(kit)]}


@tool(Category.TERMINAL, kit="unlisted", alone=True, fiction=True)
def wait(turn: ToolContext) -> Json:
    """Say and do nothing for now."""
    return {"waiting": True}
