"""Planning: an id that no goal ever had, and the steps of a goal, by a model or by rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ai_assistant.agent.attention import leases
from ai_assistant.agent.mind import Mind
from ai_assistant.agent.turn.ask_model import ask_aside, ask_model, briefing
from ai_assistant.agent.turn.turn_state import TurnState
from ai_assistant.core.contracts import Change, Json
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.model_json import answer_texts
from ai_assistant.core.model_records import ModelRequest
from ai_assistant.core.text import clean
from ai_assistant.planning.goal_tree import ancestors
from ai_assistant.planning.goals import (
    MAX_DESCRIPTION,
    goal_id,
    next_number,
    subtasks_by_rule,
)
from ai_assistant.prompts import load_prompt

FEWEST, MOST = 3, 7
LONGEST_LIST = 10
"""Of more steps than this the model made no plan, but a list of everything."""


def subtasks_of(answer: str, description: str) -> list[str]:
    """Return three to seven subtasks of a goal, from a model's answer or else by rule."""
    return read_subtasks(answer, description) or subtasks_by_rule(description)


def read_subtasks(answer: str, description: str) -> list[str]:
    """Return the three to seven subtasks that an answer holds; none where it is no good."""
    plain = (item.strip("\"'").rstrip("., ") for item in answer_texts(answer))
    goal = description.casefold().rstrip(".")
    steps = list(dict.fromkeys(clean(item, MAX_DESCRIPTION) for item in plain))
    steps = [step for step in steps if step and step.casefold() != goal]
    if not FEWEST <= len(steps) <= LONGEST_LIST:
        return []
    head, tail = steps[: MOST - 1], steps[MOST - 1 :]
    return [*head, clean("; ".join(tail), MAX_DESCRIPTION)] if tail else head


CONTEXT = "goal_decompose"
LONGEST_ANSWER = 400
"""Tokens that a list of subtasks may take."""
SECONDS = 20.0
"""So long a turn waits for a model's steps; then it makes them by rule, and goes on."""


def mint_goal(mind: Mind | None, counters: Json, goals: list[Json]) -> tuple[str, Change]:
    """Return the id of a new goal, and the change that keeps its number from being used again.

    `counters` and `goals` are as they are stored; what a running mind minted and did not save
    counts as well.
    """
    number = next_number(counters, goals, mind.minted if mind else 0)
    if mind:
        mind.minted = number + 1
    lifted = {"name": "goals", "amount": 0, "at_least": number + 1}
    return goal_id(counters, number), Change("counters", "", "count", lifted)


def _question(mind: Mind, goal: Json, above: list[str], payer: str = "") -> ModelRequest:
    """Return what a model is asked for the steps of a goal that is part of what is `above`."""
    data = {"goal": goal["description"], "priority": goal["priority"], "part_of": above}
    role = {"role": mind.persona["role"]} if "role" in mind.persona else {}
    persona = {"name": mind.world.me().name, **role}
    return ModelRequest(
        messages=briefing(load_prompt("decompose"), data | {"who_does_it": persona}),
        profile=mind.config["llm_profile"],
        context_type=CONTEXT,
        assistant=mind.key,
        payer=payer,
        max_tokens=LONGEST_ANSWER,
    )


async def break_down(mind: Mind, goals: list[Json], goal: Json) -> list[str]:
    """Return the subtasks of a goal by model, outside of any turn; by rule where it fails."""
    above = [higher["description"] for higher in ancestors(goals, goal)]
    try:
        reply = await ask_model(mind, _question(mind, goal, above))
    except AssistantError:
        return subtasks_by_rule(goal["description"])
    return subtasks_of(reply.text, goal["description"])


@dataclass(frozen=True, slots=True)
class TurnGoals:
    """Implements `tools.tool_reach.GoalReach` for one turn."""

    turn: TurnState
    """The turn, whose events pay for what is asked."""

    def new_id(self) -> str:
        """Return an id for a goal of this turn that no goal ever had."""
        turn, mind = self.turn, self.turn.mind
        mind.minted = max([mind.minted, *(sibling.minted for sibling in mind.siblings())])
        minted, lifted = mint_goal(mind, turn.state("counters"), turn.state("goals")["goals"])
        turn.change(lifted)
        return minted

    async def subtasks(self, goal: Json, above: list[str]) -> list[str]:
        """Return three to seven steps towards a goal: a model's, or else by rule.

        The call is paid for by what this turn follows from, as each of its steps is.
        """
        reply = None
        if self.turn.mind.energy.spend(self.turn.roots):
            question = _question(self.turn.mind, goal, above, self.turn.payer)
            reply = await ask_aside(self.turn, question, SECONDS)
        return subtasks_of(reply.text if reply else "", goal["description"])

    def may_do(self, goals: Sequence[Json], goal: Json) -> bool:
        """May one of the goals be worked on here, or does another body of the character?"""
        return leases.may_do(self.turn.mind, goals, goal)

    def take_on(self, goal: Json) -> None:
        """Take a lease on a goal, so that the other bodies leave it alone for a while."""
        leases.lease(self.turn.mind, goal["id"])
