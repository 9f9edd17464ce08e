"""Lists whose items carry a label of readers: what is under one label, how much, what gives way."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable

from ai_assistant.core.contracts import Json, MemoryRow
from ai_assistant.core.times import epoch, iso

Allow = Callable[[str, str], bool]
"""``allow(readers, author)``: may an item with that label, by that author, be used?"""

CROWDED = 0.8
MOST_AUTHORS = 8
SEVERAL = "several"
"""The author of what more than `MOST_AUTHORS` people wrote; it is no id, so it permits nothing."""


def item(content: str, *, at: float, readers: str, author: str = "") -> Json:
    """Return an item as every list of this kind holds it."""
    return {"content": content, "readers": readers, "timestamp": iso(at), "author": author}


def under(items: Iterable[Json], readers: str) -> list[Json]:
    """Return the items with exactly this label."""
    return [entry for entry in items if entry["readers"] == readers]


def not_under(items: Iterable[Json], readers: str) -> list[Json]:
    """Return the items with any other label."""
    return [entry for entry in items if entry["readers"] != readers]


def usable_items(items: Iterable[Json], allow: Allow) -> list[Json]:
    """Return the items that `allow` lets pass; it is asked of each once, in order."""
    return [entry for entry in items if allow(entry["readers"], entry.get("author", ""))]


def size(items: Iterable[Json]) -> int:
    """Return how many characters the items take, one more each for the line's end."""
    return sum(len(entry["content"]) + 1 for entry in items)


def is_crowded(items: Iterable[Json], characters: int, count: float = math.inf) -> bool:
    """Does any label fill more than four fifths of the characters, or items, that it may?"""
    by_label: dict[str, list[Json]] = {}
    for entry in items:
        by_label.setdefault(entry["readers"], []).append(entry)
    return any(
        size(kept) > CROWDED * characters or len(kept) > CROWDED * count
        for kept in by_label.values()
    )


def spill(items: list[Json], limit: int, kind: str) -> list[MemoryRow]:
    """Shorten the list to `limit` characters in all; return what gave way, as memory rows.

    The oldest item of the fullest label goes first, so that nobody's talk crowds out another's.
    """
    rows: list[MemoryRow] = []
    sizes = Counter[str]()
    for entry in items:
        sizes[entry["readers"]] += size([entry])
    while sizes.total() > limit:
        fullest = max(sizes, key=sizes.__getitem__)
        oldest = under(items, fullest)[0]
        items.remove(oldest)
        sizes[fullest] -= size([oldest])
        rows.append(item_as_row(oldest, kind))
    return rows


def take_older(items: list[Json], readers: str, share: float, kind: str) -> list[MemoryRow]:
    """Take the older items of a label out of the list, all but a `share`; returns them as rows."""
    own = under(items, readers)
    older = own[: len(own) - max(1, round(share * len(own)))]
    for entry in older:
        items.remove(entry)
    return [item_as_row(entry, kind) for entry in older]


def item_as_row(entry: Json, kind: str) -> MemoryRow:
    """Return an item as the memory row that it becomes when its list is full."""
    return MemoryRow(
        content=entry["content"],
        kind=kind,
        author=entry.get("author", ""),
        readers=entry["readers"],
        learned_at=epoch(entry.get("timestamp", "")),
    )


def request_compaction(state: Json) -> None:
    """Note in a part that something found no room, so that it is summarised or filed soon."""
    state["needs_compaction"] = True


def joint_author(authors: Iterable[str]) -> str:
    """Return the author of what several wrote together: their ids, sorted, with commas between."""
    known = sorted({name for author in authors for name in author.split(",")} - {""})
    return ",".join(known) if len(known) <= MOST_AUTHORS else SEVERAL
