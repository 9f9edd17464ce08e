"""Distribution on disk: the world's rows, who took part, and what each newly learns.

All of it is part of the transaction that saves a turn. It is the only code that carries anything
from a world container to a character's.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Any

from django.db import connection

from ai_assistant.core.contracts import Distribution, MemoryRow
from ai_assistant.models import Decision, Told
from ai_assistant.roleplay.distribution import enrich, is_message
from ai_assistant.roleplay.knowledge import SAID, HowFar, News, news_for, subjects_for
from ai_assistant.roleplay.message_formats import WORLD
from ai_assistant.roleplay.scene import GAME
from ai_assistant.storage import memory_rows, scene_counts
from ai_assistant.storage.statements import fetch, from_json, insert_into, marks, quoted, select

NEWS_LOOKED_AT = 100
"""Updates that one message looks through for news; what lies behind them waits for the next."""
BEGIN_WITH = 50
"""So many updates of the game itself are still news to somebody who was never told anything."""
_KNOWN = select(
    ("id", "session", "event", "hearers", "participants", "by"),
    "FROM ai_assistant_decision WHERE event IN",
)
_DECIDE = insert_into(
    "ai_assistant_decision",
    ("session", "event", "row", "at", "speaker", "hearers", "participants", "sure", "by"),
)
_TOLD = select(
    ("character", "told"),
    f"FROM ai_assistant_told WHERE session = %s AND {quoted('character')} IN",
)


def distribute(
    distributions: Sequence[Distribution], at: float, own: Sequence[MemoryRow] = ()
) -> None:
    """Write what is not written yet of some utterances: world's rows, decisions, players' rows.

    `own` are rows of players that each brings itself.
    """
    if not distributions:
        return
    by_event: dict[tuple[str, str], Distribution] = {}
    for one in distributions:
        by_event.setdefault((one.raw.session, one.raw.meta["event"]), one)
    known = _known([event for _, event in by_event])
    new = [one for key, one in by_event.items() if key not in known]
    if new:
        raws = memory_rows.insert([one.raw for one in new], WORLD, at)
        with connection.cursor() as cursor:
            cursor.executemany(_DECIDE, list(map(_decision, new, raws)))
        scene_counts.count(new)
    rows = [*own, *(row for one in new for row in one.rows)]
    for key, one in by_event.items():
        if key in known:
            before = {who["id"] for who in known[key].participants}
            if _joined(known[key], one):
                rows += [row for row in one.rows if row.container not in before]
    if rows:
        _to_players(rows, at)


def _to_players(rows: Sequence[MemoryRow], at: float) -> None:
    """Insert the rows of those who have no turn to save them with, and what they newly learn."""
    told = {session: _told(session, rows) for session in {row.session for row in rows}}
    made: list[MemoryRow] = []
    for row in rows:
        kept, learnt = enrich(row, _news(row.container, row, told[row.session]))
        made += [kept, *learnt]
    memory_rows.insert(made, WORLD, at)


def _known(events: Sequence[str]) -> dict[tuple[str, str], Decision]:
    return {
        (session, event): Decision(
            pk=pk,
            session=session,
            event=event,
            hearers=from_json(hearers),
            participants=from_json(participants),
            by=by,
        )
        for pk, session, event, hearers, participants, by in fetch(
            f"{_KNOWN} ({marks(events)})", events
        )
    }


def _decision(one: Distribution, raw: MemoryRow) -> tuple[Any, ...]:
    """Return a decision as a row of its table."""
    decision = one.decision
    who = (json.dumps(decision[name]) for name in ("hearers", "participants"))
    utterance = (raw.session, raw.meta["event"], raw.id, raw.learned_at, raw.author)
    return (*utterance, *who, decision["sure"], decision["by"])


def _joined(known: Decision, one: Distribution) -> bool:
    """Add those whom another hearer brings: each who was whispered to knows only of itself, and so
    does whoever was alone with a line when the server died. What a model decided stands.
    """
    before = {who["id"] for who in known.participants}
    more = [who for who in one.decision["participants"] if who["id"] not in before]
    if known.by == "model" or not more:
        return False
    hearers = sorted({*known.hearers, *one.decision["hearers"]})
    Decision.objects.filter(pk=known.pk).update(
        participants=[*known.participants, *more], hearers=hearers
    )
    return True


def with_news(who: str, rows: Sequence[MemoryRow]) -> tuple[list[MemoryRow], list[MemoryRow]]:
    """Return a character's rows, and what it learns with the first of them of each session."""
    kept, learnt = list(rows), list[MemoryRow]()
    done: set[str] = set()
    for place, row in enumerate(rows):
        if row.session in done or not is_message(row) or row.container not in ("", who):
            continue
        done.add(row.session)
        own = replace(row, container=who)
        kept[place], more = enrich(row, _news(who, row, _told(row.session, [own])))
        learnt += [replace(one, container=who) for one in more]
    return kept, learnt


def _told(session: str, rows: Sequence[MemoryRow]) -> dict[str, HowFar]:
    """Return how far the owners of some rows, and the world itself, are in a session."""
    whose = {WORLD, *(row.container for row in rows)}
    found = fetch(f"{_TOLD} ({marks(whose)})", [session, *whose])
    return {who: HowFar.from_json(from_json(told)) for who, told in found}


def _news(who: str, row: MemoryRow, found: dict[str, HowFar]) -> News:
    """Return what one learns with a row; that counts as told from now on, in `found` as well."""
    world = found.get(WORLD, HowFar())
    before = found.get(who) or _newcomer(row.session, world)
    present = {row.author, *row.meta.get("participants", ())}
    marks = {one: before.mark(one) for one in subjects_for(who, present)}
    behind = {one: mark for one, mark in marks.items() if mark < world.upto}
    if not behind:
        return News(told=before)
    updates = memory_rows.updates_after(row.session, behind, NEWS_LOOKED_AT, last=SAID)
    news = news_for(who, before, updates, present)
    if news.told != found.get(who, HowFar()):
        _tell(row.session, who, news.told)
    found[who] = news.told
    return news


def _newcomer(session: str, world: HowFar) -> HowFar:
    """Return where somebody begins who was told nothing yet: in a scene with all that happened."""
    if session != GAME or not world.upto:
        return HowFar()
    return HowFar(memory_rows.update_before(session, BEGIN_WITH))


def _tell(session: str, who: str, told: HowFar) -> None:
    Told.objects.update_or_create(session=session, character=who, defaults={"told": asdict(told)})


def record(updates: Sequence[MemoryRow], at: float) -> list[MemoryRow]:
    """Write updates into their sessions' world containers, part of the caller's transaction."""
    written = memory_rows.insert(updates, WORLD, at)
    for session, newest in {row.session: row.id for row in written}.items():
        _tell(session, WORLD, HowFar(newest))
    return written
