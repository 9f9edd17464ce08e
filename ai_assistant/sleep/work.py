"""A piece of a night's work: what it wants written, in one commit with the mark that it is done."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any

from ai_assistant.agent.mind import Mind
from ai_assistant.agent.turn.ask_model import REFUSED, ask_model
from ai_assistant.core.contracts import AuditRecord, Change, Commit, Json, MemoryRow, NewRow
from ai_assistant.core.errors import BudgetExhausted, ModelError
from ai_assistant.core.model_records import Message, ModelRequest
from ai_assistant.core.readers import NOBODY

RECORD = "SleepStep"
"""The type of the audit records of which a night's report, and its undo, are made."""
LINES_A_CALL = 8
"""Beside its reading, a night asks a model at most once for so many lines that it read."""


@dataclass(slots=True)
class Work:
    """What a stage of the night proposes."""

    stage: str
    """The name of the stage."""
    changes: list[Change] = field(default_factory=list)
    """Steps on the state."""
    rows: list[MemoryRow] = field(default_factory=list)
    """New memories."""
    archived: list[int] = field(default_factory=list)
    """Ids of memories that go out of use."""
    annotated: dict[int | NewRow, Json] = field(default_factory=dict)
    """What is added to the metadata of memories, by id."""
    audit: list[AuditRecord] = field(default_factory=list)
    """Records besides those of the report."""
    told: Json = field(default_factory=dict)
    """The entry of the report; empty for none."""
    undo: Json = field(default_factory=dict)
    """What takes it back."""
    more: list[tuple[Json, Json]] = field(default_factory=list)
    """Further pairs of both."""
    readers: str = NOBODY
    """The label of what is told."""
    marks: Json = field(default_factory=dict)
    """Go into the state of sleep with the same commit, so that no piece is ever done twice."""
    skip: str = ""
    """What is passed over for the rest of the night, by its mark."""
    calls: int = 0
    """How often a model was asked."""
    credit: int = 0
    """Lines used up, for which later questions may be asked; below zero what its own took."""


UNANSWERED = "unanswered"
"""Passed over: what else a stage would ask tonight, once a question of it got no answer."""


StageResult = Work | Coroutine[Any, Any, Work | None]
"""A piece of work, or what must be awaited for it."""
NightStage = Callable[[Mind, Json], StageResult | None]
"""``stage(mind, sleep)``: its next piece of work; None when it has no more tonight.

The call only looks: what writes, or asks a model, is awaited.
"""


def save_work(mind: Mind, sleep: Json, work: Work) -> list[MemoryRow]:
    """Write a piece of work; returns the rows with their ids. Raises `StoreError`."""
    at = mind.clock.now()
    step = {
        "at": at,
        "skip": work.skip,
        "news": bool(work.told),
        "calls": work.calls,
        "credit": work.credit,
        "marks": work.marks,
    }
    commit = Commit(
        at=at,
        turn_id=sleep["night"],
        changes=[*work.changes, Change("sleep", "", "advance", step)],
        rows=work.rows,
        archived=work.archived,
        annotated=work.annotated,
        audit=[*work.audit],
    )
    for told, undo in ((work.told, work.undo), *work.more):
        if told:
            data = {"stage": work.stage, "told": told, "undo": undo}
            commit.audit.append(AuditRecord(RECORD, data, work.readers, sleep["night"], at))
    return mind.save(commit)


def may_ask(mind: Mind, sleep: Json, job: str, *, calls: int = 1, more: int = 0) -> bool:
    """Is there a model for this question, and were lines enough read to ask it so often?

    `more` are lines that this piece of work is about to use up. Without a model, rules do these
    smaller jobs; the day itself is read by whatever model there is.
    """
    return not mind.model.is_offline(job) and sleep["credit"] + more >= calls * LINES_A_CALL


def label_mark(readers: str) -> str:
    """Return what a stage notes of a label that it is through with; never empty."""
    return f"label {readers}"


async def ask_by_night(
    mind: Mind, job: str, instructions: str, data: str, *, max_tokens: int = 800
) -> str:
    """Return a model's answer to one small question of the night; empty where none came."""
    return await answer_to(
        mind,
        ModelRequest(
            messages=(Message("system", instructions), Message("user", data)),
            job=job,
            context_type="reflection",
            assistant=mind.key,
            max_tokens=max_tokens,
        ),
    )


async def answer_to(mind: Mind, request: ModelRequest, *, refused: str = "") -> str:
    """Return a model's answer to a request; empty where none came, and `refused` where that was
    for what the request holds."""
    try:
        return (await ask_model(mind, request)).text
    except (ModelError, BudgetExhausted) as problem:
        mind.report("sleep", problem)
        return refused if getattr(problem, "cause", "") in REFUSED else ""
