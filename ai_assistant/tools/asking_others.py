"""Tools that ask other assistants; they exist only where that is switched on."""

from __future__ import annotations

from typing import Annotated

from ai_assistant.core.contracts import Category, Json
from ai_assistant.tools.registry import PLAIN, ToolContext, tool
from ai_assistant.tools.schema import Prose

SECONDS = 120.0
"""A last resort above the limit of the errand itself."""


@tool(
    Category.ASYNC_REQUIRED,
    timeout=SECONDS,
    kit=PLAIN,
    needs="delegates",
    leads_on=True,
    acts=True,
    fiction=True,
    about={
        "question": "In words for somebody who was not here.",
        "whom": "Leave it out for whoever knows most.",
    },
)
async def ask(turn: ToolContext, question: Annotated[str, Prose(800)], whom: str = "") -> Json:
    """Ask somebody you know who knows more, and wait for the answer."""
    return await turn.aid.delegate(question, whom)


@tool(
    Category.ASYNC_REQUIRED,
    timeout=SECONDS,
    kit="unlisted",
    needs="delegates",
    leads_on=True,
    acts=True,
    fiction=True,
    about={
        "task": "What to find out or do, in words that somebody understands who was not here.",
        "to": "The name of the one who shall do it; leave it out for whoever knows most about it.",
    },
)
async def delegate_task(turn: ToolContext, task: Annotated[str, Prose(800)], to: str = "") -> Json:
    """Hand a task to somebody who knows more about it, and wait for the answer."""
    return await turn.aid.delegate(task, to)


@tool(reads=True, kit="people", needs="delegates")
def list_delegates(turn: ToolContext) -> Json:
    """See whom you may ask, and what they know."""
    return {"delegates": turn.aid.delegates()}


TOOLS = [ask, delegate_task, list_delegates]
