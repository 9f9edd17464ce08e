"""Lines that are taken back: looked up with all that came of them, and put out of use."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, replace

from django.db.models import Q

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
    events: frozenset[str]
    people: frozenset[str] = frozenset()
    """Who took part in one of them, or heard it."""
    rows: dict[Container, list[MemoryRow]] = field(default_factory=dict)


def last_lines(session: str, count: int, row: int = 0) -> list[float]:
    """Return when the last lines of a scene were said, newest first, or all from that `row` on.

    At most one more than `count`; none where no such line stands.
    """
    with refusals():
        standing = Participation.objects.filter(session=session).exclude(by=UNDONE)
        if row:
            first = standing.filter(row=row).values_list("at", flat=True).first()
            standing = standing.none() if first is None else standing.filter(at__gte=first)
        return list(standing.order_by("-at").values_list("at", flat=True)[: count + 1])


def state_before(session: str, at: float) -> Json | None:
    """Return how a scene was stored at a moment; None where that is not kept any more."""
    seq = past.moment_by(f"scene:{session}", at)
    told = past.state_at(f"scene:{session}", "scene", "", seq) if seq else None
    return told["state"] if told else None


def taken_since(session: str, since: float) -> Taken:
    """Return all that comes of what was said and done in a scene since a moment.

    In the scene, with those who stood by, and what was passed on from it anywhere since.
    """
    with refusals():
        lines = Participation.objects.filter(session=session, at__gte=since).exclude(by=UNDONE)
        events, people = set[str](), set[str]()
        for event, hearers, who in lines.values_list("event", "hearers", "participants"):
            events.add(event)
            people |= {*hearers, *(one["id"] for one in who)}
        taken = Taken(since, frozenset(events), frozenset(people))
        own = Memory.objects.filter(session=session, learned_at__gte=since - APART)
        gone = goes(memory_rows.read(own), since, taken.events)
        first = min((row.id for row in gone), default=0)
        found = {row.id: row for row in (*gone, *_elsewhere(session, first, taken))}
        for row in found.values():
            taken.rows.setdefault(Container(row.session, row.container), []).append(row)
        return taken


def _elsewhere(session: str, first: int, taken: Taken) -> Iterator[MemoryRow]:
    """Yield what other sessions have of these lines: who stood by, and who was told of them."""
    later = memory_rows.LIVING.filter(learned_at__gte=taken.since - APART)
    others = Participation.objects.filter(event__in=taken.events).exclude(session=session)
    for other, who in others.values_list("session", "participants"):
        bodies = [WORLD, *(one["id"] for one in who)]
        rows = memory_rows.read(later.filter(session=other, container__in=bodies))
        yield from (row for row in rows if row.meta.get("event") in taken.events)
    for row in passed_on_since(taken.since, first):
        if row.session != session and rests_on(row, taken.events):
            yield row


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
            rest = [one for one in view.parents if one not in gone]
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
        (speaker, [one["id"] for one in who])
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
