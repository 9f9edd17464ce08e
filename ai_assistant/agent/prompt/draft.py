"""A draft of the prompt: its sections and the conversation, still to be shortened."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Literal

from ai_assistant.agent.prompt.chat_lines import Line, chat, row_of
from ai_assistant.agent.prompt.component import PromptComponent
from ai_assistant.agent.prompt.prompt_wording import dump
from ai_assistant.core.contracts import Json, Message, PromptSection
from ai_assistant.language.words import extent

Place = Literal["lead", "head", "front", "tail"]
"""Where a section stands: in the beginning that never changes, after it, as messages of their own
before the conversation, or before what is to be answered, where what changes every turn is."""

GAP = "\n\n"
"""Stands between parts of one message."""


@dataclass(frozen=True, slots=True)
class Row:
    """One thing that a prompt tells: as text, and as data for what reads no text."""

    text: str = ""
    data: Json = field(default_factory=dict)


@dataclass(slots=True)
class Section:
    """Rows under a heading. `key` names it wherever sections are told apart.

    The first `fixed` rows stay longest; of the others the last ones give way first, or the first
    ones where it is `newest_last`; of these the text says how many `older` there are.
    """

    key: str
    component: int
    rows: list[Row]
    title: str = ""
    role: Literal["system", "user", "assistant"] = "system"
    place: Place = "head"
    fixed: int = 0
    newest_last: bool = False
    older: int = 0

    def keep(self, count: int) -> None:
        """Keep so many of the rows beside the fixed ones, the rest gives way."""
        head, rest = self.rows[: self.fixed], self.rows[self.fixed :]
        kept = rest[max(0, len(rest) - count) :] if self.newest_last else rest[:count]
        self.older += len(rest) - len(kept) if self.newest_last else 0
        self.rows = head + kept

    @property
    def text(self) -> str:
        """The section as it stands in the prompt; empty where no row has words."""
        words = [row.text for row in self.rows if row.text]
        if self.older:
            lines = "1 older line" if self.older == 1 else f"{self.older} older lines"
            words.insert(self.fixed, f"- (… and {lines}, which recall still finds)")
        heading = [f"## {self.title}"] if self.title else []
        return "\n".join([*heading, *words]) if words else ""

    def message(self) -> Message:
        """Return it as a part of the prompt; what is of this moment stands where it is answered."""
        late = self.place == "tail" and self.role == "system"
        return Message("user" if late else self.role, self.text, component=self.component)


@dataclass(slots=True)
class Draft:
    """Everything that may stand in the prompt."""

    sections: list[Section] = field(default_factory=list)
    window: list[Line] = field(default_factory=list)
    injected: list[tuple[PromptComponent, str]] = field(default_factory=list)

    def of(self, key: str) -> list[Section]:
        """Return the sections of that key."""
        return [one for one in self.sections if one.key == key]

    def data(self) -> tuple[PromptSection, ...]:
        """Return what the prompt tells as data: the rows of each key, and of the conversation."""
        rows: dict[str, list[Json]] = {}
        for one in self.sections:
            rows.setdefault(one.key, []).extend(row.data for row in one.rows if row.data)
        rows["stream"] = [row_of(line.entry) for line in self.window]
        return tuple(PromptSection(key, tuple(found)) for key, found in rows.items() if found)

    def parts(self) -> list[tuple[str, Message]]:
        """Return the parts of the prompt in order, each under its key."""
        history = [("stream", one) for one in inject(chat(self.window), self.injected)]
        return [*self._at("lead"), *self._at("head"), *self._at("front"), *history,
                *self._at("tail")]  # fmt: skip

    def _at(self, place: Place) -> Iterator[tuple[str, Message]]:
        shown = (one for one in self.sections if one.place == place)
        for one in sorted(shown, key=lambda one: one.component):
            if one.text:
                yield one.key, one.message()

    def size(self) -> int:
        """Return how many characters all parts have, and what stands between them."""
        parts = self.parts()
        return size_of_all(message for _, message in parts) + len(GAP) * len(parts)


def size_of_all(messages: Iterable[Message]) -> int:
    """Return how many characters these messages have, their tool calls included."""
    return sum(map(length_of, messages))


def length_of(message: Message) -> int:
    """Return how many letters a message counts for."""
    return extent(message.content) + sum(
        len(call.name) + extent(dump(call.arguments)) for call in message.tool_calls
    )


def inject(
    history: list[Message], injected: Iterable[tuple[PromptComponent, str]]
) -> list[Message]:
    """Return the history with components at their depths, never outside of it (inventory §24, #18).

    The place is ``max(0, len(history) - depth)``, or before the call whose result would stand
    there; of several at one place the order decides.
    """
    placed = sorted(
        ((_free_place(history, one.injection_depth), one, text) for one, text in injected),
        key=lambda item: (item[0], item[1].injection_order, item[1].id),
    )
    result = list(history)
    for offset, (place, one, text) in enumerate(placed):
        result.insert(place + offset, Message(one.role, text, component=one.id))
    return result


def _free_place(history: list[Message], depth: int) -> int:
    place = max(0, len(history) - depth)
    while place < len(history) and history[place].role == "tool":
        place -= 1
    return place


def merged(parts: Iterable[Message]) -> tuple[Message, ...]:
    """Return the parts as chat templates take them: one system message, then turn by turn.

    What an owner lets the system say within the conversation stands beside what is said there.
    """
    made: list[Message] = []
    for part in parts:
        late = part.role == "system" and bool(made) and made[-1].role != "system"
        one = replace(part, role="user") if late else part
        if made and made[-1].role == one.role and one.role in ("system", "user"):
            text = f"{made[-1].content}{GAP}{one.content}"
            component = made[-1].component if one.role == "system" else one.component
            made[-1] = replace(made[-1], content=text, component=component)
        else:
            made.append(one)
    return tuple(made)
