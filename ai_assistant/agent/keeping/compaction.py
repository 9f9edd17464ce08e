"""Compaction by a model: it puts the folded lines of a talk together while the game goes on.

The summary by rule is there already, so nothing is lost if the model fails. The model gets those
lines and the prior summary, all of one label: no persona, no instructions, no other memory. Before
that, facts that a summary would leave out go into the journal. Each fact quotes the line that it
names, and is dropped if it has a number or name that the line has not.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from ai_assistant.agent.mind import Mind
from ai_assistant.agent.turn.ask_model import ask_model, briefing
from ai_assistant.agent.turn.refusals import is_out_of_character
from ai_assistant.core.contracts import AuditRecord, Change, Commit, Json
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.model_json import answer_objects
from ai_assistant.core.model_records import ModelRequest
from ai_assistant.core.quotes import stands_in, unsupported
from ai_assistant.core.text import clean
from ai_assistant.memory.inner.persona_guard import self_reference
from ai_assistant.memory.talk.folding import MAX_RECORD, by_name, to_summarise, version_of
from ai_assistant.prompts import load_prompt

JOB = "summarise"
CALLS = 2
"""Of one summary: one that rescues facts, one that puts the lines together."""
MOST_LINES = 12
LONGEST_ANSWER = 600
"""Tokens that a summary may take."""
MOST_FACTS, LONGEST_FACT, LONGEST_FACTS = 5, 240, 400
"""Facts that are rescued of it, the characters of each, and the tokens of that whole answer."""
_MARKS = re.compile(r"\A\s*(?:[-*•–]+\s+|#{1,6}\s+|\d{1,2}[.)]\s+)?")
_FENCE = re.compile(r"\s*```")
_NO_TEXT = ("{", "[", "<")
"""With these an answer begins that is data or a call, and no text."""


@dataclass(slots=True)
class Shortened:
    """What is to be written after a model was asked to shorten a talk."""

    changes: list[Change] = field(default_factory=list)
    """The new summary, and facts for the journal."""
    audit: list[AuditRecord] = field(default_factory=list)
    """How it went, for the log."""
    is_taken: bool = False
    """Was the model's summary good enough to be kept?"""
    is_answered: bool = True
    """Did the model answer at all?"""


def may_summarise(mind: Mind) -> bool:
    """Does the character's role keep a history that a model may summarise?"""
    allowed = mind.role.chat_history and mind.role.llm_compaction
    return allowed and bool(mind.config["compact_enabled"])


def candidates(mind: Mind) -> list[str]:
    """Return the keys of the talks with enough folded lines to ask a model."""
    keys = mind.store.keys("working")
    return [key for key in keys if to_summarise(mind.store.read("working", key))[1]]


async def shorten_talk(mind: Mind, key: str) -> bool:
    """Let a model summarise the folded lines of a talk; return whether its answer was taken.

    Raises `StoreError` when the database refuses.
    """
    found = await summarised(mind, key)
    if found.changes or found.audit:
        mind.save(Commit(at=mind.clock.now(), changes=found.changes, audit=found.audit))
    return found.is_taken and not to_summarise(mind.store.read("working", key))[1]


