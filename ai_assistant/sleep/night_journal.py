"""The journal at night: entries are scored once more, counted for reflection, and filed as rows."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence

from ai_assistant.agent.mind import Mind
from ai_assistant.core.contracts import Change, Json
from ai_assistant.core.model_json import answer_objects
from ai_assistant.memory.redaction import fingerprint
from ai_assistant.prompts import load
from ai_assistant.sleep.work import LINES_A_CALL, Work, ask, may_ask

AT_ONCE = 20
KEPT = 20
"""The newest entries, which stay at hand."""
RECURS = 3
"""A theme that so many of the new entries share makes each of them matter more."""


async def score(mind: Mind, sleep: Json) -> Work | None:
    """Score the next entries under one label once more, and count them for reflection."""
    pending = _pending(mind, sleep["scored"])
    if not pending:
        return None
    batch, marks = _batch(pending)
    scores, method, calls = _by_rules(batch), "heuristic", 0
    if may_ask(mind, sleep, "consolidate"):
        before = fingerprint(batch)
        text = await ask(mind, "consolidate", load("score"), _data(batch))
        if fingerprint(_batch(_pending(mind, sleep["scored"]))[0]) != before:
            return Work("score", calls=1, credit=-LINES_A_CALL)
        calls = 1
        if answer := _read(text, batch):
            scores, method = answer, "llm"
    after = {str(entry["id"]): entry["importance"] for entry in batch} | scores
    counted = {"entries": [entry["id"] for entry in batch], "importance": sum(after.values())}
    return Work(
        "score",
        changes=[
            Change("journal", "", "rescore", {"scores": scores, "method": method}),
            Change("reflection", "", "count", counted),
        ],
        marks=marks,
        calls=calls,
        credit=-LINES_A_CALL * calls,
    )


def _pending(mind: Mind, scored: int) -> list[Json]:
    entries: list[Json] = mind.store.read("journal")["entries"]
    return [entry for entry in entries if entry["id"] > scored]


def _batch(pending: Sequence[Json]) -> tuple[list[Json], Json]:
    """Return the next entries that share one label, without a gap between them."""
    batch: list[Json] = []
    for entry in pending[:AT_ONCE]:
        if batch and entry["readers"] != batch[0]["readers"]:
            break
        batch.append(entry)
    return batch, {"scored": batch[-1]["id"]}


def _by_rules(batch: Sequence[Json]) -> dict[str, int]:
    """Return new scores: what keeps coming up matters a little more than each time alone."""
    themes = Counter(tag for entry in batch for tag in entry["tags"])
    return {
        str(entry["id"]): entry["importance"] + 1
        for entry in batch
        if any(themes[tag] >= RECURS for tag in entry["tags"])
    }


def _data(batch: Sequence[Json]) -> str:
    entries = [
        {"id": entry["id"], "text": entry["content"], "now": entry["importance"]} for entry in batch
    ]
    return json.dumps(entries, ensure_ascii=False)


def _read(text: str, batch: Sequence[Json]) -> dict[str, int]:
    known = {entry["id"] for entry in batch}
    return {
        str(item["id"]): item["importance"]
        for item in answer_objects(text)
        if item.get("id") in known
        and type(item.get("importance")) is int
        and 1 <= item["importance"] <= 10
    }


async def file_entries(mind: Mind, sleep: Json) -> Work | None:
    """Move all but the newest entries to memory rows, where they are found as before."""
    entries = mind.store.read("journal")["entries"]
    if len(entries) <= KEPT:
        return None
    return Work(
        "file",
        changes=[Change("journal", "", "file_entries", {"keep": KEPT})],
        told={"filed": len(entries) - KEPT},
    )
