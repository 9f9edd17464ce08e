"""Scenes on disk, and the handle to a session's world container, which only the World Agent has."""

from __future__ import annotations

import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import islice

from django.db.models import Count, Exists, Max, Min, OuterRef, Q, QuerySet
from django.db.models.fields.json import KT

from ai_assistant.core.contracts import AuditRecord, Commit, Distribution, Json, MemoryRow
from ai_assistant.core.errors import AssistantError
from ai_assistant.game.log import warn
from ai_assistant.models import Memory, Participation, Scene
from ai_assistant.roleplay import day_summaries
from ai_assistant.roleplay.message_formats import WORLD
from ai_assistant.roleplay.permanent import KINDS
from ai_assistant.roleplay.play import Played
from ai_assistant.roleplay.scene import SceneState
from ai_assistant.roleplay.scene_files.scene_records import scene_records
from ai_assistant.roleplay.takes import UNDONE
from ai_assistant.storage import distributing, memory_rows
from ai_assistant.storage.containers import Container
from ai_assistant.storage.history.commit_pieces import of_rows
from ai_assistant.storage.history.state_log import StateLog, ToldSequence, told_whole
from ai_assistant.storage.server_lease import writing
from ai_assistant.storage.statements import refusals

MOST_HISTORY = 20_000
"""Rows that one look into the past reads at most."""
_MOST_SUMMARIES = 200
LOOKED_THROUGH = 20_000
"""The newest rows of a session: so many are counted or looked through."""
MOST_PLAYED = 100
"""The last scenes of somebody: so many are told of."""


def load_scenes(status: str = "", among: Collection[str] = ()) -> list[SceneState]:
    """Return the scenes, oldest first: of that status, with a member `among` these ids, if given.

    One that cannot be read is reported and left out.
    """
    with refusals():
        rows = Scene.objects.filter(status=status) if status else Scene.objects.all()
        if among:
            members = rows.values_list("pk", KT("state__members"))
            wanted = [pk for pk, told in members if any(f'"{id}"' in (told or "") for id in among)]
            rows = rows.filter(pk__in=wanted)
        found = filter(None, map(_state, rows.order_by("pk")))
        return [scene for scene in found if not among or any(map(scene.has, among))]


def load_scene(session: str) -> SceneState | None:
    """Return one scene, or None where there is none of that id that can be read."""
    with refusals():
        row = Scene.objects.filter(session=session).first()
        return _state(row) if row else None


def ids_of(status: str) -> list[str]:
    """Return the ids of the scenes of that status; none of them is read."""
    with refusals():
        return [*Scene.objects.filter(status=status).values_list("session", flat=True)]


def made_since(owner: str, since: float) -> int:
    """Return how many scenes somebody made since a moment."""
    with refusals():
        return Scene.objects.filter(created__gt=since, state__owner=owner).count()


class SceneChanged(AssistantError):
    """Somebody else wrote that scene meanwhile; nothing of this change was kept."""


def save_scene(
    scene: SceneState,
    updates: Sequence[MemoryRow],
    writings: Mapping[Container, Commit],
    before: SceneState | None = None,
    by: str = "",
) -> list[MemoryRow]:
    """Write a scene, into its world container what changed, and members' rows: all, or nothing.

    Returns those of the members, with their ids. `before` is what the scene is taken to be on disk;
    where it is anything else, because a shell or a command outside of the server wrote it, raises
    `SceneChanged`. `by` is the name of whoever changed it, for its log.
    """
    now = time.time()
    new = {"title": scene.title, "status": scene.status, "state": asdict(scene), "updated": now}
    with writing():
        row = Scene.objects.select_for_update().filter(session=scene.id).first()
        if row is None:
            Scene(session=scene.id, created=now, **new).save(force_insert=True)
        elif before is not None and _state(row) != before:
            raise SceneChanged("The scene was changed from outside just now. Look at it again.")
        else:
            Scene.objects.filter(pk=row.pk).update(**new)
        told = [AuditRecord(*record) for record in scene_records(row and _state(row), scene, by)]
        StateLog().append(told_whole(f"scene:{scene.id}", "scene", "", new, now, told))
        distributing.record_updates([replace(update, session=scene.id) for update in updates], now)
        return [row for to, commit in writings.items() for row in write_without_mind(to, commit)]


