"""Forgetting in the past: what the log of states tells is cleansed as the states themselves are."""

from __future__ import annotations

from collections.abc import Sequence

from ai_assistant.agent.state_parts import PARTS
from ai_assistant.core.contracts import Json
from ai_assistant.memory.moments.wiping import wiped, wiped_block, wiped_rows, wiped_scene
from ai_assistant.memory.wipe import Wipe
from ai_assistant.runtime.assembly import PERSONA
from ai_assistant.storage import erasure
from ai_assistant.storage.history.state_log import AMENDED, ROWS


def whose(change: Json) -> str:
    """Return the id of whom a state is about, where it is about somebody."""
    told = change["data"].get("set", {})
    return str(told.get("entity_id") or change["key"].partition(".")[0])


def cleansed(wipe: Wipe, changes: Sequence[Json]) -> list[Json]:
    """Return what the log of states tells on one page, without what is to be forgotten."""
    return [{**change, "data": _cleansed(wipe, change)} for change in changes]


def _cleansed(wipe: Wipe, change: Json) -> Json:
    data: Json = change["data"]
    match change["part"]:
        case "block":
            return data if change["key"] == PERSONA else wiped_block(data, wipe)
        case "scene":
            return wiped_scene(data, wipe)
        case part if part == ROWS:
            return _rows(wipe, change) if change["key"] == AMENDED else data
        case part if part in PARTS:
            return wiped(data, wipe, PARTS[part].empty(), whose(change))
    return data  # of a part that a game once had


def _rows(wipe: Wipe, change: Json) -> Json:
    ids = [int(pk) for pk in change["data"].get("set", {}).get("rows", ())]
    rows = {row["id"]: row for row in erasure.rows_by_id(change["sequence"], ids)}
    return wiped_rows(change["data"], wipe, rows)
