"""Reading: the night reads the day, one exact label at a time, and what it understood is checked.

A model, or what stands in for one, gets the lines themselves beside what is held. Code checks each
fact, has it mended once, and lets it stand. One pass is one commit. Lines that made no fact stay
what they are; a note stays with its profile until a fact cites it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from ai_assistant.agent.mind import Mind
from ai_assistant.core.contracts import Change, Entity, Json, NewRow
from ai_assistant.core.model_records import Message, ModelRequest, PromptSection
from ai_assistant.core.readers import members, usable
from ai_assistant.core.times import Calendar
from ai_assistant.language.words import tongue
from ai_assistant.memory.evidence import REPLACED_BY, REPLACES
from ai_assistant.memory.inner.sleep_state import waiting_entry
from ai_assistant.memory.people.feelings import TREATED, drift, update_relationship
from ai_assistant.memory.people.profiles import PROFILE
from ai_assistant.memory.redaction import fingerprint
from ai_assistant.prompts import load_prompt
from ai_assistant.sleep.checks import SCHEMA, Answer, Treatment, read_answer
from ai_assistant.sleep.gathering import gather, unread_notes
from ai_assistant.sleep.reading_pass import Pass, sections_text
from ai_assistant.sleep.standing import Standing
from ai_assistant.sleep.waiting import (
    calls_allowed,
    count_lines,
    kept_for,
    lines_to_read,
    next_label,
    spare_after,
    with_notes,
)
from ai_assistant.sleep.work import Work, answer_to

STAGE = JOB = "consolidate"
CONTEXT = "sleep_consolidate"
LONGEST_ANSWER = 2500
"""Tokens of an answer."""
MOST_FAILURES = 3
"""Nights in which an answer to the same lines may be unreadable, until they are passed over."""
UNREADABLE = "no JSON object with a list of facts, so nothing was kept: give all facts once more"


async def read_day(mind: Mind, sleep: Json) -> Work | None:
    """Read the next lines of the next label; None when what is left waits for another night."""
    if counted := count_lines(mind, sleep):
        return counted
    profiles = mind.store.read_all("profile")
    notes = unread_notes(profiles)
    if (waiting := with_notes(sleep, notes)).keys() != sleep["waiting"].keys():
        return Work("count", marks={"waiting": waiting})
    label = next_label(mind, sleep, notes)
    if label is None:
        return None
    entry = waiting[label]
    size = lines_to_read(entry, notes.get(label, 0))
    chosen: Json = {"label": label, "entry": entry, "until": sleep["gathered"]}
    shown = gather(mind, profiles, **chosen)
    if _is_too_long(mind, sleep, entry, size, shown):
        chosen["only_mine"] = True
        shown = gather(mind, profiles, **chosen)
    night = _Night(mind, sleep, shown, sleep["spare"])
    if not shown.lines:
        return Work("count", marks=night.marks(profiles))
    return await night.read(chosen, size)


def _is_too_long(mind: Mind, sleep: Json, entry: Json, size: int, shown: Pass) -> bool:
    """Must lines of a label wait, so that the character's own talk goes first?"""
    calls = math.ceil(entry["lines"] / max(1, shown.count))
    has_others = 0 < entry["mine"] < entry["lines"]
    return bool(has_others and calls_allowed(mind, sleep, entry, size) < calls)