def write_distributions(
    distributions: Sequence[Distribution], at: float, own: Sequence[MemoryRow] = ()
) -> None:
    """Write what nobody's turn would save: talk in a scene that no assistant hears.

    `own` are rows of players who heard it themselves, each for its container.
    """
    rows = [*own, *(row for spoken in distributions for row in spoken.rows)]
    if not (rows or distributions):
        return
    tellings = distributing.Tellings(row.container for row in rows)
    with writing():
        distributing.distribute(distributions, at, tellings, own)


def _state(row: Scene) -> SceneState | None:
    if not isinstance(row.state, dict):
        warn(f"The scene '{row.title or row.session}' cannot be read, and is left out.")
        return None
    state = SceneState.from_json(row.session, row.state)
    return replace(state, title=row.title, status=row.status)


class WorldContainer(Container):
    """The world container of a session. No character, and none of its tools, ever gets one."""

    def __init__(self, session: str) -> None:
        super().__init__(session, WORLD)

    def record(self, updates: Sequence[MemoryRow]) -> list[MemoryRow]:
        """Add world-state and character updates."""
        own = [replace(update, session=self.session, container=WORLD) for update in updates]
        with writing():
            return distributing.record_updates(own, time.time())

    def participations(self, limit: int, event: str = "", before: int = 0) -> list[Json]:
        """Return who took part in the newest utterances, those `before` the ``pk`` of one, or in
        one of them, newest first."""
        with refusals():
            found = Participation.objects.filter(session=self.session).exclude(by=UNDONE)
            found = found.order_by("-pk")
            found = found.filter(pk__lt=before) if before else found
            chosen = found.filter(event=event) if event else found
            names = ("event", "row", "at", "speaker", "hearers", "participants", "sure", "by")
            return list(chosen.values("pk", *names)[:limit])


def as_of(
    container: Container,
    *,
    day: int | None = None,
    at: float | None = None,
    about: int | None = None,
    limit: int = MOST_HISTORY,
) -> list[MemoryRow]:
    """Return what a container's character knew then, in the order in which it was learnt.

    See `roleplay.day_summaries`. Of more than `limit` rows these are the newest. What bears no day,
    as entries of a journal do, counts until a row of a later day was learnt.
    """
    with refusals():
        own = Memory.objects.filter(session=container.session, container=container.character)
        if day is not None:
            later = own.filter(game_day__gt=day).aggregate(Min("learned_at"))["learned_at__min"]
            undated = Q(game_day=0) if later is None else Q(game_day=0, learned_at__lt=later)
            own = own.filter(undated | Q(game_day__gt=0, game_day__lte=day))
        if at is not None:
            own = own.filter(learned_at__lte=at)
        found = memory_rows.by_number(own)
        known = islice(day_summaries.known_as_of(found, day=day, at=at, about=about), limit)
        return sorted(known, key=lambda row: (row.learned_at, row.id))


def replacing_commit(
    container: Container, row_id: int, content: str, *, day: int, at: float
) -> Commit:
    """Return what puts a corrected row in the place of one that a character has.

    The old one stays for the past. Where its day was folded, the summary is made anew without it.
    Raises `ValueError` where nothing in the container can be corrected, or not as of that day, and
    `StoreError`.
    """
    with refusals():
        own = Memory.objects.filter(session=container.session, container=container.character)
        found = memory_rows.read(own.filter(pk=row_id))
        if not (found and day_summaries.can_be_corrected(found[0])):
            raise ValueError(f"There is no memory #{row_id} in that container.")
        new, notes = day_summaries.correction(found[0], content, day=day, at=at)
        commit = Commit(at=at, rows=[new], archived=[row_id], annotated={row_id: notes})
        views = {"kind": ("in", [*day_summaries.VIEWS]), "game_day": found[0].game_day}
        for summary in container.find(where=views, limit=_MOST_SUMMARIES):
            if row_id in summary.parents and summary.kind == day_summaries.CHAPTER:
                commit.archived.append(summary.id)
            elif row_id in summary.parents:
                rest = [parent for parent in summary.parents if parent != row_id]
                kept = memory_rows.read(own.filter(pk__in=rest))
                commit.rows += [day_summaries.day_summary(kept, at)] if kept else []
                commit.archived.append(summary.id)
        return commit


