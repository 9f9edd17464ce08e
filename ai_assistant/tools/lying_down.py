"""The tool with which a character lies down to sleep, and what forbids that."""

from __future__ import annotations

from collections.abc import Iterable

from ai_assistant.core.contracts import Category, Change, Event, Json
from ai_assistant.core.errors import ToolError
from ai_assistant.core.ports import Store
from ai_assistant.memory.inner.sleep_state import is_asleep, night_id
from ai_assistant.planning.goal_tree import ACTIVE
from ai_assistant.planning.goals import current
from ai_assistant.tools.registry import ToolContext, tool

URGENT = 1
"""The priority of a promise that keeps one awake."""
SOON = 3600.0
"""Game seconds before a deadline in which nobody goes to sleep."""


def obstacle(store: Store, game_time: float, answering: Iterable[Event] = ()) -> str:
    """Say why a character may not go to sleep now; empty where it may.

    It sleeps already, somebody waits for an answer (other than the events that it is `answering`),
    or something is urgent. `game_time` is in the world's own seconds.
    """
    if is_asleep(store.read("sleep")):
        return "You are asleep already."
    answered = {event.id for event in answering}
    if any(one.event.id not in answered for one in store.triggers.waiting()):
        return "Somebody is waiting for an answer; answer first."
    goals = [one for one in current(store.read("goals")) if one["status"] == ACTIVE]
    pressing = any(
        one["priority"] == "critical" or (one["deadline"] and one["deadline"] - game_time < SOON)
        for one in goals
    )
    talks = store.read_all("working").values()
    promised = any(one["priority"] <= URGENT for talk in talks for one in talk["pending_actions"])
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


TOOLS = [go_to_sleep]
