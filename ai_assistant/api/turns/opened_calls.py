"""Model calls as the owner sees them: a list with figures, and one call opened as it was."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from twisted.internet.defer import Deferred

from ai_assistant import conf
from ai_assistant.agent.prompt.prompt_wording import dump
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.model_records import Message, ModelReply, ModelRequest
from ai_assistant.core.readers import OPEN
from ai_assistant.core.text import counted
from ai_assistant.core.times import iso
from ai_assistant.game.identity import entity_id
from ai_assistant.models import ModelCall
from ai_assistant.runtime.service import SERVICE
from ai_assistant.storage import ledgers
from ai_assistant.storage.calls import call_rows

WITHOUT = {
    "private": "what was sent is not kept: not everybody may know it "
    "(AI_ASSISTANT_CALL_PRIVATE_BODIES)",
    "too large": "what was sent is not kept: it takes too much room (AI_ASSISTANT_CALL_BODY_BYTES)",
    "switched off": "what was sent is not kept (AI_ASSISTANT_CALL_BODY_DAYS)",
    "expired": "what was sent is not kept any more (AI_ASSISTANT_CALL_BODY_DAYS)",
}
"""Why there is nothing of a call but its figures."""


ROLES = {
    "system": "what it is told",
    "user": "what it hears",
    "assistant": "what it said before",
    "tool": "what a tool brought",
}
"""Whose message one is, by its role, as an owner would put it."""


@dataclass(frozen=True, slots=True)
class CallFigures:
    """What one call took."""

    number: int
    """By which it is named in commands and addresses."""
    at: str
    """When it was answered, as times are stored."""
    turn: str
    """The id of its turn; empty for none."""
    job: str
    """What it was for."""
    profile: str
    """The model profile that answered."""
    model: str
    """The model, as its provider names it."""
    milliseconds: int
    """From the question to the answer, a second try included."""
    prompt_tokens: int
    """As the provider counted them; 0 where it did not say."""
    completion_tokens: int
    """The same of the answer."""
    price: float | None
    """In dollars, as published; None where nobody knows."""
    problem: str
    """Why there was no answer, or why the offline model stood in."""
    readers: str
    """The label of what was sent."""
    without: str
    """Why there is nothing but these figures, in words; empty where there is."""

    @property
    def private(self) -> bool:
        """Was anything in it that not everybody may know?"""
        return self.readers != OPEN

    @property
    def no_answer(self) -> str:
        """Why no answer can be shown, in words."""
        return self.problem or self.without


@dataclass(frozen=True, slots=True)
class ToolOutcome:
    """What a tool came to."""

    tool: str
    """Its name."""
    told: str
    """What the model was told of it, as JSON; where it was asked no more, or what was sent is not
    kept: why it failed, or that it is done."""


@dataclass(frozen=True, slots=True)
class OpenedCall:
    """One call with what was sent and answered, and what came of it."""

    figures: CallFigures
    """When it was made, by which model, how large, and at what price."""
    request: ModelRequest | None
    """As it was sent; None where it is not kept."""
    reply: ModelReply | None
    """The answer; None where none came, or it is not kept."""
    results: list[ToolOutcome]
    """What the tools came to that the answer called, in its order; where it is not kept, all of
    its turn."""
    sources: list[str]
    """What it drew on, as `CallOrigin` has it."""

    def parts(self) -> list[tuple[str, str]]:
        """Return the messages by part: a title, and the text below each heading of the prompt.

        What is the same in all turns says so.
        """
        if self.request is None:
            return []
        messages = self.request.messages
        shown = [(ROLES[message.role], text_of(message)) for message in messages]
        if lead := self.request.origin.lead:
            role, text = shown[0]
            rest = [(role, text[lead:].strip())] if text[lead:].strip() else []
            shown[:1] = [(f"{role}, as in every turn", text[:lead]), *rest]
        return [part for title, text in shown for part in _by_heading(title, text)]

    def answer(self) -> str:
        """Return the answer in words, with its calls behind it."""
        reply = self.reply
        return text_of(Message("assistant", reply.text, reply.tool_calls)) if reply else ""

    def tools(self) -> list[str]:
        """Return the names of the tools that were shown."""
        schemas = self.request.tools if self.request else ()
        return [str(schema.get("function", schema).get("name", "")) for schema in schemas]


def _by_heading(title: str, text: str) -> Iterator[tuple[str, str]]:
    for piece in re.split(r"^(?=## )", text, flags=re.MULTILINE):
        heading, _, below = piece.partition("\n") if piece.startswith("## ") else ("", "", piece)
        if piece.strip():
            yield f"{title}: {heading[3:]}" if heading else title, below.strip()


def last_calls(character: Any, count: int, before: int = 0) -> Deferred[list[CallFigures]]:
    """Return an assistant's last model calls, newest first; fails with `StoreError`.

    They are those `before` the call of a number, if one is given. Those that are not written yet
    are packed beside the reactor first.
    """
    return _written(lambda: call_rows.newest_calls(entity_id(character), count, before))


def calls_in_turn(character: Any, *turns: str) -> Deferred[list[CallFigures]]:
    """Return the model calls of a turn, or of several one after the other, as `last_calls` does."""
    own = entity_id(character)
    return _written(lambda: [it for turn in turns for it in call_rows.calls_of_turn(own, turn)])


def kept_of_calls() -> str:
    """Return in words what is kept of model calls by the settings of the game."""
    if not conf.settings.CALL_DAYS:
        return "nothing (AI_ASSISTANT_CALL_DAYS is 0)"
    days = min(conf.settings.CALL_DAYS, conf.settings.CALL_BODY_DAYS)
    if not days:
        return "figures alone (AI_ASSISTANT_CALL_BODY_DAYS is 0)"
    told = f"what was sent, for {counted(days, 'day')}"
    if conf.settings.CALL_PRIVATE_BODIES:
        return told
    return (
        f"{told}; of private turns, such as most with somebody who whispered, figures alone "
        "(AI_ASSISTANT_CALL_PRIVATE_BODIES)"
    )


def sums_of(calls: Sequence[CallFigures]) -> tuple[float | None, float]:
    """Return what calls took together: dollars, None where one has no price, and seconds."""
    prices = [call.price for call in calls]
    seconds = sum(call.milliseconds for call in calls) / 1000
    return None if None in prices else sum(filter(None, prices)), seconds


def _written(read: Callable[[], list[ModelCall]]) -> Deferred[list[CallFigures]]:
    return SERVICE.shared.calls.write().addCallback(lambda _: list(map(_figures, read())))


def open_call(character: Any, number: int) -> OpenedCall:
    """Return one call of an assistant. Raises `AssistantError` where there is none of that number,
    or not any more."""
    row = call_rows.call_by_number(entity_id(character), number)
    if row is None:
        raise AssistantError("There is no call of that number, or not any more.")
    request, reply = call_rows.unpacked_call(row) or (None, None)
    return OpenedCall(_figures(row), request, reply, _outcomes(row, reply), row.sources)


def _outcomes(row: ModelCall, reply: ModelReply | None) -> list[ToolOutcome]:
    records = ledgers.of_turn(row.assistant, row.turn_id) if row.turn_id else []
    ran = [record.data for record in records if record.type == "ToolExecuted"]
    done = [ToolOutcome(data["tool_name"], data["error"] or "done") for data in ran]
    if reply is None:
        return done
    last, told = {one.tool: one.told for one in done}, dict[str, str]()
    later = call_rows.call_after(row) if reply.tool_calls else None
    if later and (opened := call_rows.unpacked_call(later)):
        told = {it.tool_call_id: it.content for it in opened[0].messages if it.role == "tool"}
    return [
        ToolOutcome(call.name, told.get(call.id) or last.get(call.name, "not made"))
        for call in reply.tool_calls
    ]


def text_of(message: Message) -> str:
    """Return a message as text, with its calls in words behind it."""
    calls = (f"{call.name} {dump(call.arguments)}" for call in message.tool_calls)
    return "\n".join(filter(None, (message.content, *calls)))


def _figures(row: ModelCall) -> CallFigures:
    return CallFigures(
        number=row.pk,
        at=iso(row.at),
        turn=row.turn_id,
        job=row.job,
        profile=row.profile,
        model=row.model,
        milliseconds=row.milliseconds,
        prompt_tokens=row.prompt_tokens,
        completion_tokens=row.completion_tokens,
        price=row.price,
        problem=row.problem,
        readers=row.readers,
        without=WITHOUT.get(row.without, row.without),
    )
