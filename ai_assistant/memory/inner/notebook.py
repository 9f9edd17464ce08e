"""The notebook: lines that the character chose to write down.

Readers of different labels never see each other's lines, so each label is a notebook of its own,
which is written, cleared and measured by itself.
"""

from __future__ import annotations

from ai_assistant.core.contracts import Json, MemoryRow
from ai_assistant.core.readers import NOBODY
from ai_assistant.memory import labelled
from ai_assistant.memory.parts import Part

MAX_CHARACTERS = 4000
"""Characters of the lines under one label."""
MAX_IN_ALL = 24_000
"""Characters of all lines; beyond it the older ones become memory rows."""


def size_under(notebook: Json, readers: str) -> int:
    """Return how many characters the notebook has under exactly this label."""
    return labelled.size(labelled.under(notebook["lines"], readers))


def no_room_for_notes(notebook: Json, action: str, content: str, readers: str) -> str:
    """Return why there is no room for a write or an append; empty if there is."""
    old = labelled.under(notebook["lines"], readers) if action == "append" else []
    needed = labelled.size([*old, *_new_lines(old, content)])
    if needed <= MAX_CHARACTERS:
        return ""
    return f"The notes would take {needed} characters; at most {MAX_CHARACTERS} fit."


def write_notes(
    notebook: Json, *, content: str, at: float, readers: str = NOBODY, author: str = ""
) -> list[MemoryRow]:
    """Replace the lines of exactly this label; if they are too long, only ask for a summary."""
    old = labelled.under(notebook["lines"], readers)
    if no_room_for_notes(notebook, "write", content, readers):
        labelled.request_compaction(notebook)
        return []
    authors = labelled.joint_author([author, *(entry.get("author", "") for entry in old)])
    clear(notebook, readers=readers)
    return append_notes(notebook, content=content, at=at, readers=readers, author=authors)


def append_notes(
    notebook: Json, *, content: str, at: float, readers: str = NOBODY, author: str = ""
) -> list[MemoryRow]:
    """Add lines under this label; if they are too long, only ask for a summary.

    A line is left out only if the same words are there: one that is merely similar says something
    new.
    """
    old = labelled.under(notebook["lines"], readers)
    if no_room_for_notes(notebook, "append", content, readers):
        labelled.request_compaction(notebook)
        return []
    notebook["lines"] += [
        labelled.item(new_line["content"], at=at, readers=readers, author=author)
        for new_line in _new_lines(old, content)
    ]
    return labelled.spill(notebook["lines"], MAX_IN_ALL, "note")


def clear(notebook: Json, *, readers: str = NOBODY) -> None:
    """Remove the lines of exactly this label."""
    notebook["lines"] = labelled.not_under(notebook["lines"], readers)
    notebook["needs_compaction"] = labelled.is_crowded(notebook["lines"], MAX_CHARACTERS)


def settle_notes(notebook: Json, *, readers: str, share: float) -> list[MemoryRow]:
    """Return the older lines of a label as memory rows; the newest, a `share` of them, stay."""
    rows = labelled.take_older(notebook["lines"], readers, share, "note")
    notebook["needs_compaction"] = labelled.is_crowded(notebook["lines"], MAX_CHARACTERS)
    return rows


def _new_lines(old: list[Json], content: str) -> list[Json]:
    known = {entry["content"] for entry in old}
    lines = dict.fromkeys(filter(None, map(str.strip, content.split("\n"))))
    return [{"content": line} for line in lines if line not in known]


NOTEBOOK = Part(
    name="notebook",
    attribute="notebook",
    shape={"lines": [], "needs_compaction": False},
    steps={
        "write": write_notes,
        "append": append_notes,
        "clear": clear,
        "settle": settle_notes,
        "request_compaction": labelled.request_compaction,
    },
)
