"""A long life in a moment: memories by the thousand, and what is measured on them."""

from __future__ import annotations

import gc
import random
import time
from dataclasses import replace
from typing import Any

import psutil
from django.db import transaction
from twisted.internet.defer import Deferred

from ai_assistant.core.contracts import AuditRecord, Change, Commit, MemoryRow
from ai_assistant.game.identity import entity_id, find
from ai_assistant.game.perception import from_msg
from ai_assistant.memory.search.recall import Recall
from ai_assistant.memory.talk.stream import entry_of
from ai_assistant.roleplay.distribution import heard_row
from ai_assistant.runtime.service import SERVICE
from ai_assistant.storage import memory_rows
from bench import report
from bench.game import Lateness, pause

BATCH = 2_000
CONTRIB_REACH = 10_000
"""The contrib's list is not tried beyond this: each append would take a second."""
WORDS = (
    "ferry river bridge mill lantern quay rope ledger storm cargo toll captain anchor barrel net "
    "harbour fish salt knot sail market bread chest key map tower wall gate guard sword shield "
    "horse cart wheel road inn ale song fiddle bell church candle well garden apple honey bee"
).split()


def line_of(luck: random.Random, number: int) -> str:
    """Return something that might have been said, the like of which was not said before."""
    return f"The {' '.join(luck.choices(WORDS, k=9))} of day {number}."


def fill(mind: Any, size: int, luck: random.Random) -> None:
    """Give an assistant memories up to this many, as if it had heard them."""
    have = len(mind.recall)
    for start in range(have, size, BATCH):
        batch = [
            MemoryRow(
                line_of(luck, number),
                author=f"e{number % 40}",
                author_name=f"Player{number % 40}",
                readers="*" if number % 9 else f"e{number % 40}",
                learned_at=time.time() - 30 * (200_000 - number),
                meta={"event": f"past{number}", "type": "say", "turn": ""},
            )
            for number in range(start, min(start + BATCH, size))
        ]
        with transaction.atomic():
            mind.recall.learn(memory_rows.insert(batch, mind.store.id, time.time()))


def write_once(mind: Any, player: Any, number: int) -> float:
    """Save what a typical turn saves; return the seconds that took."""
    said = (f'{player.key} says, "Line {number} of rope and river."', {"type": "say"})
    event = replace(from_msg(find(mind.key), said, player), id=f"new{len(mind.recall)}.{number}")
    at, who = time.time(), event.source.id
    talk = {"entity_id": who, "readers": "*", "at": at}
    words = {"role": "user", "content": event.content, "at": at, "id": event.id, "author": who}
    changes = [
        Change("stream", "", "append", {"added": [entry_of(event)]}),
        Change("profile", who, "count_exchange", {"at": at}),
        Change("working", who, "start_conversation", talk),
        Change("working", who, "add_conversation_message", words),
    ]
    audit = [AuditRecord("TurnCompleted", {"outcome": "answered"}, at=at)]
    row = heard_row(event, mind.key)
    own = replace(row, author=mind.key, kind="own_words", content="Aye, rope.")
    commit = Commit(at=at, changes=changes, rows=[row, own], audit=audit)
    start = time.perf_counter()
    mind.save(commit)
    return time.perf_counter() - start


async def search_once(mind: Any, query: str) -> tuple[float, float]:
    """Search; return the seconds it took in all, and of those the reactor's before it waited."""
    start = time.perf_counter()
    found = mind.recall.search(query, 24, now=time.time(), allow=lambda label: label == "*")
    running = Deferred.fromCoroutine(found)
    held = time.perf_counter() - start
    await running
    return time.perf_counter() - start, held


async def restart(assistant: Any, lateness: Lateness) -> report.Figures:
    """Let the service take the assistant up anew; return how long that took."""
    key = entity_id(assistant)
    SERVICE.unregister(key, "bench")
    gc.collect()
    await pause(0.2)
    lateness.take()
    start = time.perf_counter()
    resident = SERVICE.register(assistant, assistant.assistant_script)
    first, _ = await search_once(resident.mind, "rope and river")
    while resident.warming:
        await pause(0.01)
    return {
        "first_search_ms": first * 1000,
        "all_read_s": time.perf_counter() - start,
        "longest_stop_ms": max(lateness.take(), default=0.0) * 1000,
    }


def index_size(mind: Any) -> float:
    """Return how many MB of memory a thousand memories take in the index."""
    gc.collect()
    before = psutil.Process().memory_info().rss
    other = Recall(mind.store)
    last = 0
    while found := mind.store.rows.newest(BATCH, last):
        other.learn(found)
        last = found[-1].id
    taken = psutil.Process().memory_info().rss - before
    return taken / 1e6 / max(1, len(other)) * 1000


def contrib_append(size: int, player: Any, talker: Any) -> float | None:
    """Return the median milliseconds of one append to the contrib's memory of that size."""
    if size > CONTRIB_REACH:
        return None
    talker.max_chat_memory_size = size
    luck = random.Random(size)
    talker.chat_memory[player] = [line_of(luck, number) for number in range(size)]
    seconds = []
    for number in range(7):
        start = time.perf_counter()
        talker._add_to_memory(player, player, f"Line {number} of rope and river.")
        seconds.append(time.perf_counter() - start)
    return report.percentile(seconds, 0.5) * 1000
