"""Lines that are taken back: looked up with all that came of them, and put out of use."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field, replace

from django.db.models import Max, Min, Q, QuerySet

from ai_assistant.core.contracts import DIRECT, Commit, Json, MemoryRow
from ai_assistant.models import Memory, Participation, Scene, Told
from ai_assistant.roleplay.day_summaries import RECAP, SUMMARY, VIEWS, WITHDRAWN, day_summary, recap
from ai_assistant.roleplay.distribution import MESSAGE
from ai_assistant.roleplay.knowledge import HowFar
from ai_assistant.roleplay.message_formats import WORLD
from ai_assistant.roleplay.scene import SceneState
from ai_assistant.roleplay.takes import APART, UNDONE, goes, played_again, rests_on
from ai_assistant.storage import memory_rows
from ai_assistant.storage.containers import Container
from ai_assistant.storage.history import past
from ai_assistant.storage.statements import refusals


@dataclass(frozen=True, slots=True)
class Taken:
    """What goes with some lines, from the moment on at which the first of them was said."""

    since: float
    """When the first of them was said, in epoch seconds."""
    events: frozenset[str]
    """The ids of the lines."""
    people: frozenset[str] = frozenset()
    """Who took part in one of them, or heard it."""
    rows: dict[Container, list[MemoryRow]] = field(default_factory=dict)
    """The memories that go with them, by whose they are."""


PAGE = 1000
"""Ids of memories that one step looks through: some milliseconds."""
LinePlace = tuple[float, int]
"""When a line was said, and its row of the world: two may be said at the same moment."""


def last_lines(session: str, count: int, row: int = 0) -> list[LinePlace]:
    """Return the last lines of a scene, newest first, or all from that `row` on.

    At most one more than `count`; none where no such line stands.
    """
    with refusals():
        standing = Participation.objects.filter(session=session).exclude(by=UNDONE)
        if row:
            first = standing.filter(row=row).values_list("at", "row").first()
            standing = standing.none() if first is None else standing.filter(_since(first))
        return list(standing.order_by("-at", "-row").values_list("at", "row")[: count + 1])


def _since(first: LinePlace) -> Q:
    at, row = first
    return Q(at__gt=at) | Q(at=at, row__gte=row)


def state_before(session: str, at: float) -> Json | None:
    """Return how a scene was stored at a moment; None where that is not kept any more."""
    seq = past.moment_by(f"scene:{session}", at)
    told = past.state_at(f"scene:{session}", "scene", "", seq) if seq else None
    return told["state"] if told else None


class LinesElsewhere:
    """What other sessions have of some lines: who stood by, and who was told of them.

    Nothing leads from a line to that, so that all memories since are looked through, page by page.
    """

    def __init__(self, session: str, first: LinePlace) -> None:
        self._session, self._first = session, first
        with refusals():
            self._after = (_own_rows(session, first).aggregate(first=Min("pk"))["first"] or 1) - 1
        self._found: list[MemoryRow] = []

    @property
    def is_long(self) -> bool:
        """Is there more than one step should take?"""
        return self._newest() - self._after > PAGE

    def steps(self) -> Iterator[None]:
        """Look through a page in each step, as long as that is so."""
        while self.is_long:
            self._look(self._after + PAGE)
            yield

    def found(self) -> list[MemoryRow]:
        """Return all of it, after the rest was looked through."""
        self._look(self._newest())
        return self._found

    def _newest(self) -> int:
        with refusals():
            return int(Memory.objects.aggregate(newest=Max("pk"))["newest"] or 0)

    def _look(self, upto: int) -> None:
        with refusals():
            events = {*_lines(self._session, self._first).values_list("event", flat=True)}
            page = memory_rows.LIVING.filter(pk__gt=self._after, pk__lte=upto)
            told = Q(meta__has_key="told") | Q(meta__has_key="chain")
            rows = page.exclude(session=self._session).filter(told | Q(meta__event__in=events))
            for row in memory_rows.read(rows):
                is_told = row.container != WORLD and rests_on(row, events)
                self._found += [row] if is_told or row.meta.get("event") in events else []
        self._after = upto


def _lines(session: str, first: LinePlace) -> QuerySet[Participation]:
    return Participation.objects.filter(_since(first), session=session).exclude(by=UNDONE)


def _own_rows(session: str, first: LinePlace) -> QuerySet[Memory]:
    return Memory.objects.filter(session=session, learned_at__gte=first[0] - APART)


def taken_since(session: str, first: LinePlace, elsewhere: Iterable[MemoryRow]) -> Taken:
    """Return all that comes of what was said and done in a scene, that line the first of it.

    `elsewhere` is what `LinesElsewhere` found.
    """
    with refusals():
        events, people = set[str](), set[str]()
        for event, hearers, who in _lines(session, first).values_list(
            "event", "hearers", "participants"
        ):
            events.add(event)
            people |= {*hearers, *(participant["id"] for participant in who)}
        taken = Taken(first[0], frozenset(events), frozenset(people))
        gone = goes(memory_rows.read(_own_rows(session, first)), taken.since, taken.events)
        found = {row.id: row for row in (*gone, *elsewhere)}
        for row in found.values():
            taken.rows.setdefault(Container(row.session, row.container), []).append(row)
        return taken


def passed_on_since(since: float, first: int) -> list[MemoryRow]:
    """Return what anybody has at second hand since a moment, of the rows from `first` on."""
    later = memory_rows.LIVING.filter(learned_at__gte=since - APART, pk__gte=first)
    told = later.filter(Q(meta__has_key="told") | Q(meta__has_key="chain"))
    return memory_rows.read(told.exclude(container=WORLD))


def withdrawing(scene: SceneState, taken: Taken, at: float) -> dict[Container, Commit]:
    """Return what puts these rows out of use, and makes summaries anew without them."""
    gone = {row.id for rows in taken.rows.values() for row in rows}
    made = {
        to: Commit(
            at=at,
            archived=[row.id for row in rows],
            annotated={row.id: WITHDRAWN for row in rows},
        )
        for to, rows in taken.rows.items()
    }
    owners = {to.character for to in taken.rows}
    with refusals():
        views = memory_rows.LIVING.filter(container__in=owners, kind__in={*VIEWS, RECAP})
        for view in memory_rows.read(views):
            if view.id in gone or gone.isdisjoint(view.parents):
                continue
            rest = [parent for parent in view.parents if parent not in gone]
            kept = memory_rows.read(Memory.objects.filter(pk__in=rest).order_by("pk"))
            commit = made.setdefault(Container(view.session, view.container), Commit(at=at))
            commit.archived.append(view.id)
            anew = day_summary(kept, at) if kept and view.kind == SUMMARY else None
            if view.kind == RECAP:
                anew = recap(kept, scene.title, day=view.game_day, at=at)
            commit.rows += [anew] if anew else []
    return made


def mark_undone(session: str, taken: Taken) -> None:
    """Let nobody keep these lines any more, and count what is played without them.

    Part of the caller's transaction, as is `untell`.
    """
    Participation.objects.filter(event__in=taken.events).update(by=UNDONE)
    count_anew(session)


def count_anew(session: str) -> None:
    """Count what is played of a scene by the lines that stand; part of the caller's transaction."""
    messages = Memory.objects.filter(session=session, container=WORLD, kind=MESSAGE)
    kinds = dict(messages.values_list("pk", "meta__type"))
    standing = Participation.objects.filter(session=session).exclude(by=UNDONE).order_by("pk")
    lines = standing.values_list("row", "speaker", "participants")
    aloud = (
        (speaker, [participant["id"] for participant in who])
        for row, speaker, who in lines
        if kinds.get(row) not in DIRECT
    )
    Scene.objects.filter(session=session).update(played=played_again(aloud))


def untell(session: str, taken: Taken) -> None:
    """Let what somebody learnt with these lines be news to them again, where it stands still."""
    learnt: dict[str, list[int]] = defaultdict(list)
    for to, rows in taken.rows.items():
        learnt[to.character] += [row.meta["update"] for row in rows if row.meta.get("update")]
    ids = {number for numbers in learnt.values() for number in numbers}
    subjects = dict(Memory.objects.filter(pk__in=ids).values_list("pk", "subject"))
    for found in Told.objects.filter(session=session, character__in=learnt):
        how_far = HowFar.from_json(found.told)
        of = dict(how_far.of)
        for number in learnt[found.character]:
            if (subject := subjects.get(number)) is not None:
                of[subject] = min(of.get(subject, how_far.upto), number - 1)
        found.told = asdict(replace(how_far, of=of))
        found.save(update_fields=["told"])
