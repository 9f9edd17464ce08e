"""What planning asks of a turn or a mind: an id that no goal ever had, and the steps of a goal."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Protocol

from ai_assistant.agent.asking import ask_model, usage_of
from ai_assistant.agent.decompose import subtasks_of
from ai_assistant.agent.mind import Mind
from ai_assistant.contracts import Change, Json, Message, ModelReply, ModelRequest
from ai_assistant.errors import AssistantError, BudgetExhausted
from ai_assistant.planning.counters import goal_id, next_number
from ai_assistant.planning.templates import subtasks_by_rule
from ai_assistant.planning.tree import ancestors
from ai_assistant.prompts import load

if TYPE_CHECKING:
    from ai_assistant.agent.turn import Turn

CONTEXT = "goal_decompose"
LONGEST_ANSWER = 400
"""Tokens that a list of subtasks may take."""
SECONDS = 20.0
"""So long a turn waits for a model's steps; then it makes them by rule, and goes on."""


class Minting(Protocol):
    """What remembers the number that the next goal has at least."""

    minted: int


def mint_goal(holder: Minting, counters: Json, goals: list[Json]) -> tuple[str, Change]:
    """Return the id of a new goal, and the change that keeps its number from being used again.

    `counters` and `goals` are as they are stored; what was minted and not saved counts as well.
    """
    number = next_number(counters, goals, holder.minted)
    holder.minted = number + 1
    lifted = {"name": "goals", "amount": 0, "at_least": number + 1}
    return goal_id(counters, number), Change("counters", "", "count", lifted)


async def ask_for_subtasks(mind: Mind, goal: Json, above: list[str]) -> ModelReply:
    """Ask a model for the steps of a goal; `above` says what the goal is part of.

    Raises `BudgetExhausted` and `ModelError`.
    """
    data = {"goal": goal["description"], "priority": goal["priority"], "part_of": above}
    role = {"role": mind.persona["role"]} if "role" in mind.persona else {}
    persona = {"name": mind.world.me().name, **role}
    return await ask_model(
        mind,
        ModelRequest(
            messages=(
                Message("system", load("decompose")),
                Message("user", json.dumps(data | {"who_does_it": persona}, ensure_ascii=False)),
            ),
            profile=mind.config["llm_profile"],
            context_type=CONTEXT,
            assistant=mind.key,
            max_tokens=LONGEST_ANSWER,
        ),
    )


async def break_down(mind: Mind, goals: list[Json], goal: Json) -> list[str]:
    """Return the subtasks of a goal by model, outside of any turn; by rule where it fails."""
    above = [one["description"] for one in ancestors(goals, goal)]
    try:
        reply = await ask_for_subtasks(mind, goal, above)
    except AssistantError:
        return subtasks_by_rule(goal["description"])
    return subtasks_of(reply.text, goal["description"])


def new_goal_id(turn: Turn) -> str:
    """Return an id for a goal of this turn that no goal ever had."""
    for sibling in turn.mind.siblings():
        turn.mind.minted = max(turn.mind.minted, sibling.minted)
    minted, lifted = mint_goal(turn.mind, turn.state("counters"), turn.state("goals")["goals"])
    turn.change(lifted)
    return minted


async def propose_subtasks(turn: Turn, goal: Json, above: list[str]) -> list[str]:
    """Return three to seven steps towards a goal: a model's, or else by rule.

    The call is paid for by what this turn follows from, as each of its steps is.
    """
    try:
        if not turn.mind.energy.spend(turn.roots):
            raise BudgetExhausted("The event that this follows from has no energy left.")
        asked = ask_for_subtasks(turn.mind, goal, above)
        reply: ModelReply = await turn.mind.limit(asked, SECONDS)
    except (AssistantError, TimeoutError):
        turn.check()
        return subtasks_by_rule(goal["description"])
    turn.check()
    turn.tokens += reply.usage.total
    turn.model_calls.append(usage_of(reply))
    return subtasks_of(reply.text, goal["description"])
