"""The shared social block: what the character tells anybody, and whom it talked with."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ai_assistant.core.contracts import Json, MemoryRow
from ai_assistant.core.readers import OPEN
from ai_assistant.core.text import clean_name
from ai_assistant.core.times import epoch
from ai_assistant.memory import labelled
from ai_assistant.memory.blocks import items, rules
from ai_assistant.memory.parts import Part

FACTS, GROUPS = "recent_facts", "group_interactions"
MAX_GROUPS = 20


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
    """Note who talked together and about what; the oldest are returned as memory rows.

    The same talk, by topic and people, is noted once. A talk that goes on is one too: it has the
    same people, and was noted after `since` (seconds since the epoch). `participants` are names.
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


def edit_group_interaction(
    block: Json, *, old: str, new: str, readers: str = OPEN, author: str = ""
) -> list[MemoryRow]:
    """Replace the words (`talk_in_words`) of a talk; empty words remove it. Return the old one.

    Without room nothing changes. The time of the talk stays.
    """
    found = next(
        (talk for talk in labelled.under(block[GROUPS], readers) if talk_in_words(talk) == old),
        None,
    )
    if found is None:
        return []
    authors = labelled.joint_author([found.get("author", ""), author])
    edited = found | talk_of(new) | {"author": authors}
    is_done = rules.swap_item(block, GROUPS, found, edited if new else None)
    return [group_as_row(found)] if is_done else []


def talk_in_words(entry: Json) -> str:
    """Return a group interaction as one line: who talked together, and about what."""
    return ": ".join(filter(None, [", ".join(entry["participants"]), entry["topic"]]))


def talk_of(words: str) -> Json:
    """Return the participants and the topic in such a line."""
    names, _, topic = words.partition(": ")
    participants = [clean_name(name) for name in names.split(",") if name.strip()]
    return {"participants": participants, "topic": topic.strip()}


def _is_same(talk: Json, other: Json, since: float) -> bool:
    if any(talk.get(name) != other[name] for name in ("participants", "readers")):
        return False
    return bool(talk["topic"] == other["topic"] or epoch(talk["timestamp"]) > since)


def group_as_row(entry: Json) -> MemoryRow:
    """Return the memory row of a group interaction."""
    words = talk_in_words(entry)
    return labelled.item_as_row({**entry, "content": words}, "group_interaction")


FACT_LINES = items.LineList(part=rules.SOCIAL, name=FACTS, kind="shared_fact")
SHARED_SOCIAL = Part(
    name=rules.SOCIAL,
    attribute=rules.SOCIAL,
    shape={FACTS: [], GROUPS: [], "needs_compaction": False, "limit": rules.LIMITS[rules.SOCIAL]},
    steps=rules.signed_steps(
        rules.SOCIAL,
        FACT_LINES.steps()
        | {
            "insert_line": FACT_LINES.insert,
            "record_group_interaction": record_group_interaction,
            "edit_group_interaction": edit_group_interaction,
        },
    ),
    where="block",
)
