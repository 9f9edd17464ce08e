"""What the pages of a turn and of its model calls show: as `ai/why` and `ai/call` do."""

from __future__ import annotations

from typing import Any

from twisted.internet.defer import Deferred

from ai_assistant.api.desk.regression import not_to_mark, verdict_on_turn
from ai_assistant.api.turns.opened_calls import (
    CallFigures,
    calls_in_turn,
    kept_of_calls,
    last_calls,
    open_call,
    sums_of,
)
from ai_assistant.api.turns.traces import trace_of
from ai_assistant.commands import choosing, shown
from ai_assistant.commands.records.ai_calls import LISTED, call_number
from ai_assistant.web.access import Context, UrlQuery, Visitor, number_asked


def turn_page(visitor: Visitor, character: Any, query: UrlQuery) -> Deferred[Context]:
    """Return one turn with all that decided it, and its model calls."""
    trace = trace_of(character, query["turn"])
    names = choosing.told_apart(choosing.people_of(character))
    seen = {
        "trace": trace,
        "names": names,
        "known_to": shown.readers_told(character, [trace.readers])[trace.readers],
        "verdict": verdict_on_turn(character, trace.id),
        "not_to_mark": not_to_mark(character, trace),
    }

    def taken(calls: list[CallFigures]) -> Context:
        price, took = sums_of(calls)
        return seen | {"calls": calls, "price": price, "seconds": took}

    return calls_in_turn(character, trace.id).addCallback(taken)


def calls_page(visitor: Visitor, character: Any, query: UrlQuery) -> Deferred[Context]:
    """Return its last model calls, or those before one, with what each took."""

    def listed(calls: list[CallFigures]) -> Context:
        older = calls[LISTED - 1].number if len(calls) > LISTED else 0
        return {"calls": calls[:LISTED], "older": older, "kept": kept_of_calls()}

    found = last_calls(character, LISTED + 1, number_asked(query, "before"))
    return found.addCallback(listed)


def call_page(visitor: Visitor, character: Any, query: UrlQuery) -> Context:
    """Return one model call as it was: what was sent, by part, and what was answered.

    Raises `AssistantError` where there is none of that number.
    """
    call = open_call(character, call_number(query["call"]))
    readers = call.figures.readers
    return {
        "call": call,
        "parts": call.parts(),
        "answer": call.answer(),
        "tools": call.tools(),
        "known_to": shown.readers_told(character, [readers])[readers],
    }
