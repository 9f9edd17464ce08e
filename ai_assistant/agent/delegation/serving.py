"""Doing an errand: a turn of the delegate's own mind, within all that bounds the requester's.

It has no speech: its last words go to the requester, and nobody else hears them.
"""

from __future__ import annotations

from functools import partial

from ai_assistant.agent.attention.layers import MOST_DELEGATES, ExecutionPattern, narrow
from ai_assistant.agent.delegation.errands import LONGEST_ANSWER, MAX_DEPTH, Errand, ErrandAnswer
from ai_assistant.agent.keeping.own_words import is_play
from ai_assistant.agent.keeping.remember import remember_turn
from ai_assistant.agent.mind import Mind
from ai_assistant.agent.prompt.build import build_prompt
from ai_assistant.agent.turn.deeds import note_deed
from ai_assistant.agent.turn.loop import run_steps
from ai_assistant.agent.turn.opening import begin
from ai_assistant.agent.turn.patient_writes import written
from ai_assistant.agent.turn.turn import Turn
from ai_assistant.agent.turn.turn_state import check_epoch
from ai_assistant.core.contracts import Category, MemoryRow
from ai_assistant.core.errors import BudgetExhausted, ModelError, ToolError
from ai_assistant.core.text import clean
from ai_assistant.memory.importance import OWN
from ai_assistant.roleplay.play import mark

QUIET = frozenset(Category) - {Category.TERMINAL}


async def serve(mind: Mind, errand: Errand, turn_id: str) -> ErrandAnswer:
    """Do an errand and remember it; returns the answer.

    Its turn answers no event of its own, so none is counted on disk; its first ceiling is that of
    the event which the errand is. Raises `ToolError` where no answer was found, `TurnSuperseded`
    and `StoreError` as a turn does.
    """
    turn = begin(mind, [errand.as_event()], turn_id)
    turn.errand, turn.roots = errand, errand.roots
    turn.audience = errand.audience
    turn.authors |= errand.authors
    turn.bounds = narrow(turn.bounds, bounds_of(errand))
    await build_prompt(turn)
    try:
        await run_steps(turn)
    except (ModelError, BudgetExhausted) as problem:
        check_epoch(turn)
        turn.problem = str(problem)
    turn.answer = words = clean(turn.answer, LONGEST_ANSWER, lines=40)
    played = is_play(turn, words)
    if words:
        _note_answer(turn, errand, words, played=played)
    await written(turn, partial(_save, turn))
    if not words:
        raise ToolError(f"{turn.me.name} found no answer.")
    authors = frozenset(turn.authors | {turn.me.id})
    return ErrandAnswer(words, turn.ceiling, authors, turn.steps, turn.tokens, played)


def _save(turn: Turn) -> None:
    remember_turn(turn, None)
    turn.mind.save(turn.commit)
    turn.mind.heard.clear()


def bounds_of(errand: Errand) -> ExecutionPattern:
    """Return what an errand allows: no speech, nothing dangerous unless staff want it."""
    return ExecutionPattern(
        categories=QUIET,
        confirm_dangerous=True,
        sub_agents=MOST_DELEGATES if len(errand.chain) < MAX_DEPTH else 0,
    )


def _note_answer(turn: Turn, errand: Errand, words: str, *, played: bool) -> None:
    note_deed(turn, clean(f"Answered {errand.requester.name}, who had asked: {words}"))
    turn.keep(
        MemoryRow(
            content=words[: LONGEST_ANSWER // 4],
            kind="own_words",
            session=turn.play.session,
            author=turn.me.id,
            author_name=turn.me.name,
            readers=turn.ceiling,
            game_day=turn.play.day,
            learned_at=turn.commit.at,
            importance=OWN,
            meta={"type": "errand", "turn": turn.id, **mark(played)},
        )
    )
