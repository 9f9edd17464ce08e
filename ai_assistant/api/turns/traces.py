"""Traces: what decided a turn and what came of it, put together from the records that it left."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, pairwise
from typing import Any

from ai_assistant.agent.keeping.why import REASONS
from ai_assistant.agent.turn.speech_rules import MOST_PIECES
from ai_assistant.api.editing import Item, find_items
from ai_assistant.api.handlers import store_of
from ai_assistant.api.past_states import names_by_id
from ai_assistant.api.turns.rules_in_words import decision_in_words, rule_in_words
from ai_assistant.core.contracts import AuditRecord, Entity, Event, Json
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.times import iso
from ai_assistant.game.identity import entity_id, find, name_of, person
from ai_assistant.memory.redaction import mark_of
from ai_assistant.memory.talk.stream import entry_of
from ai_assistant.models import Memory, Participation
from ai_assistant.roleplay.message_formats import spoken_words
from ai_assistant.roleplay.takes import UNDONE
from ai_assistant.storage import ledgers

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
    """The data of `ToolExecuted`, its parameters with names where the model gave handles."""
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
    heard: list[TracedParty]
    """Who took part in what it said, and who heard it; once for pieces that were heard by the same,
    nothing for words on a channel."""
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
            return put_together(character, record, records, said)
    raise AssistantError("There is no record of that turn, or not any more.")


def put_together(
    character: Any, record: AuditRecord, records: Iterable[AuditRecord], said: Mapping[str, Json]
) -> Trace:
    """Return a turn from its `TurnCompleted` and all its `records`; `said` is the stream by id."""
    told, why = record.data, record.data.get("why", {})
    calls = [other.data for other in records if other.type == "ToolExecuted"]
    recalled = why.get("recalled", [])
    hits = chain(recalled, *(call.get("found", []) for call in calls))
    items = find_items(character, {hit["ref"] for hit in hits if "ref" in hit})
    rules, causes = why.get("rules", {}), why.get("causes", {})
    steps = [(str(made["step"]), _lists(made)) for made in why.get("tools", [])]
    own = [f"{record.turn_id}.said.{n}" for n in range(1, MOST_PIECES + 1)]
    decisions = list(Participation.objects.filter(event__in=[*told["events"], *own]))
    parties = _parties(character, decisions)
    gone = {made.row: made.event for made in decisions if made.event not in {*said, *own}}
    said = {**said, **{gone[row.pk]: _as_entry(row) for row in Memory.objects.filter(pk__in=gone)}}
    heard = [party for event in own for party in parties.get(event, ())]
    return Trace(
        id=record.turn_id,
        at=iso(record.at),
        readers=record.readers,
        record=told,
        lines=[
            TracedLine(
                event,
                said.get(event),
                rule_in_words(rules.get(event), causes.get(event)),
                parties.get(event, []),
            )
            for event in told["events"]
        ],
        heard=[party for n, party in enumerate(heard) if party not in heard[:n]],
        recalled=_memories(recalled, items),
        calls=[_call(call, items) for call in calls],
        tools=steps[0][1] if steps else {},
        later={step: differing(lists, before) for (_, before), (step, lists) in pairwise(steps)},
    )


def _parties(character: Any, decisions: Sequence[Participation]) -> dict[str, list[TracedParty]]:
    """Return who took part in lines and who could hear them as well, by the ids of the lines."""
    there = [_took_part_and_heard(made) for made in decisions]
    names, parties = names_by_id(character, chain(*chain(*there))), dict[str, list[TracedParty]]()
    for made, ids in zip(decisions, there, strict=True):
        party, others = ([names[who] for who in some] for some in ids)
        scene = None if made.by == UNDONE else made.session
        traced = TracedParty(party, made.by, made.sure, others, scene)
        parties.setdefault(made.event, []).append(traced)
    return parties


def _took_part_and_heard(made: Participation) -> tuple[list[str], list[str]]:
    party = [who["id"] for who in made.participants]
    return party, [who for who in made.hearers if who not in party]


def _call(record: Json, items: Mapping[str, Item]) -> TracedCall:
    hits = record.get("found", [])
    people = [person(hit["about"]) for hit in hits if "about" in hit]
    meant = {handle: find(id) for handle, id in record.get("meant", {}).items()}
    told = {
        name: name_of(body) if isinstance(value, str) and (body := meant.get(value)) else value
        for name, value in record.get("parameters", {}).items()
    }
    return TracedCall(record | {"parameters": told}, people, _memories(hits, items))


def _memories(hits: Iterable[Json], items: Mapping[str, Item]) -> list[TracedMemory]:
    return [
        TracedMemory(
            hit["ref"],
            _words(items.get(hit["ref"]), hit["mark"]),
            {name: value for name, value in hit.items() if name not in ("ref", "mark")},
        )
        for hit in hits
        if "ref" in hit
    ]


def _words(item: Item | None, mark: str) -> str:
    """Return what a memory says now; where another has moved up to its reference, it is gone."""
    return item.words if item and mark_of(item.words) == mark else FORGOTTEN


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
