"""Tools that search the character's own memory."""

from __future__ import annotations

import re
from typing import Annotated

from ai_assistant.core.contracts import Entity, Json, MemoryRow
from ai_assistant.core.errors import ToolError
from ai_assistant.core.search_port import Scoring
from ai_assistant.memory.inner.journal import is_bookkeeping
from ai_assistant.memory.search.recall import FLOOR, Found
from ai_assistant.memory.talk.hearsay import hearsay, shown_as
from ai_assistant.tools.about_people import all_of
from ai_assistant.tools.registry import PLAIN, ToolContext, tool
from ai_assistant.tools.schema import Between, Handle

Weight = Annotated[float, Between(0, 5)]
MAX_RECALLED = 8
MOST_DAYS = 36_500
MOST_NAMES = 8
"""So many words of a query are tried as names."""
_TOLD = ("words", "dense", "recency", "importance", "trust", "replaced_by")
"""What of a hit's reasons is told to a model."""
_NAME = re.compile(r"[^\W_]{3,}")


@tool(
    reads=True,
    kit=PLAIN,
    needs="memories",
    alone=True,
    rule="What you might once have known, recall before you say that you do not know it.",
    about={"words": "What to look for, in a few words.", "who": "Whom or what it is about."},
)
async def recall(
    turn: ToolContext, words: str = "", who: Annotated[str, Handle("any")] = ""
) -> Json:
    """Search your memory by words, by whom it is about, or both. Do so before you say that you do
    not know."""
    if not (words or who):
        raise ToolError("Say what to look for, or whom it is about.")
    named = turn.find(who, "any") if who else None
    about = named.entity if named else _mentioned(turn, words)
    known = {"about": all_of(turn, about, words)} if about and turn.inherits else {}
    name = about.name if named and about else who
    found = await _found(turn, f"{name} {words}".strip())
    noted = " ".join(known["about"].get("noted", ())) if known else ""
    found["memories"] = [memory for memory in found["memories"] if memory["text"] not in noted]
    return known | found


@tool(
    reads=True,
    kit="night",
    needs="memories",
    about={"query": "A few words that the memory would contain."},
)
async def recall_memories(turn: ToolContext, query: str) -> Json:
    """Search your memory for what was said or observed before. Use it before saying you forgot."""
    return await _found(turn, query)


@tool(
    reads=True,
    kit="journal",
    needs="memories",
    about={
        "query": "What to look for, in a few words.",
        "days_back": "Look back so many days only; 0 for all your life.",
        "min_importance": "Leave out what mattered less, from 1 to 10; 0 for nothing.",
        "alpha_recency": "How much it counts that something is recent, 0 to 5.",
        "alpha_importance": "How much it counts that something mattered, 0 to 5.",
        "alpha_relevance": "How much it counts that something fits the query, 0 to 5.",
    },
)
async def search_episodic_memory(  # noqa: PLR0913 - what one may search by
    turn: ToolContext,
    query: str,
    days_back: Annotated[int, Between(0, MOST_DAYS)] = 0,
    min_importance: Annotated[int, Between(0, 10)] = 0,
    alpha_recency: Weight = 1.0,
    alpha_importance: Weight = 1.0,
    alpha_relevance: Weight = 1.0,
) -> Json:
    """Search what you lived through, with the reasons why each memory was chosen.

    Like recall, but for when it matters how old or how important a memory is.
    """
    scoring = Scoring(
        alpha_recency=alpha_recency,
        alpha_importance=alpha_importance,
        alpha_relevance=alpha_relevance,
        days_back=days_back,
        min_importance=min_importance,
    )
    found = await turn.recall(query, MAX_RECALLED, scoring=scoring, explain=True)
    return {"memories": [_memory(turn, memory.row) | _reasons(memory) for memory in found]}


def _mentioned(turn: ToolContext, words: str) -> Entity | None:
    """Return the first person whom the words name; two of the same name are nobody."""
    for name in dict.fromkeys([words, *_NAME.findall(words)[:MOST_NAMES]]):
        try:
            found = turn.find(name, "person")
        except ToolError:
            continue
        if found is not None:
            return found.entity
    return None


async def _found(turn: ToolContext, query: str) -> Json:
    found = await turn.recall(query, MAX_RECALLED, _is_worth_it)
    near = [_memory(turn, hit.row) for hit in found]
    return {"memories": near} | ({} if near else {"message": "Nothing about that."})


def _is_worth_it(found: Found) -> bool:
    return found.hit.relevance >= FLOOR and not is_bookkeeping(found.row)


def _memory(turn: ToolContext, row: MemoryRow) -> Json:
    """Return a memory as the model reads it: when it was, whose words, and what."""
    when = turn.reach.when(row.learned_at, row.session, row.game_day)
    own = row.kind == "own_words"
    source = {"who": "you"} | shown_as(row.meta) if own else {"who": row.author_name} | hearsay(row)
    told = {"when": when} | source | {"text": row.content}
    return {name: value for name, value in told.items() if value}


def _reasons(found: Found) -> Json:
    why = found.hit.why
    return {
        "kind": found.row.kind,
        "importance": found.row.importance,
        "score": round(found.hit.score, 2),
        "age_days": round(why.get("age_days", 0.0), 1),
        "why": {name: round(why[name], 2) for name in _TOLD if name in why},
    }


TOOLS = [recall, recall_memories, search_episodic_memory]
