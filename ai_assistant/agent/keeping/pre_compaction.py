"""Rescue: before a model shortens a talk, what must not be lost goes into the journal.

The lines themselves stay rows of the container, so it is for what a summary would leave out. Each
fact quotes the line that it names; without that, or with a number or name that the line does not
hold, it is not written.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from ai_assistant.agent.mind import Mind
from ai_assistant.agent.turn.ask_model import ask_model
from ai_assistant.core.contracts import Change, Json, Message, ModelRequest
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.model_json import answer_objects
from ai_assistant.core.quotes import stands_in, unsupported
from ai_assistant.core.text import clean
from ai_assistant.memory.inner.persona_guard import self_reference
from ai_assistant.prompts import load

MOST_FACTS = 5
LONGEST_FACT = 240
LONGEST_ANSWER = 400
"""Tokens of the whole answer."""


async def rescue(mind: Mind, talk: Json, lines: Sequence[str], name: str) -> list[Change]:
    """Return what writes the facts of these lines into the journal, under the talk's label.

    Nothing where the model fails; `name` is that of the other one.
    """
    numbered = [{"id": number, "text": line} for number, line in enumerate(lines, start=1)]
    try:
        reply = await ask_model(mind, request_for(mind, load("rescue"), numbered, LONGEST_ANSWER))
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
    facts = _checked(mind, reply.text, lines, name)
    entries = [{"content": fact, **about} for fact in facts]
    return [Change("journal", "", "add_journal_entry", entry) for entry in entries]


def request_for(mind: Mind, instructions: str, data: object, most: int) -> ModelRequest:
    """Return a request about the lines of a talk, for an answer of so many tokens at most."""
    return ModelRequest(
        messages=(
            Message("system", instructions),
            Message("user", json.dumps(data, ensure_ascii=False)),
        ),
        job="summarise",
        profile=mind.config["compact_model"],
        context_type="pre_compaction",
        assistant=mind.key,
        max_tokens=most,
    )


def _checked(mind: Mind, text: str, lines: Sequence[str], name: str) -> list[str]:
    """Return the facts that their line says, that are news, and not about the character."""
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
