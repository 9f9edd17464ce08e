"""What was known on a day: scripted events through storage, beside a record kept apart.

Characters learn things at once, or days after they happened; what they know is corrected, some of
it more than once; old days are folded. And lines that were heard on one day are kept on another,
with news of the world in between.
"""

from __future__ import annotations

import math
import random
import time
from dataclasses import dataclass

from ai_assistant.api import staging
from ai_assistant.core.contracts import MemoryRow
from ai_assistant.roleplay.day_summaries import HAPPENED
from ai_assistant.roleplay.knowledge import MOST_AT_ONCE, UPDATES, state_update
from ai_assistant.storage import Container, WorldContainer, memory_rows
from ai_assistant.storage.distributing import with_news
from ai_assistant.storage.scene_rows import as_of
from bench.report import Figures

DAY = 86_400.0
DAYS = 50
SESSION = "past"
PEOPLE = ("e-alice", "e-bob", "e-bo", "e-%")
ASKED = 4000
NIGHTS = "nights"
A_DAY, NEWS_A_DAY, LATEST = 12, 3, 10
"""Lines and news of a day, and how many lines may wait until they are kept."""


@dataclass(slots=True)
class Known:
    """A thing that somebody learnt; days are of the story, times in seconds."""

    row: int
    content: str
    day: int
    at: float
    about: int
    until_day: float = math.inf
    until: float = math.inf


def past(events: int, luck: random.Random) -> Figures:
    """Return how many questions about the past were answered exactly."""
    record: dict[str, list[Known]] = {one: [] for one in PEOPLE}
    made = {"told": 0, "told late": 0, "corrected": 0, "folded rows": 0}
    for number in range(events):
        day = 1 + number * DAYS // events
        at = day * DAY + number
        who = luck.choice(PEOPLE)
        known = [one for one in record[who] if one.until_day == math.inf]
        if luck.random() < 0.25 and known:
            made["corrected"] += 1
            old = luck.choice(known)
            record[who].append(_correct(old, who, number, day, at))
        else:
            late = luck.random() < 0.3
            made["told late" if late else "told"] += 1
            about = luck.randint(1, day) if late else day
            record[who].append(_learn(Container(SESSION, who), number, day, at, about))
        if luck.random() < 0.01:
            made["folded rows"] += staging.fold_container(SESSION, who, day - luck.randint(2, 10))
    began = time.perf_counter()
    wrong = sum(not _asked(record, luck) for _ in range(ASKED))
    each = (time.perf_counter() - began) / ASKED * 1000
    return {"events": events, **made, "asked": ASKED, "wrong": wrong, "answer_ms": each}


def _learn(container: Container, number: int, day: int, at: float, about: int) -> Known:
    row = MemoryRow(
        f"Thing {number} was seen.",
        kind="utterance",
        readers="*",
        game_day=day,
        learned_at=at,
        meta={HAPPENED: about} if about != day else {},
    )
    [kept] = container.add([row], at=at)
    return Known(kept.id, row.content, day, at, about)


def _correct(old: Known, who: str, number: int, day: int, at: float) -> Known:
    content = f"No, it was thing {number}."
    new = staging.correct(SESSION, who, old.row, content, day=day, at=at)
    old.until_day, old.until = day, at
    return Known(new.id, content, day, at, old.about)


def _asked(record: dict[str, list[Known]], luck: random.Random) -> bool:
    """Ask what somebody knew by a day, a moment, or both, and of what; is the answer exact?"""
    who = luck.choice(PEOPLE)
    day = luck.choice((None, luck.randint(0, DAYS + 1)))
    at = luck.uniform(0, (DAYS + 2) * DAY) if day is None or luck.random() < 0.3 else None
    about = luck.choice((None, luck.randint(0, DAYS)))
    found = as_of(Container(SESSION, who), day=day, at=at, about=about)
    wanted = [
        one.content
        for one in record[who]
        if (day is None or one.day <= day < one.until_day)
        and (at is None or one.at <= at < one.until)
        and (about is None or one.about <= about)
    ]
    return sorted(row.content for row in found) == sorted(wanted)


def late_arrivals(days: int, luck: random.Random) -> Figures:
    """Return how many questions about a day were answered exactly where lines are kept late.

    Each day has its lines and its news; a line is kept with others, up to a day after it was heard.
    It may teach what had happened when it was said, five news at most, each once, and no more.
    """
    world, late = WorldContainer(NIGHTS), 0
    waiting: dict[str, list[MemoryRow]] = {who: [] for who in PEOPLE}
    told: dict[str, list[tuple[int, str]]] = {who: [] for who in PEOPLE}
    news: list[tuple[float, int, str]] = []
    for day in range(1, days + 1):
        happens = sorted(luck.sample(range(A_DAY * 10), NEWS_A_DAY))
        for number in range(A_DAY * 10):
            at = day * DAY + number
            if number in happens:
                news.append((at, day, f"News {len(news)} of the world"))
                world.record([state_update(news[-1][2], day=day, at=at)])
            if number % 10 == 5:
                who = luck.choice(PEOPLE)
                waiting[who].append(_heard(who, day, at))
                if len(waiting[who]) > luck.randint(0, LATEST):
                    late += _keep(who, waiting, told, news, day)
    for who in PEOPLE:
        late += _keep(who, waiting, told, news, days)
    wrong = sum(_knew(who, day) != _meant(told[who], day)
                for who in PEOPLE for day in range(days + 1))  # fmt: skip
    asked = len(PEOPLE) * (days + 1)
    return {"days": days, "news": len(news), "kept after midnight": late, "asked": asked,
            "wrong": wrong}  # fmt: skip


def _heard(who: str, day: int, at: float) -> MemoryRow:
    meta = {"event": f"{who} {at}", "type": "say", "participants": [who]}
    return MemoryRow(f"Line of {at}.", kind="utterance", session=NIGHTS, author=who,
                     game_day=day, learned_at=at, meta=meta)  # fmt: skip


def _keep(
    who: str,
    waiting: dict[str, list[MemoryRow]],
    told: dict[str, list[tuple[int, str]]],
    news: list[tuple[float, int, str]],
    today: int,
) -> int:
    """Save what waits, as a turn does; returns how many lines are of an earlier day."""
    rows, waiting[who] = waiting[who], []
    known = {what for _, what in told[who]}
    for row in rows:  # a record of its own, by the rule alone
        new = [what for at, _, what in news if at <= row.learned_at and what not in known]
        for what in new[:MOST_AT_ONCE]:
            known.add(what)
            told[who].append((row.game_day, what))
    kept, learnt = with_news(who, rows)
    memory_rows.insert([*kept, *learnt], who, today * DAY)
    return sum(row.game_day < today for row in rows)


def _knew(who: str, day: int) -> list[str]:
    found = as_of(Container(NIGHTS, who), day=day)
    shown = [what for row in found for what in row.meta.get("knowledge", ())]
    rows = [row.content for row in found if row.kind in UPDATES]
    return sorted(rows) if sorted(rows) == sorted(shown) else ["the lines and the rows differ"]


def _meant(told: list[tuple[int, str]], day: int) -> list[str]:
    return sorted(what for of, what in told if of <= day)
