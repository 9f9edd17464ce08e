"""Tools for what the character thinks and does not say: to keep it, and to think of it again."""

from __future__ import annotations

from typing import Annotated

from ai_assistant.core.contracts import Json
from ai_assistant.core.errors import ToolError
from ai_assistant.tools.registry import ToolContext, tool
from ai_assistant.tools.schema import Prose

LONGEST = 400
_PROSE = Prose(2 * LONGEST, lines=1)
"""More than fits, so that too long a thought is refused rather than cut without a word."""
MOST_RECALLED = 8


@tool(
    kit="journal",
    fiction=True,
    private=True,
    about={"thought": "What you think, in one or two sentences: a doubt, a wish, a suspicion."},
)
def think(turn: ToolContext, thought: Annotated[str, _PROSE]) -> Json:
    """Keep a thought to yourself: nobody hears it, and nobody but you ever reads it."""
    if not 0 < len(thought) <= LONGEST:
        raise ToolError(f"A thought has from 1 to {LONGEST} characters; that has {len(thought)}.")
    turn.aid.think(thought)
    return {"thought": thought}


@tool(
    kit="journal",
    needs="solitude",
    leads_on=True,
    fiction=True,
    private=True,
    about={"query": "A few words that the thought would contain."},
)
async def recall_thoughts(turn: ToolContext, query: str) -> Json:
    """Recall what you thought before and told nobody. You say nothing in this turn after that."""
    found = await turn.aid.thoughts(query, MOST_RECALLED)
    when = turn.aid.when
    rows = [one.row for one in found]
    return {"thoughts": [{"when": when(one.learned_at), "thought": one.content} for one in rows]}


TOOLS = [think, recall_thoughts]
