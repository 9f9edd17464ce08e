"""What was known on a day: scripted events through storage, beside a record kept apart.

Characters learn things at once, or days after they happened; what they know is corrected, some of
it more than once; old days are folded.
"""

from __future__ import annotations

import math
import random
import time
from dataclasses import dataclass

from ai_assistant.api import staging
from ai_assistant.core.contracts import MemoryRow
from ai_assistant.roleplay.day_summaries import HAPPENED
from ai_assistant.storage import Container
from ai_assistant.storage.scene_rows import as_of
from bench.report import Figures

DAY = 86_400.0
DAYS = 50
SESSION = "past"
PEOPLE = ("e-alice", "e-bob", "e-bo", "e-%")
ASKED = 4000


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
            made["folded rows"] += staging.fold(SESSION, who, day - luck.randint(2, 10))
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
