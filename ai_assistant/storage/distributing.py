"""Distribution on disk: the world's rows, who took part, and what each newly learns.

All of it is part of the transaction that saves a turn. It is the only code that carries anything
from a world container to a character's.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import asdict, replace
from math import inf
from typing import Any

from django.db import connection

from ai_assistant.core.contracts import DIRECT, Distribution, MemoryRow
from ai_assistant.models import Participation, Told
from ai_assistant.roleplay.distribution import enrich, is_message
from ai_assistant.roleplay.knowledge import SAID, HowFar, News, happened_by, news_for, subjects_for
from ai_assistant.roleplay.message_formats import WORLD
from ai_assistant.roleplay.play import Played
from ai_assistant.roleplay.scene import GAME
from ai_assistant.roleplay.takes import UNDONE
from ai_assistant.storage import memory_rows
from ai_assistant.storage.statements import (
    fetch,
    from_json,
    insert_into,
    marks,
    quoted_columns,
    refusals,
    select,
)

_PLAYED = select(("played",), "FROM ai_assistant_scene WHERE session = %s")
_PLAY = "UPDATE ai_assistant_scene SET played = %s WHERE session = %s"
NEWS_LOOKED_AT = 100
"""Updates that one message looks through for news; what lies behind them waits for the next."""
BEGIN_WITH = 50
"""So many updates of the game itself are still news to somebody who was never told anything."""
_KNOWN = select(
    ("session", "event", "id", "hearers", "participants", "by"),
    "FROM ai_assistant_participation WHERE event IN",
)
_DECIDE = insert_into(
    "ai_assistant_participation",
    ("session", "event", "row", "at", "speaker", "hearers", "participants", "sure", "by"),
)
_TOLD = select(
    ("character", "told"),
    f"FROM ai_assistant_told WHERE session = %s AND {quoted_columns('character')} IN",
)


def distribute(
    distributions: Sequence[Distribution],
    at: float,
    tellings: Tellings,
    own: Sequence[MemoryRow] = (),
    *,
    saved: Sequence[MemoryRow] = (),
    whose: str = WORLD,
) -> list[MemoryRow]:
    """Write what is not written yet of some utterances: world's rows, decisions, players' rows.

    `own` are rows of players that each brings itself. `saved` are rows that go to the container
    `whose`, by the same insert and as they are; returned are these, with their ids.
    """
    by_event: dict[tuple[str, str], Distribution] = {}
    for spoken in distributions:
        by_event.setdefault((spoken.raw.session, spoken.raw.meta["event"]), spoken)
    events = [event for _, event in by_event]
    found = fetch(f"{_KNOWN} ({marks(events)})", events) if events else ()
    known = {(session, event): decision for session, event, *decision in found}
    new = [spoken for key, spoken in by_event.items() if key not in known]
    rows = list(own)
    for key, spoken in by_event.items():
        rows += _joined(spoken, *known[key]) if key in known else spoken.rows
    made: list[MemoryRow] = []
    for row in rows:  # of those who have no turn to save them with
        kept, learnt = enrich(row, tellings.news(row))
        made += [kept, *learnt]
    raws = (spoken.raw for spoken in new)
    written = memory_rows.insert([*saved, *raws, *made], whose, at)
    if new:
        _decide(new, written[len(saved) : len(saved) + len(new)])
    return written[: len(saved)]


def _decide(new: Sequence[Distribution], raws: Sequence[MemoryRow]) -> None:
    rows = []
    for spoken, raw in zip(new, raws, strict=True):
        decision = spoken.decision
        who = (json.dumps(decision[name]) for name in ("hearers", "participants"))
        utterance = (raw.session, raw.meta["event"], raw.id, raw.learned_at, raw.author)
        rows.append((*utterance, *who, decision["sure"], decision["by"]))
    with connection.cursor() as cursor:
        cursor.executemany(_DECIDE, rows)
    if any(spoken.raw.session for spoken in new):
        _count(new)


def _count(new: Sequence[Distribution]) -> None:
    """Count in their scenes what was said for all to hear; the game itself keeps no count."""
    said: dict[str, list[Distribution]] = {}
    for spoken in new:
        if spoken.raw.session and spoken.raw.meta["type"] not in DIRECT:
            said.setdefault(spoken.raw.session, []).append(spoken)
    for session, lines in said.items():
        for (stored,) in fetch(_PLAYED, [session]):
            played = Played.from_json(from_json(stored))
            for line in lines:
                everybody = [found["id"] for found in line.decision["participants"]]
                hidden = line.decision.get("hidden", ())
                seen = [who for who in everybody if who not in hidden]
                played = played.after(line.raw.author, seen)
            with connection.cursor() as cursor:
                cursor.execute(_PLAY, [json.dumps(asdict(played)), session])


def _joined(spoken: Distribution, pk: int, *known: Any) -> list[MemoryRow]:
    """Add those whom another hearer brings, and return their rows.

    Each who was whispered to knows only of itself, and so does whoever was alone with a line when
    the server died. What a model or staff decided stands, and so does what was taken back.
    """
    heard, took_part, by = from_json(known[0]), from_json(known[1]), known[2]
    before = {who["id"] for who in took_part}
    more = [who for who in spoken.decision["participants"] if who["id"] not in before]
    if by != "rule" or not more:
        return []
    hearers = sorted({*heard, *spoken.decision["hearers"]})
    Participation.objects.filter(pk=pk).update(participants=[*took_part, *more], hearers=hearers)
    return [row for row in spoken.rows if row.container not in before]


def with_news(
    who: str, rows: Sequence[MemoryRow], tellings: Tellings | None = None
) -> tuple[list[MemoryRow], list[MemoryRow]]:
    """Return a character's rows, and what it learns with them: with each what had happened by then.

    A line that was overheard yesterday, and is kept only now, knows nothing of today.
    """
    tellings = tellings or Tellings([who])
    kept, learnt = list(rows), list[MemoryRow]()
    for place, row in sorted(enumerate(rows), key=lambda placed: placed[1].learned_at or inf):
        if is_message(row) and row.container in ("", who):
            own = replace(row, container=who)
            kept[place], news = own, tellings.news(own)
            if news.rows:
                kept[place], more = enrich(own, news)
                learnt += more
    return kept, learnt


class Tellings:
    """What those learn who have something written in one transaction; all is looked up once."""

    def __init__(self, whose: Iterable[str]) -> None:
        """`whose` are the ids of the containers that rows of messages go to."""
        self._asked = [WORLD, *{*whose}]
        self._told: dict[str, dict[str, HowFar]] = {}
        self._updates: dict[tuple[str, frozenset[tuple[str, int]]], list[MemoryRow]] = {}

    def news(self, row: MemoryRow) -> News:
        """Return what one learns with a row; that counts as told from now on.

        Whoever was told nothing yet begins in a scene with all that happened, in the game with the
        last updates.
        """
        session, who = row.session, row.container
        if session not in self._told:
            found = fetch(f"{_TOLD} ({marks(self._asked)})", [session, *self._asked])
            self._told[session] = {name: HowFar.from_json(from_json(told)) for name, told in found}
        told = self._told[session]
        world, before = told.get(WORLD, HowFar()), told.get(who)
        if before is None:
            is_late = session == GAME and world.upto
            before = HowFar(memory_rows.update_before(session, BEGIN_WITH) if is_late else 0)
        if not world.upto:
            return News(told=before)
        present = {row.author, *row.meta.get("participants", ())}
        marked = {subject: before.mark(subject) for subject in subjects_for(who, present)}
        behind = {subject: mark for subject, mark in marked.items() if mark < world.upto}
        if not behind:
            return News(told=before)
        asked = (session, frozenset(behind.items()))
        if asked not in self._updates:
            new = memory_rows.updates_after(session, behind, NEWS_LOOKED_AT, last=SAID)
            self._updates[asked] = new
        news = news_for(who, before, happened_by(self._updates[asked], row), present)
        if news.told != told.get(who, HowFar()):
            _tell(session, who, news.told)
        told[who] = news.told
        return news


def _tell(session: str, who: str, told: HowFar) -> None:
    Told.objects.update_or_create(session=session, character=who, defaults={"told": asdict(told)})


def record_updates(updates: Sequence[MemoryRow], at: float) -> list[MemoryRow]:
    """Write updates into their sessions' world containers, part of the caller's transaction."""
    written = memory_rows.insert(updates, WORLD, at)
    for session, newest in {row.session: row.id for row in written}.items():
        _tell(session, WORLD, HowFar(newest))
    return written


def company_of(events: Collection[str]) -> list[tuple[list[str], list[str]]]:
    """Return who took part in each of these lines that is on record, and who could hear it."""
    with refusals():
        known = Participation.objects.filter(event__in=events).exclude(by=UNDONE)
        found = known.values_list("participants", "hearers")
        return [([participant["id"] for participant in took], hearers) for took, hearers in found]


def hearers_of(session: str, events: Collection[str]) -> dict[str, list[str]]:
    """Return the ids of those of a session who could hear each of these lines, by line."""
    with refusals():
        known = Participation.objects.filter(session=session, event__in=events)
        return dict(known.values_list("event", "hearers"))
