"""One character led through days of talk, and what is counted on the way."""

from __future__ import annotations

import argparse
import json
import random
import re
import time
from collections import Counter
from pathlib import Path

from ai_assistant.agent.keeping.closing import flush
from ai_assistant.core.contracts import Change, Commit, MemoryRow
from ai_assistant.core.readers import members
from ai_assistant.sleep.night import sleep_on
from ai_assistant.sleep.work import LINES_A_CALL
from ai_assistant.testing import Stage, run
from bench import report
from bench.chronology import DAY, Chronology
from bench.oracle import Voices
from bench.things import SINGLE, Saying, Thing
from bench.truth import Truth, derived, has_changed, knowledge

POOL = Path(__file__).with_name("wordings_replay_seventh.json")
COMPANY = 6
"""So many stand around the character at a time."""
BATCH = 10
"""Overheard lines that are saved together."""


class Life:
    """One character through all those days, and what is counted on the way."""

    def __init__(self, chosen: argparse.Namespace, kind: str) -> None:
        self.truth = Truth()
        luck = random.Random(chosen.seed + 1)
        self.voices = Voices(self.truth, luck, oracle=kind == "oracle")
        self.stage = Stage(model=self.voices)
        self.stage.caps = (1_000_000, 10**10)
        self.lines: Counter[str] = Counter()
        self.allowed = 0.0
        self._count_lines()
        if kind == "oracle":
            self.stage.model.is_offline = lambda job: False
        pool = json.loads(POOL.read_text("utf-8"))
        if chosen.wordings:
            pool |= json.loads(Path(chosen.wordings).read_text("utf-8"))
        self.pool = pool
        self.talk = Chronology(chosen.seed, pool, days=chosen.days, events=chosen.events)
        self.days: list[report.Figures] = []
        self.events: dict[str, int] = {}
        self._began = self.stage.clock.time // DAY * DAY

    def live(self, days: int) -> None:
        """Lead this life."""
        for day in range(days):
            for saying in self.talk.day(day):
                self._hear(saying)
            flush(self.stage.mind)
            self._allow()
            seconds = self._sleep(day)
            self._count(seconds)

    def _count_lines(self) -> None:
        write = self.stage.store.commit

        def commit(commit: Commit) -> list[MemoryRow]:
            written = write(commit)
            self.lines.update(row.readers for row in written)
            return written

        self.stage.store.commit = commit  # type: ignore[method-assign]

    def _hear(self, saying: Saying) -> None:
        stage = self.stage
        stage.clock.time = self._began + saying.at
        self.truth.hear(saying)
        self.events[saying.sort] = self.events.get(saying.sort, 0) + 1
        if saying.who.id not in stage.world.present:
            stage.world.enter(saying.who)
        while len(stage.world.present) > COMPANY:
            stage.world.leave(next(iter(stage.world.present.values())).entity)
        text = saying.text or self._own_words()
        kind = "whisper" if saying.whispered else "say"
        if saying.addressed:
            stage.ask(saying.who, text, kind)
        else:
            stage.overhear(saying.who, text, kind)
            if len(stage.mind.heard) >= BATCH:
                flush(stage.mind)

    def _own_words(self) -> str:
        aloud = (one for one, _ in reversed(self.stage.world.deliveries) if one.kind == "say")
        return next((one.text for one in aloud), "Well said!")

    def _sleep(self, day: int) -> float:
        stage, night = self.stage, f"night{day}"
        stage.clock.time = self._began + day * DAY + 23 * 3600
        at = stage.clock.now()
        before = time.perf_counter()
        step = {"night": night, "why": "schedule", "at": at}
        stage.mind.save(Commit(at=at, changes=[Change("sleep", "", "fall_asleep", step)]))
        self.voices.asleep = True
        while run(sleep_on(stage.mind)):
            pass
        self.voices.asleep = False
        woken = Change("sleep", "", "call", {"by": "done", "at": at})
        stage.mind.save(Commit(at=at, changes=[woken]))
        return time.perf_counter() - before

    def _allow(self) -> None:
        """Count how often a model may be asked tonight, by the lines that wait."""
        self.allowed += sum(n / 40 + n / LINES_A_CALL + 1 for n in self.lines.values())
        self.lines.clear()

    def _count(self, seconds: float) -> None:
        items = knowledge(self.stage)
        told = self.truth.judge(items)
        self.days.append(
            {
                "facts": len(self.truth.things()),
                "items": told.items,
                "junk": len(told.junk),
                "bytes": sum(len(one.text.encode()) for one in items),
                "rows": len(self.stage.store.memories),
                "night_s": round(seconds, 2),
            }
        )

    # -- in the end

    def leaks(self) -> list[str]:
        """Return what was made of a secret for anybody but its readers, or shown beside others."""
        secrets = self.talk.secret_words()
        pattern = re.compile("|".join(map(re.escape, secrets)))
        found = []
        for readers, text, where in derived(self.stage):
            for word in set(pattern.findall(text)):
                if secrets[word] not in members(readers) or len(members(readers)) > 1:
                    found.append(f"{where} for '{readers}': {word}")
        for text in self.voices.shown:
            whose = {secrets[word] for word in pattern.findall(text)}
            if len(whose) > 1:
                found.append(f"a prompt with secrets of {sorted(whose)}")
        return found

    def answers(self) -> tuple[int, list[str]]:
        """Return how often recall was asked what has changed, and where an old value came first."""
        asked, wrong = 0, []
        for thing in self.truth.things():
            templates = self.pool.get(f"{thing.kind}.question", ())
            if thing.kind not in SINGLE or not has_changed(thing) or thing.readers != "*":
                continue
            for template in templates:
                asked += 1
                question = template.format(who=thing.who.name)
                first = self._first(question, thing)
                if first != thing.values[-1]:
                    wrong.append(f"{question} {first!r}, not {thing.values[-1]!r}")
        return asked, wrong

    def _first(self, question: str, thing: Thing) -> str:
        search = self.stage.mind.recall.search(
            question, 10, now=self.stage.clock.now(), allow=lambda label: label == "*"
        )
        others = [one.name for one in self.talk.cast if one != thing.who]
        for one in run(search):
            stated = self.truth.read(thing.who.id, "*", one.row.content)
            row = one.row
            own = row.author == thing.who.id and not any(name in row.content for name in others)
            about = own or row.subject == thing.who.id
            value = next((some.value for some in stated if some.thing is thing), "")
            if about and value:
                return value
        return ""
