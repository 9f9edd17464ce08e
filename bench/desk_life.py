"""A game that has been played for long, in a moment: its characters, and rows by the million."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from django.db import connection, transaction

from ai_assistant.core.contracts import Change, Commit
from ai_assistant.core.model_records import Message, ModelReply, ModelRequest
from ai_assistant.game.identity import entity_id
from ai_assistant.memory.redaction import mark_of
from ai_assistant.models import (
    AssistantEvent,
    Memory,
    ModelCall,
    Participation,
    Scene,
    StateChange,
)
from ai_assistant.storage.calls.call_rows import NewCall, insert_calls
from ai_assistant.storage.calls.packing import pack
from bench import people

PER_ROOM = 4
TURNS = 500
"""Turns on record of each character, with one call of the model and of a tool each."""
COMMITS = 300
"""Of those turns the last, each of which told what became of a state."""
PROMPT = "You keep the ferry of a village, and speak plainly. " * 80
RECALLED = 6
HITS = RECALLED + 16
"""Memories that each of those turns saw: first those that came to mind, then what a tool found."""
LINES = 100
"""Lines of the game for each character, of which it is on record who took part."""
GOALS = ("Mend the ferry", "Find planks that are long and dry", "Ask the smith for nails")
BATCH = 5_000
MINUTE = 60.0


def settle(bodies: list[Any], number: int) -> list[Any]:
    """Add characters with a past until there are so many; returns those that are new."""
    new = list[Any]()
    while len(bodies) + len(new) < number:
        at = len(bodies) + len(new)
        if not new or at % PER_ROOM == 0:
            room = people.a_room(f"Room {at}")
            guests = [people.a_player(f"guest{at}-{guest}", room) for guest in "ab"]
        new.append(people.an_assistant(f"Rowan{at}", room))
        people.give_past(new[-1], guests)
        for words in GOALS:
            new[-1].goals.add_goal(words, "high")
        new[-1].journal.add_journal_entry("The bridge is out, and the ferry leaks.")
        new[-1].projects.create_project(f"ferry{at}", "Mend the ferry.")
    bodies += new
    return new


def last_turn_of(body: Any) -> str:
    """Return the id of the newest of the turns that `fill` gave to a character."""
    return f"old-{entity_id(body)}-{TURNS - 1}"


def last_call_of(body: Any) -> int:
    """Return the number of the newest model call that `fill` gave to a character."""
    own = ModelCall.objects.filter(assistant=entity_id(body), turn_id=last_turn_of(body))
    return int(own.values_list("pk", flat=True)[0])


def fill(bodies: Sequence[Any], rows: int) -> None:
    """Give each of these so many memories, its turns with their calls and states, and its part in
    what the game heard.

    They stand in the database alone, where the pages read: the index in memory is not told.
    """
    keys = [entity_id(body) for body in bodies]
    _insert(Memory, _memories(keys[0], rows))
    _insert(AssistantEvent, _events(keys[0]))
    insert_calls([*_calls(keys[0])])
    _save_states(bodies[0])
    for key in keys:
        if key != keys[0]:
            _copy(Memory, "container", keys[0], key)
            _copy(AssistantEvent, "assistant", keys[0], key)
            _copy(ModelCall, "assistant", keys[0], key)
            _copy(StateChange, "sequence", keys[0], key)
        _insert(Participation, _lines(key, keys))
        Scene.objects.create(
            session=f"scene-{key}",
            title=f"The night of {key}",
            status="ended",
            created=1,
            updated=1,
        )
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


def _insert(table: Any, rows: Iterator[Any]) -> None:
    while batch := [*islice(rows, BATCH)]:
        with transaction.atomic():
            table.objects.bulk_create(batch)


def _copy(table: Any, owner: str, first: str, key: str) -> None:
    """Give one character what the first was given, under its own ids: by the database alone."""
    names = [field.column for field in table._meta.concrete_fields if not field.primary_key]
    quoted = {name: connection.ops.quote_name(name) for name in names}
    texts = {"meta", "data", "turn_id", "key", owner} & {*names}
    values = [f"REPLACE({quoted[it]}, %s, %s)" if it in texts else quoted[it] for it in names]
    given = [word for it in names if it in texts for word in (first, key)]
    made = next(it for it in ("turn_id", "meta", "data") if it in names)
    statement = (
        f"INSERT INTO {table._meta.db_table} ({', '.join(quoted.values())}) "  # noqa: S608 - ours
        f"SELECT {', '.join(values)} FROM {table._meta.db_table} "
        f"WHERE {quoted[owner]} = %s AND {quoted[made]} LIKE %s"
    )
    with connection.cursor() as cursor:
        cursor.execute(statement, [*given, first, f"%old-{first}-%"])


def _memories(key: str, count: int) -> Iterator[Memory]:
    began = time.time() - count * MINUTE
    for at in range(count):
        line = people.SMALL_TALK[at % len(people.SMALL_TALK)]
        yield Memory(
            container=key,
            kind="utterance",
            content=f"{line} ({at})",
            author=f"guest{at % 40}",
            author_name=f"Guest {at % 40}",
            readers="*" if at % 9 else f"guest{at % 40}",
            learned_at=began + at * MINUTE,
            meta={"event": f"old-{key}-{at}", "type": "say", "turn": ""},
        )


def _events(key: str) -> Iterator[AssistantEvent]:
    began = time.time() - TURNS * MINUTE
    seq = 1_000_000  # beyond what any of them lived through
    rows = Memory.objects.filter(container=key).values_list("pk", "content")[:HITS]
    hits = [{"ref": f"#{pk}", "mark": mark_of(words), "score": 0.5} for pk, words in rows]
    asked = {"parameters": {"words": "the ferry"}, "reasoning": "", "found": hits[RECALLED:]}
    for number in range(TURNS):
        turn, at = f"old-{key}-{number}", began + number * MINUTE
        told: dict[str, dict[str, Any]] = {
            "ToolExecuted": {"tool_name": "recall", "success": True, "error": "", **asked},
            "TurnCompleted": {
                "context_type": "say",
                "events": [f"old-{key}-{number % LINES}"],
                "outcome": "answered" if number % 50 else "failed: no answer",
                "steps": 1,
                "tokens": 1500,
                "model_calls": [{"tokens": 1500}],
                "problem": "",
                "speech": people.SMALL_TALK[number % len(people.SMALL_TALK)],
                "kind": "say",
                "why": {"recalled": hits[:RECALLED]},
            },
        }
        for kind, data in told.items():
            seq += 1
            yield AssistantEvent(
                assistant=key, seq=seq, type=kind, at=at, turn_id=turn, readers="*", data=data
            )


def _calls(key: str) -> Iterator[NewCall]:
    began = time.time() - TURNS * MINUTE
    for number in range(TURNS):
        line = people.SMALL_TALK[number % len(people.SMALL_TALK)]
        asked = (Message("system", PROMPT), Message("user", f"{line} ({number})"))
        packed = pack(ModelRequest(asked, assistant=key), ModelReply(line, model="a model"))
        row = ModelCall(
            key=f"{key}-{number}",
            assistant=key,
            turn_id=f"old-{key}-{number}",
            at=began + number * MINUTE,
            job="chat",
            profile="default",
            readers="*",
            prompt_tokens=1_450,
            completion_tokens=50,
            price=0.001,
            lead=packed.lead,
            body=packed.body,
            size=len(packed.body),
        )
        yield NewCall(row, dict(packed.texts))


def _save_states(body: Any) -> None:
    """Let a character save what becomes of a talk, as its last turns would have."""
    mind, key = people.resident_of(body).mind, entity_id(body)
    talk = mind.store.keys("working")[0]
    for number in range(TURNS - COMMITS, TURNS):
        at, turn = time.time() - (TURNS - number) * MINUTE, f"old-{key}-{number}"
        said = {"role": "user", "content": f"A line of {turn}.", "at": at}
        step = Change("working", talk, "add_conversation_message", said)
        mind.save(Commit(at=at, turn_id=turn, changes=[step]))


def _lines(key: str, keys: Sequence[str]) -> Iterator[Participation]:
    first = Memory.objects.filter(container=key).values_list("pk", flat=True).first() or 0
    took = [{"id": key, "rule": "alone", "confidence": 1.0}]
    for number in range(LINES):
        yield Participation(
            event=f"old-{key}-{number}",
            row=first + number,
            at=time.time() - number,
            speaker=f"guest{number % 40}",
            hearers=[*keys[:PER_ROOM]],
            participants=took,
            by="rules",
        )
