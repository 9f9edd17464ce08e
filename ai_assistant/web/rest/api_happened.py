"""What the API does about what happened: the conversation, turns, and the audit log."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.db.models import Q
from rest_framework import serializers

from ai_assistant.api.past_states import time_in, whose_past
from ai_assistant.api.turns.happenings import newest_records
from ai_assistant.api.turns.latest import Lately, lately
from ai_assistant.api.turns.older_lines import lines_before
from ai_assistant.api.turns.traces import trace_of
from ai_assistant.api.turns.turn_list import (
    KINDS,
    MARKS,
    ORDERS,
    SHOWN,
    WantedTurns,
    named_assistants,
    turn_rows,
)
from ai_assistant.core.contracts import Json
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.times import iso
from ai_assistant.game.identity import entity_id
from ai_assistant.web.rest.api_endpoint import (
    ApiCall,
    Takes,
    or_not_found,
    string,
    takes,
    whole,
)
from ai_assistant.web.rest.api_mind import Newest

MOST = 200
"""Things in one answer."""


class WhichTurns(Takes):
    """What narrows a list of turns; `before` is the `record` of the last that was seen."""

    kind = serializers.ChoiceField(choices=[name for name in KINDS if name], default="")
    tool = string(60, default="")
    who = string(60, default="")
    word = string(
        60, default="", help_text="Words of the line that was answered, or of the answer."
    )
    mark = serializers.ChoiceField(choices=[name for name in MARKS if name], default="")
    since = string(10, default="", help_text="The first day (UTC), such as 2026-11-21.")
    until = string(10, default="", help_text="The last day.")
    order = serializers.ChoiceField(choices=list(ORDERS), default="newest")
    before = whole(1, required=False)
    limit = whole(1, SHOWN, default=50)


@takes(
    before=string(30, required=False, help_text="The `timestamp` of the last that was seen."),
    line=string(100, default="", help_text="The `id` of the same."),
    limit=whole(1, MOST, default=20),
)
def read_history(call: ApiCall) -> Any:
    """Return what an assistant perceived and did lately or before a line of it, oldest first."""
    given = call.given
    if "before" not in given:
        return list(call.character.stream.entries)[-given["limit"] :]
    at, whose = time_in(given["before"]), entity_id(call.character)
    return lambda: lines_before(whose, at, given["line"])[-given["limit"] :]


@takes(WhichTurns)
def list_turns(call: ApiCall) -> Any:
    """Return the newest turns of one assistant."""
    return _turns(call, entity_id(call.character))


@takes(WhichTurns)
def all_turns(call: ApiCall) -> Any:
    """Return the newest turns of all assistants."""
    return _turns(call)


def _turns(call: ApiCall, whose: str = "") -> Any:
    given = dict(call.given)
    if "before" in given and given["order"] != "newest":
        raise AssistantError("Only the newest are read on from one: leave out before, or order.")
    wanted = WantedTurns(whose, most=given.pop("limit"), **given)
    return partial(turn_rows, named_assistants(), wanted)


def show_turn(call: ApiCall) -> Any:
    """Return one turn, with all that decided it."""
    with or_not_found():
        return trace_of(call.character, call.named["turn"])


@takes(Newest)
def show_reasons(call: ApiCall) -> Lately:
    """Return what decided the last turns, and which lines were not answered, and why."""
    return lately(call.character, min(call.given["limit"], 20))


@takes(
    type=string(40, default=""),
    before=whole(1, required=False, help_text="The `record` of the last that was seen."),
    limit=whole(1, MOST, default=50),
)
def records(call: ApiCall) -> Any:
    """Return the audit log of an assistant and of its blocks, newest first."""
    given, whose = call.given, whose_past(call.character)
    wanted = given["type"]
    which = Q(type=wanted) if wanted else Q()

    def read() -> list[Json]:
        before, with_states = given.get("before", 0), bool(wanted)
        found = newest_records(whose, given["limit"], which, before=before, with_states=with_states)
        return [
            {
                "record": row["pk"],
                "number": row["seq"],
                "type": row["type"],
                "at": iso(row["at"]),
                "turn": row["turn_id"],
                "readers": row["readers"],
                "data": row["data"],
            }
            for row in found
        ]

    return read
