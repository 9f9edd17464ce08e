"""The turns of all assistants as a list: what each answered, with which tools, at what cost."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from math import inf
from operator import itemgetter
from typing import Any

from django.db.models import Q, QuerySet

from ai_assistant.api.lifecycle import all_assistants
from ai_assistant.core.contracts import Json
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.text import clean, counted
from ai_assistant.core.times import DAY, iso
from ai_assistant.game.identity import SOMEBODY_GONE, entity_id, name_of
from ai_assistant.memory.inner.verdicts import VERDICTS
from ai_assistant.models import AssistantEvent, Memory, Participation
from ai_assistant.roleplay.message_formats import spoken_words
from ai_assistant.storage import attributes, ledgers
from ai_assistant.storage.calls.spending_rows import prices_of_turns
from ai_assistant.storage.statements import refusals

LOOKED_AT = 30_000
"""So many of the newest records are looked through: a turn makes some three."""
READ = 1000
"""So many turns of a kind are read."""
SHOWN = 200
SHORT = 8
"""So many letters of the id of a turn tell it apart from others."""
NEARBY = 100
"""Among so many records before a time is the last that was written: a commit may tell of what was
earlier than what the one before it told of."""
LAST = 2**63 - 1
"""No record has a higher number."""
NamedBodies = Mapping[str, tuple[int, str]]
"""The number of each assistant's object, and its name, by its lasting id."""


@dataclass(slots=True)
class TurnRow:
    """One turn in the list."""

    id: str
    """The id of the turn."""
    record: int
    """The number of its record; `WantedTurns.before` takes it."""
    ended: float
    """When it ended, in seconds since the epoch."""
    number: int
    """That of the assistant's object; 0 where it is gone."""
    name: str
    """The assistant's."""
    outcome: str
    """As `TurnCompleted` has it."""
    tokens: int
    """Of all its calls."""
    calls: int
    """Model calls, those included that failed or cost nothing."""
    words: str
    """What it said."""
    excuse: str = ""
    """What it did for want of an answer, and does not remember."""
    seconds: float | None = None
    """From the line that it answers to its end; None where it answers none."""
    people: list[str] = field(default_factory=list)
    """Names of those whose lines it answered."""
    asked: str = ""
    """The words of the last of those lines."""
    price: float | None = 0.0
    """Of its model calls, in dollars; None where that of one is unknown."""
    tools: list[str] = field(default_factory=list)
    """Names of those it called, in order; behind each that was refused, that it was."""
    events: list[str] = field(default_factory=list)
    """Ids of what it answered; none on a turn on its own."""
    mark: str = ""
    """``good`` or ``bad``, where staff marked it and marks are asked for."""

    @property
    def at(self) -> str:
        """When it ended, as times are stored."""
        return iso(self.ended)

    @property
    def failed(self) -> bool:
        """Did it end with an error?"""
        return self.outcome.startswith("failed")


ORDERS = {
    "newest": lambda row: 0,
    "cost": lambda row: -row.tokens,
    "latency": lambda row: -(row.seconds or 0),
}
_FAILED, _UNASKED = Q(data__outcome__startswith="failed"), Q(data__events=[])
_SILENT = Q(data__outcome__startswith="silent") | Q(data__outcome__startswith="dropped")
KINDS = {
    "": Q(),
    "failed": _FAILED,
    "unanswered": (_FAILED | _SILENT) & ~_UNASKED,
    "unasked": _UNASKED,
}
MARKS = ("", "good", "bad", "marked")
"""How staff marked turns: all, those marked so, and those marked at all."""


def turn_back(character: Any, number: int) -> str:
    """Return the id of an assistant's last turn but so many: 1 is the last.

    Raises `AssistantError` where fewer are on record.
    """
    records = ledgers.last(entity_id(character), "TurnCompleted", number)
    if len(records) < number:
        there_are = counted(len(records), "turn")
        raise AssistantError(f"{name_of(character)} has {there_are} on record.")
    return records[-1].turn_id


