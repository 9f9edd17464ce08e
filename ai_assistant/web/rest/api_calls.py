"""What the API does about model calls, and about tasks that assistants hand out."""

from __future__ import annotations

from twisted.internet.defer import Deferred

from ai_assistant.api.turns.opened_calls import CallFigures, last_calls, open_call
from ai_assistant.commands.records.ai_calls import call_number
from ai_assistant.commands.staff.aidelegate import delegates_of, errands_under_way, last_errands
from ai_assistant.core.contracts import Json
from ai_assistant.core.times import iso
from ai_assistant.web.rest.api_endpoint import ApiCall, or_not_found, takes, whole
from ai_assistant.web.rest.api_mind import Newest


@takes(Newest, before=whole(1, required=False, help_text="The last that was seen."))
def show_model_calls(call: ApiCall) -> Deferred[list[CallFigures]]:
    """Return the last model calls of an assistant, or those before one, newest first."""
    return last_calls(call.character, call.given["limit"], call.given.get("before", 0))


def show_model_call(call: ApiCall) -> Json:
    """Return one model call as it was: what was sent, by part, the answer, and what came of it."""
    with or_not_found():
        opened = open_call(call.character, call_number(call.named["call"]))
    return {
        "figures": opened.figures,
        "parts": [{"title": title, "text": text} for title, text in opened.parts()],
        "tools": opened.tools(),
        "answer": opened.answer(),
        "results": opened.results,
    }


@takes(Newest)
def show_tasks(call: ApiCall) -> Json:
    """Return whom an assistant may give tasks, those under way, and what came of the last."""
    facts, now = ("name", "about", "state"), ("by", "to", "seconds", "task")
    return {
        "delegates": [dict(zip(facts, row, strict=True)) for row in delegates_of(call.character)],
        "under_way": [
            dict(zip(now, row, strict=True)) for row in errands_under_way(call.character)
        ],
        "last": [
            row.data | {"at": iso(row.at)}
            for row in last_errands(call.character, call.given["limit"])
        ],
    }
