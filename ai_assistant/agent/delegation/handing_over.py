"""Handing a task to another assistant: whom, with what beside it, and what becomes of the answer.

What bounds the requester's turn goes with the task: who listens, who may read, whose words permit
what, and who pays. What comes back sinks the ceiling like everything else that is loaded.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from uuid import uuid4

from ai_assistant.agent.delegation.errands import (
    ERRAND_SECONDS,
    LONGEST_ANSWER,
    Delegate,
    Errand,
    ErrandAnswer,
)
from ai_assistant.agent.keeping.own_words import is_play
from ai_assistant.agent.turn.ask_model import aside, ask_aside
from ai_assistant.agent.turn.deeds import ensure_pending, note_deed
from ai_assistant.agent.turn.patient_writes import written
from ai_assistant.agent.turn.turn_state import TurnState, check_epoch, pattern_of
from ai_assistant.core.contracts import Json, MemoryRow
from ai_assistant.core.errors import ToolError
from ai_assistant.core.text import clean
from ai_assistant.language.words import stems, whole_sentences
from ai_assistant.memory.importance import OWN
from ai_assistant.planning import goal_tree
from ai_assistant.planning.goals import current_goals
from ai_assistant.roleplay.play import marked

SHORT_ANSWER = 600
"""Characters; a longer answer is shortened before the requester reads it."""
SUMMARY_SECONDS, SUMMARY_TOKENS = 15.0, 300
MOST_GOALS = 10
TOP_GOALS = 3
LINES = 8
"""The newest lines of its conversation that a requester without insulation shares."""


@dataclass(frozen=True, slots=True)
class TurnDelegates:
    """Implements `tools.tool_reach.DelegateReach` for one turn."""

    turn: TurnState
    """The turn of whoever hands over; it waits for the answer."""

    async def hand_over(self, task: str, to: str = "") -> Json:
        """Hand a task to the delegate of that name, or to the one it suits; returns the answer.

        Raises `ToolError` where nobody can take it, or where it came to nothing.
        """
        turn = self.turn
        chosen = _chosen(turn, task, to)
        errand = errand_of(turn, task)
        turn.errands_given += 1
        asked = {"to": chosen.name, "task": task}
        claim = {"id": errand.id, "tool": "delegate_task", "arguments": asked}
        triggers = turn.store.triggers
        await written(turn, partial(ensure_pending, turn))
        await written(turn, partial(triggers.claim, turn.id, claim | {"readers": turn.ceiling}))
        started = turn.clock.monotonic()
        try:
            sent = turn.mind.delegates.send(chosen.id, errand)
            answer = await turn.mind.limit(sent, ERRAND_SECONDS)
        except (ToolError, TimeoutError) as refusal:
            check_epoch(turn)
            reason = str(refusal) if isinstance(refusal, ToolError) else "It took too long."
            await written(turn, partial(triggers.settle, turn.id, errand.id, {"error": reason}))
            failed = {"errand": errand.id, "outcome": "failed", "why": reason}
            turn.audit("Delegated", asked | failed)
            raise ToolError(reason) from None
        check_epoch(turn)
        await written(turn, partial(triggers.settle, turn.id, errand.id, {"answer": "came"}))
        seconds = round(turn.clock.monotonic() - started, 1)
        spent = {"steps": answer.steps, "tokens": answer.tokens, "seconds": seconds}
        return await _received(turn, chosen, asked | {"errand": errand.id} | spent, answer)

    def listed(self) -> list[Json]:
        """Return who may be given tasks, and why not now."""
        known = self.turn.mind.delegates.known()
        rows = [{"name": who.name, "about": who.about, "not_now": who.hindrance} for who in known]
        return [{key: value for key, value in row.items() if value} for row in rows]


# -- out


def errand_of(turn: TurnState, task: str) -> Errand:
    """Return a task as it travels. What is told beside it has sunk the turn's ceiling already.

    Nothing is used for it that the requester itself could not be told: it belongs to the audience.
    """
    told = turn.mind.config["personality_insulation"]
    briefing: list[Json] = []
    if told == "delegate":
        briefing = _goals(turn, TOP_GOALS)
    elif told == "none":
        entries = turn.store.read("stream")["entries"][-LINES:]
        talk = (
            {"heard": entry["content"], "from": entry["who"]}
            for entry in entries
            if turn.admit(entry["readers"], entry["who_id"])
        )
        briefing = [*_goals(turn, MOST_GOALS), *talk, turn.mind.condition()]
    before = turn.errand.chain if turn.errand else ()
    return Errand(
        id=uuid4().hex[:12],
        task=task,
        requester=turn.me,
        at=turn.clock.now(),
        audience=turn.audience | {turn.me.id},
        ceiling=turn.ceiling,
        roots=turn.roots,
        authors=frozenset(turn.authors | {turn.me.id}),
        chain=(*before, turn.me.id),
        insulation=told,
        briefing=tuple(briefing),
        session=turn.play.session,
        day=turn.play.day,
        played=is_play(turn, task),
    )


def _chosen(turn: TurnState, task: str, to: str) -> Delegate:
    """Return who shall do it; raises `ToolError` where there is nobody, or not now."""
    passed = {turn.me.id, *(turn.errand.chain if turn.errand else ())}
    most = pattern_of(turn).sub_agents
    if turn.errands_given >= most or turn.mind.delegates.running() >= most:
        raise ToolError(f"At most {most} tasks may be in other hands. Go on by yourself.")
    if not any(map(turn.mind.energy.left, turn.roots)):
        raise ToolError("There is no energy left for somebody else's work.")
    known = [who for who in turn.mind.delegates.known() if who.id not in passed]
    found = _meant(known, task, to)
    if found is None:
        names = ", ".join(who.name for who in known) or "nobody"
        raise ToolError(f"There is no '{clean(to, 40)}' to hand it to. You have: {names}.")
    if found.hindrance:
        raise ToolError(f"{found.name} cannot do it now: {found.hindrance}.")
    return found


def _meant(known: Sequence[Delegate], task: str, to: str) -> Delegate | None:
    """Return the one of that name; without a name the one whose trade fits, the free ones first."""
    wanted = to.strip().casefold()
    if wanted:
        exact = [who for who in known if who.name.casefold() == wanted]
        partly = [who for who in known if wanted in who.name.casefold()]
        return next(iter(exact or partly), None)
    asked = {*stems(task)}
    fits = {who.id: len(asked & {*stems(f"{who.name} {who.about}")}) for who in known}
    return max(known, key=lambda who: (not who.hindrance, fits[who.id]), default=None)


def _goals(turn: TurnState, most: int) -> list[Json]:
    """Return the weightiest goals that may be told, the topmost of each tree only."""
    roots = goal_tree.roots(current_goals(turn.state("goals")))
    active = [goal for goal in roots if goal_tree.is_open(goal)]
    active.sort(key=lambda goal: -goal_tree.PRIORITIES.index(goal["priority"]))
    told = (goal for goal in active if turn.admit(goal["readers"], goal["author"]))
    return [{"goal": goal["description"]} for goal in islice(told, most)]


# -- back


async def _received(turn: TurnState, chosen: Delegate, asked: Json, answer: ErrandAnswer) -> Json:
    """Take in an answer: the ceiling sinks, it is shortened, and remembered."""
    if not turn.admit(answer.ceiling, ",".join(answer.authors)):
        raise ToolError(f"What {chosen.name} answered must not be used here.")
    text = clean(answer.text, LONGEST_ANSWER, lines=40)
    config = turn.mind.config
    if len(text) > SHORT_ANSWER and config["result_summarization"]:
        by_model = config["result_summarization_model"] and turn.mind.energy.spend(turn.roots)
        short = await _summary(turn, text) if by_model else ""
        text = short or whole_sentences(text, SHORT_ANSWER)
    deed = f"Asked {chosen.name}: {asked['task']} They answered: {text}"
    note_deed(turn, clean(deed, SHORT_ANSWER), played=answer.played)
    told = f"{chosen.name}, asked to {asked['task']}, answered: {text}"
    row = MemoryRow(
        content=clean(told, SHORT_ANSWER * 2),
        kind="delegation",
        author=chosen.id,
        author_name=chosen.name,
        session=turn.play.session,
        readers=turn.ceiling,
        game_day=turn.play.day,
        learned_at=turn.clock.now(),
        importance=OWN,
        trust=0.7,
        meta={"turn": turn.id},
    )
    row = marked(row, answer.played)
    turn.keep(row)
    turn.source_rows += [row] if answer.played else []
    turn.audit("Delegated", asked | {"outcome": "answered", "answer": clean(text, 300)})
    return {"from": chosen.name, "answer": text}


async def _summary(turn: TurnState, text: str) -> str:
    """Return a model's summary of one answer; empty where none came, or none that is shorter."""
    question = aside(turn, "summarise", "summarise_answer", {"answer": text}, SUMMARY_TOKENS)
    reply = await ask_aside(turn, question, SUMMARY_SECONDS)
    found = clean(reply.text, SHORT_ANSWER + 1, lines=12) if reply else ""
    return found if len(found) <= SHORT_ANSWER else ""
