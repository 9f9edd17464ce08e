"""Scenes on disk, and the handle to a session's world container, which only the World Agent has."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import asdict, fields, replace
from typing import Any

from django.db import transaction

from ai_assistant.contracts import Distribution, Json, MemoryRow
from ai_assistant.models import Decision, Memory, Scene
from ai_assistant.roleplay import asof
from ai_assistant.roleplay.formats import WORLD, container_name
from ai_assistant.roleplay.scene import Member, SceneState
from ai_assistant.storage import distributing, rows
from ai_assistant.storage.containers import Container
from ai_assistant.storage.refusal import refusals

MOST_HISTORY = 20_000
"""Rows that one look into the past reads at most."""
_FIELDS = frozenset(field.name for field in fields(SceneState))


def load_scenes(status: str = "") -> list[SceneState]:
    """Return the scenes, those of a status only if one is named, oldest first."""
    with refusals():
        found = Scene.objects.order_by("pk")
        return [_state(row) for row in (found.filter(status=status) if status else found)]


def load_scene(session: str) -> SceneState | None:
    """Return one scene, or None where there is none of that id."""
    with refusals():
        row = Scene.objects.filter(session=session).first()
        return _state(row) if row else None


def save_scene(scene: SceneState, updates: Sequence[MemoryRow] = ()) -> None:
    """Write a scene, and into its world container what changed. Raises `StoreError`."""
    now = time.time()
    state = asdict(scene)
    new = {"title": scene.title, "status": scene.status, "state": state, "updated": now}
    with refusals(), transaction.atomic():
        if not Scene.objects.filter(session=scene.id).update(**new):
            Scene(session=scene.id, created=now, **new).save(force_insert=True)
        distributing.record([replace(one, session=scene.id) for one in updates], now)


def write_distributions(distributions: Sequence[Distribution], at: float) -> None:
    """Write what nobody's turn would save: talk in a scene that no assistant hears."""
    with refusals(), transaction.atomic():
        distributing.distribute(distributions, at)


def _state(row: Scene) -> SceneState:
    known = {key: value for key, value in row.state.items() if key in _FIELDS}
    members = tuple(Member(**one) for one in known.pop("members", ()))
    return SceneState(**{**known, "members": members})


class WorldContainer:
    """The world container of a session. No character, and none of its tools, ever gets one."""

    def __init__(self, session: str) -> None:
        self._rows = Container(session, WORLD)

    def __str__(self) -> str:
        """Return the printed name, which leads nowhere."""
        return container_name(self._rows.session)

    def record(self, updates: Sequence[MemoryRow]) -> list[MemoryRow]:
        """Add world-state and character updates. Raises `StoreError`."""
        own = [replace(one, session=self._rows.session, container=WORLD) for one in updates]
        with refusals(), transaction.atomic():
            return distributing.record(own, time.time())

    def find(self, **options: Any) -> list[MemoryRow]:
        """Return rows as `Container.find` does."""
        return self._rows.find(**options)

    def count(self) -> int:
        """Return how many rows there are."""
        return self._rows.count()

    def decisions(self, limit: int, event: str = "") -> list[Json]:
        """Return who took part in the newest utterances, or in one of them, newest first."""
        with refusals():
            found = Decision.objects.filter(session=self._rows.session).order_by("-pk")
            chosen = found.filter(event=event) if event else found
            names = ("event", "at", "speaker", "hearers", "participants", "sure", "by")
            return list(chosen.values(*names)[:limit])


def as_of(
    container: Container,
    *,
    day: int | None = None,
    at: float | None = None,
    about: int | None = None,
) -> list[MemoryRow]:
    """Return what a container's character knew then, oldest first; see `roleplay.asof`."""
    with refusals():
        own = Memory.objects.filter(session=container.session, container=container.character)
        if day is not None:
            own = own.filter(game_day__lte=day)
        if at is not None:
            own = own.filter(learned_at__lte=at)
        found = rows.read(own.order_by("-pk"), MOST_HISTORY)
    return asof.known_as_of(reversed(found), day=day, at=at, about=about)


def correct(container: Container, row_id: int, content: str, *, day: int, at: float) -> MemoryRow:
    """Put a corrected row in the place of one that a character has, which stays for the past.

    Raises `ValueError` where there is no such living row in the container, and `StoreError`.
    """
    with refusals(), transaction.atomic():
        found = [
            one
            for one in rows.by_ids(container.character, [row_id])
            if one.session == container.session
        ]
        if not found:
            raise ValueError(f"There is no memory #{row_id} in that container.")
        new, notes = asof.correction(found[0], content, day=day, at=at)
        rows.annotate(container.character, {row_id: notes})
        rows.archive(container.character, [row_id], at)
        return rows.insert([new], container.character, at)[0]


def put_by(container: Container, summaries: Sequence[MemoryRow], ids: Sequence[int]) -> None:
    """Write summaries and archive the rows that they stand for. Raises `StoreError`."""
    at = time.time()
    own = [
        replace(one, session=container.session, container=container.character) for one in summaries
    ]
    with refusals(), transaction.atomic():
        rows.insert(own, container.character, at)
        rows.archive(container.character, ids, at)
