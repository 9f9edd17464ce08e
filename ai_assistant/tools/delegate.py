"""Tools that hand work to other assistants; they exist only where that is switched on."""

from __future__ import annotations

from typing import Annotated

from ai_assistant.contracts import Category, Json
from ai_assistant.tools.registry import ToolContext, tool
from ai_assistant.tools.schema import Prose

SECONDS = 120.0
"""A last resort above the limit of the errand itself."""


@tool(
    Category.ASYNC_REQUIRED,
    timeout=SECONDS,
    about={
        "task": "What to find out or do, in words that somebody understands who was not here.",
        "to": "The name of the one who shall do it; leave it out for whoever knows most about it.",
    },
)
async def delegate_task(turn: ToolContext, task: Annotated[str, Prose(800)], to: str = "") -> Json:
    """Hand a task to another assistant who knows more about it, and wait for the answer."""
    return await turn.aid.delegate(task, to)


@tool(cacheable=True)
def list_delegates(turn: ToolContext) -> Json:
    """See to whom you may hand tasks, and what they know."""
    return {"delegates": turn.aid.delegates()}


TOOLS = [delegate_task, list_delegates]
