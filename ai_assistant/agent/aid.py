"""What a tool may reach beyond its turn: other assistants, and the character's own condition."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ai_assistant.agent import delegation
from ai_assistant.agent.prompt.tokens import get_utilization_status
from ai_assistant.contracts import Json
from ai_assistant.planning import tree
from ai_assistant.planning.goals import usable_goals
from ai_assistant.readers import usable

if TYPE_CHECKING:
    from ai_assistant.agent.turn import Turn


class TurnAid:
    """Implements `tools.Aid` for one turn."""

    def __init__(self, turn: Turn) -> None:
        self._turn = turn

    async def delegate(self, task: str, to: str = "") -> Json:
        """Hand a task to another assistant and wait; raises `ToolError` where that fails."""
        return await delegation.delegate(self._turn, task, to)

    def delegates(self) -> list[Json]:
        """Return who may be given tasks, and why not now."""
        return delegation.list_delegates(self._turn)

    def persona(self) -> Json:
        """Return who the character is, as its persona block has it."""
        return dict(self._turn.mind.persona)

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
            "open_goals": sum(one["status"] == tree.ACTIVE for one in goals),
            "tasks_in_other_hands": mind.delegates.running(),
        }

    def _may_be_used(self, readers: str, author: str) -> bool:
        """May something be counted here? Its words are not used, so nothing sinks."""
        return usable(readers, self._turn.audience, self._turn.world.belongs)
