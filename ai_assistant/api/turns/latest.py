"""What an assistant answered and left unanswered of late, and why."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ai_assistant.api.handlers import store_of
from ai_assistant.api.turns.rules_in_words import rule_in_words
from ai_assistant.api.turns.traces import Trace, put_together
from ai_assistant.core.contracts import IN_KIND, AuditRecord, Json
from ai_assistant.core.times import iso
from ai_assistant.game.identity import entity_id
from ai_assistant.memory.talk.stream import entry_of
from ai_assistant.runtime.service import SERVICE
from ai_assistant.storage import ledgers

SPOKEN = frozenset({"say", *IN_KIND})
TURNED_TO = frozenset({"addressed", "direct", "engaged", "alone", "for_all"})
"""What is told of without an answer: words, and whatever else was meant for it by its rule."""


@dataclass(frozen=True, slots=True)
class Unanswered:
    """A line without an answer."""

    at: str
    """When it was heard, as times are stored."""
    who: str
    """The speaker's name."""
    kind: str
    """As the event's `source_type`."""
    words: str
    """What was said; empty where it was not kept."""
    rule: str
    """Why it was not answered, in words."""
    closed: str = ""
    """For what reason, if it had waited for an answer."""


@dataclass(frozen=True, slots=True)
class Lately:
    """What an assistant answered and left unanswered of late, and why."""

    turns: list[Trace]
    """Its last turns, newest first."""
    unanswered: list[Unanswered]
    """Lines that it kept and did not answer, oldest first."""
    passed_over: list[Unanswered]
    """What it did not even keep."""


def lately(character: Any, count: int) -> Lately:
    """Return an assistant's last turns, so many, and what it left unanswered."""
    entries = store_of(character).read("stream")["entries"]
    said = {entry["id"]: entry for entry in entries}
    records = ledgers.last(entity_id(character), "TurnCompleted", max(count, len(entries)))
    key = entity_id(character)
    traces = [
        put_together(character, record, ledgers.of_turn(key, record.turn_id), said)
        for record in records[:count]
    ]
    return Lately(traces, _unanswered(character, entries, records), [*passed_over(character)])


def _unanswered(
    character: Any, entries: Sequence[Json], turns: Iterable[AuditRecord]
) -> list[Unanswered]:
    key = entity_id(character)
    answered = {event for turn in turns for event in turn.data["events"]}
    closings = ledgers.last(key, "EventClosed", len(entries))
    closed = {record.data["event"]: record.data["reason"] for record in closings}
    resident = SERVICE.residents.get(key)
    waiting = [entry_of(event) for event in resident.mind.heard] if resident else []
    return [
        Unanswered(
            entry["timestamp"],
            entry["who"],
            entry["kind"],
            entry["content"],
            rule_in_words(entry["rule"], entry.get("cause")),
            closed.get(entry["id"], ""),
        )
        for entry in (*entries, *waiting)
        if entry["event_type"] == "external"
        and entry.get("rule")
        and entry["id"] not in answered
        and (entry["kind"] in SPOKEN or entry["rule"] in TURNED_TO)
    ]


def passed_over(character: Any) -> Iterator[Unanswered]:
    """Yield what was not even kept of late: no words, and why."""
    resident = SERVICE.residents.get(entity_id(character))
    for event in resident.passed_over if resident else ():
        rule = rule_in_words(event.addressing, event.cause)
        yield Unanswered(iso(event.timestamp), event.source.name, event.source_type, "", rule)
