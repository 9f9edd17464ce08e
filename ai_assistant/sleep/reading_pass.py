"""A pass: the lines of one label that the night's model reads at once, and what is known beside."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import accumulate
from typing import Any

from ai_assistant.core.contracts import Entity, Json, MemoryRow
from ai_assistant.core.model_records import PromptSection
from ai_assistant.core.quotes import tokens
from ai_assistant.core.times import Calendar, epoch
from ai_assistant.language.address import gestures_at
from ai_assistant.language.words import extent
from ai_assistant.memory.people.traits import OWN, SEEN, THOUGHT, TOLD, basis_of

NOTE, SHOWN = "note", "seen"
"""Kinds of lines: what the character noted itself, and what the game told it."""
LINES_A_CALL = 50
ROOM = 12_000
"""Letters of the lines of one pass: each is whole, so of long ones it shows fewer."""
SLACK = 5
"""Lines by which a pass may be longer or shorter, to end where a talk does."""
LONGEST_LINE = 600
"""Letters of a line as the night reads it: what nobody says in one breath ends at a word."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line as it is read: a row of the container, or a note that is none yet."""

    says: str
    """Its words, up to `LONGEST_LINE`."""
    kind: str
    """How it was said: `SHOWN`, `NOTE`, or a kind of speech."""
    author: str
    """The id of whose word it is; several with commas between."""
    name: str
    """That one's name then."""
    at: float
    """When it was said, in seconds since the epoch."""
    row: int = 0
    """The row's id; 0 for a note that is no row yet."""
    event: str = ""
    """The id of what was heard, where it is known."""
    turn: str = ""
    """The id of the turn it was saved with."""
    about: str = ""
    """The id of whom a note is about."""
    basis: str = ""
    """On whose word a note stands: see `traits.STRENGTH`."""
    to_me: bool = False
    """Was it said to the character?"""
    to: str = ""
    """The id of whom the character's own line answers."""
    is_own: bool = False
    """Is it the character's own?"""
    fresh: bool = True
    """Is it used up by this pass, and not read before?"""
    note: Json | None = None
    """The note of the profile that it is; None for a row."""

    @property
    def is_talk(self) -> bool:
        """Is it of the character's own talk: said to it, or its answer?"""
        return self.to_me or (self.is_own and self.kind != NOTE)

    def word_on(self, subject: str) -> str:
        """Say on whose word this line tells of somebody; empty for the character's own words."""
        if self.is_own and self.kind != SHOWN:
            return ""
        if self.basis in (TOLD, THOUGHT) or self.kind == SHOWN:
            return self.basis or SEEN
        if self.basis == SEEN and self.author != subject:
            return SEEN
        return OWN if self.author == subject else TOLD


@dataclass(frozen=True, slots=True)
class Held:
    """Something that is held on somebody: a trait of their profile."""

    entity: str
    """The id of whom it is about."""
    trait: Json
    """The trait as the profile has it."""

    @property
    def readers(self) -> str:
        """Return its label."""
        return str(self.trait.get("readers", ""))

    @property
    def at(self) -> float:
        """When it was learned, in seconds since the epoch."""
        return epoch(self.trait.get("created", ""))

    @property
    def basis(self) -> str:
        """On whose word it is held."""
        return basis_of(self.trait, self.entity)