@dataclass(slots=True)
class _Night:
    """One pass of a night: `spare` are the calls left for mending, `calls` those made."""

    mind: Mind
    sleep: Json
    shown: Pass
    spare: float
    calls: int = 0

    async def read(self, chosen: Json, size: int) -> Work:
        """Have it read where the night can pay for that; `size` is all that its label has.

        The answer is booked and checked in one step of the reactor, and saved in the next; what
        was saved of the character in between has it checked once more.
        """
        spare = spare_after(self.sleep, chosen["entry"], size, self.shown.used)
        if spare < 0:
            return self.put_off()
        self.spare = spare
        answer = await self.answer(kept_for(size - self.shown.used))
        work, revision = self.checked(chosen, answer), self.mind.revision
        await self.mind.pause(0)
        return work if self.mind.revision == revision else self.checked(chosen, answer)

    def checked(self, chosen: Json, answer: Answer | None) -> Work:
        """Return what an answer comes to, if what it rests on still stands."""
        profiles = self.mind.store.read_all("profile")
        if answer is None or gather(self.mind, profiles, **chosen) != self.shown:
            return self.put_off()
        if not answer.is_readable and chosen["entry"]["failed"] + 1 < MOST_FAILURES:
            return self.put_off(failed=1)
        return self.work(profiles, answer)

    async def answer(self, kept: float) -> Answer | None:
        """Return what a model understood, mended once where that leaves `kept` calls to spare.

        None for no answer.
        """
        sections = self.shown.sections(self.calendar)
        answer = await self._asked(sections)
        if answer is None or self.spare - 1 < kept or (answer.is_readable and not answer.refused):
            return answer
        why = answer.refused if answer.is_readable else [{"fact": "", "why": UNREADABLE}]
        self.spare -= 1
        again = await self._asked((*sections, PromptSection("mend", tuple(why))))
        return answer if again is None else answer.mended(again)

    async def _asked(self, sections: Sequence[PromptSection]) -> Answer | None:
        request = ModelRequest(
            messages=(
                Message("system", load_prompt(JOB)),
                Message("user", sections_text(sections)),
            ),
            sections=tuple(sections),
            job=JOB,
            context_type=CONTEXT,
            assistant=self.mind.key,
            max_tokens=LONGEST_ANSWER,
            schema=SCHEMA,
        )
        self.calls += 1
        text = await answer_to(self.mind, request, refused=UNREADABLE)
        if not text:
            return None
        return read_answer(text, self.shown, self._lookup, self.calendar, tongue())

    @property
    def calendar(self) -> Calendar:
        """The dates of the game."""
        world = self.mind.world
        return Calendar(self.mind.clock.now(), world.game_time(), world.pace())

    def _lookup(self, name: str) -> Entity | None:
        found = self.mind.world.known(name)
        return found[0] if len(found) == 1 else None

    def work(self, profiles: Mapping[str, Json], answer: Answer) -> Work:
        """Return what is to be written: traits, rows, marks, and what the report tells."""
        standing = Standing(self.shown, profiles)
        standing.take(answer.facts)
        felt, changes = _felt(profiles, self.shown.label, answer.treated)
        told, *more = _told(standing, self.shown, answer, felt) or [({}, {})]
        return Work(
            STAGE,
            changes=[*_changes(self.mind, self.shown, standing), *changes],
            rows=standing.rows,
            annotated=standing.marks,
            told=told[0],
            undo=told[1],
            more=more,
            readers=self.shown.label,
            marks=self.marks(profiles, standing),
            calls=self.calls,
            credit=self.shown.fresh,
        )

    def marks(self, profiles: Mapping[str, Json], standing: Standing | None = None) -> Json:
        """Return what waits once it is read, with the narrower labels that its news concern."""
        shown, sleep = self.shown, self.sleep
        waiting = {**self.mind.store.read("sleep")["waiting"]}
        entry = waiting.pop(shown.label, waiting_entry(shown.last))
        left = entry["lines"] - shown.count if shown.count or shown.only_mine else 0
        read = sum(1 for line in shown.lines.values() if line.note is not None and line.fresh)
        if left > 0 or shown.again or unread_notes(profiles).get(shown.label, 0) > read:
            mine = entry["mine"] - sum(line.is_talk and line.fresh for line in shown.lines.values())
            mine = max(0, mine) if shown.count else 0
            place = "ahead" if shown.only_mine else "after"
            now: Json = {place: shown.last, "lines": max(0, left), "mine": mine}
            now["again"] = list(shown.again)
            now |= {"nights": 0, "failed": 0, "night": sleep["night"]}
            waiting[shown.label] = {**entry, **now}
        for label, rows in _concerned(profiles, shown, standing).items():
            other = waiting.get(label) or waiting_entry(sleep["gathered"])
            waiting[label] = {**other, "again": [*other["again"], *rows]}
        return {"waiting": waiting, "spare": round(self.spare, 4)}

    def put_off(self, *, failed: int = 0) -> Work:
        """Leave a label for the next night: nothing came of it, or it is not what was read."""
        label, night = self.shown.label, self.sleep["night"]
        waiting = {**self.mind.store.read("sleep")["waiting"]}
        entry = waiting.get(label) or waiting_entry(self.sleep["gathered"])
        more = {"tried": night, "night": night, "failed": entry["failed"] + failed}
        waiting[label] = {**entry, **more}
        marks = {"waiting": waiting, "spare": round(self.spare, 4)}
        return Work("count", marks=marks, calls=self.calls)


