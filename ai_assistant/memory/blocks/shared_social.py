"""The shared social block: what the character tells anybody, and whom it talked with.

Each item carries its readers beside its `content`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from ai_assistant.core.contracts import Json, MemoryRow
from ai_assistant.core.readers import OPEN
from ai_assistant.core.text import clean_name
from ai_assistant.memory import labelled
from ai_assistant.memory.blocks import items, rules
from ai_assistant.memory.parts import Part, epoch

FACTS, GROUPS = "recent_facts", "group_interactions"
MAX_GROUPS = 20
KIND = "shared_fact"
GROUP_KIND = "group_interaction"


def empty_social() -> Json:
    """Return a block that holds nothing."""
    return {FACTS: [], GROUPS: [], "needs_compaction": False, "limit": rules.LIMITS[rules.SOCIAL]}


def share_fact(
    block: Json, *, content: str, at: float, readers: str = OPEN, author: str = ""
) -> None:
    """Append a fact; an exact repeat is not added, and neither is one without room."""
    items.add(block, FACTS, labelled.item(content, at=at, readers=readers, author=author))


def insert_fact(
    block: Json, *, content: str, after: str, at: float, readers: str = OPEN, author: str = ""
) -> None:
    """Put a fact behind another one; ``""`` puts it first."""
    item = labelled.item(content, at=at, readers=readers, author=author)
    items.insert(block, FACTS, item, after=after)


def edit_fact(
    block: Json, *, old: str, new: str, at: float, readers: str = OPEN, author: str = ""
) -> list[MemoryRow]:
    """Give a fact new words, or take it out without any; its old words become a memory row."""
    more = labelled.item(new, at=at, readers=readers, author=author)
    return items.edit(block, FACTS, old=old, new=new, kind=KIND, more=more)


def record_group_interaction(  # noqa: PLR0913 - one argument for each field of the item
    block: Json,
    *,
    participants: Sequence[str],
    topic: str,
    at: float,
    readers: str = OPEN,
    author: str = "",
    since: float = math.inf,
) -> list[MemoryRow]:
    """Note who talked together and of what; the oldest give way and become memory rows.

    The same talk, by topic and people, is noted once; and so is one that goes on, which is one of
    the same people noted after `since` (seconds since the epoch). `participants` are names.
    """
    entry = labelled.item("", at=at, readers=readers, author=author)
    del entry["content"]
    entry |= {"participants": [clean_name(name) for name in participants], "topic": topic}
    same = [group for group in block[GROUPS] if _is_same(group, entry, since)]
    groups = [*(group for group in block[GROUPS] if group not in same), entry]
    spilled: list[Json] = []
    while len(groups) > MAX_GROUPS or not rules.fits(
        block, lambda new: new.update({GROUPS: groups})
    ):
        if not groups:
            labelled.request_compaction(block)
            return []
        spilled.append(groups.pop(0))
    block[GROUPS] = groups
    return [group_as_row(item) for item in spilled]


def _is_same(one: Json, other: Json, since: float) -> bool:
    if any(one.get(name) != other[name] for name in ("participants", "readers")):
        return False
    return bool(one["topic"] == other["topic"] or epoch(one["timestamp"]) > since)


def group_as_row(entry: Json) -> MemoryRow:
    """Return a group interaction as the memory row that it becomes."""
    told = ": ".join(filter(None, [", ".join(entry["participants"]), entry["topic"]]))
    return labelled.as_row({**entry, "content": told}, GROUP_KIND)


def settle_facts(
    block: Json,
    *,
    gone: Sequence[str],
    summary: str,
    at: float,
    readers: str = OPEN,
    author: str = "",
) -> list[MemoryRow]:
    """Replace the facts with these words, under this label, by a summary; they become rows."""
    item = labelled.item(summary, at=at, readers=readers, author=author)
    return items.settle(
        block, FACTS, gone=gone, item=item, as_row=lambda fact: labelled.as_row(fact, KIND)
    )


SHARED_SOCIAL = Part(
    name=rules.SOCIAL,
    attribute=rules.SOCIAL,
    empty=empty_social,
    steps=rules.guarded(
        rules.SOCIAL,
        {
            "share_fact": share_fact,
            "insert_fact": insert_fact,
            "edit_fact": edit_fact,
            "record_group_interaction": record_group_interaction,
            "settle": settle_facts,
            "request_compaction": labelled.request_compaction,
        },
    ),
    where="block",
)
