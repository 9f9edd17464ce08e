"""The three execution modes: one action, the steps of a plan, or step by step as it comes."""

from __future__ import annotations

from ai_assistant.agent.planexec import carry_out, make_plan
from ai_assistant.agent.steps import take_step
from ai_assistant.agent.turn import Turn


async def run_steps(turn: Turn) -> None:
    """Run the steps of a turn in the mode of its pattern, until it has ended or may not go on.

    Where one action or a plan is done and somebody still waits for an answer, one more step is
    taken, within the same limits, in which there are only words.
    """
    mode = turn.pattern.mode
    if mode == "react_loop":
        await _react(turn)
        return
    if mode == "single_action":
        await take_step(turn)
    elif plan := await make_plan(turn):
        await carry_out(turn, plan)
    else:
        await _react(turn)
    if turn.events and turn.has_steps_left():
        turn.closing = True
        await take_step(turn)


async def _react(turn: Turn) -> None:
    while turn.has_steps_left():
        is_last = turn.steps + 1 >= turn.pattern.max_iterations
        turn.closing = is_last and turn.errand is not None  # its answer is words, so they must come
        await take_step(turn)
