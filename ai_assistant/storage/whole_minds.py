"""The rows and blocks of one mind, all of them: read for a file, and written from one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from ai_assistant.core.contracts import Json, MemoryRow
from ai_assistant.memory.renumbering import Numbers, out_of_file
from ai_assistant.models import Memory, MemoryBlock
from ai_assistant.storage import block_rows, lorebooks, memory_rows
from ai_assistant.storage.block_rows import Signed
from ai_assistant.storage.history.row_evidence import renew_evidence
from ai_assistant.storage.history.state_log import LAST, ROWS, StateLog, ToldState, keeps_past
from ai_assistant.storage.statements import refusals

ROW = (
    *("content", "kind", "session", "subject", "author", "author_name", "readers", "game_day"),
    *("location", "learned_at", "importance", "trust", "meta"),
)
"""The fields of a row that a file holds as they are, its metadata but for numbers of rows."""
LINKED = ("parents", "supersedes", "archived_at")
BLOCK = ("label", "type", "value", "limit")
AT_ONCE = 500
"""Rows between two reports of how far it is."""
Progress = Callable[[int, int], object]


def count_rows(container: str) -> int:
    """Return how many rows a mind has, archived ones too."""
    with refusals():
        return Memory.objects.filter(container=container).count()


def all_rows(container: str) -> Iterator[Json]:
    """Yield all rows of a mind by their id, oldest first, archived ones too."""
    last = 0
    while True:
        with refusals():
            kept = Memory.objects.filter(container=container, pk__gt=last).order_by("pk")
            page = list(kept.values("id", *ROW, *LINKED)[:AT_ONCE])
        yield from page
        if len(page) < AT_ONCE:
            return
        last = page[-1]["id"]


def own_blocks(owner: str) -> list[Json]:
    """Return the blocks that are a mind's alone, card and lorebook among them."""
    with refusals():
        return list(MemoryBlock.objects.filter(owner=owner).order_by("label").values(*BLOCK))


def write_rows(container: str, rows: Sequence[Json], progress: Progress, at: float) -> Numbers:
    """Insert the rows of a file, part of the caller's transaction; returns their new numbers."""
    ids: list[int] = []
    for start in range(0, len(rows), AT_ONCE):
        some = [
            MemoryRow(**{name: row[name] for name in ROW}) for row in rows[start : start + AT_ONCE]
        ]
        ids += [row.id for row in memory_rows.insert(some, container, 0.0)]
        progress(len(ids), len(rows))
    numbers = out_of_file(ids)
    for id, row in zip(ids, rows, strict=True):
        linked = {name: row[name] for name in (*LINKED, "meta")}
        new = numbers.renumbered(linked)
        if new["meta"] != row["meta"] or any(new[name] for name in LINKED):
            Memory.objects.filter(pk=id).update(**new)
    if ids and keeps_past():
        StateLog().append(container, [ToldState(ROWS, LAST, {"last": ids[-1]})], at=at)
    for start in range(0, len(ids), AT_ONCE):
        renew_evidence(ids[start : start + AT_ONCE])
    return numbers


def write_blocks(owner: str, blocks: Sequence[Json], by: str) -> None:
    """Write the blocks of a file, part of the caller's transaction."""
    for block in blocks:
        label, value = block["label"], block["value"]
        if label in (lorebooks.CARD, lorebooks.BOOK):
            lorebooks.write_books([(owner, label, value)])
            continue
        version = block_rows.read_block(label, owner).version
        signed = Signed("designer", by, "import")
        block_rows.write_row(label, owner, value, version, signed, type=block["type"])
        MemoryBlock.objects.filter(owner=owner, label=label).update(limit=block["limit"])
