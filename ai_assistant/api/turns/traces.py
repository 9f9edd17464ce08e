"""Traces: what decided a turn and what came of it, put together from the records that it left."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, pairwise
from typing import Any

from ai_assistant.agent.keeping.why import REASONS
from ai_assistant.agent.turn.speech_rules import ANSWERED_IN_KIND
from ai_assistant.api.editing import find_item
from ai_assistant.api.handlers import store_of
from ai_assistant.api.past_states import names_by_id
from ai_assistant.api.turns.rules_in_words import decision_in_words, rule_in_words
from ai_assistant.core.contracts import AuditRecord, Entity, Event, Json
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.times import iso
from ai_assistant.game.identity import entity_id, person
from ai_assistant.memory.redaction import mark_of
from ai_assistant.memory.talk.stream import entry_of
from ai_assistant.models import Memory, Participation
from ai_assistant.roleplay.message_formats import spoken_words
from ai_assistant.roleplay.takes import UNDONE
from ai_assistant.runtime.service import SERVICE
from ai_assistant.storage import ledgers

SPOKEN = frozenset({"say", *ANSWERED_IN_KIND})
TURNED_TO = frozenset({"addressed", "direct", "engaged", "alone", "for_all"})
"""What is told of without an answer: words, and whatever else was meant for it by its rule."""
ToolLists = dict[str, list[str]]
"""Names of tools, by what became of them."""
FORGOTTEN = "(forgotten, or changed since)"


@dataclass(frozen=True, slots=True)
class TracedParty:
    """Who took part in a line, as one decision has it."""

    names: list[str]
    """Those who took part."""
    by: str
    """The rule that said so, or the model."""
    sure: bool
    """Was it certain?"""
    overheard: list[str] = field(default_factory=list)
    """Those who could hear it as well."""
    scene: str | None = None
    """The scene in whose time line it stands; None where it was taken back."""

    @property
    def told(self) -> str:
        """What said so, in words; empty where nothing is to be said of that."""
        return decision_in_words(self.by, is_sure=self.sure)


@dataclass(frozen=True, slots=True)
class TracedLine:
    """A line that a turn answered."""

    id: str
    """The id of its event."""
    entry: Json | None
    """As the stream has it, or had it; None where it is on record no more."""
    rule: str
    """Why it was answered, in words."""
    parties: list[TracedParty]
    """Who took part in it; one entry for each decision."""


@dataclass(frozen=True, slots=True)
class TracedMemory:
    """A memory that came to mind or was looked up."""

    ref: str
    """In full, as `editing.find_item` takes it."""
    words: str
    """What it says now; `FORGOTTEN` where that is another."""
    figures: dict[str, Any]
    """What decided that it came, by name."""


@dataclass(frozen=True, slots=True)
class TracedCall:
    """One call of a tool."""

    record: Json
    """The data of `ToolExecuted`."""
    people: list[str] = field(default_factory=list)
    """Names of those who were looked up."""
    found: list[TracedMemory] = field(default_factory=list)
    """Memories that it found."""


@dataclass(frozen=True, slots=True)
class Trace:
    """One turn, with what decided it."""

    id: str
    """The id of the turn."""
    at: str
    """When it ended, as times are stored."""
    readers: str
    """The label of its record."""
    record: Json
    """The data of `TurnCompleted`."""
    lines: list[TracedLine]
    """What it answered."""
    recalled: list[TracedMemory]
    """What came to mind by itself."""
    calls: list[TracedCall]
    """What its tools did, in order."""
    tools: ToolLists
    """Which tools the model had in its first step, and what took the others away."""
    later: dict[str, ToolLists]
    """What differed from the step before, by the numbers of the later steps."""


def trace_of(character: Any, turn_id: str) -> Trace:
    """Return one turn of an assistant. Raises `AssistantError` where there is no record of it."""
    said = {entry["id"]: entry for entry in store_of(character).read("stream")["entries"]}
    records = ledgers.of_turn(entity_id(character), turn_id)
    for record in records:
        if record.type == "TurnCompleted":
            return _trace(character, record, records, said)
    raise AssistantError("There is no record of that turn, or not any more.")


def _trace(
    character: Any, record: AuditRecord, records: Iterable[AuditRecord], said: Mapping[str, Json]
) -> Trace:
    told, why = record.data, record.data.get("why", {})
    rules, causes = why.get("rules", {}), why.get("causes", {})
    steps = [(str(made["step"]), _lists(made)) for made in why.get("tools", [])]
    parties: dict[str, list[TracedParty]] = {event: [] for event in told["events"]}
    decisions = list(Participation.objects.filter(event__in=parties))
    gone = {made.row: made.event for made in decisions if made.event not in said}
    said = {**said, **{gone[row.pk]: _as_entry(row) for row in Memory.objects.filter(pk__in=gone)}}
    there = [_took_part_and_heard(made) for made in decisions]
    names = names_by_id(character, chain(*chain(*there)))
    for made, ids in zip(decisions, there, strict=True):
        party, others = ([names[who] for who in some] for some in ids)
        scene = None if made.by == UNDONE else made.session
        parties[made.event].append(TracedParty(party, made.by, made.sure, others, scene))
    return Trace(
        id=record.turn_id,
        at=iso(record.at),
        readers=record.readers,
        record=told,
        lines=[
            TracedLine(
                event, said.get(event), rule_in_words(rules.get(event), causes.get(event)), made
            )
            for event, made in parties.items()
        ],
        recalled=_memories(character, why.get("recalled", [])),
        calls=[_call(character, call.data) for call in records if call.type == "ToolExecuted"],
        tools=steps[0][1] if steps else {},
        later={step: differing(lists, before) for (_, before), (step, lists) in pairwise(steps)},
    )


def _took_part_and_heard(made: Participation) -> tuple[list[str], list[str]]:
    party = [who["id"] for who in made.participants]
    return party, [who for who in made.hearers if who not in party]


def _call(character: Any, record: Json) -> TracedCall:
    hits = record.get("found", [])
    people = [person(hit["about"]) for hit in hits if "about" in hit]
    return TracedCall(record, people, _memories(character, hits))


def _memories(character: Any, hits: Iterable[Json]) -> list[TracedMemory]:
    return [
        TracedMemory(
            hit["ref"],
            _words(character, hit),
            {name: value for name, value in hit.items() if name not in ("ref", "mark")},
        )
        for hit in hits
        if "ref" in hit
    ]


def _words(character: Any, hit: Json) -> str:
    """Return what a memory says now; where another has moved up to its reference, it is gone."""
    try:
        words = find_item(character, hit["ref"]).words
    except AssistantError:
        return FORGOTTEN
    return words if mark_of(words) == hit["mark"] else FORGOTTEN


def _as_entry(row: Memory) -> Json:
    """Return a line as the stream had it, of which the world's record is left."""
    who, said = Entity(row.author, row.author_name), spoken_words(row.content)
    event = Event(row.meta["event"], row.learned_at, "external", who, row.meta["type"], said)
    return entry_of(replace(event, readers=row.readers, place_name=row.location))


def _lists(verdicts: Json) -> ToolLists:
    lists = {"could do": verdicts["shown"], "could do by plain words": verdicts["spoken"]}
    lists |= {REASONS.get(reason, reason): tools for reason, tools in verdicts["taken"].items()}
    lists["not told of, by kit"] = [f"{kit} {count}" for kit, count in verdicts["closed"].items()]
    return {name: tools for name, tools in lists.items() if tools}


def differing(lists: ToolLists, before: ToolLists) -> ToolLists:
    """Return the lists that are not as before; one that there is no more holds nothing."""
    every = {name: lists.get(name, []) for name in lists | before}
    return {name: tools for name, tools in every.items() if tools != before.get(name, [])}


# -- what was not answered


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
        _trace(character, record, ledgers.of_turn(key, record.turn_id), said)
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
