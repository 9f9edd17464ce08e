"""Leases: which body of a character does what, so that each thing is done by one at a time.

Bodies share their goals, and live in one process. Whoever begins something takes a lease
on it, renewed as long as it goes on; so a body that sleeps, stops or dies leaves nothing locked.
What a body took on itself, in a turn of its own, stays its own while it is there.
"""

from __future__ import annotations

from collections.abc import Sequence

from ai_assistant.agent.mind import Mind
from ai_assistant.core.contracts import Json
from ai_assistant.planning import goal_tree

HELD = 120.0
"""Seconds that a lease holds at least, unless it is renewed."""
BEATS = 3
"""And so many heartbeats, or pauses of one who works unasked."""


def lease(mind: Mind, what: str, seconds: float = 0.0) -> None:
    """Let the other bodies leave that to this one for a while, or for so many seconds."""
    now, config = mind.clock.monotonic(), mind.config
    pause = BEATS * max(config["tick_rate"], config["autonomy_interval"])
    kept = {held: until for held, until in mind.leases.items() if until > now}
    mind.leases = kept | {what: now + (seconds or max(HELD, pause))}


def is_free(mind: Mind, what: str) -> bool:
    """Is this free of leases of other bodies?"""
    now = mind.clock.monotonic()
    return not any(sibling.leases.get(what, now) > now for sibling in mind.siblings())


def may_do(mind: Mind, goals: Sequence[Json], goal: Json) -> bool:
    """May this body go on with that one of the goals?"""
    others = list(mind.siblings())
    if not others:
        return True
    whose = goal_tree.body_at_work(goals, goal)
    if whose and whose != mind.world.me().id and whose in {mind.world.me().id for mind in others}:
        return False
    return is_free(mind, goal["id"])