# -- what is written


def _changes(mind: Mind, shown: Pass, standing: Standing) -> list[Change]:
    at = mind.clock.now()
    found: list[Change] = []
    read: dict[str, list[Json]] = {}
    for line in shown.lines.values():
        if line.note is not None and line.fresh:
            read.setdefault(line.about, []).append(line.note)
    for key in dict.fromkeys((*standing.outcomes, *standing.used, *read)):
        outcome = standing.outcomes.get(key)
        if outcome and outcome.added:
            identity = {"name": outcome.name, "entity_type": outcome.kind, "at": at}
            found.append(Change("profile", key, "create_entity_profile", identity))
        step = {
            "entity_id": key,
            "drop": [fingerprint(trait) for trait in outcome.dropped] if outcome else [],
            "add": outcome.added if outcome else [],
            "consumed": [fingerprint(note) for note in standing.used.get(key, ())],
            "keep_consumed": not mind.config["prune_consumed"],
            "read": [fingerprint(note) for note in read.get(key, ())],
        }
        if step["drop"] or step["add"] or step["consumed"] or step["read"]:
            found.append(Change("profile", key, "consolidate", step))
    return found


def _felt(
    profiles: Mapping[str, Json], label: str, treated: Sequence[Treatment]
) -> tuple[list[tuple[Json, Json]], list[Change]]:
    """Return the changes for those who treated the character well or badly, and what tells of them.

    What moves nothing, as its line counted by day already, is neither.
    """
    entries: list[tuple[Json, Json]] = []
    changes: list[Change] = []
    for treatment in treated:
        key, line = treatment.who.id, treatment.line
        event = line.event or f"row {line.row}"
        step: Json = {"delta": TREATED[treatment.score], "reason": treatment.reason}
        step |= {"author": key, "at": line.at, "readers": label, "event": event}
        after = deepcopy(profiles.get(key) or PROFILE.empty())
        before = drift(after, line.at)["relationship"]["favorability"]
        update_relationship(after, **step)
        if moved := round(after["relationship"]["favorability"] - before, 4):
            changes.append(Change("profile", key, "update_relationship", step))
            felt = [{"by": moved, "reason": treatment.reason}]
            told = {"who": treatment.who.name, "entity_id": key, "felt": felt}
            entries.append((told, {"entity": key, "felt": [event]}))
    return entries, changes


def _told(
    standing: Standing, shown: Pass, answer: Answer, felt: Sequence[tuple[Json, Json]]
) -> list[tuple[Json, Json]]:
    """Return the entries of the report, those of feelings last, each with what takes it back."""
    found: list[tuple[Json, Json]] = []
    for key, outcome in standing.outcomes.items():
        undo = {"entity": key, "added": outcome.added, "attributes": outcome.dropped}
        undo["observations"] = standing.used.get(key, [])
        if outcome.learned or outcome.changed or outcome.merged or outcome.doubted:
            found.append((outcome.told(), undo))
    refused = answer.refused if answer.is_readable else [{"fact": "", "why": UNREADABLE}]
    if refused:
        found.append(({"refused": refused}, {}))
    found += felt
    if found:
        marks = standing.marks.items()
        found[0][0]["read"] = shown.fresh
        found[0][1]["marked"] = [id for id, notes in marks if REPLACED_BY in notes]
        found[0][1]["marking"] = [id for id, notes in marks if REPLACES in notes]
        traits = [place for place, row in enumerate(standing.rows) if row.kind == "trait"]
        found[0][1]["retired"] = [NewRow(place) for place in traits]
    return found


def _concerned(
    profiles: Mapping[str, Json], shown: Pass, standing: Standing | None
) -> dict[str, list[Any]]:
    """Return the narrower labels that hold something on whom there is news, with the news' rows."""
    found: dict[str, list[Any]] = {}
    for key, outcome in standing.outcomes.items() if standing else ():
        rows = list(dict.fromkeys(id for trait in outcome.added for id in trait["evidence"][-1:]))
        held = profiles.get(key, {}).get("attributes", ())
        for label in dict.fromkeys(trait.get("readers", "") for trait in held):
            is_narrower = label != shown.label and usable(shown.label, members(label))
            if rows and is_narrower:
                found.setdefault(label, []).extend(rows)
    return found
