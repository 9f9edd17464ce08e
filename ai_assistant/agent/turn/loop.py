"""perceive → classify → queue → wait → assemble → think → act → remember → save → speak.

This file is the second half of that line: one turn, from the moment it has a slot. It is
`async def` without any event loop: only the model, and acts of the game, are awaited.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from ai_assistant.agent.attention.assess import assess
from ai_assistant.agent.attention.classify import may_pass
from ai_assistant.agent.attention.directing import keeps_floor
from ai_assistant.agent.attention.energy import tick_energy
from ai_assistant.agent.attention.purses import EXCUSED
from ai_assistant.agent.keeping.remember import excuse_itself, remember_turn
from ai_assistant.agent.mind import Mind
from ai_assistant.agent.prompt.build import build_prompt
from ai_assistant.agent.turn.ask_model import note_failure
from ai_assistant.agent.turn.opening import begin
from ai_assistant.agent.turn.patient_writes import written
from ai_assistant.agent.turn.plan_mode import carry_out, make_plan
from ai_assistant.agent.turn.speaking import say_saved
from ai_assistant.agent.turn.steps import has_steps_left, take_step
from ai_assistant.agent.turn.turn import Turn
from ai_assistant.agent.turn.turn_state import (
    check_epoch,
    has_acted,
    has_answered,
    pattern_of,
)
from ai_assistant.agent.unasked.autonomy import ITS_SHARE, Occasion
from ai_assistant.core.contracts import Change, Delivery, Event, Json
from ai_assistant.core.errors import BudgetExhausted, EnergySpent, ModelError
from ai_assistant.planning import goals as planning
from ai_assistant.planning.urgency import weight
from ai_assistant.tools.control import wait


async def run_steps(turn: Turn) -> None:
    """Run the steps of a turn in the mode of its pattern, until it has ended or may not go on.

    Who still waits for an answer after one action or a plan gets one more step, of words alone.
    """
    mode = pattern_of(turn).mode
    plan = await make_plan(turn) if mode == "plan_execute" else []
    if mode == "single_action":
        await take_step(turn)
    elif plan:
        await carry_out(turn, plan)
    if turn.asks_afresh or not (plan or mode == "single_action"):
        while has_steps_left(turn):
            is_last = turn.steps + 1 >= pattern_of(turn).max_iterations
            turn.closing = is_last and turn.errand is not None  # its answer is words
            await take_step(turn)
    if turn.events and has_steps_left(turn):
        turn.closing = True
        await take_step(turn)


@dataclass(frozen=True, slots=True)
class Report:
    """How a turn ended: what became of its speech, and of each event it answered."""

    turn_id: str
    """The id of the turn."""
    outcome: str
    """What it came to, as the events are closed with."""
    answered: tuple[str, ...] = ()
    """The ids of the events that it answered."""
    delivery: Delivery | None = None
    """What became of its last piece of speech."""
    steps: int = 0
    """Answers of the model."""
    tokens: int = 0
    """Tokens that its calls of models took."""
    problem: str = ""
    """Why it failed; empty where it did not."""
    idle: bool = False
    """Did it do nothing but wait?"""
    arrives_for: str = ""
    """The id of the line for which it came where its context barred it from speaking."""


async def take_turn(
    mind: Mind,
    events: Sequence[Event],
    turn_id: str,
    context_type: str = "tick_event",
    *,
    goal: Json | None = None,
    occasion: Occasion | None = None,
) -> Report:
    """Run one turn: over events with equal readers and place, or of the character's own accord.

    Over events the attempt is counted on disk before anything is done. Raises `TurnSuperseded` when
    the turn lost its right to act, and `StoreError` when it could not be saved: its events are
    still on disk then, and only what it claimed was said or written.
    """
    turn = begin(mind, events, turn_id, context_type, goal=goal, occasion=occasion)
    mind.store.triggers.begin(turn_id, [event.id for event in events])
    mind.sign("thinking", turn.audience)
    if not events:
        turn.change(Change("counters", "", "count", {"name": "ticks"}))
        _pay_for_tick(turn)
    if turn.events and all(event.addressing == EXCUSED for event in turn.events):
        _fall_silent(turn, "Whoever asked has had as many answers as one may have for now.")
        return await save_then_speak(turn)
    if turn.events and not any(map(mind.energy.left, turn.roots)):
        _fall_silent(turn)
        return await save_then_speak(turn)
    if turn.play.session and not await keeps_floor(turn):
        turn.passes = True
        return await save_then_speak(turn)
    await build_prompt(turn)
    await assess(turn)
    try:
        await run_steps(turn)
        if turn.events and not (turn.ended or has_answered(turn)):
            paid = any(map(mind.energy.left, turn.roots))
            _fall_silent(turn, "Its steps ran out before it spoke." if paid else "")
    except (ModelError, BudgetExhausted) as problem:
        check_epoch(turn)
        if not turn.mending:
            _give_up(turn, problem)
    return await save_then_speak(turn)


def _fall_silent(turn: Turn, problem: str = "") -> None:
    """End a turn without an answer: it failed for this problem, or else lets the line pass."""
    turn.problem, turn.passes = problem, not (problem or has_answered(turn))
    excuse_itself(turn)


def _give_up(turn: Turn, problem: ModelError | BudgetExhausted) -> None:
    """End a turn for which no model was to be had, or no call left."""
    is_spent = isinstance(problem, EnergySpent)
    if isinstance(problem, BudgetExhausted) and not is_spent:
        turn.audit("BudgetExhausted", {"problem": str(problem)})
    if isinstance(problem, ModelError):
        note_failure(turn, problem.cause)
    _fall_silent(turn, "" if is_spent else str(problem))


def _pay_for_tick(turn: Turn) -> None:
    """Give it the energy that its goal is worth; who was sent goes on with that line's."""
    mind = turn.mind
    if mind.energy.left(turn.question):
        turn.roots = (turn.question,)
        return
    goals = planning.current_goals(turn.store.read("goals"))
    urgency = weight(goals, turn.goal, turn.world.game_time()) if turn.goal else 0
    left = mind.budget.calls_left(mind.key, ITS_SHARE)
    mind.energy.mint(turn.id, tick_energy(urgency, left))


