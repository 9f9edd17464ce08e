"""Tools with which the character looks after itself: its thoughts, its behaviour, and its sleep."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

from ai_assistant.core.contracts import Category, Change, Event, Json
from ai_assistant.core.errors import ToolError
from ai_assistant.core.ports import Store
from ai_assistant.memory.inner import guidelines
from ai_assistant.memory.inner.sleep_state import is_asleep, night_id
from ai_assistant.memory.talk.working import SOON, is_pressing
from ai_assistant.planning.goal_tree import ACTIVE
from ai_assistant.planning.goals import current_goals
from ai_assistant.tools.marking import origin
from ai_assistant.tools.registry import tool
from ai_assistant.tools.schema import Prose
from ai_assistant.tools.tool_reach import ToolContext

Guideline = Annotated[str, Prose(guidelines.MAX_CONTENT, lines=1, is_cut=False)]
MOST_RECALLED = 8


@tool(
    kit="journal",
    fiction=True,
    private=True,
    about={"thought": "What you think, in one or two sentences: a doubt, a wish, a suspicion."},
)
def think(turn: ToolContext, thought: Annotated[str, Prose(400, lines=1, is_cut=False)]) -> Json:
    """Keep a thought to yourself: nobody hears it, and nobody but you ever reads it."""
    turn.reach.think(thought)
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
    found = await turn.reach.thoughts(query, MOST_RECALLED)
    when = turn.reach.when
    rows = [hit.row for hit in found]
    return {"thoughts": [{"when": when(row.learned_at), "thought": row.content} for row in rows]}


@tool(kit="sleep", reads=True)
def check_status(turn: ToolContext) -> Json:
    """See how you are: your mode, what waits, tokens and calls of the day, errors, open goals."""
    return turn.reach.condition()


@tool(
    kit="sleep",
    about={
        "guideline": "One sentence on how to behave, such as 'Ask before you walk away.'",
        "reason": "What happened that speaks for it, in one sentence.",
    },
)
def propose_guideline(turn: ToolContext, guideline: Guideline, reason: Guideline) -> Json:
    """Propose a rule for your own behaviour. It counts only once the game's staff accept it."""
    if refused := guidelines.refusal(turn.state("guidelines"), guideline, turn.ceiling):
        return {"success": False, "error": refused}
    proposal = {"content": guideline, "reason": reason, **origin(turn)}
    turn.change(Change("guidelines", "", "propose", proposal))
    return {"success": True, "proposed": guideline, "note": "Staff will read it."}


def obstacle(store: Store, game_time: float, answering: Iterable[Event] = ()) -> str:
    """Say why a character may not go to sleep at this time of the game; empty where it may."""
    if is_asleep(store.read("sleep")):
        return "You are asleep already."
    answered = {event.id for event in answering}
    if any(waiting.event.id not in answered for waiting in store.triggers.waiting()):
        return "Somebody is waiting for an answer; answer first."
    goals = [goal for goal in current_goals(store.read("goals")) if goal["status"] == ACTIVE]
    pressing = any(
        goal["priority"] == "critical" or (goal["deadline"] and goal["deadline"] - game_time < SOON)
        for goal in goals
    )
    talks = store.read_all("working").values()
    promised = any(
        is_pressing(promise, game_time) for talk in talks for promise in talk["pending_actions"]
    )
    if pressing or promised:
        return "Something urgent is left to do; see your goals and promises."
    return ""


@tool(Category.TERMINAL, kit="sleep")
def go_to_sleep(turn: ToolContext) -> Json:
    """Lie down to sleep, to sort your memories and wake up wiser. Ends your turn.

    Not while somebody else waits for your answer, nor while something urgent is left to do.
    """
    if why_not := obstacle(turn.store, turn.world.game_time(), turn.events):
        raise ToolError(why_not)
    at = turn.clock.now()
    step = {"night": night_id(at), "why": "tool", "at": at}
    turn.change(Change("sleep", "", "fall_asleep", step))
    return {"asleep": True}
