"""What is to be forgotten leaves the deltas of a state as it leaves the state itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from ai_assistant.core.contracts import Json
from ai_assistant.memory.parts import copied
from ai_assistant.memory.redaction import fingerprint, redact
from ai_assistant.memory.wipe import Wipe


def told_in(delta: Json) -> Json:
    """Return all that a delta tells, as a state: its fields, and its lists with their items."""
    lists = {
        name: [item for some in told["items"].values() for item in some]
        for name, told in delta.get("lists", {}).items()
    }
    return {**delta.get("set", {}), **lists}


def wiped(delta: Json, wipe: Wipe, empty: Json, owner: str) -> Json:
    """Return a delta of a part, cleansed; `owner` is whose profile or talk the state is.

    `empty` is the empty shape of the part. What only the past shows is read no second time.
    """
    wipe = replace(wipe, again={}, unmarked=set())
    talk: Json = {"messages": []} if "messages" in empty else {}  # which goes as a whole
    args = wipe.plan(talk | told_in(delta), empty, owner)
    if not args:
        return delta
    if args.get("whole"):
        return {"whole": True}
    edits = args["edits"]

    def edited(item: Any) -> list[Any]:
        new = edits.get(fingerprint(item), item)
        return [item for item in (new if isinstance(new, list) else [new]) if item]

    return _with(delta, lambda fields: redact(fields, edits=edits), edited)


def wiped_rows(delta: Json, wipe: Wipe, rows: dict[int, Json]) -> Json:
    """Return what was told of rows, cleansed; `rows` are those that are still there, by id."""
    told = delta.get("set", {})
    if "rows" not in told:
        return delta
    kept = {
        pk: {when: _wiped_row(row, wipe, rows[int(pk)]) for when, row in change.items()}
        for pk, change in told["rows"].items()
        if int(pk) in rows and int(pk) not in wipe.gone
    }
    return {**delta, "set": {"rows": kept}}


def _wiped_row(told: Json, wipe: Wipe, row: Json) -> Json:
    return {**told, "meta": wipe.row({**row, **told})["meta"]} if "meta" in told else told


def _with(delta: Json, cleanse: Callable[[Json], None], edited: Callable[[Any], list[Any]]) -> Json:
    new = dict(delta)
    if "set" in delta:
        new["set"] = copied(delta["set"])
        cleanse(new["set"])
    if "lists" in delta:
        new["lists"] = {
            name: {
                "order": told["order"],
                "items": {
                    id: [new for item in some for new in edited(item)]
                    for id, some in told["items"].items()
                },
            }
            for name, told in delta["lists"].items()
        }
    return new
