"""Tools that look things up in the character's own memory."""

from __future__ import annotations

from ai_assistant.contracts import Json
from ai_assistant.memory.parts import iso
from ai_assistant.tools.registry import ToolContext, tool

MAX_RECALLED = 8


@tool(cacheable=True, about={"query": "A few words that the memory would contain."})
async def recall_memories(turn: ToolContext, query: str) -> Json:
    """Search your memory for what was said or observed before. Use it before saying you forgot."""
    rows = [found.row for found in await turn.recall(query, MAX_RECALLED)]
    return {
        "memories": [
            {"on": iso(row.learned_at)[:10], "who": row.author_name, "text": row.content}
            for row in rows
        ]
    }


TOOLS = [recall_memories]
