"""What one request tells the character; what is missing or malformed is simply not in it."""

from __future__ import annotations

import re
from collections import ChainMap, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, TypeVar

from ai_assistant.core.contracts import Json
from ai_assistant.core.model_records import ModelRequest
from ai_assistant.language.words import sentences
from ai_assistant.llm.turn_so_far import Done, answers_in, results_in
from ai_assistant.memory.people.feelings import FIRST_IMPRESSION

T = TypeVar("T")
UNSEEN = frozenset(
    "wait find_way add_session_memory drop_goal decompose_goal go_to_sleep list_projects"
    " create_project".split()
)
"""Tools that are called without being seen: where a kit can be opened, it need not be for that."""
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
_SHEET = frozenset(
    "name role personality interests home_location greeting greeting_style sayings".split()
)


@dataclass(frozen=True, slots=True)
class Remark:
    """Something said, done or remembered: by whom (`who` is a handle), what, on a story's `day`."""

    who: str = ""
    name: str = ""
    kind: str = "say"
    text: str = ""
    own: bool = False
    day: int = 0
    of: str = ""
    """How the account begins that it is a line of, where it was played."""


@dataclass(frozen=True, slots=True)
class Persona:
    """The persona block; `lore` holds everything else the owner wrote, named by its topics."""

    name: str = ""
    role: str = ""
    traits: tuple[str, ...] = ()
    interests: tuple[str, ...] = ()
    home: str = ""
    greeting: tuple[str, ...] = ()
    sayings: tuple[str, ...] = ()
    lore: tuple[Remark, ...] = ()


@dataclass(frozen=True, slots=True)
class Seen:
    """Somebody, an exit or an item in sight, by its handle; `state` to `last`: how well known."""

    handle: str = ""
    name: str = ""
    kind: str = "player"
    description: str = ""
    assistant: bool = False
    carried: bool = False
    givable: bool = False
    state: str = "stranger"
    times: int = 0
    last: str = ""
    favorability: float = FIRST_IMPRESSION


@dataclass(frozen=True, slots=True)
class Pursued:
    """A goal that the character is after, by its id; `next` marks the one to work on first."""

    goal: str = ""
    description: str = ""
    progress: float = 0.0
    under: str = ""
    subtasks: str = ""
    kind: str = ""
    project: str = ""
    next: bool = False


@dataclass(frozen=True, slots=True)
class RequestView:
    """One request, understood. `spoke`: were words spoken in this turn already?"""

    persona: Persona = Persona()
    place: str = ""
    description: str = ""
    time: str = ""
    game_day: int = 0
    people: tuple[Seen, ...] = ()
    exits: tuple[Seen, ...] = ()
    items: tuple[Seen, ...] = ()
    partner: Seen = Seen()
    observations: tuple[Remark, ...] = ()
    memories: tuple[Remark, ...] = ()
    stream: tuple[Remark, ...] = ()
    own: tuple[str, ...] = ()
    events: tuple[Remark, ...] = ()
    done: tuple[Done, ...] = ()
    spoke: bool = False
    on_channel: bool = False
    """Is it answered where many read along? Only what was said there may be said again."""
    tools: frozenset[str] = frozenset()
    autonomous: bool = False
    occasion: str = ""
    goals: tuple[Pursued, ...] = ()
    project: str = ""

    @property
    def knowledge(self) -> list[Remark]:
        """What is known and nobody's word: the persona's lore, what was learned, the place."""
        scene = [Remark(text=text, kind="place") for text in sentences(self.description)]
        held = [item for item in self.memories if not (item.name or item.of)]
        return [*self.persona.lore, *held, *scene]

    def may(self, tool: str) -> bool:
        """May a tool be called?"""
        return tool in self.tools or (tool in UNSEEN and "open_kit" in self.tools)

    def result(self, tool: str) -> Done | None:
        """Return the last result of a tool in this turn."""
        return next((done for done in reversed(self.done) if done.name == tool), None)

    def succeeded(self, tool: str) -> bool:
        """Did a tool do its work in this turn?"""
        return (done := self.result(tool)) is not None and done.ok

    @property
    def carried(self) -> list[Seen]:
        """The things that the character carries."""
        return [item for item in self.items if item.carried]

    @property
    def lying(self) -> list[Seen]:
        """The things here that it does not carry."""
        return [item for item in self.items if not item.carried]


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
    answers = answers_in(request.messages)
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
        done=tuple(results_in(answers)),
        spoke=any(answer.content for answer in answers if answer.role == "assistant"),
        on_channel=on_channel,
        tools=frozenset(tool["function"]["name"] for tool in request.tools),
        autonomous=request.context_type == "tick_autonomous",
        occasion=_text(ChainMap(*rows["event"]), "occasion"),
        goals=tuple(_record(Pursued, row) for row in rows["goals"] if _text(row, "goal")),
    )


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
