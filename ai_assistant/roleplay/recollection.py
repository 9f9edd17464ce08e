"""Recalling from one container whose rows are at hand, as a player's or a small one's are."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ai_assistant.contracts import MemoryRow
from ai_assistant.memory.retrieval import Index


def recollect(
    rows: Sequence[MemoryRow],
    query: str,
    k: int,
    *,
    now: float,
    allow: Callable[[str], bool] | None = None,
    fitting: bool = False,
) -> list[MemoryRow]:
    """Return the best `k` of some rows for a query, or all where there are fewer, best first.

    `query` are the words of a `formats.RecallQuery`; `allow` says whether a label may be used;
    `fitting` leaves out what holds no word of the query.
    """
    index = Index()
    for row in rows:
        index.add(
            row.id,
            row.content,
            speaker=row.author_name,
            session=row.session,
            at=row.learned_at,
            readers=row.readers,
            importance=row.importance,
            trust=row.trust,
            meta=row.meta,
        )
    by_id = {row.id: row for row in rows}
    hits = index.search(query, k, now=now, allow=allow, explain=fitting)
    return [by_id[hit.id] for hit in hits if not fitting or hit.why.get("line")]
