"""The journal: what the character lived through, dated, and scored when it is written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ai_assistant.core.contracts import Json, MemoryRow
from ai_assistant.core.readers import NOBODY
from ai_assistant.core.times import epoch, iso
from ai_assistant.language.words import tag, words
from ai_assistant.memory.importance import (
    LEAST,
    MOST,
    SOURCE_TYPES,
    score_importance_heuristic,
)
from ai_assistant.memory.parts import Part

MAX_ENTRIES = 100
BOOKS = frozenset({"meeting", "relationship"})
"""Tags of what a turn writes into the journal by itself."""
GAVE_UP = "gave_up"
"""The tag of a goal of its own that was given up on the way."""


def add_journal_entry(  # noqa: PLR0913 - one argument for each field of the item
    journal: Json,
    *,
    content: str,
    source_type: str,
    at: float,
    source_entity: str = "",
    readers: str = NOBODY,
    tags: Sequence[str] = (),
    related_projects: Sequence[str] = (),
    importance: int = 0,
    author: str = "",
) -> list[MemoryRow]:
    """Append an entry; beyond a hundred, the oldest are returned as memory rows.

    `source_type` is one of `SOURCE_TYPES` and sets the trust. An `importance` of 0 is scored from
    the words.
    """
    scored = importance or score_importance_heuristic(content, source_type, tags)
    journal["entry_count"] += 1
    journal["entries"].append(
        {
            "id": journal["entry_count"],
            "timestamp": iso(at),
            "content": content,
            "source_type": source_type,
            "source_trust": SOURCE_TYPES[source_type][0],
            "source_entity": source_entity,
            "importance": scored,
            "importance_method": "manual" if importance else "heuristic",
            "tags": list(dict.fromkeys((*tags, *filter(None, map(tag, words(content)))))),
            "related_projects": list(related_projects),
            "author": author,
            "readers": readers,
        }
    )
    kept = journal["max_entries"]
    spilled, journal["entries"] = journal["entries"][:-kept], journal["entries"][-kept:]
    return [entry_as_row(entry) for entry in spilled]


def file_entries(journal: Json, *, keep: int) -> list[MemoryRow]:
    """Return all but the newest `keep` entries as memory rows; they leave the journal."""
    moved = journal["entries"][: max(0, len(journal["entries"]) - keep)]
    journal["entries"] = journal["entries"][len(moved) :]
    filed = [*journal["consolidated_entry_ids"], *(entry["id"] for entry in moved)]
    journal["consolidated_entry_ids"] = filed[-MAX_ENTRIES:]
    return [entry_as_row(entry) for entry in moved]


def rescore(journal: Json, *, scores: Mapping[str, int]) -> None:
    """Give entries a model's importance, by id; a score chosen by staff or the character stays."""
    for entry in journal["entries"]:
        if str(entry["id"]) in scores and entry["importance_method"] != "manual":
            entry["importance"] = max(LEAST, min(MOST, scores[str(entry["id"])]))
            entry["importance_method"] = "llm"


def note_reflection(journal: Json, *, at: float) -> None:
    """Note the time of the last reflection."""
    journal["last_reflection"] = iso(at)


def entry_as_row(entry: Json) -> MemoryRow:
    """Return the memory row of an entry; its id is minus the entry's number."""
    return MemoryRow(
        id=-entry["id"],
        content=entry["content"],
        kind="journal",
        subject=entry["source_entity"],
        author=entry.get("author", ""),
        readers=entry["readers"],
        learned_at=epoch(entry["timestamp"]),
        importance=entry["importance"],
        trust=entry["source_trust"],
        meta={
            "entry_id": entry["id"],
            "tags": entry["tags"],
            "related_projects": entry["related_projects"],
            "source_type": entry["source_type"],
            "importance_method": entry["importance_method"],
        },
    )


def is_bookkeeping(row: MemoryRow) -> bool:
    """Is a row an entry that code wrote, about whom it met or what it gave up?"""
    by_itself = not row.author and row.meta.get("source_type") == "direct"
    tags = {*row.meta.get("tags", ())} & ({*BOOKS, GAVE_UP} if by_itself else {GAVE_UP})
    return row.kind == "journal" and bool(tags)


JOURNAL = Part(
    name="journal",
    attribute="journal",
    shape={
        "entries": [],
        "entry_count": 0,
        "max_entries": MAX_ENTRIES,
        "last_reflection": "",
        "consolidated_entry_ids": [],
    },
    steps={
        "add_journal_entry": add_journal_entry,
        "file_entries": file_entries,
        "rescore": rescore,
        "note_reflection": note_reflection,
    },
)
