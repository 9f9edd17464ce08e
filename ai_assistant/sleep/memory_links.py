"""Links between memories (A-MEM): what is worth keeping is tied to what it belongs with."""

from __future__ import annotations

from itertools import islice

from ai_assistant.agent.mind import Mind
from ai_assistant.core.contracts import Json, MemoryRow, NewRow
from ai_assistant.roleplay.play import is_fiction
from ai_assistant.sleep.work import Work

AT_ONCE = 5
SCANNED = 150
MOST_LINKS = 3
LOOKED_AT = 12
"""Hits of which the links are chosen: many are no rows, or stand beside others of equal weight."""
ALIKE = 0.2
"""The relevance from which another memory belongs with this one."""
_WORTH_IT = frozenset({"fact", "journal", "insight", "observation", "lore", "announcement"})


async def link(mind: Mind, sleep: Json) -> Work | None:
    """Link the next new memories to older ones under exactly the same label."""
    rows = mind.store.rows.after(sleep["linked"], SCANNED)
    if not rows:
        return None
    worth = (row for row in rows if row.kind in _WORTH_IT and not is_fiction(row))
    chosen = list(islice(worth, AT_ONCE))
    read_all = len(chosen) < AT_ONCE
    found = {row.id: await _related(mind, row) for row in chosen}
    notes: dict[int | NewRow, Json] = {id: {"links": links} for id, links in found.items() if links}
    return Work(
        "link",
        annotated=notes,
        marks={"linked": rows[-1].id if read_all else chosen[-1].id},
        told={"linked": len(notes)} if notes else {},
        undo={"linked": list(notes)} if notes else {},
    )


async def _related(mind: Mind, row: MemoryRow) -> list[int]:
    hits = await mind.recall.search(
        row.content,
        LOOKED_AT,
        now=mind.clock.now(),
        allow=lambda readers: readers == row.readers,
        sessions=frozenset({row.session}),
    )
    alike = [
        (-hit.hit.score, hit.row.id)
        for hit in hits
        if hit.row.id > 0
        and hit.row.id != row.id
        and hit.hit.relevance >= ALIKE
        and not is_fiction(hit.row)
    ]
    return [id for _, id in sorted(alike)[:MOST_LINKS]]
