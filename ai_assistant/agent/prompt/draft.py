"""A draft of the prompt: its sections and the conversation, still to be shortened."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, Literal

from ai_assistant.agent import contexts
from ai_assistant.agent.prompt.component import PromptComponent
from ai_assistant.contracts import Json, Message, PromptSection

CUT = " […] "
"""Stands where something was cut out of the middle of a text."""
_encoder = json.JSONEncoder(ensure_ascii=False)  # made once: that is half of what `dumps` costs


def dump(row: Json) -> str:
    """Return one object as one line of JSON, with letters as they are."""
    return _encoder.encode(row)


def cut(text: str, length: int) -> str:
    """Return a text of at most `length` characters: beginning and end, and a mark between."""
    if len(text) <= length:
        return text
    if length <= len(CUT):
        return text[: max(0, length)]
    kept = length - len(CUT)
    return text[: kept - kept // 2] + CUT + text[len(text) - kept // 2 :]


def capped(value: Any, length: int, count: int) -> Any:
    """Return JSON values with no text longer than `length` and no list than `count` items."""
    if isinstance(value, str):
        return cut(value, length)
    if isinstance(value, list | tuple):
        return [capped(one, length, count) for one in value[:count]]
    if isinstance(value, dict):
        return {key: capped(one, length, count) for key, one in value.items()}
    return value


@dataclass(slots=True)
class Section:
    """Rows under a heading: JSON objects, each on a line of its own, or the owner's own text.

    `key` names it in the tables of `fitting`. The first `fixed` rows stay longest; of the others
    the last ones give way first, or the first ones where it is `newest_last`.
    """

    key: str
    component: int
    rows: list[Json | str]
    title: str = ""
    closing: str = ""
    role: Literal["system", "user", "assistant"] = "system"
    leads: bool = False
    fixed: int = 0
    newest_last: bool = False

    def keep(self, count: int) -> None:
        """Keep so many of the rows beside the fixed ones, the rest gives way."""
        head, rest = self.rows[: self.fixed], self.rows[self.fixed :]
        kept = rest[max(0, len(rest) - count) :] if self.newest_last else rest[:count]
        self.rows = head + kept

    def cap(self, length: int, count: int) -> None:
        """Cut long texts and long lists in the rows."""
        self.rows = [capped(row, length, count) for row in self.rows]

    @property
    def text(self) -> str:
        """The section as it stands in the prompt; empty without any row."""
        if not self.rows:
            return ""
        heading = [f"## {self.title}"] if self.title else []
        rows = (row if isinstance(row, str) else dump(row) for row in self.rows)
        return "\n".join([*heading, *rows, *([self.closing] if self.closing else [])])


@dataclass(slots=True)
class Line:
    """One line of the conversation; lines of one `exchange` stay or go together."""

    row: Json
    own: bool
    importance: int
    exchange: str = ""
    narrative: bool = False
    _made: Message | None = None

    def message(self) -> Message:
        """Return it as a chat message."""
        if self._made is None:
            role: Literal["user", "assistant"] = "assistant" if self.own else "user"
            self._made = Message(role, dump(self.row), component=contexts.CONVERSATION)
        return self._made

    def data(self) -> Json:
        """Return it as data; `own` says whether the character said or did it."""
        kind = self.row.get("kind") or self.row["you"]
        return {"own": self.own, "kind": kind} | {k: v for k, v in self.row.items() if k != "you"}

    def shorten(self, length: int) -> None:
        """Cut its texts to a length."""
        self.row, self._made = capped(self.row, length, 1), None


@dataclass(slots=True)
class Draft:
    """Everything that may stand in the prompt, in order: before, within, after the conversation."""

    before: list[Section] = field(default_factory=list)
    window: list[Line] = field(default_factory=list)
    injected: list[tuple[PromptComponent, str]] = field(default_factory=list)
    after: list[Section] = field(default_factory=list)

    def sections(self, key: str = "") -> list[Section]:
        """Return the sections of that key; all of them without one."""
        return [one for one in (*self.before, *self.after) if not key or one.key == key]

    def messages(self) -> list[Message]:
        """Return the chat messages."""
        history = [line.message() for line in self.window]
        return [*_merged(self.before), *inject(history, self.injected), *_merged(self.after)]

    def data(self) -> tuple[PromptSection, ...]:
        """Return what the messages are made of as data: the rows of each key, and of the stream."""
        rows: dict[str, list[Json]] = {}
        for one in self.sections():
            rows.setdefault(one.key, []).extend(row for row in one.rows if isinstance(row, dict))
        rows["stream"] = [line.data() for line in self.window]
        return tuple(PromptSection(key, tuple(found)) for key, found in rows.items() if found)

    def size(self) -> int:
        """Return how many characters the messages have."""
        return size_of_all(self.messages())


def size_of_all(messages: Iterable[Message]) -> int:
    """Return how many characters these messages have."""
    return sum(len(message.content) for message in messages)


def inject(
    history: list[Message], injected: Iterable[tuple[PromptComponent, str]]
) -> list[Message]:
    """Return the history with components at their depths, never outside of it (inventory §24, #18).

    The place is ``max(0, len(history) - depth)``; of several at one place the order decides.
    """
    placed = sorted(
        ((max(0, len(history) - one.injection_depth), one, text) for one, text in injected),
        key=lambda item: (item[0], item[1].injection_order, item[1].id),
    )
    result = list(history)
    for offset, (place, one, text) in enumerate(placed):
        result.insert(place + offset, Message(one.role, text, component=one.id))
    return result


def _merged(sections: Iterable[Section]) -> Iterator[Message]:
    """Yield a message for each run of sections of one component, role and half of the prompt."""
    shown = (one for one in sections if one.rows)
    for (component, role, _), run in groupby(
        shown, key=lambda one: (one.component, one.role, one.leads)
    ):
        yield Message(role, "\n\n".join(one.text for one in run), component=component)
