"""Reading a request into its records; what is missing or malformed is simply not in them."""

from __future__ import annotations

import json
import re
from collections import ChainMap, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any, TypeVar

from ai_assistant.core.contracts import Json
from ai_assistant.core.model_records import Message, ModelRequest
from ai_assistant.llm.request_records import Done, Persona, Pursued, Remark, RequestView, Seen

T = TypeVar("T")
NEWS = "announcement"
"""The kind of what was announced: nobody's word."""
_AT_HAND = ("learned", "notebook", "social", "world", "blocks", "lore", "now")
_WORDS = {
    **dict.fromkeys(("observation", "trait"), "observation"),
    **dict.fromkeys(("fact", "pattern", "note"), "note"),
    **dict.fromkeys(("text", "content", "lore"), ""),
    "is": "map",
    "news": NEWS,
    "summary": "note",
}
"""Under which key of a row the words of something remembered stand, and of which kind it is."""
_ACCOUNTS = frozenset({"recap", "day_summary", "chapter"})  # they hold many lines of a play
_BETWEEN_LINES = " / "
_OF_THE_TURN = 7000
"""Messages with this component came after the event; the answer to it begins before them."""
_SHEET = frozenset(
    "name role personality interests home_location greeting greeting_style sayings".split()
)


def view_of(request: ModelRequest) -> RequestView:
    """Return the view of a request."""
    rows: dict[str, list[Json]] = defaultdict(list)
    for section in request.sections:
        rows[section.key] += section.rows
    first = {key: some[0] for key, some in rows.items() if some}
    persona = _persona(first.get("persona", {}))
    events = tuple(_line(row) for row in rows["event"] if "says" in row)
    if on_channel := any(line.kind == "channel" for line in events):
        _leave_rooms(rows)
    lines = [line for line in map(_line, rows["stream"]) if line.text]
    answers = _answers_in(request.messages)
    seen = [thing for thing in map(_seen, rows["seen"]) if thing.name and thing.handle]
    return _record(
        RequestView,
        first.get("project", {}) | first.get("now", {}),
        persona=persona,
        people=tuple(thing for thing in seen if thing.kind not in ("exit", "item")),
        exits=tuple(thing for thing in seen if thing.kind == "exit"),
        items=tuple(thing for thing in seen if thing.kind == "item"),
        partner=_record(Seen, next((row for row in rows["entity"] if "name" in row), {})),
        observations=tuple(remarks(rows["entity"])),
        memories=tuple(_memories(rows, persona.name)),
        stream=tuple(line for line in lines if not line.own),
        own=tuple(line.text for line in lines if line.own and line.kind != "deed"),
        events=events,
        done=tuple(_results_in(answers)),
        spoke=any(answer.content for answer in answers if answer.role == "assistant"),
        on_channel=on_channel,
        tools=frozenset(tool["function"]["name"] for tool in request.tools),
        autonomous=request.context_type == "tick_autonomous",
        occasion=_text(ChainMap(*rows["event"]), "occasion"),
        goals=tuple(_record(Pursued, row) for row in rows["goals"] if _text(row, "goal")),
    )


def _answers_in(messages: Sequence[Message]) -> Sequence[Message]:
    """Return what was answered and done in this turn: all that came after the event."""
    later: list[Message] = []
    for message in messages:
        if message.role == "user" and message.component != _OF_THE_TURN:
            later = []
        elif message.role == "tool" or message.component != _OF_THE_TURN:
            later.append(message)
    return later


def _results_in(answers: Sequence[Message]) -> Iterator[Done]:
    """Yield the calls among these answers that have a result."""
    names = {call.id: call.name for message in answers for call in message.tool_calls}
    for message in answers:
        if message.role == "tool" and message.tool_call_id in names:
            try:
                data = json.loads(message.content)
            except (ValueError, RecursionError):
                data = {}
            data = data if isinstance(data, dict) else {}
            yield Done(names[message.tool_call_id], data.get("ok") is True, data)


def _leave_rooms(rows: dict[str, list[Json]]) -> None:
    """Take out what somebody said, or is known for, elsewhere than on a channel."""
    rows["stream"] = [row for row in rows["stream"] if _mapping(row).get("kind") == "channel"]
    rows["entity"] = [row for row in rows["entity"] if "name" in row]
    for key in (*_AT_HAND, "summary", "memories"):
        rows[key] = [row for row in rows[key] if not _text(_mapping(row), "who")]


