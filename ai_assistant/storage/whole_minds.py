"""The rows and blocks of one mind, all of them: read for a file, and written from one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from ai_assistant.core.contracts import Json, MemoryRow
from ai_assistant.memory.renumbering import Numbers
from ai_assistant.models import Memory, MemoryBlock
from ai_assistant.storage import block_rows, lorebooks, memory_rows
from ai_assistant.storage.block_rows import Signed
from ai_assistant.storage.history.row_evidence import renew_evidence
from ai_assistant.storage.history.state_log import LAST, ROWS, StateLog, ToldSequence, ToldState
from ai_assistant.storage.statements import id_pages, refusals

ROW = (
    *("content", "kind", "session", "subject", "author", "author_name", "readers", "game_day"),
    *("location", "learned_at", "importance", "trust", "meta"),
)
"""The fields of a row that a file holds as they are, its metadata but for numbers of rows."""
LINKED = ("parents", "supersedes", "archived_at")
BLOCK = ("label", "type", "value", "limit")
AT_ONCE = 50
"""Rows that are read or written at once."""
Progress = Callable[[int, int], object]


def count_rows(container: str) -> int:
    """Return how many rows a mind has, archived ones too."""
    with refusals():
        return Memory.objects.filter(container=container).count()


def row_pages(container: str) -> Iterator[list[Json]]:
    """Yield all rows of a mind by their id, oldest first, archived ones too, page by page."""
    kept = Memory.objects.filter(container=container)
    yield from id_pages(kept.values("id", *ROW, *LINKED), AT_ONCE)


def own_blocks(owner: str) -> list[Json]:
    """Return the blocks that are a mind's alone, card and lorebook among them."""
    with refusals():
        return list(MemoryBlock.objects.filter(owner=owner).order_by("label").values(*BLOCK))


def write_rows(container: str, rows: Iterable[Json]) -> list[int]:
    """Insert rows of a file, part of the caller's transaction; returns their new numbers."""
    new = [MemoryRow(**{name: row[name] for name in ROW}) for row in rows]
    return [row.id for row in memory_rows.insert(new, container, 0.0)]


def link_rows(pairs: Iterable[tuple[int, Json]], numbers: Numbers) -> None:
    """Write which rows these rest on or replace, each by its new number; all of them are there.

    Part of the caller's transaction.
    """
    linked: list[int] = []
    for id, row in pairs:
        held = {name: row[name] for name in (*LINKED, "meta")}
        new = numbers.renumbered(held)
        if new["meta"] != row["meta"] or any(new[name] for name in LINKED):
            Memory.objects.filter(pk=id).update(**new)
            linked.append(id)
    if linked:
        renew_evidence(linked)


def tell_past(container: str, ids: Sequence[int], at: float) -> None:
    """Note of a mind's past that it has these rows, part of the caller's transaction."""
    if ids:
        told = [ToldState(ROWS, LAST, {"last": ids[-1]})]
        StateLog().append(ToldSequence(container, told, at))


def write_own_block(owner: str, block: Json, by: str) -> None:
    """Write a block of a file, part of the caller's transaction."""
    label, value = block["label"], block["value"]
    if label in (lorebooks.CARD, lorebooks.BOOK):
        lorebooks.write_books([(owner, label, value)], by=by)
        return
    version = block_rows.read_block(label, owner).version
    signed = Signed("designer", by, "import")
    told = block_rows.write_row(label, owner, value, version, signed, type=block["type"])
    StateLog().append(*told)
    MemoryBlock.objects.filter(owner=owner, label=label).update(limit=block["limit"])
