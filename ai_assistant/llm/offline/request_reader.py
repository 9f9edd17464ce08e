"""Makes a view of a request's sections. What is missing or malformed is simply not in it."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields
from typing import Any, TypeVar

from ai_assistant.core.contracts import Json, Message, ModelRequest
from ai_assistant.llm.offline.request_view import Done, Known, Line, Persona, Pursued, Seen, View

_AT_HAND = ("learned", "notebook", "social", "world", "blocks", "lore")
_WORDS = {
    **dict.fromkeys(("observation", "trait"), "observation"),
    **dict.fromkeys(("fact", "pattern", "note"), "note"),
    **dict.fromkeys(("text", "content", "lore"), ""),
    "summary": "note",
}
"""Under which key of a row the words of something remembered stand, and of which kind it is."""
_SHEET = frozenset(
    "name role personality interests home_location greeting greeting_style sayings".split()
)
_OF_THE_TURN = 7000
"""Messages with this component came after the event; the answer to it begins before them."""
_Record = TypeVar("_Record")


def read(request: ModelRequest) -> View:
    """Return the view of a request."""
    rows: dict[str, list[Json]] = defaultdict(list)
    for section in request.sections:
        rows[section.key] += section.rows
    about, asked, project = rows["entity"], rows["event"], _first(rows["project"])
    persona = _persona(_first(rows["persona"]))
    lines = [one for one in map(_line, rows["stream"]) if one.text]
    answers = _answers(request.messages)
    return _record(
        View,
        _first(rows["now"]),
        persona=persona,
        seen=tuple(one for one in map(_seen, rows["seen"]) if one.name and one.handle),
        partner=_record(Seen, next((one for one in about if "name" in one), {})),
        observations=tuple(_known(about)),
        notes=tuple(one for key in _AT_HAND for one in _known(rows[key])),
        memories=(*_summed(rows["summary"], persona.name), *_known(rows["memories"])),
        stream=tuple(one for one in lines if not one.own),
        own=tuple(one.text for one in lines if one.own and one.kind != "deed"),
        events=tuple(_line(row) for row in asked if "says" in row),
        done=tuple(_results(answers)),
        spoke=any(one.content for one in answers if one.role == "assistant"),
        tools=frozenset(_text(_mapping(one.get("function")), "name") for one in request.tools),
        autonomous=request.context_type == "tick_autonomous",
        occasion=next(filter(None, (_text(row, "occasion") for row in asked)), ""),
        goals=tuple(_goal(row) for row in rows["goals"] if _text(row, "goal")),
        project=_text(project, "project"),
        context=_text(project, "context"),
    )


def recalled(done: Done | None) -> list[Known]:
    """Return what a memory search of this turn found."""
    lists = [value for value in (done.data if done else {}).values() if isinstance(value, list)]
    return [one for items in lists for one in _known(items)]


# -- rows


def _first(rows: Sequence[Json]) -> Json:
    return rows[0] if rows else {}


def _text(row: Json, key: str) -> str:
    value = row.get(key)
    return " ".join(value.split()) if isinstance(value, str) else ""


def _record(made: type[_Record], row: Json, /, **known: Any) -> _Record:
    """Return a record with the values of a row that it has fields for, where their types fit."""
    type_: Any = made
    for one in fields(type_):
        value = row.get(one.name)
        if isinstance(value, str) and isinstance(one.default, str):
            known.setdefault(one.name, _text(row, one.name) or one.default)
        elif isinstance(value, type(one.default)):
            known.setdefault(one.name, value)
    return made(**known)


def _known(rows: Iterable[Any]) -> Iterator[Known]:
    """Yield the remembered things among rows: observations, notes, memories, results."""
    for row in map(_mapping, rows):
        for key, kind in _WORDS.items():
            if text := _text(row, key):
                yield Known(text, _text(row, "who"), kind or _text(row, "kind"))
                break


def _summed(rows: Iterable[Json], me: str) -> Iterator[Known]:
    """Yield what stands before the window: lines by who said them, and what sums them up."""
    for row in rows:
        line = _line(row)
        said = Known(line.text, me if line.own else line.name, line.kind)
        yield from [said] if line.text else _known([row])


def _line(row: Json) -> Line:
    name = _text(row, "name") or _text(row, "who")
    return _record(Line, row, name=name, text=_text(row, "says"))


def _goal(row: Json) -> Pursued:
    progress = row.get("progress")
    done = float(progress) if isinstance(progress, int | float) else 0.0
    named = {"id": _text(row, "goal"), "text": _text(row, "description")}
    return _record(Pursued, row, progress=done, **named)


def _seen(row: Json) -> Seen:
    kind = next((key for key in ("exit", "item") if _text(row, key)), "")
    named = {"name": _text(row, kind), "kind": kind} if kind else {}
    return _record(Seen, row, description=_text(row, "description") or _text(row, "to"), **named)


def _persona(row: Json) -> Persona:
    return Persona(
        name=_text(row, "name"),
        role=_text(row, "role"),
        traits=tuple(one.lower() for one in _listed(row.get("personality"), r"[,;]| and ")),
        interests=tuple(_listed(row.get("interests"), ",")),
        home=_text(row, "home_location"),
        greeting=_texts(row.get("greeting")) + _texts(row.get("greeting_style")),
        sayings=_texts(row.get("sayings")),
        lore=tuple((key, one) for key in row if key not in _SHEET for one in _texts(row[key])),
    )


def _texts(value: Any, depth: int = 3) -> tuple[str, ...]:
    """Return the texts inside a JSON value, mappings as "key: value"; no deeper than `depth`."""
    if depth and isinstance(value, dict):
        pairs = [(key, one) for key, inner in value.items() for one in _texts(inner, depth - 1)]
        return tuple(f"{key}: {one}" for key, one in pairs)
    if depth and isinstance(value, list):
        return tuple(one for inner in value for one in _texts(inner, depth - 1))
    text = " ".join(str(value).split()) if isinstance(value, str | int | float) else ""
    return (text,) if text and not isinstance(value, bool) else ()


def _listed(value: Any, between: str) -> Iterator[str]:
    """Yield the parts of a text, or of texts, without what stands between them."""
    parts = re.split(between, ", ".join(_texts(value)))
    return filter(None, (one.strip(" .") for one in parts))


# -- the running turn


def _answers(messages: Sequence[Message]) -> Sequence[Message]:
    """Return what was answered and done in this turn: all that came after the event."""
    asked = (
        at
        for at in range(len(messages) - 1, -1, -1)
        if messages[at].role == "user" and messages[at].component != _OF_THE_TURN
    )
    later = messages[next(asked, len(messages)) + 1 :]
    return [one for one in later if one.role == "tool" or one.component != _OF_THE_TURN]


def _results(answers: Sequence[Message]) -> Iterator[Done]:
    names = {call.id: call.name for message in answers for call in message.tool_calls}
    for message in answers:
        if message.role == "tool" and message.tool_call_id in names:
            data = _object(message.content)
            yield Done(names[message.tool_call_id], data.get("ok") is True, data)


def _object(text: str) -> Json:
    try:
        return _mapping(json.loads(text))
    except (ValueError, RecursionError):
        return {}


def _mapping(value: Any) -> Json:
    return value if isinstance(value, dict) else {}
