"""What the pages of people show: how near each is, what moved that, and all of one of them."""

from __future__ import annotations

from typing import Any

from ai_assistant.api.past_states import time_in
from ai_assistant.api.turns.older_lines import profile_before
from ai_assistant.commands import choosing, shown
from ai_assistant.core.contracts import Json
from ai_assistant.game.identity import entity_id, name_of
from ai_assistant.memory.people.feelings import MAX_HISTORY
from ai_assistant.runtime.assembly import beside
from ai_assistant.web.access import Context, PageContext, UrlQuery, Visitor

MOST_DRAWN, MOST_CURVES = 40, 6
"""So many people are drawn around it, and so many curves: as many as `pages.js` has colours."""


def people_page(visitor: Visitor, character: Any, query: UrlQuery) -> Context:
    """Return whom it knows, dearest first, and what its feelings draw."""
    known = choosing.people_of(character)
    names = choosing.told_apart(known)
    dearest = sorted(known, key=lambda key: (-_favor(known[key]), names[key]))
    rows = [known[key] | {"key": key, "name": names[key]} for key in dearest]
    for row in rows:
        row["noted"] = len(row["observations"]) + len(row["attributes"])
    nodes = [(row["key"], row["name"], _favor(row), row["relationship"]["state"]) for row in rows]
    moved = [row for row in rows if row["relationship"]["history"]]
    return {
        "rows": rows,
        "graph": {"me": name_of(character), "nodes": nodes[:MOST_DRAWN]},
        "not_drawn": len(nodes) - MOST_DRAWN,
        "feelings": [_curve(row) for row in moved[:MOST_CURVES]],
        "no_curve": len(moved) - MOST_CURVES,
    }


def person_page(visitor: Visitor, character: Any, query: UrlQuery) -> PageContext:
    """Return all that it holds about somebody, and what moved its heart, lately or `before`."""
    key, profile = choosing.find_person(character, query.get("who", ""))
    talks = shown.conversations(character, key)
    told = shown.readers_told(character, (talk["readers"] for talk in talks))
    seen = {
        "key": key,
        "profile": profile,
        "lines": [(line, told[readers]) for line, readers in shown.said_in(talks)],
        "before": query.get("before", ""),
    }
    if not (until := seen["before"]):
        return seen | _moved(profile)
    then = beside(profile_before, entity_id(character), key, time_in(until))
    return then.addCallback(lambda found: seen | _moved(found, until))


def _moved(profile: Json | None, until: str = "") -> Context:
    """Return the steps of its feelings that a profile holds, or held by a time, if it was there."""
    steps = profile["relationship"]["history"] if profile else []
    feelings = [_curve(profile) | {"until": until}] if profile else []
    return {"steps": steps, "feelings": feelings, "has_older": len(steps) >= MAX_HISTORY}


def _favor(profile: Json) -> float:
    value: float = profile["relationship"]["favorability"]
    return value


def _curve(profile: Json) -> Json:
    """Return when feelings moved and to what, counted back from what they are now."""
    value, points = _favor(profile), list[tuple[str, float]]()
    for change in reversed(profile["relationship"]["history"]):
        points.insert(0, (change["timestamp"], round(value, 4)))
        value -= change["delta"]
    return {"name": profile["name"], "points": points, "from": round(value, 4)}