# -- remember, save, speak


async def save_then_speak(turn: Turn) -> Report:
    """Write what is left in one commit, then say the last piece, in the same step."""
    mind = turn.mind
    outcome = await written(turn, partial(_save, turn))
    mind.failed_turns = mind.failed_turns + 1 if turn.problem else 0
    for who in {event.source.id for event in turn.events} & mind.proposals.keys():
        if mind.proposals[who].turn_id != turn.id:  # it waited for a yes, and that was none
            del mind.proposals[who]
    if turn.speech:
        mind.sign(
            "speaking", turn.audience, turn.audience & {event.source.id for event in turn.events}
        )
    say_saved(turn)
    for event in () if turn.deliveries else turn.events:
        if may_pass(event, turn.world.company):  # so it was not for it
            mind.engagement.part(event)
    is_busy = any(done.ok and done.name != wait.name for done in turn.past_calls.values())
    return Report(
        turn_id=turn.id,
        outcome=outcome,
        answered=tuple(event.id for event in turn.events),
        delivery=turn.deliveries[-1][1] if turn.deliveries else None,
        steps=turn.steps,
        tokens=turn.tokens,
        problem=turn.problem,
        idle=not (has_acted(turn) or is_busy),
        arrives_for=turn.question if turn.arrives_anew else "",
    )


def _save(turn: Turn) -> str:
    """Write all that is left; returns the outcome in a word.

    Who hears it, and the game's moderation for those, is asked at each try.
    """
    turn.speech = turn.speech and turn.world.moderated(turn.speech)
    expected = turn.world.route(turn.speech) if turn.speech else None
    outcome = remember_turn(turn, expected)
    turn.mind.save(turn.commit)
    turn.mind.heard.clear()
    return outcome
