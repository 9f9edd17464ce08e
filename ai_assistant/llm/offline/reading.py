"""Makes a view of a request. Whatever is missing or malformed is simply not in it."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields
from typing import Any, TypeVar

from ai_assistant.contracts import Json, Message, ModelRequest
from ai_assistant.llm.offline import view
from ai_assistant.llm.offline.view import Known, View

_AT_HAND = ("learned", "notebook", "social", "world", "blocks", "lore")
_WORDS = {
    **dict.fromkeys(("observation", "trait"), "observation"),
    **dict.fromkeys(("fact", "pattern", "note"), "note"),
    **dict.fromkeys(("text", "content", "lore"), ""),
}
"""Under which key of a row the words of something remembered stand, and of which kind it is."""
_KNOWN_KEYS = frozenset(
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
    now, about, asked = _first(rows["now"]), rows["entity"], rows["event"]
    persona = _persona(_first(rows["persona"]))
    lines = [_line(row) for row in rows["stream"]]
    answers = _answers(request.messages)
    return _record(
        View,
        now,
        persona=persona,
        seen=tuple(one for one in map(_seen, rows["seen"]) if one.name and one.handle),
        partner=_record(view.Partner, next((one for one in about if "name" in one), {})),
        observations=tuple(_known(about)),
        notes=tuple(one for key in _AT_HAND for one in _known(rows[key])),
        memories=(*_summed(rows["summary"], persona.name), *_known(rows["memories"])),
        stream=tuple(one for one in lines if one.text and not one.own),
        own=tuple(one.text for one in lines if one.text and one.own and one.kind != "deed"),
        events=tuple(_line(row) for row in asked if "says" in row),
        done=tuple(_results(answers)),
        spoke=any(one.content for one in answers if one.role == "assistant"),
        tools=_tools(request.tools),
        autonomous=request.context_type == "tick_autonomous",
        occasion=next(filter(None, (_text(row, "occasion") for row in asked)), ""),
        goals=tuple(_goal(row) for row in rows["goals"] if _text(row, "goal")),
        project=_record(view.Project, row := _first(rows["project"]), key=_text(row, "project")),
    )


def recalled(done: view.Done | None) -> list[Known]:
    """Return what a memory search of this turn found."""
    lists = [value for value in (done.data if done else {}).values() if isinstance(value, list)]
    return [one for items in lists for one in _known(items)]


def texts(value: Any, depth: int = 3) -> tuple[str, ...]:
    """Return the texts inside a JSON value, mappings as "key: value"; no deeper than `depth`."""
    if depth and isinstance(value, dict):
        pairs = [(key, one) for key, inner in value.items() for one in texts(inner, depth - 1)]
        return tuple(f"{key}: {one}" for key, one in pairs)
    if depth and isinstance(value, list):
        return tuple(one for inner in value for one in texts(inner, depth - 1))
    text = " ".join(str(value).split()) if isinstance(value, str | int | float) else ""
    return (text,) if text and not isinstance(value, bool) else ()


# -- rows


def _first(rows: Sequence[Json]) -> Json:
    return rows[0] if rows else {}


def _text(row: Json, key: str) -> str:
    value = row.get(key)
    if not isinstance(value, str):
        return ""
    return " ".join(value.split()) if "\n" in value else value.strip()


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
    """Yield what a summary tells: each line by who said it, or the whole of it."""
    for row in rows:
        text = _text(row, "summary")
        name, _, said = text.partition(": ")
        who = {"You": me, _text(row, "with"): name}.get(name, "")
        yield Known(said, who) if said and who else Known(text, kind="note")


def _line(row: Json) -> view.Line:
    name = _text(row, "name") or _text(row, "who")
    return _record(view.Line, row, name=name, text=_text(row, "says"))


def _goal(row: Json) -> view.Pursued:
    progress = row.get("progress")
    return _record(
        view.Pursued,
        row,
        id=_text(row, "goal"),
        text=_text(row, "description"),
        progress=float(progress) if isinstance(progress, int | float) else 0.0,
    )


def _seen(row: Json) -> view.Seen:
    kind = next((key for key in ("exit", "item") if _text(row, key)), "")
    named = {"name": _text(row, kind), "kind": kind} if kind else {}
    return _record(
        view.Seen, row, description=_text(row, "description") or _text(row, "to"), **named
    )


def _persona(row: Json) -> view.Persona:
    return view.Persona(
        name=_text(row, "name"),
        role=_text(row, "role"),
        traits=tuple(one.lower() for one in _listed(row.get("personality"), r"[,;]| and ")),
        interests=tuple(_listed(row.get("interests"), ",")),
        home=_text(row, "home_location"),
        greeting=texts(row.get("greeting")) + texts(row.get("greeting_style")),
        sayings=texts(row.get("sayings")),
        lore=tuple(
            (key, one)
            for key, value in row.items()
            if key not in _KNOWN_KEYS
            for one in texts(value)
        ),
    )


def _listed(value: Any, between: str) -> Iterator[str]:
    """Yield the parts of a text, or of texts, without what stands between them."""
    parts = re.split(between, ", ".join(texts(value)))
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


def _results(answers: Sequence[Message]) -> Iterator[view.Done]:
    names = {call.id: call.name for message in answers for call in message.tool_calls}
    for message in answers:
        if message.role == "tool" and message.tool_call_id in names:
            data = _object(message.content)
            yield view.Done(names[message.tool_call_id], data.get("ok") is True, data)


def _object(text: str) -> Json:
    try:
        return _mapping(json.loads(text))
    except (ValueError, RecursionError):
        return {}


def _mapping(value: Any) -> Json:
    return value if isinstance(value, dict) else {}


def _tools(schemas: Iterable[Json]) -> dict[str, Json]:
    functions = (_mapping(schema.get("function")) for schema in schemas)
    return {_text(one, "name"): _mapping(one.get("parameters")) for one in functions}
