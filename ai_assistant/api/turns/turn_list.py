"""The turns of all assistants as a list: what each answered, with which tools, at what cost."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil
from operator import itemgetter
from typing import Any

from ai_assistant.api.lifecycle import all_assistants
from ai_assistant.api.slices import in_slices, slices
from ai_assistant.core.contracts import Json
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.text import counted
from ai_assistant.core.times import iso
from ai_assistant.game.identity import entity_id, name_of
from ai_assistant.models import AssistantEvent, Memory, Participation
from ai_assistant.roleplay.message_formats import spoken_words
from ai_assistant.storage import ledgers
from ai_assistant.storage.calls.spending_rows import prices_of_turns

LOOKED_AT = 1000
"""So many of the newest records are looked through."""
SHOWN = 200
AT_ONCE = 100
"""Records that are read in one step of the reactor."""
PEOPLE_STEPS = 3
"""In so many steps people are added, however many turns there are: each step asks twice."""
_COLUMNS = ("assistant", "type", "at", "turn_id", "data")


@dataclass(slots=True)
class TurnRow:
    """One turn in the list."""

    id: str
    """The id of the turn."""
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
    """Model calls, those at no cost included."""
    words: str
    """What it said."""
    seconds: float | None = None
    """From the line that it answers to its end; None where it answers none."""
    people: list[str] = field(default_factory=list)
    """Names of those whose lines it answered."""
    asked: str = ""
    """The words of the last of those lines."""
    price: float | None = 0.0
    """Of its model calls, in dollars; None where that of one is unknown."""
    tools: list[str] = field(default_factory=list)
    """Names of those it called, in order."""
    events: list[str] = field(default_factory=list)
    """Ids of what it answered; none on a turn on its own."""

    @property
    def at(self) -> str:
        """When it ended, as times are stored."""
        return iso(self.ended)

    @property
    def failed(self) -> bool:
        """Did it end with an error?"""
        return self.outcome.startswith("failed")

    @property
    def silent(self) -> bool:
        """Was nothing said or done about a line?"""
        return bool(self.events) and self.outcome.startswith(("failed", "silent", "dropped"))


ORDERS = {
    "newest": lambda row: 0,
    "cost": lambda row: -row.tokens,
    "latency": lambda row: -(row.seconds or 0),
}
KINDS = {
    "": lambda row: True,
    "failed": lambda row: row.failed,
    "unanswered": lambda row: row.silent,
    "unasked": lambda row: not row.events,
}


def turn_back(character: Any, number: int) -> str:
    """Return the id of an assistant's last turn but so many: 1 is the last.

    Raises `AssistantError` where fewer are on record.
    """
    records = ledgers.last(entity_id(character), "TurnCompleted", number)
    if len(records) < number:
        there_are = counted(len(records), "turn")
        raise AssistantError(f"{name_of(character)} has {there_are} on record.")
    return records[-1].turn_id


def turn_rows(*, assistant: str = "", **wanted: str) -> list[TurnRow]:
    """Return the newest turns, by one of `ORDERS`, by a fixed number of queries.

    Args:
        assistant: The lasting id of the one whose turns are wanted; all of them where empty.
        wanted: As `wanted_rows` takes it.
    """
    return wanted_rows(read_turns(assistant=assistant), **wanted)


def read_turns(*, assistant: str = "") -> list[TurnRow]:
    """Return all turns among the newest records, newest first, of one assistant or of all."""
    rows = list[TurnRow]()
    deque(_read(rows, assistant), maxlen=0)
    return rows


async def turn_rows_in_slices(*, assistant: str = "", **wanted: str) -> list[TurnRow]:
    """Return the same, read bit by bit, between which the game goes on."""
    rows = list[TurnRow]()
    await in_slices(_read(rows, assistant))
    return wanted_rows(rows, **wanted)


def wanted_rows(
    rows: list[TurnRow], *, kind: str = "", tool: str = "", who: str = "", order: str = "newest"
) -> list[TurnRow]:
    """Return those of some turns that are wanted, and no more than are shown.

    Args:
        rows: The turns, newest first.
        kind: One of `KINDS`.
        tool: A tool that was called, by a part of its name.
        who: Somebody whose line was answered, by a part of the name.
        order: One of `ORDERS`; another counts as ``newest``.
    """
    wanted, tool, who = KINDS.get(kind, KINDS[""]), tool.strip().casefold(), who.strip().casefold()
    found = [
        row
        for row in rows
        if wanted(row)
        and (not tool or any(tool in name.casefold() for name in row.tools))
        and (not who or any(who in name.casefold() for name in row.people))
    ]
    ordered = sorted(found, key=ORDERS.get(order, ORDERS["newest"]))
    shown = ordered if order == "cost" else ordered[:SHOWN]
    prices = prices_of_turns(row.id for row in shown)
    for row in shown:
        row.price = prices.get(row.id, 0.0)
    return sorted(shown, key=_by_price)[:SHOWN] if order == "cost" else shown


def _by_price(row: TurnRow) -> float:
    """Return by what the dearest come first; of one price, those with most tokens."""
    return -(row.price or 0.0)


def _read(rows: list[TurnRow], assistant: str) -> Iterator[None]:
    """Fill in the turns among the newest records, newest first, with tools and people of each."""
    number, records = "id", AssistantEvent.objects.all()
    if assistant:
        number, records = "seq", records.filter(assistant=assistant)
    older = records.order_by(f"-{number}")
    bodies = {entity_id(body): body for body in all_assistants()}
    tools = defaultdict[str, list[str]](list)
    for _ in range(LOOKED_AT // AT_ONCE):
        page = list(older.values_list(number, *_COLUMNS)[:AT_ONCE])
        for _, key, kind, at, turn_id, data in page:
            if kind == "ToolExecuted":
                tools[turn_id].insert(0, data["tool_name"])
            elif kind == "TurnCompleted":
                rows.append(_row(bodies.get(key), at, turn_id, data))
        yield None
        if len(page) < AT_ONCE:
            break
        older = older.filter(**{f"{number}__lt": page[-1][0]})  # newer ones come meanwhile
    for some in slices(rows, max(1, ceil(len(rows) / PEOPLE_STEPS))):
        _add_people(some, tools)
        yield None


def _row(body: Any, at: float, turn_id: str, data: Json) -> TurnRow:
    return TurnRow(
        id=turn_id,
        ended=at,
        number=body.pk if body else 0,
        name=name_of(body) if body else "somebody gone",
        outcome=data["outcome"],
        tokens=data["tokens"],
        calls=len(data["model_calls"]),
        words=data["speech"],
        events=data["events"],
    )


def _add_people(rows: Sequence[TurnRow], tools: Mapping[str, list[str]]) -> None:
    """Note on each turn its tools, whose lines it answered, and how long the last waited."""
    events = [event for row in rows for event in row.events]
    found = Participation.objects.filter(event__in=events).values_list("event", "row")
    world_rows = dict(found)
    lines = Memory.objects.filter(pk__in=world_rows.values())
    told = lines.values_list("pk", "author_name", "learned_at", "content")
    known = {pk: line for pk, *line in told}
    for row in rows:
        row.tools = tools[row.id]
        said = [known[world_rows[event]] for event in row.events if world_rows.get(event) in known]
        row.people = sorted({name for name, _, _ in said})
        if said:
            _, at, words = max(said, key=itemgetter(1))
            row.asked, row.seconds = spoken_words(words), max(0.0, row.ended - at)
