"""A piece of a night's work: what it wants written, in one commit with the mark that it is done."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from ai_assistant.agent.asking import ask_model
from ai_assistant.agent.mind import Mind
from ai_assistant.contracts import AuditRecord, Change, Commit, Json, MemoryRow, Message
from ai_assistant.contracts import ModelRequest as Request
from ai_assistant.errors import BudgetExhausted, ModelError
from ai_assistant.readers import NOBODY

RECORD = "SleepStep"
"""The type of the audit records of which a night's report, and its undo, are made."""
OBSERVATIONS_A_CALL = 5
"""A night makes at most one model call for so many new observations (design §8, issue's figure)."""


@dataclass(slots=True)
class Work:
    """What a stage of the night proposes.

    `told` is the entry of the report, `undo` what takes it back; both carry `readers`. `marks` go
    into the state of sleep with the same commit, so that no piece is ever done twice. `calls` is
    how often a model was asked, `credit` how many observations were used up, for which it may be.
    """

    stage: str
    changes: list[Change] = field(default_factory=list)
    rows: list[MemoryRow] = field(default_factory=list)
    archived: list[int] = field(default_factory=list)
    annotated: dict[int, Json] = field(default_factory=dict)
    told: Json = field(default_factory=dict)
    undo: Json = field(default_factory=dict)
    readers: str = NOBODY
    marks: Json = field(default_factory=dict)
    skip: str = ""
    calls: int = 0
    credit: int = 0


Stage = Callable[[Mind, Json], Awaitable[Work | None]]
"""``await stage(mind, sleep)``: its next piece of work; None when it has no more tonight."""


def save(mind: Mind, sleep: Json, work: Work) -> list[MemoryRow]:
    """Write a piece of work; returns the rows with their ids. Raises `StoreError`."""
    at = mind.clock.now()
    step = {
        "at": at,
        "skip": work.skip,
        "news": bool(work.told),
        "calls": work.calls,
        "credit": work.credit - OBSERVATIONS_A_CALL * work.calls,
        "marks": work.marks,
    }
    commit = Commit(
        at=at,
        turn_id=sleep["night"],
        changes=[*work.changes, Change("sleep", "", "advance", step)],
        rows=work.rows,
        archived=work.archived,
        annotated=work.annotated,
    )
    if work.told:
        data = {"stage": work.stage, "told": work.told, "undo": work.undo}
        commit.audit.append(AuditRecord(RECORD, data, work.readers, sleep["night"], at))
    return mind.save(commit)


def may_ask(mind: Mind, sleep: Json, job: str, *, more: int = 0) -> bool:
    """Is there a model for this job, and are there news enough to ask it?

    `more` are the observations that this piece of work is about to use up.
    """
    return not mind.is_offline(job) and sleep["credit"] + more >= OBSERVATIONS_A_CALL


def label_mark(readers: str) -> str:
    """Return what a stage notes of a label that it is through with; never empty."""
    return f"label {readers}"


async def ask(mind: Mind, job: str, instructions: str, data: str, *, max_tokens: int = 800) -> str:
    """Return a model's answer to one question of the night; empty where none came."""
    request = Request(
        messages=(Message("system", instructions), Message("user", data)),
        job=job,
        context_type="sleep_consolidate" if job == "consolidate" else "reflection",
        assistant=mind.key,
        max_tokens=max_tokens,
    )
    try:
        return (await ask_model(mind, request)).text
    except (ModelError, BudgetExhausted) as problem:
        mind.report("sleep", problem)
        return ""
