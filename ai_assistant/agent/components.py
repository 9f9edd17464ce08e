"""The prompt: ordered components made of what the turn may use, inside a budget of tokens.

Instructions and persona come first and are the same from turn to turn, so that providers cache
them. Whatever is loaded passes `Turn.admit` first, which is where the ceiling sinks. What people
said is quoted as JSON, one object a line: data with its source, never an instruction.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from itertools import islice

from ai_assistant.agent import contexts
from ai_assistant.agent.turn import Turn, handle_of
from ai_assistant.contracts import Json, Message
from ai_assistant.memory.parts import iso
from ai_assistant.memory.profiles import STANCES
from ai_assistant.memory.stream import entry_of
from ai_assistant.memory.working import key_of
from ai_assistant.prompts import load

MIN_TRUST = 0.5
RECALLED = 6
OBSERVATIONS = 8
CONVERSATION = 30
LONGEST_SHOWN = 600
GIVES_WAY = (
    (contexts.CONVERSATION, 10),
    (contexts.MEMORIES, 2),
    (contexts.ENTITY, 3),
    (contexts.CONVERSATION, 2),
    (contexts.MEMORIES, 0),
    (contexts.ENTITY, 1),
    (contexts.CONVERSATION, 0),
)
"""When the prompt is too large: which component is shortened, in order, to how many lines.
The oldest, or least fitting, go first. Instructions, persona and the event never give way."""


async def build_prompt(turn: Turn) -> None:
    """Fill `turn.prompt` with the messages that every step of the turn begins with."""
    lines: dict[int, list[Json]] = {
        contexts.ENTITY: _entity(turn),
        contexts.MEMORIES: [],
        contexts.CONVERSATION: [],
    }
    window = _conversation(turn)
    lines[contexts.CONVERSATION] = window
    lines[contexts.MEMORIES] = await _memories(turn, {entry["id"] for entry in window})
    budget = turn.mind.config["max_context_tokens"] / turn.mind.tokens_per_char
    turn.prompt = _render(turn, lines)
    turn.utilisation = _size(turn.prompt) / budget
    for component, kept in GIVES_WAY:
        if _size(turn.prompt) <= budget:
            return
        lines[component] = _shortened(component, lines[component], kept)
        turn.prompt = _render(turn, lines)


def _shortened(component: int, lines: list[Json], kept: int) -> list[Json]:
    if component == contexts.CONVERSATION:
        return lines[-kept:] if kept else []
    return lines[:kept]


def _size(messages: Iterable[Message]) -> int:
    return sum(len(message.content) for message in messages)


def _render(turn: Turn, lines: dict[int, list[Json]]) -> tuple[Message, ...]:
    me = turn.me
    sections = [
        ("Now", [_now(turn)]),
        ("What you see", _seen(turn)),
        ("About the one you talk to", lines[contexts.ENTITY]),
        ("What you remember", lines[contexts.MEMORIES]),
    ]
    changing = "\n\n".join(_section(title, rows) for title, rows in sections if rows)
    return (
        Message("system", load("instructions").format(name=me.name), component=0),
        Message(
            "system",
            _section("Who you are", [dict(turn.mind.persona)]),
            component=contexts.PERSONA,
        ),
        Message("system", changing, component=contexts.ENTITY),
        *(_spoken(line) for line in lines[contexts.CONVERSATION]),
        Message("user", _question(turn), component=contexts.EVENT),
    )


def _section(title: str, rows: Iterable[Json]) -> str:
    return "\n".join([f"## {title}", *(dump(row) for row in rows)])


def dump(row: Json) -> str:
    """Return one object as one line of JSON, with letters as they are."""
    return json.dumps(row, ensure_ascii=False, separators=(", ", ": "))


# -- component 1000 and what surrounds the character


def _now(turn: Turn) -> Json:
    scene = turn.surroundings
    return {
        "place": scene.place_name,
        "description": scene.description[:LONGEST_SHOWN],
        "time": scene.time,
        "private": scene.private,
    }


def _seen(turn: Turn) -> list[Json]:
    rows = []
    for handle, thing in turn.things.items():
        row: Json = {"handle": handle}
        if thing.is_exit:
            row["exit"] = thing.entity.name
            row |= {"to": thing.description} if thing.description else {}
        elif thing.entity.kind == "object":
            row["item"] = thing.entity.name
            row |= {k: True for k in ("carried", "givable") if getattr(thing, k)}
        else:
            row |= {"name": thing.entity.name, "kind": thing.entity.kind}
            row |= {"assistant": True} if thing.is_assistant else {}
        rows.append(row)
    return rows


# -- component 1500: the one talked to


def _entity(turn: Turn) -> list[Json]:
    event = turn.trigger
    if event is None:
        return []
    who = event.source
    profile = turn.store.read("profile", who.id)
    bond = profile["relationship"]
    head = {
        "handle": handle_of(turn, who.id),
        "name": who.name,
        "kind": who.kind,
        "state": bond["state"],
        "favorability": bond["favorability"],
        "met": profile["created"][:10] or "just now",
        "times": bond["interaction_count"],
        "last": profile["last_interaction"][:16].replace("T", " "),
        "stance": STANCES[bond["state"]],
    }
    head |= _talk(turn, who.id)
    newest_first = reversed(profile["observations"])
    usable = (item for item in newest_first if turn.admit(item["readers"], item["author"]))
    return [head, *(_observation(item) for item in islice(usable, OBSERVATIONS))]


def _talk(turn: Turn, entity_id: str) -> Json:
    labels = dict.fromkeys(("*", turn.trigger.readers if turn.trigger else "*"))
    talks = [turn.store.read("working", key_of(entity_id, label)) for label in labels]
    found: Json = {}
    for talk in talks:
        if not talk["messages"] or not turn.admit(talk["readers"]):
            continue
        for key in ("topic", "summary"):
            if talk[key]:
                found[key] = talk[key]
        if talk["pending_actions"]:
            found["promised"] = [item["action"] for item in talk["pending_actions"]]
    return found


def _observation(item: Json) -> Json:
    return {
        "observation": item["content"],
        "source": item["source"],
        "on": item["timestamp"][:10],
    }


# -- component 2000: recalled memories


async def _memories(turn: Turn, in_window: set[str]) -> list[Json]:
    query = " ".join(event.content for event in turn.events)
    hits = await turn.candidates(query, RECALLED * 3 + len(in_window)) if query else []
    found: list[Json] = []
    for row in (one.row for one in hits):
        in_sight = row.meta.get("event") in in_window
        if not in_sight and row.trust >= MIN_TRUST and turn.admit(row.readers, row.author):
            found.append(recalled(row.content, row.author_name, row.learned_at, row.kind))
        if len(found) == RECALLED:
            break
    return found


def recalled(text: str, who: str, at: float, kind: str) -> Json:
    """Return a memory row as the model reads it."""
    return {"on": iso(at)[:10], "who": who, "kind": kind, "text": text[:LONGEST_SHOWN]}


# -- component 5000: the stream


def _conversation(turn: Turn) -> list[Json]:
    answered = {event.id for event in turn.events}
    overheard = map(entry_of, turn.mind.heard)  # on its way to the stream, with this turn
    newest_first = reversed([*turn.store.read("stream")["entries"], *overheard])
    usable = (
        entry
        for entry in newest_first
        if entry["id"] not in answered and turn.admit(entry["readers"], entry["who_id"])
    )
    return list(islice(usable, CONVERSATION))[::-1]


def _spoken(entry: Json) -> Message:
    text = entry["content"][:LONGEST_SHOWN]
    if entry["event_type"] == "external":
        content = {"who": entry["who"]} | _says(entry["kind"], text, entry["place_name"])
        return Message("user", dump(content), component=contexts.CONVERSATION)
    own = {"you": entry["kind"], "says": text}
    return Message("assistant", dump(own), component=contexts.CONVERSATION)


def _says(kind: str, text: str, place_name: str) -> Json:
    channel = {"channel": place_name} if kind == "channel" else {}
    return {"kind": kind, **channel, "says": text}


# -- component 6000: the event to answer


def _question(turn: Turn) -> str:
    if not turn.events:
        return f"## Nobody asks\n{load('autonomous')}"
    rows = [
        {"who": handle_of(turn, event.source.id), "name": event.source.name}
        | _says(event.source_type, event.content, event.place_name)
        for event in turn.events
    ]
    speech = [tool.name for tool in turn.offered() if tool.speech]
    return f"{_section('Answer this', rows)}\n{load('answer').format(speech=', '.join(speech))}"
