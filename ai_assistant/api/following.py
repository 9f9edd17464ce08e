"""Correcting: what quotes a thing that staff edited, or rests on it, follows in the same mind."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from typing import Any

from twisted.internet.defer import Deferred

from ai_assistant.agent.state_parts import OF_WORDS
from ai_assistant.api.editing import Edited
from ai_assistant.api.forgetting import forget_minds, minds
from ai_assistant.api.handlers import save, store_of
from ai_assistant.api.slices import Slice, in_slices
from ai_assistant.core.contracts import Commit
from ai_assistant.game.identity import entity_id
from ai_assistant.memory.correcting import Correction
from ai_assistant.memory.rewording import Rewording
from ai_assistant.roleplay.day_summaries import WITHDRAWN
from ai_assistant.runtime.service import SERVICE
from ai_assistant.storage import erasure

_OWN_PARTS = {
    name: part for name, part in OF_WORDS.items() if part.where != "everybody" and name != "prompt"
}
"""What one mind keeps, but for what its owner wrote into its prompt."""


def follow_edit(character: Any, edited: Edited) -> Deferred[int]:
    """Put right what quotes a thing that was edited, or rests on it; returns in how many places.

    What others said, the world's record and the log stay as they are. The Deferred fails with
    `StoreError` where the database refuses.
    """
    return Deferred.fromCoroutine(_follow(character, edited))


async def _follow(character: Any, edited: Edited) -> int:
    counts = Counter[str]()
    await in_slices(_steps(character, _correction(character, edited), counts))
    return counts.total()


def _correction(character: Any, edited: Edited) -> Correction:
    entries = store_of(character).read("stream")["entries"]
    turns = {entry["turn_id"] for entry in entries if entry["id"] in edited.lines} - {""}
    own = (entry for entry in entries if entry["event_type"] == "self_speech")
    return Correction(
        minds=minds(),
        rewording=Rewording(edited.before, edited.words),
        moved=edited.moved,
        corrected=edited.lines,
        answers=frozenset(entry["id"] for entry in own if entry["turn_id"] in turns),
        turns=turns,
        people=edited.people,
    )


def _steps(character: Any, correction: Correction, counts: Counter[str]) -> Iterator[Slice]:
    retired = list[int]()
    yield from _rows(character, correction, counts, retired)
    with SERVICE.watch.holding_back():
        yield from forget_minds.clear_heads([entity_id(character)], correction)
        yield from forget_minds.cleanse(character, correction, counts, retired, _OWN_PARTS)
    if retired:
        notes = dict.fromkeys(retired, WITHDRAWN)
        save(character, Commit(at=time.time(), archived=retired, annotated=notes))


def _rows(
    character: Any, correction: Correction, counts: Counter[str], retired: list[int]
) -> Iterator[None]:
    """Put right the rows of a mind; those that have nothing left to rest on are `retired`."""
    key, after, last = entity_id(character), 0, erasure.highest_id("memory")
    taken = {*correction.moved, *correction.moved.values()}
    while after < last:
        page = erasure.page_after("memory", after)
        after += erasure.PAGE
        mine = (row for row in page if row["container"] == key and row["id"] not in taken)
        own = [row for row in mine if not row["meta"].keys() & WITHDRAWN.keys()]
        new = {row["id"]: correction.row(row) for row in own}
        retired += [id for id, row in new.items() if not row]
        if changed := [new[row["id"]] for row in own if new[row["id"]] not in ({}, row)]:
            erasure.rewrite("memory", changed)
            forget_minds.recall_anew(key, [row["id"] for row in changed])
        counts["memories"] += sum(new[row["id"]] != row for row in own)
        yield None
