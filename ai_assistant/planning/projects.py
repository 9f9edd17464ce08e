"""Projects: slots of context that the character swaps like an operating system its processes.

Text under other readers than the slot's own is kept in its `asides`, one for each label.
"""

from __future__ import annotations

import re

from ai_assistant.core.contracts import Json, MemoryRow
from ai_assistant.core.readers import NOBODY
from ai_assistant.core.times import iso
from ai_assistant.memory.labelled import (
    Allow,
    item,
    item_as_row,
    joint_author,
    not_under,
    under,
    usable_items,
)
from ai_assistant.memory.parts import Part

ACTIVE, PAUSED, COMPLETED = "active", "paused", "completed"
MAX_OPEN = 20
"""Projects that are not complete."""
MAX_COMPLETED = 10
"""Complete ones that stay in their slots; older ones are archived as memory rows."""
MAX_CONTEXT = 2000
"""Characters of a context, and of an aside."""
MAX_GIVEN = 6000
"""Characters that may be given at once; what does not fit becomes a memory row."""
MAX_ASIDES = 6
MAX_SUMMARY = 200
_UNITS = re.compile(r"(?<=[.!?…])\s+|\s*\n+\s*")


def slug(name: str) -> str:
    """Return the key for a project name: small letters, digits and ``_``; empty without any."""
    return re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")[:40].strip("_")


def find_slot(projects: Json, key: str) -> Json | None:
    """Return the slot of a project with all fields, or None."""
    slot = projects["slots"].get(key)
    return _blank() | slot if isinstance(slot, dict) else None


def active_key(projects: Json) -> str:
    """Return the key of the active project; empty if there is none."""
    key = projects["active"] or ""
    return key if find_slot(projects, key) else ""


def usable_slots(projects: Json, allow: Allow) -> dict[str, Json]:
    """Return the projects whose words may be used, the active one first, then the latest."""
    found = {key: slot for key in projects["slots"] if (slot := find_slot(projects, key))}
    order = sorted(found, key=lambda key: found[key]["last_active"], reverse=True)
    order.sort(key=lambda key: key != projects["active"])
    return {key: found[key] for key in order if allow(found[key]["readers"], found[key]["author"])}


def context_of(slot: Json, allow: Allow) -> str:
    """Return a slot's context with those of its asides that may be used here."""
    asides = [aside["content"] for aside in usable_items(slot["asides"], allow)]
    return "\n".join(filter(None, [slot["context"], *asides]))


def has_room(projects: Json) -> bool:
    """May one more project be opened?"""
    slots = projects["slots"].values()
    return sum(1 for slot in slots if slot.get("status") != COMPLETED) < MAX_OPEN


def compacted(text: str) -> tuple[str, str]:
    """Return the part of a text that fits (its first and newest sentences), and the rest."""
    units, limit = _UNITS.split(text.strip()), MAX_CONTEXT
    if len(text) <= limit:
        return text.strip(), ""
    if len(units) == 1 or len(units[0]) > limit // 2:
        at = text.rfind(" ", 0, limit) if " " in text[:limit] else limit
        return text[:at].strip(), text[at:].strip()
    left, kept = limit - len(units[0]), len(units)
    while kept > 1 and len(units[kept - 1]) + 1 <= left:
        kept -= 1
        left -= len(units[kept]) + 1
    return " ".join([units[0], *units[kept:]]), " ".join(units[1:kept])


# -- steps


def create_project(  # noqa: PLR0913 - one argument for each field of the slot
    projects: Json,
    *,
    key: str,
    summary: str,
    at: float,
    context: str = "",
    readers: str = NOBODY,
    author: str = "",
) -> list[MemoryRow]:
    """Open a project and pause the active one, if the key is free and there is room."""
    if find_slot(projects, key) or not has_room(projects):
        return []
    made = {"summary": summary, "created_at": iso(at), "readers": readers, "author": author}
    projects["slots"][key] = made
    _activate(projects, key, at)
    return _write(projects, key, context, at=at, readers=readers, author=author)


def swap_project(
    projects: Json,
    *,
    key: str,
    at: float,
    update: str = "",
    readers: str = NOBODY,
    author: str = "",
) -> list[MemoryRow]:
    """Save the old context, pause its project, and go on with another, even a completed one."""
    old = active_key(projects)
    if key == old or find_slot(projects, key) is None:
        return []
    rows = _write(projects, old, update, at=at, readers=readers, author=author) if old else []
    _activate(projects, key, at)
    return rows


