"""What a character newly learns of the world: updates that it may know, each once.

It may know public changes of the world, and what became of those who are present. An update under
a narrower label is for its readers alone. What it may not learn yet waits until it meets whom it is
about: how far somebody is told is kept for each subject, so nothing is lost, however much piles up.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from ai_assistant.contracts import Json, MemoryRow
from ai_assistant.readers import may_read, meet
from ai_assistant.roleplay.formats import WORLD, disarmed, update_line

STATE, CHARACTER = "world_state_update", "character_update"
UPDATES = (STATE, CHARACTER)
MOST_AT_ONCE = 5
"""Updates that are learnt with one message; the rest come with the next ones."""
MOST_SUBJECTS = 500
"""Subjects for which it is kept how far one is told; older ones of others count as told."""
UPDATE_IMPORTANCE = 6
_TRUST = 0.9
SAID_TRUST = 0.6
"""Trust in an update that rests on a player's word alone."""
_COLUMNS = ("readers", "author", "author_name", "trust")
"""What an update may be given beside metadata: who may know it, and whose word it is."""
_KEPT = ("type", "characterId", "updateType", "location")


@dataclass(frozen=True, slots=True)
class Told:
    """How far a character is told: `of` each subject, all up to a row of the world container.

    The world itself is a subject. `upto` is where whoever is not among them begins.
    """

    upto: int = 0
    of: Mapping[str, int] = field(default_factory=dict)

    def mark(self, subject: str) -> int:
        """Return the row up to which one is told of a subject."""
        return self.of.get(subject, self.upto)

    def to_json(self) -> Json:
        """Return it as JSON values."""
        return {"upto": self.upto, "of": dict(self.of)}

    @classmethod
    def from_json(cls, data: Any) -> Told:
        """Return what `to_json` made; whoever was told nothing yet has an empty one."""
        return cls(data.get("upto", 0), data.get("of", {})) if data else cls()


@dataclass(slots=True)
class News:
    """What one character learns with one message, as world rows, and how far it is told then."""

    rows: list[MemoryRow] = field(default_factory=list)
    told: Told = Told()


def state_update(what: str, *, day: int, at: float, location: str = "", **meta: Any) -> MemoryRow:
    """Return the world container's row of a change of the world (REQ-5.1.2, appendix B.2)."""
    return _update(STATE, what, WORLD, day, at, location, meta)


def character_update(
    who: str, what: str, update_type: str, *, day: int, at: float, location: str = "", **meta: Any
) -> MemoryRow:
    """Return the world container's row of what became of a character (REQ-5.1.3, appendix B.3)."""
    meta = {"characterId": who, "updateType": update_type, **meta}
    return _update(CHARACTER, what, who, day, at, location, meta)


def _update(  # noqa: PLR0913 - one argument for each field of the row
    kind: str, what: str, subject: str, day: int, at: float, location: str, meta: Json
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
        importance=UPDATE_IMPORTANCE,
        meta={"type": kind, "location": location, "what": disarmed(what), **meta},
        **{"trust": _TRUST, **given},
    )


def subjects_for(who: str, present: Collection[str]) -> set[str]:
    """Return those of whom a character may learn now: the world, itself, and who is there."""
    return {WORLD, who, *present}


def news_for(who: str, told: Told, updates: Iterable[MemoryRow], present: Collection[str]) -> News:
    """Return what a character learns now.

    `updates` are rows of the world container, oldest first. `present` are the ids of those who are
    there.
    """
    rows, of = list[MemoryRow](), dict(told.of)
    subjects = subjects_for(who, present)
    for row in updates:
        if row.subject not in subjects or row.id <= told.mark(row.subject):
            continue
        if may_read(who, row.readers):
            if len(rows) == MOST_AT_ONCE:
                break
            rows.append(row)
        of[row.subject] = row.id
    return News(rows, _settled(Told(told.upto, of)))


def _settled(told: Told) -> Told:
    """Return the same without the subjects heard of longest ago, if there are too many."""
    known = sorted(told.of.items(), key=lambda one: (one[0] != WORLD, -one[1]))
    kept, gone = known[:MOST_SUBJECTS], known[MOST_SUBJECTS:]
    return Told(max([told.upto, *(mark for _, mark in gone)]), dict(kept)) if gone else told


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
