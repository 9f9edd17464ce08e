"""Follow-ups: tools that go on with what another tool began, told of once there is any of it.

Whoever never had a project has no use for a tool that closes one. Goals and projects stay on record
when they are done, so what is told of grows a few times in a character's life, and the beginning of
the prompt, tools included, stays the same from turn to turn: providers cache it. A model that calls
such a tool all the same is told by the tool what is missing.
"""

from __future__ import annotations

from collections.abc import Callable

from ai_assistant.agent.turn import Turn
from ai_assistant.contracts import Json

FOLLOW_UPS: dict[str, frozenset[str]] = {
    "goals": frozenset("update_goal drop_goal decompose_goal list_goals get_next_task".split()),
    "projects": frozenset("swap_project update_project complete_project".split()),
    "session": frozenset({"compact_session_memory"}),
}
"""Part of the state → the tools that need something in it. To list projects comes before making
one (seed SM §4), so that is always told of."""
_HOLDS: dict[str, Callable[[Json], bool]] = {
    "goals": lambda goals: bool(goals["goals"]),
    "projects": lambda projects: bool(projects["slots"]),
    "session": lambda session: bool(session["key_facts"] or session["learned_patterns"]),
}


def idle_tools(turn: Turn) -> set[str]:
    """Return the tools that have nothing to continue; nobody's readers are looked at for that."""
    idle = (tools for part, tools in FOLLOW_UPS.items() if not _HOLDS[part](turn.store.read(part)))
    return set[str]().union(*idle)


def offer_follow_ups(turn: Turn) -> None:
    """Offer from the next step on what goes on with the changes that this turn has proposed."""
    for change in turn.commit.changes:
        turn.idle -= FOLLOW_UPS.get(change.part, frozenset())