def turn_beginning(character: Any, begin: str) -> str:
    """Return the id of the last turn of an assistant that begins so, as lists show it.

    Raises `AssistantError` where none is on record.
    """
    of_it = AssistantEvent.objects.filter(assistant=entity_id(character), type="TurnCompleted")
    found = of_it.filter(turn_id__gte=begin, turn_id__lt=f"{begin}g").order_by("-seq")
    if len(begin) < SHORT or not (ids := found.values_list("turn_id", flat=True)[:1]):
        raise AssistantError(f"{name_of(character)} has no turn '#{clean(begin, 40)}' on record.")
    return str(ids[0])


def named_assistants() -> NamedBodies:
    """Return number and name of each assistant, by its lasting id and in the order of names."""
    return {entity_id(body): (body.pk, name_of(body)) for body in all_assistants()}


@dataclass(frozen=True, slots=True)
class WantedTurns:
    """Which turns are wanted, and how."""

    assistant: str = ""
    """The lasting id of the one whose turns they are; all of them where empty."""
    kind: str = ""
    """One of `KINDS`; another counts as all."""
    tool: str = ""
    """A tool that was called, by a part of its name; ``refused``: any that was refused."""
    who: str = ""
    """Somebody whose line was answered, by a part of the name."""
    word: str = ""
    """Words that stand in that line, or in what was said."""
    mark: str = ""
    """One of `MARKS`; another counts as all."""
    since: str = ""
    """The first day (UTC) on which they ended, as ``2026-11-21``; any where empty."""
    until: str = ""
    """The last such day."""
    before: int = 0
    """Only those whose records have lower numbers; 0 for all."""
    order: str = "newest"
    """One of `ORDERS`; another counts as ``newest``."""
    most: int = SHOWN
    """So many of them."""

    @property
    def are_newest(self) -> bool:
        """Are they all wanted as they come, or those of a kind?"""
        words = f"{self.tool}{self.who}{self.word}".strip()
        return not words and self.order not in ("cost", "latency")

    def fits(self, row: TurnRow) -> bool:
        """Are tool, person and words those that are wanted?"""
        said = (self.word, [row.asked, row.words, row.excuse])
        asked = ((self.tool, row.tools), (self.who, row.people), said)
        return all(
            not (word := part.strip().casefold()) or any(word in name.casefold() for name in names)
            for part, names in asked
        )

    @property
    def span(self) -> tuple[float, float]:
        """From when until when they ended. Raises `AssistantError` for what is no day."""
        first = _begin_of(self.since) if self.since.strip() else 0.0
        return first, _begin_of(self.until) + DAY if self.until.strip() else inf


def _begin_of(day: str) -> float:
    try:
        return datetime.strptime(day.strip(), "%Y-%m-%d").replace(tzinfo=UTC).timestamp()
    except ValueError:
        raise AssistantError(f"A day is such as 2026-11-21, not '{clean(day, 40)}'.") from None


def turn_rows(bodies: NamedBodies, wanted: WantedTurns) -> list[TurnRow]:
    """Return the newest turns that are wanted, by nine queries at most.

    A tool, a person and words are looked for among the newest `READ` of their kind. `bodies` are
    what `named_assistants` returns; the rest is in tables, so any thread may read it. Raises
    `AssistantError` for what is no day, and `StoreError`.
    """
    with refusals():
        rows = _read(bodies, wanted)
    found = sorted(filter(wanted.fits, rows), key=ORDERS.get(wanted.order, ORDERS["newest"]))
    shown = found if wanted.order == "cost" else found[: wanted.most]
    prices = prices_of_turns(row.id for row in shown)
    for row in shown:
        row.price, row.calls = prices.get(row.id, (0.0, row.calls))
    if wanted.order == "cost":
        shown.sort(key=lambda row: -(row.price or 0.0))
    return shown[: wanted.most]


