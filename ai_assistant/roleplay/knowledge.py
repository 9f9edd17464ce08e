"""What a character newly learns of the world: updates that it may know, each once.

It may know public changes of the world, and what became of those who are present. An update under
a narrower label is for its readers alone. What it may not learn yet waits until it meets whom it is
about: how far somebody is told is kept for each subject, so nothing is lost, however much piles up.
What the scene's maker and the game did comes before what players only say, and of one state, such
as a flag or where somebody is, the newest is news, not all that it was in between.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from ai_assistant.core.contracts import MemoryRow
from ai_assistant.core.readers import may_read, meet
from ai_assistant.memory.importance import UPDATE
from ai_assistant.roleplay.message_formats import WORLD, disarmed, update_line

STATE, CHARACTER = "world_state_update", "character_update"
UPDATES = (STATE, CHARACTER)
STEP = "scene_step"
"""The kind of a row that records a step of a scene: whoever plays in it has it at once."""
SAID = "said"
"""The subject of what only a player says of the world; it waits until the rest is told."""
MOVED = "moved"
"""The type of a character update that says where somebody went."""
PASSING = frozenset({MOVED, "status", "location", "mood", "health"})
"""Types of character updates that say how somebody is, where a later one makes an earlier past."""
WITNESSES = "witnesses"
"""Where an update keeps the ids of those who saw it happen, and have a row of it since."""
SEEN = "seen"
"""The source of a row of somebody who saw it happen."""
MOST_AT_ONCE = 5
"""Updates that are learnt with one message; the rest come with the next ones."""
MOST_SUBJECTS = 500
"""Subjects for which it is kept how far one is told; older ones of others count as told."""
_TRUST = 0.9
SAID_TRUST = 0.6
"""Trust in an update that rests on a player's word alone."""
_COLUMNS = ("readers", "author", "author_name", "trust")
"""What an update may be given beside metadata: who may know it, and whose word it is."""
_KEPT = ("type", "characterId", "updateType", "state", "location")


@dataclass(frozen=True, slots=True)
class HowFar:
    """How far a character is told what the world container holds."""

    upto: int = 0
    """Id of the row up to which whoever is not in `of` is told."""
    of: dict[str, int] = field(default_factory=dict)
    """Id of the row up to which it is told of each subject, the world among them."""

    def mark(self, subject: str) -> int:
        """Return the row up to which one is told of a subject."""
        return self.of.get(subject, self.upto)

    @classmethod
    def from_json(cls, data: Any) -> HowFar:
        """Return what was stored; whoever was told nothing yet has an empty one."""
        return cls(data.get("upto", 0), data.get("of", {})) if data else cls()


@dataclass(slots=True)
class News:
    """What one character learns with one message, as world rows, and how far it is told then."""

    rows: list[MemoryRow] = field(default_factory=list)
    """Rows of the world container."""
    told: HowFar = HowFar()
    """How far it is told with them."""


def state_update(what: str, *, day: int, at: float, location: str = "", **meta: Any) -> MemoryRow:
    """Return the world container's row of a change of the world.

    With an `author` it is that player's word. `state` among `meta` names what it is the state of.
    """
    subject = SAID if meta.get("author") else WORLD
    return _update(STATE, subject, what, day=day, at=at, location=location, **meta)


def character_update(
    who: str, what: str, update_type: str, *, day: int, at: float, location: str = "", **meta: Any
) -> MemoryRow:
    """Return the world container's row of what became of a character."""
    meta = {"characterId": who, "updateType": update_type, **meta}
    return _update(CHARACTER, who, what, day=day, at=at, location=location, **meta)


def _update(
    kind: str, subject: str, what: str, *, day: int, at: float, location: str, **meta: Any
) -> MemoryRow:
    given = {name: meta.pop(name) for name in _COLUMNS if name in meta}
    return MemoryRow(
        content=update_line(what, day),
        kind=kind,
        container=WORLD,
        subject=subject,
        game_day=day,
        location=location,
        learned_at=at,
        importance=UPDATE,
        meta={"type": kind, "location": location, "what": disarmed(what), **meta},
        **{"trust": _TRUST, **given},
    )


