"""Reflection: three questions about the world, evidence for each, and insights that cite it.

After Park et al. 2023, bounded by labels: one look back for each exact label, over what is usable
for it. Without a model the rules see who came often, and what several people spoke of.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Sequence

from ai_assistant.agent.mind import Mind
from ai_assistant.core import importance
from ai_assistant.core.contracts import Change, Json, MemoryRow, NewRow
from ai_assistant.core.model_json import answer_objects
from ai_assistant.core.quotes import unsupported
from ai_assistant.core.readers import members, usable
from ai_assistant.core.text import clean
from ai_assistant.language.words import clipped, is_common, stem, words
from ai_assistant.memory.inner.journal import as_row
from ai_assistant.memory.inner.persona_guard import self_reference
from ai_assistant.memory.inner.reflection_state import is_due
from ai_assistant.memory.labelled import joint_author
from ai_assistant.memory.parts import epoch
from ai_assistant.prompts import load
from ai_assistant.roleplay.play import is_fiction
from ai_assistant.roleplay.scene import GAME
from ai_assistant.sleep.night_journal import score
from ai_assistant.sleep.reading_pass import LONGEST_LINE
from ai_assistant.sleep.work import LINES_A_CALL, Work, ask, label_mark, may_ask, save

QUESTIONS = 3
EVIDENCE = 10
MOST_LABELS = 3
"""Labels that one night reflects on, those with the most on their mind first."""
CALLS_A_LABEL = 2
"""One for the questions, one for the insights."""
MOST_INSIGHTS = 5
LONGEST = 240
TRUST = 0.6
_OFTEN = 3
"""Lines of one person, or about one thing, that are worth an insight."""


async def reflect(mind: Mind, sleep: Json) -> Work | None:
    """Look back under the next label where enough has happened since the last time."""
    return await look_back(mind, sleep) if is_due(mind.store.read("reflection")) else None


async def muse(mind: Mind) -> None:
    """Look back while awake, whatever has happened; for those who are to do so now and then.

    Raises `StoreError`.
    """
    epoch = mind.epoch
    sleep = {**mind.store.read("sleep"), "night": f"musing_{int(mind.clock.now())}"}
    sleep |= {"skipped": [], "credit": CALLS_A_LABEL * MOST_LABELS * LINES_A_CALL}
    while (counted := await score(mind, sleep)) and mind.epoch == epoch:
        save(mind, sleep, counted)
        sleep |= counted.marks
    for _ in range(MOST_LABELS + 1):
        work = await look_back(mind, sleep)
        if mind.epoch != epoch or mind.phase or work is None:
            return
        save(mind, sleep, work)
        sleep["skipped"].append(work.skip)


async def look_back(mind: Mind, sleep: Json) -> Work | None:
    """Look back under the next label; with the last one the count begins anew."""
    waiting = mind.store.read("reflection")
    if not waiting["entries_since_reflection"]:
        return None
    entries = _entries(mind, waiting["entries_since_reflection"])
    labels = _labels(entries)
    if not labels:
        return Work("reflect", changes=_begin_anew(mind))
    label = labels[0]
    recent = [row for row in entries if row.readers == label]
    asked = 0
    insights: list[MemoryRow] = []
    if may_ask(mind, sleep, "consolidate", calls=CALLS_A_LABEL):
        insights, asked = await _by_model(mind, label, recent)
        if _entries(mind, waiting["entries_since_reflection"]) != entries:
            return Work("reflect", calls=asked, credit=-LINES_A_CALL * asked)
    insights = insights or _by_rules(mind, label, epoch(waiting["last_reflection"]))
    is_last = len(labels) == 1 or len(sleep["skipped"]) + 1 >= MOST_LABELS
    return Work(
        "reflect",
        changes=_begin_anew(mind) if is_last else [_through_with(recent)],
        rows=insights,
        told={"insights": [row.content for row in insights]} if insights else {},
        undo={"rows": [NewRow(place) for place in range(len(insights))]},
        readers=label,
        skip=label_mark(label),
        calls=asked,
        credit=-LINES_A_CALL * asked,
    )


def _begin_anew(mind: Mind) -> list[Change]:
    step = {"at": mind.clock.now()}
    return [
        Change("reflection", "", "reflected", step),
        Change("journal", "", "note_reflection", step),
    ]


def _through_with(recent: Sequence[MemoryRow]) -> Change:
    """Take these entries out of what waits: no later night looks back at them once more."""
    entries = [row.meta["entry_id"] for row in recent]
    return Change("reflection", "", "looked_back", {"entries": entries})


def _entries(mind: Mind, ids: Sequence[int]) -> list[MemoryRow]:
    """Return these journal entries as rows; those still at hand have ids below zero."""
    if not ids:
        return []
    found = mind.store.rows.find({"kind": "journal", "entry_id": (">=", min(ids))}, 2 * len(ids))
    found += map(as_row, mind.store.read("journal")["entries"])
    return [row for row in found if row.meta.get("entry_id") in set(ids)]


def _labels(entries: Sequence[MemoryRow]) -> list[str]:
    """Return the labels, those with the most on their mind first."""
    weight = Counter[str]()
    for row in entries:
        weight[row.readers] += row.importance
    return [label for label, _ in weight.most_common()]


async def _by_model(
    mind: Mind, label: str, recent: Sequence[MemoryRow]
) -> tuple[list[MemoryRow], int]:
    """Return insights with the number of calls that they took."""
    lines = [clipped(row.content, LONGEST_LINE) for row in recent[:40]]
    text = await ask(mind, "consolidate", load("questions"), json.dumps(lines, ensure_ascii=False))
    questions = [clean(line.lstrip("-*0123456789.) "), 160) for line in text.splitlines()]
    questions = [line for line in questions if line.endswith("?")][:QUESTIONS]
    evidence: dict[int, MemoryRow] = {}
    for question in questions:
        evidence |= {row.id: row for row in await _evidence(mind, label, question)}
    if not evidence:
        return [], 1
    shown = [{"id": id, "text": _told(row)} for id, row in evidence.items()]
    data = json.dumps({"questions": questions, "evidence": shown}, ensure_ascii=False)
    answer = await ask(mind, "consolidate", load("insights"), data)
    if mind.store.rows.by_ids(list(evidence)) != list(evidence.values()):
        return [], 2  # what was forgotten meanwhile is told by no insight
    return _read(mind, label, answer, evidence), 2


def _told(row: MemoryRow) -> str:
    said = clipped(row.content, LONGEST_LINE)
    return f"{row.author_name}: {said}" if row.author_name else said


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
        names = mind.recall.names.values()
        if rows and text and not own and not unsupported(text, said, names):
            insights.append(_insight(mind, label, text, rows))
    return insights


def _by_rules(mind: Mind, label: str, since: float) -> list[MemoryRow]:
    """Return what repetition alone shows: who keeps speaking of what, and what several mention."""
    heard = [
        row
        for row in mind.store.rows.newest(600)
        if row.readers == label
        and row.learned_at >= since
        and row.kind == "utterance"
        and not is_fiction(row)
    ]
    by_topic: dict[str, list[MemoryRow]] = defaultdict(list)
    names: dict[str, str] = {}
    for row in heard:
        telling = (said for said in words(row.content) if len(said) > 3 and not is_common(said))
        for topic, word in {stem(word): word for word in telling}.items():
            by_topic[topic].append(row)
            names.setdefault(topic, word)
    common = 0.2 * len(heard)
    found = []
    for topic, rows in sorted(by_topic.items(), key=lambda pair: -len(pair[1])):
        speakers = list(dict.fromkeys(row.author_name for row in rows))
        if _OFTEN <= len(rows) <= max(common, _OFTEN) and len(speakers) > 1:
            text = f"{_several(speakers)} spoke of '{names[topic]}' {len(rows)} times lately."
            found.append(_insight(mind, label, clean(text, LONGEST), rows[:EVIDENCE]))
    return found[:QUESTIONS]


def _several(names: Sequence[str]) -> str:
    return " and ".join(names) if len(names) < 4 else f"{', '.join(names[:3])} and others"


def _insight(mind: Mind, label: str, text: str, rows: Sequence[MemoryRow]) -> MemoryRow:
    return MemoryRow(
        content=text,
        kind="insight",
        author=joint_author(row.author for row in rows),
        author_name="",
        readers=label,
        learned_at=mind.clock.now(),
        importance=importance.INSIGHT,
        trust=TRUST,
        parents=tuple(row.id for row in rows),
    )
