"""Reads a request back into a view. Whatever is missing or malformed is simply not in it."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from ai_assistant.contracts import Json, Message, ModelRequest
from ai_assistant.llm.offline.view import (
    Done,
    Known,
    Line,
    Partner,
    Persona,
    Project,
    Pursued,
    Seen,
    View,
)

_EVENTS = "Answer this"
_IDLE = "Nobody asks"
_AT_HAND = (
    *("What you learned", "Memory", "Conversation Summary"),
    *("What you may tell anybody", "What everybody knows", "What is at hand"),
)
_NOTED = frozenset({"observation", "trait"})
_NOTES = ("fact", "pattern", "note", "summary")
_KNOWN_KEYS = frozenset(
    "name role personality interests home_location greeting greeting_style sayings".split()
)


def read(request: ModelRequest) -> View:
    """Return the view of a request. Whatever is missing or malformed is simply not in it."""
    sections = _sections(m.content for m in request.messages if m.role == "system")
    now = _first(sections["Now"])
    about = sections["About the one you talk to"]
    at = _turn_starts(request.messages)
    said, own = _stream(request.messages[:at])
    turn = request.messages[at:]
    return View(
        persona=_persona(_first(sections["Who you are"])),
        place=_text(now, "place"),
        description=_text(now, "description"),
        time=_text(now, "time"),
        seen=tuple(filter(None, map(_seen, sections["What you see"]))),
        partner=_partner(next((one for one in about if not _NOTED & one.keys()), {})),
        observations=tuple(known(about)),
        notes=tuple(one for title in _AT_HAND for one in known(sections[title])),
        memories=tuple(known(sections["What you remember"])),
        stream=said,
        own=own,
        events=tuple(_line(data) for data in _events(turn)),
        done=tuple(_results(turn)),
        tools=_tools(request.tools),
        autonomous=request.context_type == "tick_autonomous" or _starts(turn, _IDLE),
        occasion=next(filter(None, (_text(row, "occasion") for row in _idle(turn))), ""),
        goals=tuple(_pursued(row) for row in sections["Your goals"] if _text(row, "goal")),
        project=_project(_first(sections["Your project"])),
    )


def known(items: Iterable[Any]) -> list[Known]:
    """Return the remembered things among JSON objects: observations, notes, rows, results."""
    return [one for item in items if isinstance(item, dict) and (one := _known(item))]


def _known(data: Json) -> Known | None:
    if text := _text(data, "observation"):
        return Known(text, _text(data, "who"), kind="observation")
    if text := _text(data, "trait"):
        return Known(text, kind="observation")
    if text := next(filter(None, (_text(data, key) for key in _NOTES)), ""):
        return Known(text, kind="note")
    text = _text(data, "text") or _text(data, "content")
    return Known(text, _text(data, "who"), _text(data, "kind")) if text else None


def recalled(done: Done | None) -> list[Known]:
    """Return what a memory search of this turn found."""
    lists = [value for value in (done.data if done else {}).values() if isinstance(value, list)]
    return [one for items in lists for one in known(items)]


def texts(value: Any, depth: int = 3) -> tuple[str, ...]:
    """Return the texts inside a JSON value, mappings as "key: value"; no deeper than `depth`."""
    if depth and isinstance(value, dict):
        pairs = [(key, one) for key, inner in value.items() for one in texts(inner, depth - 1)]
        return tuple(f"{key}: {one}" for key, one in pairs)
    if depth and isinstance(value, list):
        return tuple(one for inner in value for one in texts(inner, depth - 1))
    text = " ".join(str(value).split()) if isinstance(value, str | int | float) else ""
    return (text,) if text and not isinstance(value, bool) else ()


def _text(data: Json, key: str) -> str:
    value = data.get(key)
    if not isinstance(value, str):
        return ""
    return " ".join(value.split()) if "\n" in value else value.strip()


def _first(items: Sequence[Json]) -> Json:
    return items[0] if items else {}


def _object(line: str) -> Json:
    try:
        data = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return data if isinstance(data, dict) else {}


def _sections(contents: Iterable[str]) -> dict[str, list[Json]]:
    found: dict[str, list[Json]] = defaultdict(list)
    for content in contents:
        heading = ""
        for line in content.split("\n"):
            if line.startswith("## "):
                heading = line[3:].strip()
            elif line.startswith("{") and (data := _object(line)):
                found[heading].append(data)
    return found


def _turn_starts(messages: Sequence[Message]) -> int:
    for index in range(len(messages) - 1, -1, -1):
        message = messages[index]
        if message.role == "user" and message.content.startswith((f"## {_EVENTS}", f"## {_IDLE}")):
            return index
    return len(messages)


def _starts(turn: Sequence[Message], heading: str) -> bool:
    return bool(turn) and turn[0].content.startswith(f"## {heading}")


def _events(turn: Sequence[Message]) -> list[Json]:
    return _sections([turn[0].content])[_EVENTS] if turn else []


def _idle(turn: Sequence[Message]) -> list[Json]:
    return _sections([turn[0].content])[_IDLE] if turn else []


def _pursued(data: Json) -> Pursued:
    progress = data.get("progress")
    return Pursued(
        id=_text(data, "goal"),
        text=_text(data, "description"),
        progress=float(progress) if isinstance(progress, int | float) else 0.0,
        under=_text(data, "under"),
        subtasks=_text(data, "subtasks"),
        kind=_text(data, "kind"),
        project=_text(data, "project"),
        next=data.get("next") is True,
    )


def _project(data: Json) -> Project:
    return Project(_text(data, "project"), _text(data, "summary"), _text(data, "context"))


def _line(data: Json) -> Line:
    who = _text(data, "who")
    return Line(who, _text(data, "name") or who, _text(data, "kind") or "say", _text(data, "says"))


def _stream(messages: Sequence[Message]) -> tuple[tuple[Line, ...], tuple[str, ...]]:
    said = [_line(_object(m.content)) for m in messages if m.role == "user"]
    own = [_object(m.content) for m in messages if m.role == "assistant"]
    spoken = (_text(data, "says") for data in own if data.get("you") != "deed")
    return tuple(line for line in said if line.text), tuple(filter(None, spoken))


def _results(turn: Sequence[Message]) -> list[Done]:
    names = {call.id: call.name for message in turn for call in message.tool_calls}
    found = []
    for message in turn:
        if message.role == "tool" and message.tool_call_id in names:
            data = _object(message.content)
            ok = bool(data.get("ok", "error" not in data))
            inner = data.get("data", data.get("result"))
            data = {**data, **inner} if isinstance(inner, dict) else data
            found.append(Done(names[message.tool_call_id], ok, data))
    return found


def _tools(schemas: Iterable[Json]) -> dict[str, Json]:
    found = {}
    for schema in schemas:
        function = schema.get("function")
        if isinstance(function, dict) and isinstance(function.get("name"), str):
            parameters = function.get("parameters")
            found[function["name"]] = parameters if isinstance(parameters, dict) else {}
    return found


def _seen(data: Json) -> Seen | None:
    kind = next((key for key in ("exit", "item") if _text(data, key)), "")
    name = _text(data, kind or "name")
    if not (name and _text(data, "handle")):
        return None
    return Seen(
        handle=_text(data, "handle"),
        name=name,
        kind=kind or _text(data, "kind") or "player",
        description=_text(data, "description") or _text(data, "to"),
        assistant=data.get("assistant") is True,
        carried=data.get("carried") is True,
        givable=data.get("givable") is True,
    )


def _partner(data: Json) -> Partner:
    times = data.get("times")
    return Partner(
        handle=_text(data, "handle"),
        name=_text(data, "name"),
        state=_text(data, "state") or "stranger",
        times=times if isinstance(times, int) else 0,
        met=_text(data, "met"),
        last=_text(data, "last"),
    )


def _persona(data: Json) -> Persona:
    traits = ", ".join(texts(data.get("personality"))).replace(";", ",").replace(" and ", ", ")
    interests = ", ".join(texts(data.get("interests")))
    return Persona(
        name=_text(data, "name"),
        role=_text(data, "role"),
        traits=tuple(one.strip(" .").lower() for one in traits.split(",") if one.strip(" .")),
        interests=tuple(one.strip(" .") for one in interests.split(",") if one.strip(" .")),
        home=_text(data, "home_location"),
        greeting=texts(data.get("greeting")) + texts(data.get("greeting_style")),
        sayings=texts(data.get("sayings")),
        lore=tuple(
            (key, one)
            for key, value in data.items()
            if key not in _KNOWN_KEYS
            for one in texts(value)
        ),
    )
