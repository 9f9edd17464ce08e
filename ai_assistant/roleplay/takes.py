"""Takes: which memories go with lines that are taken back, and how the scene stands again then."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from dataclasses import asdict, replace
from typing import Any

from ai_assistant.core.contracts import Json, MemoryRow
from ai_assistant.memory.talk.hearsay import sources_of
from ai_assistant.roleplay.day_summaries import CORRECTS, VIEWS, WITHDRAWN
from ai_assistant.roleplay.knowledge import STEP
from ai_assistant.roleplay.play import Played
from ai_assistant.roleplay.scene import SceneState, in_shape

UNDONE = "undone"
"""Who decided on a line that was taken back: nobody keeps it any more, however late it is saved."""
APART = 60.0
"""Seconds by which the rows of one line lie apart at most."""
MOST_LINES = 200
"""So many lines are taken back at once."""
_OF_THE_STORY = frozenset(
    "scene day time_of_day quest flags said_by relationships places things whereabouts".split()
)
"""What lines and acts of a scene change; how it is played, and who plays, stays as it is."""


def goes(rows: Sequence[MemoryRow], since: float, events: Collection[str]) -> list[MemoryRow]:
    """Return those of a session's rows that go with these lines, the first said at that moment.

    Whoever hears a line notes the time by itself: rows of lines go by the ids of those, what was
    learnt with a line goes with the row of it, and all else by its time. What everybody begins with
    stays, and so does the record of who came and went; a summary goes by its lines, and a
    correction with what it corrects.
    """
    said = {(row.container, row.learned_at) for row in rows if row.meta.get("event") in events}

    def is_of_them(row: MemoryRow) -> bool:
        if "event" in row.meta:
            return row.meta["event"] in events
        if "update" in row.meta:
            return (row.container, row.learned_at) in said
        return row.learned_at >= since

    later = {row.id: row for row in rows if not _stays(row) and is_of_them(row)}
    return [row for row in later.values() if _origin(row, later) in later]


def _stays(row: MemoryRow) -> bool:
    is_gone = bool(row.meta.keys() & WITHDRAWN.keys())
    return is_gone or bool(row.meta.get("permanent")) or row.kind in {*VIEWS, STEP}


def _origin(row: MemoryRow, rows: Mapping[int, MemoryRow]) -> int:
    """Return the id of what a row corrects in the end: its own, where it corrects nothing."""
    while (earlier := row.meta.get(CORRECTS, 0)) in rows:
        row = rows[earlier]
    return int(earlier or row.id)


def rests_on(row: MemoryRow, events: Collection[str]) -> bool:
    """Was everything in a row passed on, and from nothing but these lines?"""
    origins = [source["origin"] for source in sources_of(row)]
    return bool(origins) and all(origin in events for origin in origins)


def rest_of_sources(row: MemoryRow, event: str, without: Set[str]) -> list[Json] | None:
    """Return where else a row is from than that line by way of these people, who missed it.

    None where nothing of it came that way.
    """
    sources = [*sources_of(row)]
    rest = [
        source
        for source in sources
        if source["origin"] != event or without.isdisjoint(source["chain"])
    ]
    return rest if len(rest) < len(sources) else None


def as_it_stood(now: SceneState, then: Mapping[str, Any]) -> SceneState:
    """Return a scene with its story as it was stored then, and played by who plays it now."""
    known = in_shape(SceneState(""), then)
    before: Json = {name: value for name, value in known.items() if name in _OF_THE_STORY}
    after = replace(now, **before)
    things = {
        name: held if now.has(held) or not _is_somebody(held, then) else after.scene
        for name, held in after.things.items()
    }
    here = {who: place for who, place in after.whereabouts.items() if now.has(who)}
    return replace(after, things=things, whereabouts=here)


def _is_somebody(held: str, then: Mapping[str, Any]) -> bool:
    members = then.get("members")
    listed = members if isinstance(members, list | tuple) else ()
    return any(isinstance(item, dict) and item.get("id") == held for item in listed)


def played_again(lines: Iterable[tuple[str, Collection[str]]]) -> Json:
    """Return how much is played of a scene of these lines: who spoke, and who took part."""
    played = Played()
    for speaker, participants in lines:
        played = played.after(speaker, participants)
    return asdict(played)
