"""Tools that search the character's own memory."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Annotated, Any

from ai_assistant.core.contracts import Entity, Json, MemoryRow
from ai_assistant.core.errors import ToolError
from ai_assistant.core.search_port import Scoring
from ai_assistant.memory.inner.journal import is_bookkeeping
from ai_assistant.memory.search.filters import both, read_filter
from ai_assistant.memory.search.recall import FLOOR, Found
from ai_assistant.memory.search.when_in_story import unlived
from ai_assistant.memory.talk.hearsay import hearsay, shown_as
from ai_assistant.tools.about_people import all_of
from ai_assistant.tools.movement import way_to
from ai_assistant.tools.registry import PLAIN, tool
from ai_assistant.tools.schema import Between, Handle, is_handle
from ai_assistant.tools.tool_reach import ToolContext

Worth = Callable[[Found], bool]
Weight = Annotated[float, Between(0, 5)]
Day = Annotated[int, Between(0, 10**6)]
MAX_RECALLED = 8
_OF_ANYBODY = 2
"""Fields of `all_of` that say nothing of somebody: the name, and that they never met."""
MOST_DAYS = 36_500
MOST_NAMES = 8
"""So many words of a query are tried as names."""
_TOLD = ("words", "dense", "recency", "importance", "trust", "replaced_by")
"""What of a hit's reasons is told to a model."""
_SINCE, _UNTIL = "In a scene: only from this day of its story on.", "Only up to this day of it."
_PLACE = "Only what was at this place, or in it."
_ONLY = "Only what meets these conditions: gameDay >= 5, speaker = Ann, isSpeaker = false."
_NAME = re.compile(r"[^\W_]{3,}")


@tool(
    reads=True,
    kit=PLAIN,
    needs="memories",
    alone=True,
    rule="What you might once have known, recall before you say that you do not know it.",
    about={
        "words": "What to look for, in a few words.",
        "who": "Whom or what it is about.",
        "since_day": _SINCE,
        "until_day": _UNTIL,
        "place": _PLACE,
    },
)
async def recall(
    turn: ToolContext,
    words: str = "",
    who: Annotated[str, Handle("any")] = "",
    since_day: Day = 0,
    until_day: Day = 0,
    place: str = "",
) -> Json:
    """Search your memory by words, by whom it is about, or both, and for the way to a place. Do so
    before you say that you do not know."""
    where = turn.reach.within(since_day, until_day, place)
    if not (words or who or where):
        raise ToolError("Say what to look for, or whom it is about.")
    named = turn.find(who, "any") if who else None
    if who and named is None and is_handle(who.strip().lower()):
        turn.thing(who, "any")  # which says whom there is
    about = named.entity if named else _mentioned(turn, words)
    known = {"about": all_of(turn, about, words)} if about and turn.reach.inherits else {}
    name = about.name if named and about else who
    found = await _found(turn, f"{name} {words}".strip(), where, f" of {name}" if name else "")
    noted = " ".join(known["about"].get("noted", ())) if known else ""
    found["memories"] = [memory for memory in found["memories"] if memory["text"] not in noted]
    is_life = turn.reach.inherits and not turn.reach.is_acted
    way = way_to(turn, f"{words} {who} {place}") if is_life else {}
    known |= {"way_there": way} if way.get("way") else {}
    if len(known.get("about", ())) > _OF_ANYBODY or "way_there" in known:
        found.pop("message", None)
    return known | found


@tool(
    reads=True,
    kit="night",
    needs="memories",
    about={
        "query": "A few words that the memory would contain.",
        "since_day": _SINCE,
        "until_day": _UNTIL,
        "place": _PLACE,
        "only": _ONLY,
    },
)
async def recall_memories(
    turn: ToolContext,
    query: str,
    since_day: Day = 0,
    until_day: Day = 0,
    place: str = "",
    only: str = "",
) -> Json:
    """Search your memory for what was said or observed before. Use it before saying you forgot."""
    where = both(turn.reach.within(since_day, until_day, place), _only(turn, only))
    return await _found(turn, query, where)


@tool(
    reads=True,
    kit="journal",
    needs="memories",
    about={
        "query": "What to look for, in a few words.",
        "days_back": "Look back so many days only; 0 for all your life.",
        "since_day": _SINCE,
        "until_day": _UNTIL,
        "place": _PLACE,
        "only": _ONLY,
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
    since_day: Day = 0,
    until_day: Day = 0,
    place: str = "",
    only: str = "",
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
    where = both(turn.reach.within(since_day, until_day, place), _only(turn, only))
    found = await _searched(turn, query, where, scoring=scoring, explain=True)
    told = [_memory(turn, memory.row) | _reasons(memory) for memory in found]
    return {"memories": told} | _of_days(turn, query, found)


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


def _only(turn: ToolContext, text: str) -> Json:
    """Return the filter that a model wrote; raises `ToolError` for none, and for nobody known."""

    def id_of(name: str) -> str:
        mine = turn.me.name.casefold()
        is_me = name.strip().casefold() in (mine, *mine.split())
        return turn.me.id if is_me else turn.thing(name, "person").entity.id

    try:
        return read_filter(text, id_of)
    except ValueError as wrong:
        raise ToolError(str(wrong)) from wrong


async def _searched(
    turn: ToolContext, query: str, where: Json, worth: Worth = lambda found: True, **options: Any
) -> list[Found]:
    try:
        return await turn.recall(
            query, MAX_RECALLED, worth, where=where, fill=bool(where), **options
        )
    except ValueError as wrong:  # a field that there is not
        raise ToolError(str(wrong)) from wrong


async def _found(turn: ToolContext, query: str, where: Json, of: str = "") -> Json:
    least = 0.0 if where else FLOOR  # of what a day or a place was asked for, all counts

    def is_worth_it(memory: Found) -> bool:
        return memory.hit.relevance >= least and not is_bookkeeping(memory.row)

    found = await _searched(turn, query, where, is_worth_it)
    near = [_memory(turn, hit.row) for hit in found]
    nothing = f"Nothing comes to mind{of}: say so, or ask somebody."
    message = {} if near else {"message": nothing}
    return {"memories": near} | message | _of_days(turn, query, found)


def _of_days(turn: ToolContext, query: str, found: Sequence[Found]) -> Json:
    """Return what is to be said where the days that were asked about are none that were lived."""
    story = turn.reach.story
    unknown = unlived(query, story, [memory.row for memory in found]) if story else ""
    return {"message": unknown} if unknown else {}


def _memory(turn: ToolContext, row: MemoryRow) -> Json:
    """Return a memory as the model reads it: when it was, whose words, and what."""
    when = turn.reach.when(row.learned_at, row.session, row.game_day)
    own = row.kind == "own_words"
    source = {"who": "you"} | shown_as(row.meta) if own else {"who": row.author_name} | hearsay(row)
    story = turn.reach.story
    told = {"when": when, "day": row.game_day if story and row.session == story.session else 0}
    told |= source | {"text": row.content}
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
