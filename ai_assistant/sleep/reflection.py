"""The journal at night: entries are scored once more, filed as rows, and looked back at.

After Park et al. 2023, bounded by labels: one look back for each exact label, over what is usable
for it: three questions about the world, evidence for each, and insights that cite it. Without a
model scores stay as they are, and nothing is looked back at.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from itertools import takewhile

from ai_assistant.agent.mind import Mind
from ai_assistant.core.contracts import AuditRecord, Change, Json, MemoryRow, NewRow
from ai_assistant.core.model_json import answer_objects
from ai_assistant.core.quotes import unsupported
from ai_assistant.core.readers import members, usable
from ai_assistant.core.text import clean
from ai_assistant.language.words import clipped
from ai_assistant.memory import importance
from ai_assistant.memory.inner.journal import entry_as_row
from ai_assistant.memory.inner.persona_guard import self_reference
from ai_assistant.memory.inner.tallies import is_due
from ai_assistant.memory.labelled import joint_author
from ai_assistant.memory.redaction import fingerprint
from ai_assistant.prompts import load_prompt
from ai_assistant.roleplay.message_formats import is_deed, tale_line
from ai_assistant.roleplay.play import is_fiction
from ai_assistant.roleplay.scene import GAME
from ai_assistant.sleep.reading_pass import LONGEST_LINE
from ai_assistant.sleep.work import (
    LINES_A_CALL,
    UNANSWERED,
    StageResult,
    Work,
    ask_by_night,
    label_mark,
    may_ask,
    save_work,
)

SCORED_AT_ONCE = 20
KEPT = 20
"""The newest entries, which stay at hand."""
QUESTIONS = 3
EVIDENCE = 10
MOST_LABELS = 3
"""Labels that one night reflects on, those with the most on their mind first."""
CALLS_A_LABEL = 2
"""One for the questions, one for the insights."""
MOST_INSIGHTS = 5
LONGEST = 240
TRUST = 0.6


async def score(mind: Mind, sleep: Json) -> Work | None:
    """Score the next entries under one label once more, and count them for reflection."""
    batch = _to_score(mind, sleep)
    if not batch:
        return None
    scores: dict[str, int] = {}
    calls = 0
    if may_ask(mind, sleep, "consolidate"):
        calls, before = 1, fingerprint(batch)
        entries = [
            {"id": entry["id"], "text": entry["content"], "now": entry["importance"]}
            for entry in batch
        ]
        text = await ask_by_night(
            mind, "consolidate", load_prompt("score"), json.dumps(entries, ensure_ascii=False)
        )
        if fingerprint(_to_score(mind, sleep)) != before:
            return Work("score", calls=1, credit=-LINES_A_CALL)
        scores = _scores(text, batch)
    after = {str(entry["id"]): entry["importance"] for entry in batch} | scores
    counted = {"entries": [entry["id"] for entry in batch], "importance": sum(after.values())}
    return Work(
        "score",
        changes=[
            Change("journal", "", "rescore", {"scores": scores}),
            Change("reflection", "", "count", counted),
        ],
        marks={"scored": batch[-1]["id"]},
        calls=calls,
        credit=-LINES_A_CALL * calls,
    )


def _to_score(mind: Mind, sleep: Json) -> list[Json]:
    """Return the next entries that share one label, without a gap between them."""
    entries: list[Json] = mind.store.read("journal")["entries"]
    pending = [entry for entry in entries if entry["id"] > sleep["scored"]][:SCORED_AT_ONCE]
    return [*takewhile(lambda entry: entry["readers"] == pending[0]["readers"], pending)]


def _scores(text: str, batch: Sequence[Json]) -> dict[str, int]:
    known = {entry["id"] for entry in batch}
    return {
        str(item["id"]): item["importance"]
        for item in answer_objects(text)
        if item.get("id") in known
        and type(item.get("importance")) is int
        and importance.LEAST <= item["importance"] <= importance.MOST
    }


def file_journal(mind: Mind, sleep: Json) -> Work | None:
    """Move all but the newest entries to memory rows, where they are found as before."""
    entries = mind.store.read("journal")["entries"]
    if len(entries) <= KEPT:
        return None
    return Work(
        "file",
        changes=[Change("journal", "", "file_entries", {"keep": KEPT})],
        told={"filed": len(entries) - KEPT},
    )


# -- looking back


def reflect(mind: Mind, sleep: Json) -> StageResult | None:
    """Look back under the next label where enough has happened since the last time."""
    return look_back(mind, sleep) if is_due(mind.store.read("reflection")) else None


async def reflect_awake(mind: Mind) -> None:
    """Look back while awake, whatever has happened; for those who are to do so now and then.

    Raises `StoreError`.
    """
    epoch = mind.epoch
    sleep = {**mind.store.read("sleep"), "night": f"musing_{int(mind.clock.now())}"}
    sleep |= {"skipped": [], "credit": CALLS_A_LABEL * MOST_LABELS * LINES_A_CALL}
    while (counted := await score(mind, sleep)) and mind.epoch == epoch:
        save_work(mind, sleep, counted)
        sleep |= counted.marks
    for _ in range(MOST_LABELS + 1):
        work = await look_back(mind, sleep)
        if mind.epoch != epoch or mind.phase or work is None:
            return
        save_work(mind, sleep, work)
        sleep["skipped"].append(work.skip)


async def look_back(mind: Mind, sleep: Json) -> Work | None:
    """Look back under the next label; with the last one the count begins anew."""
    waiting = mind.store.read("reflection")["entries_since_reflection"]
    if not waiting or UNANSWERED in sleep["skipped"]:
        return None
    entries = _entries(mind, waiting)
    weights = Counter[str]()
    for row in entries:
        weights[row.readers] += row.importance
    now = {"at": mind.clock.now()}
    steps = (("reflection", "reflected"), ("journal", "note_reflection"))
    anew = [Change(part, "", step, now) for part, step in steps]
    if not weights:
        return Work("reflect", changes=anew)
    ((label, _),) = weights.most_common(1)
    recent = [row for row in entries if row.readers == label]
    rows, calls = [], 0
    if may_ask(mind, sleep, "consolidate", calls=CALLS_A_LABEL):
        found, calls = await _insights(mind, label, recent)
        if found is None:
            return Work("reflect", skip=UNANSWERED, calls=calls)
        rows = found
        if _entries(mind, waiting) != entries:
            return Work("reflect", calls=calls, credit=-LINES_A_CALL * calls)
    is_last = len(weights) == 1 or len(sleep["skipped"]) + 1 >= MOST_LABELS
    through = {"entries": [row.meta["entry_id"] for row in recent]}
    return Work(
        "reflect",
        audit=[_recorded(sleep, label, rows)] if rows else [],
        changes=anew if is_last else [Change("reflection", "", "looked_back", through)],
        rows=rows,
        told={"insights": [row.content for row in rows]} if rows else {},
        undo={"rows": [NewRow(place) for place in range(len(rows))]},
        readers=label,
        skip=label_mark(label),
        calls=calls,
        credit=-LINES_A_CALL * calls,
    )


def _recorded(sleep: Json, label: str, insights: Sequence[MemoryRow]) -> AuditRecord:
    """Return what is put on record of a look back that understood something."""
    rows = [NewRow(place) for place in range(len(insights))]
    told = {"content": [row.content for row in insights], "tags": ["insight"], "rows": rows}
    return AuditRecord("ReflectionRecorded", {**told, "context": sleep["night"]}, label)


def _entries(mind: Mind, ids: Sequence[int]) -> list[MemoryRow]:
    """Return these journal entries as rows; those still at hand have ids below zero."""
    found = mind.store.rows.find({"kind": "journal", "entry_id": (">=", min(ids))}, 2 * len(ids))
    found += map(entry_as_row, mind.store.read("journal")["entries"])
    return [row for row in found if row.meta.get("entry_id") in set(ids)]


async def _insights(
    mind: Mind, label: str, recent: Sequence[MemoryRow]
) -> tuple[list[MemoryRow] | None, int]:
    """Return what a model understands of entries, with the number of calls that it took.

    None where no answer came.
    """
    lines = [clipped(row.content, LONGEST_LINE) for row in recent[:40]]
    text = await ask_by_night(
        mind, "consolidate", load_prompt("questions"), json.dumps(lines, ensure_ascii=False)
    )
    if not text:
        return None, 1
    questions = [clean(line.lstrip("-*0123456789.) "), 160) for line in text.splitlines()]
    questions = [line for line in questions if line.endswith("?")][:QUESTIONS]
    evidence: dict[int, MemoryRow] = {}
    for question in questions:
        evidence |= {row.id: row for row in await _evidence(mind, label, question)}
    if not evidence:
        return [], 1
    shown = [{"id": id, "text": _told(row)} for id, row in evidence.items()]
    data = json.dumps({"questions": questions, "evidence": shown}, ensure_ascii=False)
    answer = await ask_by_night(mind, "consolidate", load_prompt("insights"), data)
    if mind.store.rows.by_ids(list(evidence)) != list(evidence.values()):
        return [], 2  # what was forgotten meanwhile is told by no insight
    return (_read(mind, label, answer, evidence) if answer else None), 2


def _told(row: MemoryRow) -> str:
    said = clipped(row.content, LONGEST_LINE)
    return tale_line(row.author_name, said, is_deed=is_deed(row)) if row.author_name else said


async def _evidence(mind: Mind, label: str, question: str) -> list[MemoryRow]:
    """Return what answers a question, is usable for the label, and was not only played."""
    found = await mind.recall.search(
        question,
        EVIDENCE,
        now=mind.clock.now(),
        allow=lambda readers: readers == label or usable(readers, members(label)),
        sessions=frozenset({GAME}),
    )
    rows = (hit.row for hit in found if hit.row.id > 0 and hit.row.kind != "insight")
    return [row for row in rows if not is_fiction(row)]


def _read(mind: Mind, label: str, answer: str, evidence: dict[int, MemoryRow]) -> list[MemoryRow]:
    insights = []
    for item in answer_objects(answer)[:MOST_INSIGHTS]:
        text = clean(item.get("insight") or "", LONGEST)
        ids = item.get("evidence")
        rows = [evidence[id_] for id_ in ids if id_ in evidence] if isinstance(ids, list) else []
        said = [f"{row.author_name} {row.content}" for row in rows]
        own = self_reference(text, (mind.world.me().name,))
        if not (rows and text) or own or unsupported(text, said, mind.recall.names.values()):
            continue
        made = MemoryRow(
            content=text,
            kind="insight",
            author=joint_author(row.author for row in rows),
            readers=label,
            learned_at=mind.clock.now(),
            importance=importance.INSIGHT,
            trust=TRUST,
            parents=tuple(row.id for row in rows),
        )
        insights.append(made)
    return insights
