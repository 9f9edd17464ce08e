"""A plan first, then its steps: the model's own note to itself, which allows nothing."""

from __future__ import annotations

import json

from ai_assistant.agent.attention.layers import TOOL_RESULT
from ai_assistant.agent.turn.steps import ask_for_answer, has_steps_left, take_step
from ai_assistant.agent.turn.turn import Turn
from ai_assistant.agent.turn.turn_state import pattern_of
from ai_assistant.core.model_json import answer_texts
from ai_assistant.core.model_records import Message
from ai_assistant.core.text import clean
from ai_assistant.prompts import load_prompt

LONGEST_STEP = 200
"""Characters of one step of a plan."""


async def make_plan(turn: Turn, *, again: bool = False) -> list[str]:
    """Ask for a plan; returns its steps, none where no two are left to act and to speak."""
    energy = sum(map(turn.mind.energy.left, turn.roots))
    room = min(energy, pattern_of(turn).max_iterations - turn.steps) - 1
    if room < 2:
        return []
    _tell(turn, load_prompt("replan" if again else "plan").format(steps=room))
    reply = await ask_for_answer(turn, tools=False)
    plan = read_plan(reply.text, room)
    noted = json.dumps(plan, ensure_ascii=False)
    turn.transcript.append(Message("assistant", noted, component=TOOL_RESULT))
    turn.audit("Planned", {"steps": plan, "again": again})
    return plan


async def carry_out(turn: Turn, plan: list[str]) -> None:
    """Take the steps of a plan, in order; what is left when one fails is planned anew, once."""
    replanned = False
    while plan and has_steps_left(turn):
        step, *plan = plan
        _tell(turn, f"Do this step now: {step}")
        if await take_step(turn) and not turn.asks_afresh:
            continue
        if replanned or turn.ended or turn.asks_afresh:
            return
        replanned, plan = True, await make_plan(turn, again=True)


def read_plan(text: str, most: int) -> list[str]:
    """Return at most so many steps of a model's answer: a JSON list, or a list of lines."""
    steps = (clean(step, LONGEST_STEP) for step in answer_texts(text)[:most])
    return [step for step in steps if step]


def _tell(turn: Turn, words: str) -> None:
    turn.transcript.append(Message("user", words, component=TOOL_RESULT))
