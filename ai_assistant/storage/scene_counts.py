"""Figures of a scene on disk: what was played of it, and what its people remember of it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass

from django.db import connection
from django.db.models import Count, Max, Q, QuerySet

from ai_assistant.core.contracts import Distribution, MemoryRow
from ai_assistant.models import Memory, Scene
from ai_assistant.roleplay.message_formats import WORLD
from ai_assistant.roleplay.participants import PRIVATE
from ai_assistant.roleplay.permanent import KINDS
from ai_assistant.roleplay.play import Played
from ai_assistant.storage import memory_rows
from ai_assistant.storage.statements import fetch, from_json, refusals, select

_PLAYED = select(("played",), "FROM ai_assistant_scene WHERE session = %s")
_PLAY = "UPDATE ai_assistant_scene SET played = %s WHERE session = %s"


def count(new: Iterable[Distribution]) -> None:
    """Count in their scenes what was said for all to hear; the game itself keeps no count."""
    said: dict[str, list[Distribution]] = {}
    for spoken in new:
        if spoken.raw.session and spoken.raw.meta["type"] not in PRIVATE:
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


def load_played(session: str) -> Played:
    """Return what was played of a scene."""
    with refusals():
        found = Scene.objects.filter(session=session).values_list("played", flat=True).first()
        return Played.from_json(found)


LOOKED_THROUGH = 20_000
"""The newest rows of a session: so many are counted or looked through."""


@dataclass(frozen=True, slots=True)
class Remembered:
    """How much somebody remembers of a session but what it began with, and the last time."""

    session: str
    character: str
    rows: int
    last: float


def scenes_of(character: str) -> list[Remembered]:
    """Return the scenes of which somebody remembers anything, oldest first."""
    own = memory_rows.LIVING.filter(container=character).exclude(session="")
    with refusals():
        found = {known.session: known for known in _counted(own)}
        order = Scene.objects.filter(session__in=found).order_by("pk")
        return [found[session] for session in order.values_list("session", flat=True)]


def people_of(session: str) -> list[Remembered]:
    """Return whose containers hold anything of a session, most first.

    Counted are the newest rows of the session.
    """
    with refusals():
        return sorted(_counted(_newest(session)), key=lambda known: -known.rows)


def who_knows(session: str, words: str, limit: int) -> list[MemoryRow]:
    """Return the newest rows of a session's people that hold these words as they stand.

    Looked through are the newest rows of the session.
    """
    with refusals():
        return memory_rows.read(_newest(session).filter(content__icontains=words), limit)


def _newest(session: str) -> QuerySet[Memory]:
    """Return the query for the newest rows of a session's people: one look never reads more."""
    own = memory_rows.LIVING.filter(session=session).exclude(container=WORLD).order_by("-pk")
    last = own.values_list("pk", flat=True)[LOOKED_THROUGH : LOOKED_THROUGH + 1]
    return own.filter(pk__gt=last[0] if last else 0)


def _counted(own: QuerySet[Memory]) -> list[Remembered]:
    grouped = own.order_by().values_list("session", "container")
    counted = grouped.annotate(known=Count("pk", filter=~Q(kind__in=KINDS)), last=Max("learned_at"))
    return [Remembered(*row) for row in counted]
