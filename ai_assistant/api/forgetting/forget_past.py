"""Forgetting in the past: the log of states is learned from and cleansed as the states are."""

from __future__ import annotations

from ai_assistant.agent.state_parts import OF_WORDS, PARTS
from ai_assistant.core.contracts import Json
from ai_assistant.memory.moments.wiping import told_in, wiped, wiped_rows
from ai_assistant.memory.redaction import items_of
from ai_assistant.memory.scene_wiping import learn_scene, wiped_scene
from ai_assistant.memory.wipe import Wipe
from ai_assistant.runtime.assembly import PERSONA
from ai_assistant.storage import erasure
from ai_assistant.storage.block_rows import BLOCKS
from ai_assistant.storage.history.state_log import AMENDED, ROWS

_OWNERS = ("container", "assistant", "owner", "sequence")


def kept_under(row: Json) -> tuple[str, bool]:
    """Return under whose id a row is kept, and whether all bodies of that one share it."""
    name = next((name for name in _OWNERS if name in row), "")
    owner, part = str(row.get(name, "")), PARTS.get(row.get("part", ""))
    is_shared = name == "owner" or owner.startswith(BLOCKS) or bool(part and part.shared)
    return owner.removeprefix(BLOCKS), is_shared


def whose(change: Json) -> str:
    """Return the id of whom a state is about, where it is about somebody."""
    told = change["data"].get("set", {})
    return str(told.get("entity_id") or change["key"].partition(".")[0])


def learn_record(wipe: Wipe, record: Json, *, is_meant: bool) -> None:
    """Note who once had a mind, and a turn of one that is meant which answered nothing else."""
    if record["type"] == "AssistantArchived":
        wipe.minds |= {record["assistant"]}
    if is_meant and record["type"] == "TurnCompleted":
        events = record["data"].get("events")
        if events and wipe.events.issuperset(events):
            wipe.turns.add(record["turn_id"])


def learn_change(wipe: Wipe, change: Json) -> None:
    """Note what goes of what a state once was."""
    told = told_in(change["data"])
    if change["part"] == "scene":
        learn_scene(wipe, told)
    wipe.learn(items_of(told), whose(change))


def cleansed(wipe: Wipe, change: Json) -> Json:
    """Return what the log of states tells of one change, without what is to be forgotten."""
    return {**change, "data": _cleansed(wipe, change)}


def _cleansed(wipe: Wipe, change: Json) -> Json:
    data: Json = change["data"]
    match change["part"]:
        case "block":
            if change["key"] == PERSONA:
                return data
            return {**data, "set": wipe.cleansed(data.get("set", {})) or {}}
        case "scene":
            told = data.get("set")
            return {**data, "set": wiped_scene(wipe, told)} if told else data
        case part if part == ROWS:
            return _rows(wipe, change) if change["key"] == AMENDED else data
        case part if part in OF_WORDS:
            return wiped(data, wipe, PARTS[part].empty(), whose(change))
    return data  # of what staff set, or of a part that a game once had


def _rows(wipe: Wipe, change: Json) -> Json:
    ids = [int(pk) for pk in change["data"].get("set", {}).get("rows", ())]
    rows = {row["id"]: row for row in erasure.rows_by_id(change["sequence"], ids)}
    return wiped_rows(change["data"], wipe, rows)
