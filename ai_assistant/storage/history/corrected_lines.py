"""Who took part in a line, put right later: what goes with that, what is noted, and what comes."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from math import inf

from ai_assistant.core.contracts import DIRECT, Json, MemoryRow
from ai_assistant.memory.talk.hearsay import TOLD
from ai_assistant.models import Memory, Participation
from ai_assistant.roleplay.distribution import as_attended
from ai_assistant.roleplay.message_formats import WORLD
from ai_assistant.roleplay.takes import APART, UNDONE, goes, rest_of_sources
from ai_assistant.storage import memory_rows
from ai_assistant.storage.containers import Container
from ai_assistant.storage.history.taken_lines import Taken, count_anew, passed_on_since
from ai_assistant.storage.statements import refusals

BY_STAFF = "staff"
"""Who decided on a line, and the rule by which those took part whom staff added."""


@dataclass(frozen=True, slots=True)
class Corrected:
    """A line, and all that changes where others took part in it than was thought."""

    line: MemoryRow
    """The row of the world's record."""
    participants: tuple[str, ...]
    """Who took part: the speaker first."""
    missed: frozenset[str]
    """Who was not there after all."""
    joined: tuple[str, ...]
    """Who was there after all."""
    taken: Taken
    """What goes: theirs who missed it, and what came of it by way of them."""
    notes: dict[Container, dict[int, Json]] = field(default_factory=dict)
    """What is noted on rows that stay."""
    rows: list[MemoryRow] = field(default_factory=list)
    """What those have of it who were there after all."""


def corrected(session: str, number: int, who: Collection[str]) -> Corrected:
    """Return what changes where these took part in the line of that row, beside its speaker.

    Raises `ValueError` where no such line stands, and `StoreError`.
    """
    with refusals():
        found = Participation.objects.filter(session=session, row=number).exclude(by=UNDONE).first()
        lines = memory_rows.read(Memory.objects.filter(pk=number, container=WORLD))
        if found is None or not lines:
            raise ValueError(f"There is no line #{number} in that record.")
        before = [participant["id"] for participant in found.participants]
        after = tuple(dict.fromkeys([found.speaker, *who]))
        missed = frozenset(before).difference(after)
        joined = tuple(participant for participant in after if participant not in before)
        since = Memory.objects.filter(session=session, learned_at__gte=found.at - APART)
        rows = memory_rows.read(since.filter(container__in=before))
        own = [row for row in rows if row.meta.get("event") == found.event]
        made = Corrected(
            lines[0],
            after,
            missed,
            joined,
            Taken(found.at, frozenset({found.event}), missed),
        )
        gone = [
            *goes([row for row in rows if row.container in missed], inf, made.taken.events),
            *_learnt_of(missed, rows, [row for row in own if row.container not in missed]),
        ]
        gone += _passed_on(made, found.event, {row.id for row in gone})
        for row in gone:
            made.taken.rows.setdefault(Container(row.session, row.container), []).append(row)
        _note(made, own, {row.content for row in gone})
        told = next((row.meta[TOLD] for row in own if row.meta.get(TOLD)), ())
        made.rows.extend(as_attended(lines[0], participant, after, told) for participant in joined)
        return made


def _learnt_of(
    missed: Collection[str], rows: Sequence[MemoryRow], own: Sequence[MemoryRow]
) -> Iterator[MemoryRow]:
    """Yield what the others learnt with the line of those who were not with them after all."""
    said = {(row.container, row.learned_at) for row in own}
    for row in rows:
        is_news = row.meta.get("update") and (row.container, row.learned_at) in said
        if is_news and row.subject in missed:
            yield row


def _passed_on(made: Corrected, event: str, gone: Collection[int]) -> Iterator[MemoryRow]:
    """Yield what rests on nothing but the word of those who missed it, and note the rest."""
    for row in passed_on_since(made.taken.since, made.line.id):
        rest = rest_of_sources(row, event, made.missed)
        if rest == [] and row.id not in gone:
            yield row
        elif rest and TOLD in row.meta:
            _of(made, row)[row.id] = {TOLD: rest}


def _note(made: Corrected, own: Sequence[MemoryRow], gone: Collection[str]) -> None:
    """Let the record, and all who keep the line, know who took part in it and who did not."""
    is_private = made.line.meta["type"] in DIRECT
    joined = () if is_private else made.joined
    for row in (made.line, *own):
        if row.container not in made.missed:
            known = [
                participant
                for participant in row.meta.get("participants", ())
                if participant not in made.missed
            ]
            notes: Json = {"participants": [*known, *joined]}
            if learnt := row.meta.get("knowledge"):
                notes["knowledge"] = [news for news in learnt if news not in gone]
            _of(made, row)[row.id] = notes


def _of(made: Corrected, row: MemoryRow) -> dict[int, Json]:
    return made.notes.setdefault(Container(row.session, row.container), {})


def decide_anew(made: Corrected) -> list[Json]:
    """Put on record who took part, part of the caller's transaction; returns the decision."""
    found = Participation.objects.get(session=made.line.session, row=made.line.id)
    known = {participant["id"]: participant for participant in found.participants}
    found.participants = [
        known.get(who, {"id": who, "confidence": 1.0, "rule": BY_STAFF})
        for who in made.participants
    ]
    found.hearers = [who for who in found.hearers if who not in made.missed]
    found.hearers += [who for who in made.joined if who not in found.hearers]
    found.by, found.sure = BY_STAFF, True
    found.save(update_fields=["participants", "hearers", "by", "sure"])
    if made.line.session:
        count_anew(made.line.session)
    return list(found.participants)