def write_without_mind(container: Container, commit: Commit) -> list[MemoryRow]:
    """Write what a commit has for the container of somebody without a mind: rows and notes.

    Returns the rows with their ids.
    """
    who, at = container.character, commit.at
    own = [replace(row, session=container.session, container=who) for row in commit.rows]
    with writing():
        written = memory_rows.insert(own, who, at)
        notes = {id: note for id, note in commit.annotated.items() if isinstance(id, int)}
        amended = memory_rows.amend(who, commit, notes)
        StateLog().append(ToldSequence(who, of_rows(who, written, amended), at))
    return written


def load_played(session: str) -> Played:
    """Return what was played of a scene."""
    with refusals():
        found = Scene.objects.filter(session=session).values_list("played", flat=True).first()
        return Played.from_json(found)


@dataclass(frozen=True, slots=True)
class Remembered:
    """How much somebody remembers of a session but what it began with, and the last time."""

    session: str
    """The id of the scene."""
    character: str
    """The id of the one who remembers it."""
    rows: int
    """How many memories."""
    last: float
    """When the newest was learned, in seconds since the epoch."""


def scenes_of(character: str) -> list[SceneState]:
    """Return the last `MOST_PLAYED` scenes of which somebody remembers anything, oldest first."""
    own = memory_rows.LIVING.filter(session=OuterRef("session"), container=character)
    with refusals():
        newest = Scene.objects.filter(Exists(own)).order_by("-pk")[:MOST_PLAYED]
        return [*filter(None, map(_state, newest))][::-1]


def remembered_of(character: str, sessions: Collection[str]) -> dict[str, Remembered]:
    """Return how much somebody remembers of some scenes, by their ids."""
    own = memory_rows.LIVING.filter(container=character, session__in=sessions)
    with refusals():
        return {known.session: known for known in _counted(own)}


def holders_of(session: str) -> list[Remembered]:
    """Return whose containers hold any of the newest rows of a session, most first."""
    with refusals():
        return sorted(_counted(_newest(session)), key=lambda known: -known.rows)


def owner_of_row(session: str, row_id: int) -> str:
    """Return the id of whoever has a row of a session, at hand or folded; empty for nobody."""
    with refusals():
        own = Memory.objects.filter(session=session, pk=row_id).exclude(container=WORLD)
        return own.values_list("container", flat=True).first() or ""


def who_knows(session: str, words: str, limit: int) -> list[MemoryRow]:
    """Return the newest rows of a session's people that hold these words as they stand.

    Looked through are the newest rows of the session.
    """
    with refusals():
        return memory_rows.read(_newest(session).filter(content__icontains=words), limit)


def everybodys_rows(ids: Collection[int]) -> list[MemoryRow]:
    """Return rows for staff, whoever has them, archived ones too, oldest first; not the world's."""
    with refusals():
        found = Memory.objects.filter(pk__in=ids).exclude(container=WORLD).order_by("pk")
        return memory_rows.read(found)


def _newest(session: str) -> QuerySet[Memory]:
    """Return the query for the newest rows of a session's people: one look never reads more."""
    own = memory_rows.LIVING.filter(session=session).exclude(container=WORLD).order_by("-pk")
    last = own.values_list("pk", flat=True)[LOOKED_THROUGH : LOOKED_THROUGH + 1]
    return own.filter(pk__gt=last[0] if last else 0)


def _counted(own: QuerySet[Memory]) -> list[Remembered]:
    grouped = own.order_by().values_list("session", "container")
    counted = grouped.annotate(known=Count("pk", filter=~Q(kind__in=KINDS)), last=Max("learned_at"))
    return [Remembered(*row) for row in counted]