def update_project(  # noqa: PLR0913 - what may be written, and by and for whom
    projects: Json,
    *,
    key: str,
    at: float,
    context_update: str = "",
    summary: str = "",
    readers: str = NOBODY,
    author: str = "",
) -> list[MemoryRow]:
    """Replace a project's context under exactly these readers; return what it loses as rows."""
    if find_slot(projects, key) is None:
        return []
    slot = _touched(projects, key, at)
    if summary and slot["readers"] == readers:
        slot |= {"summary": summary, "author": joint_author([slot["author"], author])}
    return _write(projects, key, context_update, at=at, readers=readers, author=author)


def complete_project(projects: Json, *, key: str, at: float) -> list[MemoryRow]:
    """Note that a project is done; no other becomes active."""
    if find_slot(projects, key) is None:
        return []
    _touched(projects, key, at)["status"] = COMPLETED
    if projects["active"] == key:
        projects["active"] = ""
    done = [name for name, slot in projects["slots"].items() if slot.get("status") == COMPLETED]
    done.sort(key=lambda name: projects["slots"][name].get("last_active", ""))
    return [row for name in done[:-MAX_COMPLETED] for row in archive_project(projects, key=name)]


def archive_project(projects: Json, *, key: str) -> list[MemoryRow]:
    """Remove a project from its slot; return its texts as memory rows, one for each label."""
    slot = find_slot(projects, key)
    if slot is None:
        return []
    del projects["slots"][key]
    if projects["active"] == key:
        projects["active"] = ""
    return [_row(slot, aside) for aside in (_own_text(slot), *slot["asides"])]


# -- how


def _blank() -> Json:
    return {
        "summary": "",
        "context": "",
        "status": PAUSED,
        "created_at": "",
        "last_active": "",
        "readers": NOBODY,
        "author": "",
        "asides": [],
    }


def _touched(projects: Json, key: str, at: float) -> Json:
    """Return a slot with all fields and a new time, to be changed in place."""
    slot: Json = _blank() | projects["slots"][key] | {"last_active": iso(at)}
    projects["slots"][key] = slot
    return slot


def _activate(projects: Json, key: str, at: float) -> None:
    if old := active_key(projects):
        _touched(projects, old, at)["status"] = PAUSED
    _touched(projects, key, at)["status"] = ACTIVE
    projects["active"] = key


def _write(
    projects: Json, key: str, text: str, *, at: float, readers: str, author: str
) -> list[MemoryRow]:
    """Replace the text for exactly these readers; return what was lost or found no room."""
    if not text.strip():
        return []
    slot = _touched(projects, key, at)
    kept, fallen = compacted(text)
    nothing = item("", at=at, readers=readers)
    before, *_ = *under([_own_text(slot), *slot["asides"]], readers), nothing
    author = joint_author([author, before["author"]])
    new = item(kept, at=at, readers=readers, author=author)
    gone = filter(None, (_lost(before["content"], text), fallen))
    rows = [_row(slot, {**new, "content": words}) for words in gone]
    if readers == slot["readers"]:
        slot |= {"context": kept, "author": new["author"]}
        return rows
    others = not_under(slot["asides"], readers)
    slot["asides"] = [*others, new][-MAX_ASIDES:]
    return rows + [_row(slot, other) for other in [*others, new][:-MAX_ASIDES]]


def _own_text(slot: Json) -> Json:
    """Return a slot's context in the form of an aside."""
    same = {name: slot[name] for name in ("readers", "author")}
    return same | {"content": slot["context"], "timestamp": slot["last_active"]}


def _lost(before: str, after: str) -> str:
    """Return the sentences of a text that are not in another."""
    there = set(_UNITS.split(after.strip()))
    return " ".join(sentence for sentence in _UNITS.split(before.strip()) if sentence not in there)


def _row(slot: Json, text: Json) -> MemoryRow:
    """Return the memory row of a project's text; with the summary if both have the same readers."""
    title = slot["summary"] if text["readers"] == slot["readers"] else ""
    content = ": ".join(filter(None, [title.rstrip("."), text["content"]]))
    return item_as_row({**text, "content": content}, "project")


PROJECTS = Part(
    name="projects",
    attribute="projects",
    shape={"active": "", "slots": {}},
    steps={
        "create_project": create_project,
        "swap_project": swap_project,
        "update_project": update_project,
        "complete_project": complete_project,
        "archive_project": archive_project,
    },
)
