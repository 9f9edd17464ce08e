"""What `ai` says of model calls: the last of them with their cost, and one opened as it was."""

from __future__ import annotations

from collections.abc import Iterator
from math import floor, log10
from typing import Any

from ai_assistant.api.turns.opened_calls import (
    CallFigures,
    OpenedCall,
    kept_of_calls,
    last_calls,
    open_call,
)
from ai_assistant.commands.command_base import AICommand, braced, switch
from ai_assistant.commands.shown import minute, private
from ai_assistant.commands.tables import as_it_stands
from ai_assistant.core.errors import AssistantError
from ai_assistant.game.identity import name_of

LISTED = 20


class CallVerbs(AICommand):
    """
    The switch call of the command `ai`.

    """

    @switch("call", "Admin", named=True, writes="")
    def _call(self, character: Any) -> None:
        typed = (self.rhs or "").strip().removeprefix("#")
        before = typed.removeprefix("before ") if typed.startswith("before ") else ""
        if before or not typed:
            found = last_calls(character, LISTED, call_number(before) if before else 0)
            found.addCallback(lambda calls: self._tell_calls(calls, name_of(character)))
            found.addErrback(self.failed)
            return
        self.show("\n\n".join(_opened(open_call(character, call_number(typed)))))

    def _tell_calls(self, calls: list[CallFigures], name: str) -> None:
        titles = ("Call", "When", "For", "Model", "Ms", "Tokens", "Price")
        self.msg(f"Kept of each: {kept_of_calls()}.")
        self.show_table(titles, map(_row, calls), f"No model call of {name} is on record.")


def call_number(typed: str) -> int:
    """Return the number of a call that was typed. Raises `AssistantError` for what is none."""
    if not (typed.isdecimal() and len(typed) < 19):
        raise AssistantError("Which call? Give its number, as ai/call <name> lists it.")
    return int(typed)


def _row(call: CallFigures) -> tuple[object, ...]:
    model = f"{call.model} (failed)" if call.problem else call.model
    tokens = f"{call.prompt_tokens}+{call.completion_tokens}"
    price = dollars(call.price)
    job = f"{call.job} (figures alone)" if call.without else call.job
    return call.number, minute(call.at), job, model, call.milliseconds, tokens, price


def _opened(call: OpenedCall) -> Iterator[str]:
    told = call.figures
    yield (
        f"|wcall {told.number}|n {minute(told.at)}{private(told.readers)}: {told.job} by "
        f"{braced(told.model)} ({told.profile}), {told.milliseconds} ms, {told.prompt_tokens} "
        f"tokens sent and {told.completion_tokens} answered, {dollars(told.price)}"
    )
    if told.problem:
        yield f"|r{as_it_stands(told.problem)}|n"
    if told.without:
        yield f"|y{told.without}|n"
    for title, text in call.parts():
        yield f"|w[{title}]|n\n{as_it_stands(text)}"
    if tools := call.tools():
        yield f"|w[tools shown]|n {', '.join(tools)}"
    if answer := call.answer():
        yield f"|w[the answer]|n\n{as_it_stands(answer)}"
    for done in call.results:
        yield f"|w[{done.tool} came to]|n {as_it_stands(done.told)}"


def dollars(price: float | None) -> str:
    """Return a price in words: to the cent, below a dollar by two figures."""
    if price is None:
        return "price unknown"
    places = 2 if price >= 1 or not price else 1 - floor(log10(price))
    return f"${price:.{places}f}"
