"""Session memory: facts and patterns that the character keeps at hand, and what it completed.

Each item carries its readers beside its `content`. Each label has room of its own, so that what
some may read is never refused, nor rewritten, because of what others said.
"""

from __future__ import annotations

from collections.abc import Sequence

from ai_assistant.core.contracts import Json, MemoryRow
from ai_assistant.core.readers import NOBODY
from ai_assistant.core.times import iso
from ai_assistant.language.words import clipped
from ai_assistant.memory import labelled
from ai_assistant.memory.labelled import Allow
from ai_assistant.memory.parts import Part

LISTS = {"fact": "key_facts", "pattern": "learned_patterns"}
MAX_CONTENT = 280
"""Characters of one fact or pattern."""
MAX_ITEMS = 40
"""Facts under one label, and as many patterns."""
MAX_CHARACTERS = 6000
"""Characters of the facts under one label, and as many of its patterns."""
ROOM = f"At most {MAX_ITEMS} of each kind and {MAX_CHARACTERS} characters fit."
MAX_IN_ALL = 24_000
"""Characters of all facts, and as many of all patterns; older ones become memory rows."""
MAX_COMPLETED = 50


def is_kept(memory: Json, memory_type: str, content: str, readers: str) -> bool:
    """Is exactly this already kept under exactly this label?"""
    kept = labelled.under(memory[LISTS[memory_type]], readers)
    return any(entry["content"] == content for entry in kept)


def too_long(content: str) -> str:
    """Return why this is more than one fact or pattern may say; empty where it is not."""
    if len(content) <= MAX_CONTENT:
        return ""
    return f"'{clipped(content, 40)}' has {len(content)} characters; at most {MAX_CONTENT} each."


def no_room_for_item(memory: Json, memory_type: str, content: str, readers: str) -> str:
    """Return why one more item of this type cannot be kept under this label; empty if it can."""
    kept = labelled.under(memory[LISTS[memory_type]], readers)
    characters = labelled.size(kept) + len(content) + 1
    if len(kept) < MAX_ITEMS and characters <= MAX_CHARACTERS:
        return ""
    return f"There is no room for another {memory_type}. {ROOM}"


def counts(memory: Json, allow: Allow) -> Json:
    """Return ``{"facts": …, "patterns": …}``: how many of each may be used."""
    seen = usable_lists(memory, allow)
    return {"facts": len(seen["key_facts"]), "patterns": len(seen["learned_patterns"])}


def usable_lists(memory: Json, allow: Allow) -> Json:
    """Return the three lists with only the items that may be used, oldest first."""
    names = (*LISTS.values(), "completed_tasks")
    return {name: labelled.usable_items(memory[name], allow) for name in names}


def add_session_memory(
    memory: Json,
    *,
    memory_type: str,
    content: str,
    at: float,
    readers: str = NOBODY,
    author: str = "",
) -> list[MemoryRow]:
    """Append a fact or pattern; an exact repeat under the same label is not added.

    Where the label has no room left, nothing is added and compaction is asked for.
    """
    if is_kept(memory, memory_type, content, readers):
        return []
    if no_room_for_item(memory, memory_type, content, readers):
        labelled.request_compaction(memory)
        return []
    items = memory[LISTS[memory_type]]
    items.append(labelled.item(content, at=at, readers=readers, author=author))
    return labelled.spill(items, MAX_IN_ALL, f"session_{memory_type}")


def compact_session_memory(
    memory: Json,
    *,
    new_facts: Sequence[str],
    new_patterns: Sequence[str],
    at: float,
    readers: str = NOBODY,
    author: str = "",
) -> list[MemoryRow]:
    """Replace the facts and patterns with exactly this label; completed tasks stay.

    The new ones were made of the old ones, so they have the authors of all of those as well. What
    is not among the new ones becomes a memory row: a model's summary destroys no evidence.
    """
    rows: list[MemoryRow] = []
    for memory_type, contents in (("fact", new_facts), ("pattern", new_patterns)):
        name = LISTS[memory_type]
        old = labelled.under(memory[name], readers)
        memory[name] = labelled.not_under(memory[name], readers)
        rows += [
            labelled.item_as_row(entry, f"session_{memory_type}")
            for entry in old
            if entry["content"] not in contents
        ]
        made: Json = {
            "memory_type": memory_type,
            "at": at,
            "readers": readers,
            "author": labelled.joint_author([author, *(entry.get("author", "") for entry in old)]),
        }
        for content in contents:
            rows += add_session_memory(memory, content=content, **made)
    memory["last_compacted"] = iso(at)
    _note_crowding(memory)
    return rows


def settle_session(memory: Json, *, readers: str, share: float) -> list[MemoryRow]:
    """Move the older facts and patterns of a label to memory rows, each as it is.

    `share` of them, the newest, stay.
    """
    rows = [
        row
        for memory_type, name in LISTS.items()
        for row in labelled.take_older(memory[name], readers, share, f"session_{memory_type}")
    ]
    _note_crowding(memory)
    return rows


def _note_crowding(memory: Json) -> None:
    memory["needs_compaction"] = any(
        labelled.is_crowded(memory[name], MAX_CHARACTERS, MAX_ITEMS) for name in LISTS.values()
    )


def add_completed_task(
    memory: Json, *, content: str, at: float, readers: str = NOBODY, author: str = ""
) -> list[MemoryRow]:
    """Append a completed goal or project; the oldest beyond fifty become memory rows."""
    tasks = memory["completed_tasks"]
    tasks.append(labelled.item(content, at=at, readers=readers, author=author))
    spilled = tasks[:-MAX_COMPLETED]
    memory["completed_tasks"] = tasks[-MAX_COMPLETED:]
    return [labelled.item_as_row(item, "completed_task") for item in spilled]


SESSION = Part(
    name="session",
    attribute="session_memory",
    shape={
        "key_facts": [],
        "learned_patterns": [],
        "completed_tasks": [],
        "last_compacted": "",
        "needs_compaction": False,
    },
    steps={
        "add_session_memory": add_session_memory,
        "compact_session_memory": compact_session_memory,
        "add_completed_task": add_completed_task,
        "settle": settle_session,
        "request_compaction": labelled.request_compaction,
    },
)
