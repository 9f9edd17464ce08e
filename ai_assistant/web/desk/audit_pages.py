"""What the pages of the audit log show: what was changed, and what was at any moment.

All of it is read on the view's own thread.
"""

from __future__ import annotations

from functools import partial
from itertools import chain
from operator import itemgetter
from typing import Any

from ai_assistant.api.desk.jobs import JOBS
from ai_assistant.api.past_states import (
    PastOf,
    changed_between,
    last_moments,
    moment_of,
    named_as_told,
    part_names,
    states_at,
    whose_past,
)
from ai_assistant.api.turns.happenings import HAPPENED, last_happenings
from ai_assistant.core.state_outline import readable_lines
from ai_assistant.core.times import iso
from ai_assistant.game.identity import entity_id
from ai_assistant.web.access import Context, PageContext, UrlQuery, Visitor, number_asked

LISTED = 50
"""Lines of each list on one page."""


def audit_page(visitor: Visitor, character: Any, query: UrlQuery) -> PageContext:
    """Return what happened, and the commits that changed any state, each list the newest or before
    a record; or those of a turn; and the files of it that this visitor had made.
    """
    files = {"files": JOBS.jobs_about(visitor.account, f"{entity_id(character)} audit")}
    whose = whose_past(character)
    return lambda: _listed(whose, query) | files


def _listed(whose: PastOf, query: UrlQuery) -> Context:
    turn, word = query.get("turn", ""), query.get("type", "")
    earlier, before = number_asked(query, "happened"), number_asked(query, "before")
    happened = last_happenings(whose, LISTED + 1, word=word, turn=turn, before=earlier)
    moments = last_moments(whose, LISTED + 1, turn, before)
    named = named_as_told(whose, {*chain.from_iterable(one.parts for one in moments)})
    rows = [
        {
            "name": one.name,
            "has_before": one.has_before,
            "at": iso(one.at),
            "turn": one.turn_id,
            "parts": ", ".join(named[part] for part in one.parts),
        }
        for one in moments
    ]
    return {
        "rows": rows[:LISTED],
        "older": moments[LISTED - 1].record if len(moments) > LISTED else 0,
        "before": before,
        "turn": turn,
        "parts": part_names(whose),
        "happened": happened[:LISTED],
        "older_happened": happened[LISTED - 1].record if len(happened) > LISTED else 0,
        "happened_before": earlier,
        "type": word,
        "types": [
            (name, words)
            for name, words in sorted(HAPPENED.items(), key=itemgetter(1))
            if not name.startswith("Scene")  # those stand in the logs of scenes
        ],
    }


def moment_page(visitor: Visitor, character: Any, query: UrlQuery) -> PageContext:
    """Return the states at a moment, or how they differ from those at another.

    All parts are compared; of one moment, one part is shown, the others are named.
    """
    return partial(_at_moment, whose_past(character), query)


def _at_moment(whose: PastOf, query: UrlQuery) -> Context:
    part, then = query.get("part", ""), query.get("then", "").strip()
    first = moment_of(whose, query.get("moment", ""), part)
    found: Context = {"moment": first.name, "part": part, "parts": part_names(whose), "then": then}
    if then:
        second = moment_of(whose, then, part)
        lines = changed_between(whose, first, second, part)
        return found | {"then": second.name, "changes": "\n".join(lines)}
    states = states_at(whose, first, part) if part else {}
    named = named_as_told(whose, states)
    shown = [
        (named[name], "\n".join(readable_lines(state, whose.names)))
        for name, state in states.items()
    ]
    return found | {"states": shown}
