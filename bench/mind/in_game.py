"""Runs inside the game's Server, by the owner's `py`: builds what the stage needs, tells its state.

`OUT` is the file to write to; `BUILD`, where it is given, a file with what to build.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from evennia import create_object, search_object, search_tag
from evennia.accounts.models import AccountDB
from evennia.objects.models import ObjectDB
from evennia.utils.dbserialize import deserialize

from ai_assistant.api.lifecycle import all_assistants
from ai_assistant.models import AssistantEvent, Memory

ROOM, EXIT, THING = (f"typeclasses.{one}" for one in ("rooms.Room", "exits.Exit", "objects.Object"))


def build(plan: list[dict[str, Any]]) -> None:
    """Build rooms with a way there and back, and things; `plan` is that of the README."""
    for part in plan:
        if "room" in part:
            _room(part)
        else:
            _thing(part)


def _room(part: dict[str, Any]) -> None:
    room = create_object(ROOM, key=part["name"], tags=[(part["room"], "village")])
    room.db.desc = part.get("desc", "")
    if "from" not in part:
        return
    outside = _place(part["from"])
    way = create_object(EXIT, key=part["exit"], location=outside, destination=room)
    create_object(EXIT, key=part["back"], location=room, destination=outside)
    if "locked" in part:
        way.locks.add("traverse:false()")
        way.db.err_traverse = part["locked"]


def _thing(part: dict[str, Any]) -> None:
    thing = create_object(THING, key=part["thing"], location=_place(part["in"]))
    thing.db.desc = part.get("desc", "")
    for lock in part.get("locks", ()):
        thing.locks.add(lock)
    if part.get("givable"):
        thing.tags.add("givable", category="ai_assistant")


def _place(name: str) -> Any:
    return next(iter(search_tag(name, category="village")), None) or search_object(name)[0]


def hide_owner() -> None:
    """Put the owner where nobody of the cast comes."""
    backstage = create_object(ROOM, key="Backstage")
    create_object(EXIT, key="door", location=backstage, destination=_place("inn"))
    for account in AccountDB.objects.filter(is_superuser=True):
        for character in account.characters.all():
            character.move_to(backstage, quiet=True, move_hooks=False)


def state() -> dict[str, Any]:
    """Return all that can be looked at from outside, as plain data."""
    names = {_id(one): one.key for one in ObjectDB.objects.all()}
    return {
        "objects": [
            {"name": one.key, "at": one.location.key if one.location else ""}
            for one in ObjectDB.objects.all()
        ],
        "minds": {one.key: _mind(one, names) for one in all_assistants()},
        "audit": [
            {"type": one.type, "turn": one.turn_id, "at": one.at, "data": one.data}
            for one in AssistantEvent.objects.order_by("id")
        ],
        "names": names,
    }


def _id(one: Any) -> str:
    """Return the lasting id of an object; empty where it has none."""
    found = one.attributes.get("ai_entity_id", category="ai_assistant", strattr=True)
    return str(found or "").partition("@")[0]


def _mind(mind: Any, names: dict[str, str]) -> dict[str, Any]:
    key = _id(mind)
    kept = {
        f"{one.db_category or ''}/{one.db_key}": deserialize(one.value)
        for owner in (mind, mind.assistant_script)
        for one in owner.db_attributes.all()
    }
    profiles = {
        names.get(who, who): one for who, one in mind.profiles.all().items() if one.get("name")
    }
    talks = [one for name, one in kept.items() if name.startswith("working_memory/")]
    return {
        "id": key,
        "asleep": mind.is_asleep,
        "profile": profiles,
        "promises": [
            {"to": names.get(one.get("entity_id"), ""), "actions": one.get("pending_actions")}
            for one in talks
        ],
        "talks": talks,
        "goals": mind.goals.current_goals,
        "journal": kept.get("/journal", {}),
        "notebook": kept.get("/notebook", {}),
        "session_memory": kept.get("/session_memory", {}),
        "memories": [
            {"kind": one.kind, "text": one.content, "readers": one.readers}
            for one in Memory.objects.filter(container=key, archived_at=None).order_by("id")
        ],
    }


def _main(out: str, plan: str | None) -> None:
    if plan:
        build(json.loads(Path(plan).read_text("utf-8")))
        hide_owner()
    part = Path(f"{out}.part")
    part.write_text(json.dumps(state(), default=str), "utf-8")
    part.replace(out)


if "OUT" in globals():
    _main(globals()["OUT"], globals().get("BUILD"))
