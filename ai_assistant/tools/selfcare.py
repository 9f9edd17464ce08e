"""Tools with which the character looks after itself: how it is, and how it means to behave."""

from __future__ import annotations

from typing import Annotated

from ai_assistant.core.contracts import Change, Json
from ai_assistant.core.errors import ToolError
from ai_assistant.memory.inner import guidelines
from ai_assistant.tools.marking import origin
from ai_assistant.tools.registry import ToolContext, tool
from ai_assistant.tools.schema import Prose

_LONGEST = Prose(2 * guidelines.MAX_CONTENT, lines=1)
"""More than fits, so that too long a text is refused rather than cut without a word."""


@tool(kit="sleep", reads=True)
def check_status(turn: ToolContext) -> Json:
    """See how you are: your mode, what waits, tokens and calls of the day, errors, open goals."""
    return turn.aid.condition()


@tool(
    kit="sleep",
    about={
        "guideline": "One sentence on how to behave, such as 'Ask before you walk away.'",
        "reason": "What happened that speaks for it, in one sentence.",
    },
)
def propose_guideline(
    turn: ToolContext, guideline: Annotated[str, _LONGEST], reason: Annotated[str, _LONGEST]
) -> Json:
    """Propose a rule for your own behaviour. It counts only once the game's staff accept it."""
    if len(guideline) > guidelines.MAX_CONTENT:
        raise ToolError(
            f"That has {len(guideline)} characters; at most {guidelines.MAX_CONTENT} fit."
        )
    if refused := guidelines.refusal(turn.state("guidelines"), guideline, turn.ceiling):
        return {"success": False, "error": refused}
    proposal = {
        "content": guideline,
        "reason": reason[: guidelines.MAX_CONTENT],
        **origin(turn),
    }
    turn.change(Change("guidelines", "", "propose", proposal))
    return {"success": True, "proposed": guideline, "note": "Staff will read it."}


TOOLS = [check_status, propose_guideline]