@dataclass(frozen=True, slots=True)
class Pass:
    """What the model reads at once."""

    label: str
    """The exact label of its lines."""
    me: Entity
    """The character who reads."""
    lines: Mapping[str, Line]
    """By the handles that the request shows."""
    people: Mapping[str, Entity]
    """By the names that the request shows."""
    known: Mapping[str, Held]
    """What is held already, by the handles that the request shows."""
    names: frozenset[str] = field(compare=False)
    """All that the game knows; what it hears of meanwhile makes it no other pass."""
    last: int
    """The id up to which the label's rows are read after this pass."""
    count: int
    """How many of them it reads."""
    only_mine: bool = False
    """Does it read only the character's own talk?"""
    again: tuple[int, ...] = ()
    """Ids of rows that a later pass reads once more."""

    @property
    def fresh(self) -> int:
        """How many lines were never read before."""
        return sum(line.fresh for line in self.lines.values())

    @property
    def used(self) -> int:
        """How many lines this pass uses up: new ones, and those that are read once more."""
        return sum(line.fresh or line.note is None for line in self.lines.values())

    def handle_of(self, entity: str) -> str:
        """Return the handle of somebody; empty for who is not shown."""
        return next((handle for handle, who in self.people.items() if who.id == entity), "")

    def of_whom(self, line: Line) -> Iterator[str]:
        """Yield the ids of those whom a line tells of: by whom, to whom and about whom it is, and
        whom it calls by a part of their name that nobody else shown bears ("the captain").
        """
        yield from (line.author, line.to, line.about)
        everybody = (self.me, *self.people.values())
        borne = Counter(word for who in everybody for word in {*tokens(who.name)})
        for who in self.people.values():
            own = " ".join(word for word in tokens(who.name) if borne[word] == 1)
            if own and gestures_at(line.says, (own,)):
                yield who.id

    def sections(self, calendar: Calendar) -> tuple[PromptSection, ...]:
        """Return the request as data, with the dates of the game."""
        today = f"{calendar.date(calendar.now):%Y-%m-%d, %A}"
        parts: Mapping[str, Iterable[Json]] = {
            "me": [{"name": self.me.name, "today": today}],
            "people": (
                {"who": handle, "name": who.name, "kind": who.kind}
                for handle, who in self.people.items()
            ),
            "known": (self._known(id, held, calendar) for id, held in self.known.items()),
            "lines": self._lines(calendar),
        }
        return tuple(PromptSection(key, tuple(rows)) for key, rows in parts.items())

    def _known(self, id: str, held: Held, calendar: Calendar) -> Json:
        since = f"{calendar.date(held.at):%Y-%m-%d %H:%M}" if held.at else ""
        who = self.handle_of(held.entity)
        return {"id": id, "who": who, "fact": held.trait["value"], "since": since}

    def _lines(self, calendar: Calendar) -> Iterator[Json]:
        for id, line in self.lines.items():
            row = {
                "id": id,
                "who": "me"
                if line.is_own or line.kind == NOTE
                else self.handle_of(line.author.partition(",")[0]),
                "to": "me" if line.to_me else self.handle_of(line.to),
                "kind": line.kind,
                "when": f"{calendar.date(line.at):%Y-%m-%d %H:%M}",
                "says": line.says,
            }
            yield row | ({"about": self.handle_of(line.about)} if line.about else {})


def end_of_pass(rows: Sequence[MemoryRow], most: int) -> int:
    """Return how many rows a pass reads: about `most`, up to where the talk paused longest.

    No answer begins the next pass without its question.
    """
    room = len(within_a_pass(rows, LINES_A_CALL))
    if len(rows) <= min(most, room):
        return len(rows)
    nearest = max(1, min(most, room))

    def pause(end: int) -> tuple[bool, int, int]:
        last, following = rows[end - 1].meta.get("turn"), rows[end : end + 1]
        is_torn = any(row.meta.get("turn") == last for row in following if last)
        length = sum(round(row.learned_at - rows[end - 1].learned_at) for row in following)
        return (not is_torn, length, -abs(end - nearest))

    return max(range(max(1, nearest - SLACK), min(nearest + SLACK, room) + 1), key=pause)


def within_a_pass(rows: Sequence[MemoryRow], most: int) -> list[MemoryRow]:
    """Return so many of the first rows as one pass has room for, `most` at most."""
    sizes = accumulate(min(extent(row.content), LONGEST_LINE) for row in rows[:most])
    count = sum(1 for size in sizes if size <= ROOM)
    return [*rows[:count]]


def by_time(lines: Sequence[Line]) -> list[Line]:
    """Return lines by time, each note right behind the line of whose word it was made."""
    heard = sorted((said.at, said.row, said.author) for said in lines if said.kind != NOTE)

    def place(line: Line) -> tuple[float, int, float]:
        if line.kind != NOTE:
            return (line.at, line.row, 0.0)
        before = (
            earlier
            for earlier in reversed(heard)
            if earlier[0] <= line.at and earlier[2] == line.author
        )
        at, row, _ = next(before, (line.at, line.row, ""))
        return (at, row, line.at)

    return sorted(lines, key=place)


def answering(lines: Sequence[Line]) -> list[Line]:
    """Return lines with whom the character's own answer."""
    heard: dict[str, list[Line]] = {}
    for line in lines:
        if not line.is_own and line.kind != NOTE and line.turn:
            heard.setdefault(line.turn, []).append(line)
    return [
        replace(line, to=_answered(heard.get(line.turn, ())))
        if line.is_own and not line.to
        else line
        for line in lines
    ]


def _answered(heard: Sequence[Line]) -> str:
    """Return who spoke to it last of what it heard in a turn, or who alone spoke."""
    mine = [line.author for line in heard if line.to_me]
    alone = {line.author for line in heard}
    return mine[-1] if mine else alone.pop() if len(alone) == 1 else ""


def sections_text(sections: Sequence[PromptSection]) -> str:
    """Return sections as one JSON object, with a line for each of their rows."""
    between, dumps = ",\n", partial(json.dumps, ensure_ascii=False)
    parts = (
        f'"{section.key}": [\n{between.join(map(dumps, section.rows))}\n]' for section in sections
    )
    return f"{{{between.join(parts)}}}"


def named_in(texts: Iterable[str], names: Mapping[str, Any]) -> list[str]:
    """Return those keys of `names` that the texts hold as whole words, capitals or not."""
    said = f" {' '.join(word for text in texts for word in tokens(text))} "
    return [name for name in names if f" {' '.join(tokens(name))} " in said]
