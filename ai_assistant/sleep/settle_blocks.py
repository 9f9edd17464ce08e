"""Summarising: a block that is over its limit is settled asleep, one that found no room at once.

Of blocks that several share, one at a time does it, under a lease. What a summary takes
the place of becomes memory rows: nothing is cut without a trace.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial

from ai_assistant.agent.mind import Mind
from ai_assistant.core.contracts import Change, Json
from ai_assistant.core.readers import OPEN
from ai_assistant.core.text import clean
from ai_assistant.core.times import DAY, iso
from ai_assistant.memory import labelled
from ai_assistant.memory.blocks import global_knowledge, rules, shared_social
from ai_assistant.memory.blocks.items import (
    BRIEF,
    CUSTOM_BLOCK,
    LINES,
    MAX_SUMMARY,
    digest_of,
    older,
)
from ai_assistant.memory.phrases import shortened
from ai_assistant.planning.goals import current_goals, finished_before
from ai_assistant.prompts import load_prompt
from ai_assistant.sleep.work import LINES_A_CALL, StageResult, Work, ask_by_night, may_ask

STAGE = "blocks"
LEASE = 120.0
"""Seconds within which whoever took a block's lease is done with it, or another may take it."""
OLD_TASK = 30 * DAY
"""Seconds after its end from which on a finished task leaves the list."""
MOST_WORDS = 200
"""Tokens that a model's summary may take; of a long text, as many as fit its limit."""
CHARACTERS_A_TOKEN = 3
SETTLE = "settle"
_STEPS = {global_knowledge.PLACES: "settle_places", global_knowledge.LORE: "settle_lore"}


@dataclass(frozen=True, slots=True)
class _Crowded:
    """One label's items of a block that is to be settled; `key` names a block of the game's own.

    `name` is the field that holds them.
    """

    part: str
    key: str
    name: str
    readers: str
    items: Sequence[Json]

    @property
    def mark(self) -> str:
        """What the night notes when it is done."""
        return f"{STAGE}:{self.part}:{self.key}:{self.name}:{self.readers}"

    @property
    def step(self) -> str:
        """The step of the block that does it."""
        return _STEPS.get(self.name, SETTLE)

    @property
    def limit(self) -> int:
        """How many characters the summary may have."""
        return labelled.size(self.items) // 2 if self.name == global_knowledge.LORE else MAX_SUMMARY


def settle_blocks(mind: Mind, sleep: Json) -> StageResult | None:
    """Summarise the older items of the next crowded block, label by label; None when none is left.

    By a model where there is one for it and the night has calls left, else by rule. A block that
    another one summarises just now is left to that one.
    """
    if pruned := _pruned_tasks(mind, sleep):
        return pruned
    crowded = (block.mark for block in _crowded(mind, rules.needs_summary))
    return _settle(mind, sleep) if any(mark not in sleep["skipped"] for mark in crowded) else None


async def _settle(mind: Mind, sleep: Json) -> Work | None:
    with _next(mind, rules.needs_summary, sleep["skipped"]) as crowded:
        if crowded is None:
            return None
        if not may_ask(mind, sleep, "summarise", more=len(crowded.items)):
            return _work(mind, crowded)
        work = _work(mind, crowded, await _summary(mind, crowded))
        return replace(work, calls=1, credit=len(crowded.items) - LINES_A_CALL)


def settle_by_rule(mind: Mind, skipped: Collection[str]) -> Work | None:
    """Summarise the older items of the next block that refused something, by rule."""
    with _next(mind, lambda block: bool(block["needs_compaction"]), skipped) as crowded:
        return _work(mind, crowded) if crowded else None


@contextmanager
def _next(
    mind: Mind, is_due: Callable[[Json], bool], skipped: Collection[str]
) -> Iterator[_Crowded | None]:
    """Give the next that is not skipped under the lease of its block, if no other has that."""
    now = mind.clock.now
    for crowded in _crowded(mind, is_due):
        lease = partial(mind.store.lease, crowded.part, crowded.key)
        if crowded.mark not in skipped and lease(now=now(), seconds=LEASE):
            try:
                yield crowded
            finally:
                lease(now=now(), seconds=0)
            return
    yield None


