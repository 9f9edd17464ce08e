"""One character that hears a long dialogue on its days, and sleeps after each of them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import groupby

from ai_assistant.agent.keeping.closing import flush
from ai_assistant.agent.prompt.build import build_prompt
from ai_assistant.agent.turn.opening import begin
from ai_assistant.core.contracts import Change, Commit, Entity, Json, MemoryRow
from ai_assistant.core.readers import OPEN
from ai_assistant.core.text import clean
from ai_assistant.sleep.night import sleep_on
from ai_assistant.sleep.work import RECORD
from ai_assistant.testing import Stage, people
from bench.dialogues import Dialogue, Turn
from bench.nights_voice import Voice

BATCH = 10
"""Overheard lines that are saved together."""
UNTIL_NIGHT = 2 * 3600.0
"""Seconds between the last word of a day and its night."""
MEMORIES = 10
_OF_SOMEBODY = "- of "


@dataclass(slots=True)
class Night:
    """What became of one day."""

    number: int
    day: str
    lines: int
    calls: int = 0
    sent: int = 0
    got: int = 0
    facts: list[Json] = field(default_factory=list)
    merged: list[str] = field(default_factory=list)
    doubted: list[str] = field(default_factory=list)
    refused: list[Json] = field(default_factory=list)


class Life:
    """A character in whose hearing two people talk. `voice` reads the day; rules do all else."""

    def __init__(self, dialogue: Dialogue, voice: Voice) -> None:
        self.dialogue = dialogue
        self.voice = voice
        self.stage = Stage(model=voice)
        self.stage.caps = (100_000, 10**10)
        names = dict.fromkeys(one.speaker for one in dialogue.turns)
        self._people = {one.name: one for one in people(*names)}
        self.stage.world.enter(*self._people.values())
        self._known: set[tuple[str, str]] = set()

    async def live(self) -> AsyncIterator[Night]:
        """Live day by day; yields each once its night is over."""
        days = groupby(self.dialogue.turns, lambda turn: turn.session)
        for number, (_, turns) in enumerate(days, 1):
            lines = list(turns)
            for turn in lines:
                self._hear(turn)
            flush(self.stage.mind)
            night = Night(number, date(lines[0].at), len(lines))
            await self._sleep(night)
            yield night

    def _hear(self, turn: Turn) -> None:
        stage = self.stage
        stage.clock.time = stage.world.seconds = turn.at
        picture = f" (shows {turn.shown})" if turn.shown else ""
        stage.overhear(self._people[turn.speaker], clean(turn.said + picture))
        if len(stage.mind.heard) >= BATCH:
            flush(stage.mind)

    async def _sleep(self, night: Night) -> None:
        mind, voice = self.stage.mind, self.voice
        self.stage.clock.advance(UNTIL_NIGHT)
        self.stage.world.seconds += UNTIL_NIGHT
        at, id = mind.clock.now(), f"night{night.number}"
        before = voice.calls, voice.sent, voice.got
        step = {"night": id, "why": "schedule", "at": at}
        mind.save(Commit(at=at, changes=[Change("sleep", "", "fall_asleep", step)]))
        while await sleep_on(mind):
            pass
        woken = Change("sleep", "", "call", {"by": "done", "at": at})
        mind.save(Commit(at=at, changes=[woken]))
        night.calls, night.sent, night.got = (
            now - then
            for now, then in zip((voice.calls, voice.sent, voice.got), before, strict=True)
        )
        self._read_report(night, id)

    def _read_report(self, night: Night, id: str) -> None:
        for record in self.stage.store.records(id):
            if record.type != RECORD or record.data["stage"] != "consolidate":
                continue
            told, undo = record.data["told"], record.data["undo"]
            night.refused += told.get("refused", ())
            night.merged += told.get("merged", ())
            night.doubted += told.get("doubted", ())
            for trait in undo.get("added", ()):
                identity = (undo["entity"], trait["value"])
                if identity not in self._known:
                    self._known.add(identity)
                    night.facts.append(self._fact(night, told, trait))

    def _fact(self, night: Night, told: Json, trait: Json) -> Json:
        lines = self.stage.store.rows.by_ids(trait["evidence"])
        changed = told.get("changed", ())
        return {
            "night": night.number,
            "day": night.day,
            "about": told["who"],
            "fact": trait["value"],
            "type": trait["type"],
            "basis": trait["basis"],
            "quote": trait["quote"],
            "lines": [{"who": one.author_name, "says": one.content} for one in lines],
            "replaces": [one["before"] for one in changed if one["after"] == trait["value"]],
            "ended": bool(trait.get("ended")),
        }

    # -- what it knows in the end

    async def evidence(self, question: str) -> tuple[list[str], list[str]]:
        """Return the traits that the prompt shows where a stranger asks this, and ten memories.

        It is asked a day after the last line, when the two are gone. Nothing of it is kept.
        """
        stage = self.stage
        stage.world.leave(*self._people.values())
        stage.clock.time = self.dialogue.end
        asker = Entity("e-stranger", "A stranger", "player")
        stage.world.enter(asker)
        event = stage.world.event(asker, question, "say", at=stage.clock.now())
        turn = begin(stage.mind, [event], "question")
        await build_prompt(turn)
        told = "\n".join(message.content for key, message in turn.prompt.parts if key == "memories")
        traits = [one for one in told.splitlines() if one.startswith(_OF_SOMEBODY)]
        found = await stage.mind.recall.search(
            question,
            MEMORIES,
            now=stage.clock.now(),
            allow=lambda label: label == OPEN,
            where={"kind": "utterance"},
        )
        return traits, [_memory(one.row) for one in found]


def date(at: float) -> str:
    """Return a day as a calendar has it."""
    return datetime.fromtimestamp(at, UTC).date().isoformat()


def _memory(row: MemoryRow) -> str:
    return f"- {date(row.learned_at)}, {row.author_name} said: “{row.content}”"