def happened_by(updates: Iterable[MemoryRow], message: MemoryRow) -> list[MemoryRow]:
    """Return the updates that had happened when something was said, of each subject up to there.

    A line may be kept long after it was said. `updates` are rows of the world, oldest first; what
    has happened since waits for a later line, and so does what is of a later day of the story.
    """
    found, ahead = list[MemoryRow](), set[str]()
    for row in updates:
        is_later = row.learned_at > message.learned_at > 0
        if is_later or row.game_day > message.game_day > 0:
            ahead.add(row.subject)
        elif row.subject not in ahead:
            found.append(row)
    return found


def scene_step(what: str, *, day: int, at: float, location: str = "") -> MemoryRow:
    """Return the world container's row of a step: it begins or ends, somebody joins or leaves."""
    return _update(STEP, WORLD, what, day=day, at=at, location=location)


def found_on_joining(setting: str, *, day: int, at: float) -> MemoryRow:
    """Return what somebody knows who joins late: where, when and for what the scene is played."""
    return MemoryRow(
        content=f"The scene, as it was when you joined: {disarmed(setting)}",
        kind=STATE,
        game_day=day,
        learned_at=at,
        importance=UPDATE,
        meta={"type": STATE, "source": "world"},
    )


def seen_by(update: MemoryRow, who: Iterable[str]) -> MemoryRow:
    """Return an update with those who saw it happen: each of them has a row of it at once."""
    return replace(update, meta={**update.meta, WITNESSES: sorted({*who})})


def as_seen(update: MemoryRow, who: str) -> MemoryRow:
    """Return an update as the row of somebody who saw it happen."""
    meta = {key: update.meta[key] for key in _KEPT if key in update.meta}
    return replace(update, content=what_of(update), container=who, meta={**meta, "source": SEEN})


def subjects_for(who: str, present: Collection[str]) -> set[str]:
    """Return those of whom a character may learn now: the world, itself, and who is there."""
    return {WORLD, SAID, who, *present}


def news_for(
    who: str, told: HowFar, updates: Iterable[MemoryRow], present: Collection[str]
) -> News:
    """Return what a character learns now.

    `updates` are rows of the world container, oldest first. `present` are the ids of those who are
    there. What players only say comes last.
    """
    rows, of = list[MemoryRow](), dict(told.of)
    subjects = subjects_for(who, present)
    new = [row for row in updates if row.subject in subjects and row.id > told.mark(row.subject)]
    newest = {_state_of(row): row.id for row in new if may_read(who, row.readers)}
    for row in sorted(new, key=lambda row: row.subject == SAID):
        if row.id in newest.values():
            if len(rows) == MOST_AT_ONCE:
                break
            rows.append(row)
        of[row.subject] = row.id
    return News(rows, _settled(HowFar(told.upto, of)))


def _state_of(update: MemoryRow) -> tuple[str, ...]:
    """Return what an update tells the state of; an event is one of itself alone."""
    meta = update.meta
    if state := meta.get("flag") or meta.get("state"):
        return (STATE, str(state))
    if update.kind == CHARACTER and meta.get("updateType") in PASSING:
        return (CHARACTER, update.subject, str(meta["updateType"]))
    return ("", str(update.id))


def _settled(told: HowFar) -> HowFar:
    known = sorted(told.of.items(), key=lambda item: (item[0] not in (WORLD, SAID), -item[1]))
    kept, gone = known[:MOST_SUBJECTS], known[MOST_SUBJECTS:]
    return HowFar(max([told.upto, *(mark for _, mark in gone)]), dict(kept)) if gone else told


def what_of(update: MemoryRow) -> str:
    """Return what an update says, without the day."""
    return str(update.meta.get("what") or update.content)


def as_knowledge(update: MemoryRow, message: MemoryRow) -> MemoryRow:
    """Return an update as the row of whoever learnt it with that message, on that message's day."""
    meta = {key: update.meta[key] for key in _KEPT if key in update.meta}
    return replace(
        update,
        id=0,
        content=what_of(update),
        container=message.container,
        session=message.session,
        subject=update.subject if update.kind == CHARACTER else "",
        readers=meet(update.readers, message.readers),
        game_day=message.game_day,
        learned_at=message.learned_at,
        meta={**meta, "source": "world", "update": update.id, "happened_day": update.game_day},
    )