async def summarised(mind: Mind, key: str) -> Shortened:
    """Return what a model makes of a talk's folded lines: rescued facts, then a summary.

    There is no summary if the answer fails, is empty or too long. If the talk goes on meanwhile,
    the summary changes nothing when it is written.
    """
    talk = mind.store.read("working", key)
    prior, lines = to_summarise(talk)
    found, epoch = Shortened(), mind.epoch
    if not lines:
        return found
    me, name = mind.world.me().name, mind.store.read("profile", talk["entity_id"])["name"]
    lines = [by_name(line, name, me) for line in lines]
    found.changes += await _rescue(mind, talk, lines, name)
    record = [by_name(line, name, me) for line in prior.split("\n")] if prior else []
    data = {"me": me, "with": name, "record": record, "to_add": lines}
    instructions = mind.config["compact_prompt"] or load_prompt(JOB)
    try:
        reply = await ask_model(mind, _request(mind, instructions, data, LONGEST_ANSWER))
        summary = _checked(reply.text)
        outcome: Json = {"outcome": "summarised" if summary else "refused: empty or too long"}
    except AssistantError as problem:
        summary, outcome = "", {"outcome": f"failed: {problem}"}
        found.is_answered = False
    if mind.epoch != epoch:
        return Shortened()
    if summary:
        step = {"expected": version_of(talk), "summary": summary}
        found.changes.append(Change("working", key, "replace_summary", step))
        outcome |= {"before": len(talk["summary"]), "after": len(summary)}
    found.is_taken = bool(summary)
    known = {"entity": talk["entity_id"], **outcome}
    found.audit = [AuditRecord("Compacted", known, talk["readers"], at=mind.clock.now())]
    return found


def _checked(text: str) -> str:
    """Return an answer as lines of a summary; empty if it is no summary, or too long."""
    rows = [_MARKS.sub("", row).strip() for row in text.splitlines() if not _FENCE.match(row)]
    rows = [row for row in rows if row]
    is_text = not (text.lstrip().startswith(_NO_TEXT) or is_out_of_character(text))
    fits = len(rows) <= MOST_LINES and sum(map(len, rows)) <= MAX_RECORD
    if not (fits and is_text):
        return ""
    lines = [f"- {row}" for row in dict.fromkeys(clean(row, MAX_RECORD) for row in rows) if row]
    summary = "\n".join(lines)
    return summary if len(summary) <= MAX_RECORD else ""


async def _rescue(mind: Mind, talk: Json, lines: Sequence[str], name: str) -> list[Change]:
    """Return the changes that write facts of these lines into the journal, under the talk's label.

    None if the model fails. `name` is that of the other speaker.
    """
    numbered = [{"id": number, "text": line} for number, line in enumerate(lines, start=1)]
    try:
        reply = await ask_model(
            mind, _request(mind, load_prompt("rescue"), numbered, LONGEST_FACTS)
        )
    except AssistantError as problem:
        mind.report("rescue of facts", problem)
        return []
    about = {
        "source_type": "direct",
        "source_entity": talk["entity_id"],
        "at": mind.clock.now(),
        "readers": talk["readers"],
        "tags": ["rescued"],
        "author": talk["entity_id"],
    }
    facts = _facts(mind, reply.text, lines, name)
    entries = [{"content": fact, **about} for fact in facts]
    return [Change("journal", "", "add_journal_entry", entry) for entry in entries]


def _request(mind: Mind, instructions: str, data: object, most: int) -> ModelRequest:
    """Return a request about the lines of a talk, for an answer of at most `most` tokens."""
    return ModelRequest(
        messages=briefing(instructions, data),
        job="summarise",
        profile=mind.config["compact_model"],
        context_type="pre_compaction",
        assistant=mind.key,
        max_tokens=most,
    )


def _facts(mind: Mind, text: str, lines: Sequence[str], name: str) -> list[str]:
    """Return the facts that their line bears out, that are new, and not about the character."""
    known = {entry["content"] for entry in mind.store.read("journal")["entries"]}
    found: dict[str, None] = {}
    for item in answer_objects(text)[:MOST_FACTS]:
        fact, line = clean(item.get("fact") or "", LONGEST_FACT), item.get("line")
        if not fact or fact in known or type(line) is not int or not 1 <= line <= len(lines):
            continue
        said = lines[line - 1]
        own = self_reference(fact, (mind.world.me().name,), about=name)
        is_quoted = stands_in(clean(item.get("quote") or ""), said)
        foreign = unsupported(fact, [said, name], mind.recall.names.values())
        if is_quoted and not own and not foreign:
            found[fact] = None
    return list(found)
