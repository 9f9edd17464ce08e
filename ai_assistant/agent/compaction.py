"""Summaries by a model: the folded lines of a talk, put together while the game goes on.

The deterministic summary stands already, so whatever goes wrong here costs nothing. A model gets
those lines and the prior summary, of one label, and nothing else: no persona, no instructions of
the character, no other memory.
"""

from __future__ import annotations

import json
import re

from ai_assistant.agent.asking import ask_model
from ai_assistant.agent.mind import Mind
from ai_assistant.agent.refusals import is_out_of_character
from ai_assistant.agent.rescue import rescue
from ai_assistant.contracts import AuditRecord, Change, Commit, Json, Message, ModelRequest
from ai_assistant.errors import AssistantError
from ai_assistant.memory.compaction import MAX_RECORD, to_summarise, version_of
from ai_assistant.prompts import load
from ai_assistant.text import clean

JOB = "summarise"
CALLS = 2
"""Of one summary: one that rescues facts, one that puts the lines together."""
MOST_LINES = 12
LONGEST_ANSWER = 600
"""Tokens that a summary may take."""
_MARKS = re.compile(r"\A\s*(?:[-*•–]+\s+|#{1,6}\s+|\d{1,2}[.)]\s+)?")
_FENCE = re.compile(r"\s*```")
_NO_TEXT = ("{", "[", "<")
"""With these an answer begins that is data or a call, and no text."""


def may_summarise(mind: Mind) -> bool:
    """Has its role a history that a model may put together?"""
    allowed = mind.role.chat_history and mind.role.llm_compaction
    return allowed and bool(mind.config["compact_enabled"])


def candidates(mind: Mind) -> list[str]:
    """Return the keys of the talks in which enough was folded for a model to be asked."""
    keys = mind.store.keys("working")
    return [key for key in keys if to_summarise(mind.store.read("working", key))[1]]


async def shorten(mind: Mind, key: str) -> bool:
    """Rescue the facts of a talk's folded lines, then let a model put them together.

    Says whether its summary was taken. Raises `StoreError` when the database refuses.
    """
    talk = mind.store.read("working", key)
    _, lines = to_summarise(talk)
    if lines:
        await rescue(mind, talk, lines)
    return await summarise(mind, key)


async def summarise(mind: Mind, key: str) -> bool:
    """Let a model put one talk's summary together; says whether its answer was taken.

    Nothing is written where it fails, is empty or too long, or where the talk went on meanwhile.
    Raises `StoreError` when the database refuses.
    """
    talk = mind.store.read("working", key)
    prior, lines = to_summarise(talk)
    if not lines:
        return False
    epoch = mind.epoch
    try:
        reply = await ask_model(mind, _request(mind, prior, lines))
    except AssistantError as problem:  # the lines themselves stay: nothing is lost
        _record(mind, talk, {"outcome": f"failed: {type(problem).__name__}"})
        return False
    summary = _checked(reply.text)
    if mind.epoch != epoch:
        return False
    if not summary:
        _record(mind, talk, {"outcome": "refused: empty or too long"})
        return False
    step = {"expected": version_of(talk), "summary": summary}
    before, after = len(talk["summary"]), len(summary)
    noted = _audit(mind, talk, {"outcome": "summarised", "before": before, "after": after})
    change = Change("working", key, "replace_summary", step)
    mind.save(Commit(at=mind.clock.now(), changes=[change], audit=[noted]))
    return bool(mind.store.read("working", key)["summary"] == summary)


def _request(mind: Mind, prior: str, lines: list[str]) -> ModelRequest:
    data = json.dumps({"record": prior.split("\n"), "to_add": lines}, ensure_ascii=False)
    return ModelRequest(
        messages=(
            Message("system", mind.config["compact_prompt"] or load(JOB)),
            Message("user", data),
        ),
        job=JOB,
        profile=mind.config["compact_model"],
        context_type="pre_compaction",
        assistant=mind.key,
        max_tokens=LONGEST_ANSWER,
    )


def _checked(text: str) -> str:
    """Return an answer as the lines of a summary; empty where it is none, or too long for one."""
    rows = [_MARKS.sub("", row).strip() for row in text.splitlines() if not _FENCE.match(row)]
    rows = [row for row in rows if row]
    is_text = not (text.lstrip().startswith(_NO_TEXT) or is_out_of_character(text))
    fits = len(rows) <= MOST_LINES and sum(map(len, rows)) <= MAX_RECORD
    if not (fits and is_text):
        return ""
    lines = [f"- {row}" for row in dict.fromkeys(clean(row, MAX_RECORD) for row in rows) if row]
    summary = "\n".join(lines)
    return summary if len(summary) <= MAX_RECORD else ""


def _audit(mind: Mind, talk: Json, data: Json) -> AuditRecord:
    known = {"entity": talk["entity_id"], **data}
    return AuditRecord("Compacted", known, talk["readers"], at=mind.clock.now())


def _record(mind: Mind, talk: Json, data: Json) -> None:
    mind.save(Commit(at=mind.clock.now(), audit=[_audit(mind, talk, data)]))
