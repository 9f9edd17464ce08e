"""Blocks of the game's own, beside the six: lines that all, or some, characters have at hand."""

from __future__ import annotations

from collections.abc import Sequence

from ai_assistant.core.contracts import Json, MemoryRow
from ai_assistant.core.readers import OPEN
from ai_assistant.memory import labelled
from ai_assistant.memory.blocks import items, rules
from ai_assistant.memory.parts import Part

LINES = "lines"
KIND = "block_line"
NAME = "custom_block"


def empty_custom() -> Json:
    """Return a block without lines."""
    return {LINES: [], "needs_compaction": False, "limit": rules.DEFAULT_LIMIT, "type": "private"}


def add_line(
    block: Json, *, content: str, at: float, readers: str = OPEN, author: str = ""
) -> None:
    """Append a line; an exact repeat is not added, and neither is one without room."""
    items.add(block, LINES, labelled.item(content, at=at, readers=readers, author=author))


def insert_line(
    block: Json, *, content: str, after: str, at: float, readers: str = OPEN, author: str = ""
) -> None:
    """Put a line behind another one; ``""`` puts it first."""
    item = labelled.item(content, at=at, readers=readers, author=author)
    items.insert(block, LINES, item, after=after)


def edit_line(
    block: Json, *, old: str, new: str, at: float, readers: str = OPEN, author: str = ""
) -> list[MemoryRow]:
    """Give a line new words, or take it out without any; its old words become a memory row."""
    more = labelled.item(new, at=at, readers=readers, author=author)
    return items.edit(block, LINES, old=old, new=new, kind=KIND, more=more)


def settle_lines(
    block: Json,
    *,
    gone: Sequence[str],
    summary: str,
    at: float,
    readers: str = OPEN,
    author: str = "",
) -> list[MemoryRow]:
    """Replace the lines with these words, under this label, by a summary; they become rows."""
    item = labelled.item(summary, at=at, readers=readers, author=author)
    return items.settle(
        block, LINES, gone=gone, item=item, as_row=lambda line: labelled.as_row(line, KIND)
    )


CUSTOM = Part(
    name=NAME,
    attribute=NAME,
    empty=empty_custom,
    steps=rules.guarded(
        NAME,
        {
            "add_line": add_line,
            "insert_line": insert_line,
            "edit_line": edit_line,
            "settle": settle_lines,
            "request_compaction": labelled.request_compaction,
        },
    ),
    keyed=True,
    where="block",
)