def _pruned_tasks(mind: Mind, sleep: Json) -> Work | None:
    """Take tasks that were done long ago out of the list; they become memory rows."""
    mark, before = f"{STAGE}:{rules.TASKS}", iso(mind.clock.now() - OLD_TASK)
    if mark in sleep["skipped"]:
        return None
    found = finished_before(current_goals(mind.store.read("goals")), before)
    if not found:
        return None
    rules.check_writer("sub_process", rules.TASKS)
    return Work(
        STAGE,
        changes=[Change("goals", "", "file_finished", {"before": before})],
        told={"block": rules.TASKS, "put_by": len(found)},
        skip=mark,
    )


def _crowded(mind: Mind, is_due: Callable[[Json], bool]) -> Iterator[_Crowded]:
    """Yield what is to be settled of each block that is due, the fullest label first."""
    lists = [(rules.SOCIAL, "", shared_social.FACTS)]
    lists += [(CUSTOM_BLOCK, key, LINES) for key in mind.store.keys(CUSTOM_BLOCK)]
    for part, key, name in lists:
        block = mind.store.read(part, key)
        if is_due(block):
            labels = dict.fromkeys(entry["readers"] for entry in block[name])
            under = [labelled.under(block[name], label) for label in labels]
            for items in map(older, sorted(under, key=labelled.size, reverse=True)):
                if items:
                    yield _Crowded(part, key, name, items[0]["readers"], items)
    world_block = mind.store.read(rules.GLOBAL)
    if is_due(world_block):
        yield from _crowded_world(world_block)


def _crowded_world(block: Json) -> Iterator[_Crowded]:
    """Yield what is to be settled of what everybody knows: events or places, whichever are more.

    The lore, which the game wrote, is shortened only where it is what fills the block.
    """
    places = [
        {**place, "content": global_knowledge.place_words(place), BRIEF: _name_of(place)}
        for place in block[global_knowledge.PLACES]
    ]
    lists = {
        global_knowledge.EVENTS: block[global_knowledge.EVENTS],
        global_knowledge.PLACES: places,
    }
    for name, items in sorted(lists.items(), key=lambda named: -labelled.size(named[1])):
        if old := older(items):
            yield _Crowded(rules.GLOBAL, "", name, OPEN, old)
    lore = block[global_knowledge.LORE]
    if len(lore) > rules.CROWDED * block["limit"] / 2:
        whole = [{"content": lore, "timestamp": ""}]
        yield _Crowded(rules.GLOBAL, "", global_knowledge.LORE, OPEN, whole)


def _name_of(place: Json) -> str:
    """Return what a summary by rule tells of a place: its name, or the names summed up before."""
    is_summary = place["name"] == global_knowledge.ELSEWHERE
    return str(place["description" if is_summary else "name"])


def _work(mind: Mind, crowded: _Crowded, words: str = "") -> Work:
    """Return what puts these words in the place of the items; without any, a summary by rule."""
    if not words and crowded.name == global_knowledge.LORE:
        words = shortened(crowded.items[0]["content"], crowded.limit)
    step = {
        "gone": [item["content"] for item in crowded.items],
        "summary": words or digest_of(crowded.items),
        "at": mind.clock.now(),
        "writer": "sub_process",
        "by": mind.key,
    }
    if crowded.step == SETTLE:
        step["author"] = mind.key
    if crowded.part != rules.GLOBAL:
        step["readers"] = crowded.readers
    return Work(
        STAGE,
        changes=[Change(crowded.part, crowded.key, crowded.step, step)],
        told={"block": crowded.key or crowded.part, "summarised": len(crowded.items)},
        readers=OPEN if crowded.part == rules.GLOBAL else crowded.readers,
        skip=crowded.mark,
    )


async def _summary(mind: Mind, crowded: _Crowded) -> str:
    lines = [{"note": item["content"], "on": item["timestamp"][:10]} for item in crowded.items]
    data = "\n".join(json.dumps(line, ensure_ascii=False) for line in lines)
    tokens = max(MOST_WORDS, crowded.limit // CHARACTERS_A_TOKEN)
    answer = await ask_by_night(
        mind, "summarise", load_prompt("summarise_block"), data, max_tokens=tokens
    )
    words = clean(answer, crowded.limit)
    return words if 0 < len(words) < labelled.size(crowded.items) else ""
