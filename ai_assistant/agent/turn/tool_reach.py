"""What a tool may reach beyond its turn: other assistants, and the character's own condition."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ai_assistant.agent.attention import leases
from ai_assistant.agent.attention.layers import ExecutionPattern, narrow
from ai_assistant.agent.delegation import handing_over
from ai_assistant.agent.prompt import measures
from ai_assistant.agent.prompt.measures import get_utilization_status
from ai_assistant.agent.turn import handles, kits
from ai_assistant.agent.turn.deeds import look_again
from ai_assistant.agent.turn.turn_state import TurnState
from ai_assistant.core.contracts import Json, NewRow
from ai_assistant.core.readers import NOBODY, usable
from ai_assistant.memory.evidence import REPLACED_BY
from ai_assistant.memory.search.recall import Found
from ai_assistant.planning import goal_tree
from ai_assistant.planning.goals import usable_goals
from ai_assistant.roleplay.recollection import KIND, MOST_THOUGHTS, thought
from ai_assistant.tools import Tool


class TurnAid:
    """Implements `tools.registry.Aid` for one turn."""

    def __init__(self, turn: TurnState) -> None:
        self._turn = turn
        self.persona: Json = dict(turn.mind.persona)
        self.memory_action: str = turn.mind.role.default_action

    async def delegate(self, task: str, to: str = "") -> Json:
        """Hand a task to another assistant and wait; raises `ToolError` where that fails."""
        return await handing_over.delegate(self._turn, task, to)

    def delegates(self) -> list[Json]:
        """Return who may be given tasks, and why not now."""
        return handing_over.list_delegates(self._turn)

    def condition(self) -> Json:
        """Return how the character is: numbers and words that tell nothing of anybody."""
        turn, mind = self._turn, self._turn.mind
        calls, tokens = mind.budget.spent(mind.key)
        most_calls, most_tokens = mind.budget.caps(mind.key)
        metrics = turn.state("metrics")
        goals = usable_goals(turn.state("goals"), self._may_be_used)
        return mind.condition() | {
            "calls_today": calls,
            "most_calls_a_day": most_calls,
            "tokens_today": tokens,
            "most_tokens_a_day": most_tokens,
            "prompt_used": f"{turn.utilisation:.0%}",
            "token_pressure": get_utilization_status(turn.utilisation),
            "failed_turns_in_a_row": mind.failed_turns,
            "tool_errors": sum(metrics["tool_errors"].values()),
            "open_goals": sum(map(goal_tree.is_open, goals)),
            "tasks_in_other_hands": mind.delegates.running(),
        }

    def may_do(self, goals: Sequence[Json], goal: Json) -> bool:
        """May one of the goals be worked on here, or does another body of the character?"""
        return leases.may_do(self._turn.mind, goals, goal)

    def take_on(self, goal: Json) -> None:
        """Take a lease on a goal, so that the other bodies leave it alone for a while."""
        leases.lease(self._turn.mind, goal["id"])

    def think(self, words: str) -> None:
        """Keep a thought, which nobody else ever reads; the oldest beyond the limit is archived."""
        turn = self._turn
        place = turn.play.place or turn.surroundings.place_name
        row = thought(turn.me.id, turn.me.name, words, day=turn.play.day, place=place)
        turn.keep(replace(row, session=turn.play.session))
        new = sum(kept.kind == KIND for kept in turn.commit.rows)
        where = {"kind": KIND, "session": turn.play.session}
        older = turn.store.rows.find(where, MOST_THOUGHTS)[MOST_THOUGHTS - new :]
        turn.commit.archived += [old.id for old in older if old.id not in turn.commit.archived]

    async def thoughts(self, query: str, k: int) -> list[Found]:
        """Return own thoughts, best first. From now on the turn is for nobody else.

        It can no longer speak or delegate. An autonomous turn gets one more model call, to make
        something of what it found.
        """
        turn = self._turn
        if turn.steps == 1:
            turn.mind.energy.add(turn.id, 1)
        turn.ceiling = NOBODY
        turn.bounds = narrow(turn.bounds, ExecutionPattern(sub_agents=0))
        found = await turn.mind.recall.search(
            query,
            k,
            now=turn.clock.now(),
            allow=NOBODY.__eq__,
            sessions=turn.play.sessions,
            where={"kind": KIND},
        )
        turn.check()
        return found

    def look_around(self) -> Json:
        """Return the place, and all that is seen there now, each with its handle."""
        look_again(self._turn)
        return handles.sights(self._turn)

    def open_kit(self, kit: str) -> list[Tool]:
        """Show the tools of a kit for the rest of the conversation; raises `ToolError` for none."""
        return kits.open_kit(self._turn, kit)

    def when(self, stamp: str | float, session: str = "", day: int = 0) -> str:
        """Return when something was, in words; of what this scene told, on its own days."""
        play = self._turn.play
        if day and session and session == play.session:
            return measures.on_day(day, play.day)
        return measures.ago(self._turn, stamp)

    def look_up(self, entity_id: str) -> None:
        """Note that what is known of somebody was looked up: what is said may be drawn from it."""
        self._turn.looked_up.add(entity_id)

    def outdate(self, rows: Sequence[int | NewRow], by: NewRow) -> None:
        """Mark rows as replaced by a new one: a search puts them after it."""
        for id in rows:
            self._turn.commit.annotated.setdefault(id, {})[REPLACED_BY] = by

    def _may_be_used(self, readers: str, author: str) -> bool:
        """May something be counted here? Its words are not used, so nothing sinks."""
        return usable(readers, self._turn.audience, self._turn.world.belongs)