def _mapping(value: Any) -> Json:
    return value if isinstance(value, dict) else {}


def _text(row: Mapping[str, Any], key: str) -> str:
    value = row.get(key)
    return " ".join(value.split()) if isinstance(value, str) else ""


def _record(made: type[T], row: Json, /, **given: Any) -> T:
    """Return a record with the values of a row that it has fields for, where their types fit."""
    type_: Any = made
    for field in fields(type_):
        value = row.get(field.name)
        if isinstance(value, str) and isinstance(field.default, str):
            given.setdefault(field.name, " ".join(value.split()) or field.default)
        elif isinstance(value, int | float if field.default == 0.0 else type(field.default)):
            given.setdefault(field.name, value)
    return made(**given)


def remarks(rows: Iterable[Any]) -> Iterator[Remark]:
    """Yield the remembered things among rows: observations, notes, memories, results."""
    for row in map(_mapping, rows):
        key = next((key for key in _WORDS if row.get(key)), "")
        kind, text = _WORDS.get(key) or _text(row, "kind"), _text(row, key)
        if kind in _ACCOUNTS or _BETWEEN_LINES in text:
            yield from _lines_of(text)
        elif key and not (key == "summary" and "\n" in str(row[key]).strip()):
            name = "" if kind == NEWS else _text(row, "who")
            yield _record(Remark, {"day": row.get("day")}, kind=kind, name=name, text=text)


def _lines_of(account: str) -> Iterator[Remark]:
    """Yield what was played by its beginning, then its lines, each of whose it is."""
    begins, _, told = account.partition(": ")
    yield Remark(kind="account", text=begins, of=begins)
    for line in told.split(_BETWEEN_LINES):
        name, colon, said = line.partition(": ")
        yield Remark(name=name if colon else "", kind="played", text=said or line, of=begins)


def _memories(rows: Mapping[str, Iterable[Json]], me: str) -> Iterator[Remark]:
    """Yield what is at hand: notes, the lines before the window and their summary, memories."""
    for key in _AT_HAND:
        yield from remarks(rows[key])
    for row in rows["summary"]:
        line = _line(row)
        said = replace(line, name=me) if line.own else line
        yield from [said] if line.text else remarks([row])
    yield from remarks(rows["memories"])


def _line(row: Json) -> Remark:
    name = _text(row, "name") or _text(row, "who")
    return _record(Remark, row, name=name, text=_text(row, "says"))


def _seen(row: Json) -> Seen:
    kind = next((key for key in ("exit", "item") if _text(row, key)), "")
    named = {"name": _text(row, kind), "kind": kind} if kind else {}
    return _record(Seen, row, description=_text(row, "description") or _text(row, "to"), **named)


def _persona(row: Json) -> Persona:
    manner = ", ".join(_texts(row.get("personality"))).lower()
    lore = ((key, text) for key in row if key not in _SHEET for text in _texts(row[key]))
    return _record(
        Persona,
        row,
        traits=_parts(re.split(r"[,;]| and ", manner)),
        interests=_parts(", ".join(_texts(row.get("interests"))).split(",")),
        home=_text(row, "home_location"),
        greeting=_texts(row.get("greeting")) + _texts(row.get("greeting_style")),
        sayings=_texts(row.get("sayings")),
        lore=tuple(Remark(name=topic, kind="lore", text=text) for topic, text in lore),
    )


def _parts(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(filter(None, (text.strip(" .") for text in texts)))


def _texts(value: Any, depth: int = 3) -> tuple[str, ...]:
    """Return the texts inside a JSON value, mappings as "key: value"; no deeper than `depth`."""
    if depth and isinstance(value, dict):
        pairs = ((key, text) for key, inner in value.items() for text in _texts(inner, depth - 1))
        return tuple(f"{key}: {text}" for key, text in pairs)
    if depth and isinstance(value, list):
        return tuple(text for inner in value for text in _texts(inner, depth - 1))
    text = " ".join(str(value).split()) if isinstance(value, str | int | float) else ""
    return (text,) if text and not isinstance(value, bool) else ()