def _read(bodies: NamedBodies, wanted: WantedTurns) -> list[TurnRow]:
    """Return turns of a kind among the newest records, newest first, with tools and people."""
    (first, end), number = wanted.span, "pk"
    records = AssistantEvent.objects.filter(pk__lt=_next_record(wanted.before, end))
    if wanted.assistant:
        number, records = "seq", records.filter(assistant=wanted.assistant)
    records = records.order_by(f"-{number}")
    oldest = records.values_list(number, flat=True)[LOOKED_AT - 1 : LOOKED_AT]
    records = records.filter(**{f"{number}__gte": next(iter(oldest), 0)})
    completed = records.filter(KINDS.get(wanted.kind, Q()), type="TurnCompleted")
    completed = completed.filter(at__gte=first) if first else completed
    completed = completed.filter(at__lt=end) if end < inf else completed
    marks = dict[str, str]()
    if wanted.mark in MARKS[1:]:
        marks = _marks(wanted.mark, bodies.get(wanted.assistant, (0,))[0])
        completed = completed.filter(turn_id__in=marks)
    most = wanted.most if wanted.are_newest else READ
    read = completed.values_list("assistant", "pk", "at", "turn_id", "data")[:most]
    rows = [_row(bodies.get(key), *rest) for key, *rest in read]
    for row in rows:
        row.mark = marks.get(row.id, "")
    _add_tools(rows, records)
    _add_people(rows)
    return rows


def _next_record(before: int, end: float) -> int:
    """Return the number behind the last record that is wanted: below `before`, before a time."""
    numbers = [before or LAST]
    if end < inf:
        earlier = AssistantEvent.objects.filter(at__lt=end).order_by("-at")
        numbers.append(max(earlier.values_list("pk", flat=True)[:NEARBY], default=0) + 1)
    return min(numbers)


def _marks(wanted: str, number: int) -> dict[str, str]:
    """Return how staff marked turns, by their ids: of all, or of one by its object's number."""
    verdicts = (
        verdict for kept in attributes.in_minds(VERDICTS, number) for verdict in kept["verdicts"]
    )
    marks = {one["turn_id"]: "good" if one["good"] else "bad" for one in verdicts}
    return {turn: mark for turn, mark in marks.items() if wanted in (mark, "marked")}


def _row(body: tuple[int, str] | None, record: int, at: float, turn_id: str, data: Json) -> TurnRow:
    number, name = body or (0, SOMEBODY_GONE)
    return TurnRow(
        id=turn_id,
        record=record,
        ended=at,
        number=number,
        name=name,
        outcome=data["outcome"],
        tokens=data["tokens"],
        calls=len(data["model_calls"]),
        words=data["speech"],
        excuse=data.get("excuse", ""),
        events=data["events"],
    )


def _add_tools(rows: Sequence[TurnRow], records: QuerySet[AssistantEvent]) -> None:
    """Note on each turn the tools that it called."""
    called = records.filter(type="ToolExecuted", turn_id__in=[row.id for row in rows])
    tools = defaultdict[str, list[str]](list)
    for turn_id, name, done in called.values_list("turn_id", "data__tool_name", "data__success"):
        tools[turn_id].append(name if done else f"{name} (refused)")
    for row in rows:
        row.tools = tools[row.id][::-1]


def _add_people(rows: Sequence[TurnRow]) -> None:
    """Note on each turn whose lines it answered, and how long the last waited."""
    events = [event for row in rows for event in row.events]
    found = Participation.objects.filter(event__in=events).values_list("event", "row")
    world_rows = dict(found)
    lines = Memory.objects.filter(pk__in=world_rows.values())
    told = lines.values_list("pk", "author_name", "learned_at", "content")
    known = {pk: line for pk, *line in told}
    for row in rows:
        said = [known[world_rows[event]] for event in row.events if world_rows.get(event) in known]
        row.people = sorted({name for name, _, _ in said})
        if said:
            _, at, words = max(said, key=itemgetter(1))
            row.asked, row.seconds = spoken_words(words), max(0.0, row.ended - at)
