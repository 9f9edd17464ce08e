"""The journal: dated, scored entries about what the character lived through (inventory §14)."""

from __future__ import annotations

from collections.abc import Sequence

from ai_assistant.contracts import Json, MemoryRow
from ai_assistant.memory.parts import Part, epoch, iso
from ai_assistant.readers import NOBODY

MAX_ENTRIES = 100
BASE_IMPORTANCE = 5
SOURCE_TYPES = {
    "direct": (0.9, 2),
    "observation": (0.8, 1),
    "inference": (0.6, 0),
    "environmental": (0.3, -1),
}
"""Source type → (trust, change of importance)."""


def empty_journal() -> Json:
    """Return a journal without entries."""
    return {
        "entries": [],
        "entry_count": 0,
        "max_entries": MAX_ENTRIES,
        "last_reflection": "",
        "consolidated_entry_ids": [],
    }


def score_importance_heuristic(source_type: str) -> int:
    """Return the importance (1–10) of an entry from where it comes from."""
    return max(1, min(10, BASE_IMPORTANCE + SOURCE_TYPES[source_type][1]))


def add_journal_entry(  # noqa: PLR0913 - one argument for each field of the item
    journal: Json,
    *,
    content: str,
    source_type: str,
    at: float,
    source_entity: str = "",
    readers: str = NOBODY,
    tags: Sequence[str] = (),
) -> list[MemoryRow]:
    """Append an entry; the oldest beyond the newest hundred become memory rows."""
    journal["entry_count"] += 1
    journal["entries"].append(
        {
            "id": journal["entry_count"],
            "timestamp": iso(at),
            "content": content,
            "source_type": source_type,
            "source_trust": SOURCE_TYPES[source_type][0],
            "source_entity": source_entity,
            "importance": score_importance_heuristic(source_type),
            "importance_method": "heuristic",
            "tags": list(tags),
            "related_projects": [],
            "readers": readers,
        }
    )
    kept = journal["max_entries"]
    spilled, journal["entries"] = journal["entries"][:-kept], journal["entries"][-kept:]
    return [as_row(entry) for entry in spilled]


def as_row(entry: Json) -> MemoryRow:
    """Return an entry as the row that it becomes; its id is the entry's number below zero."""
    return MemoryRow(
        id=-entry["id"],
        content=entry["content"],
        kind="journal",
        subject=entry["source_entity"],
        readers=entry["readers"],
        learned_at=epoch(entry["timestamp"]),
        importance=entry["importance"],
        trust=entry["source_trust"],
        meta={"entry_id": entry["id"], "tags": entry["tags"]},
    )


JOURNAL = Part(
    name="journal",
    attribute="journal",
    empty=empty_journal,
    steps={"add_journal_entry": add_journal_entry},
)
