"""A draft of the prompt: its sections and the conversation, still to be shortened."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, get_args

from ai_assistant.agent.prompt.chat_lines import ChatLine, chat
from ai_assistant.agent.prompt.component import PromptComponent
from ai_assistant.agent.prompt.prompt_wording import dump
from ai_assistant.agent.prompt.window import is_heard
from ai_assistant.core.contracts import Json
from ai_assistant.core.model_records import Message, PromptSection
from ai_assistant.core.readers import OPEN
from ai_assistant.language.words import extent

Place = Literal["lead", "head", "front", "talk", "tail"]
"""Where a section stands: in the beginning that never changes, after it, as messages of their own
before the conversation, within it, or before what is to be answered, where what changes is."""

GAP = "\n\n"
"""Stands between parts of one message."""
UNANSWERED = "Just before, not answered by you"
"""The heading of what others said after the character's last words: it stands by what happens now,
lest it be overlooked."""


@dataclass(frozen=True, slots=True)
class Row:
    """One thing that a prompt tells: as text, and as data for what reads no text."""

    text: str = ""
    """As the model reads it; empty where it only counts as data."""
    data: Json = field(default_factory=dict)
    """The same as values, for the offline model and for tests."""
    readers: str = OPEN
    """Who may know of it."""


@dataclass(slots=True)
class Section:
    """Rows under a heading. Its key and where it stands come from the table of sections."""

    rows: list[Row]
    """What it tells, in order."""
    title: str = ""
    """The heading; without one the rows stand alone."""
    fixed: int = 0
    """How many of the first rows stay longest; of the others the last ones give way first."""
    newest_last: bool = False
    """Do the first of the other rows give way first?"""
    older: int = 0
    """How many rows gave way at the front, as the text says."""
    key: str = ""
    """As in the table of sections."""
    component: int = 0
    """The id by which it is ordered."""
    role: Literal["system", "user", "assistant"] = "system"
    """Whose message it becomes."""
    place: Place = "head"
    """Where in the prompt it stands."""
    _letters: int | None = None

    def keep(self, count: int) -> None:
        """Keep so many of the rows beside the fixed ones, the rest gives way."""
        head, rest = self.rows[: self.fixed], self.rows[self.fixed :]
        kept = rest[max(0, len(rest) - count) :] if self.newest_last else rest[:count]
        self.older += len(rest) - len(kept) if self.newest_last else 0
        self.rows, self._letters = head + kept, None

    @property
    def text(self) -> str:
        """The section as it stands in the prompt; empty where no row has words."""
        words = [row.text for row in self.rows if row.text]
        if self.older:
            lines = "1 older line" if self.older == 1 else f"{self.older} older lines"
            words.insert(self.fixed, f"- (… and {lines}, which recall still finds)")
        heading = [f"## {self.title}"] if self.title else []
        return "\n".join([*heading, *words]) if words else ""

    @property
    def letters(self) -> int:
        """How many letters the text counts for; counted once for what it holds, from then on."""
        if self._letters is None:
            self._letters = extent(self.text)
        return self._letters


@dataclass(slots=True)
class PromptDraft:
    """Everything that may stand in the prompt."""

    sections: list[Section] = field(default_factory=list)
    """All but the conversation, in the order in which they were made."""
    window: list[ChatLine] = field(default_factory=list)
    """The lines of the conversation."""
    injected: list[tuple[PromptComponent, str]] = field(default_factory=list)
    """Texts of the owner and of lore that stand within the conversation."""
    _talk: tuple[list[Message], list[Message], int] | None = None

    def keep_talk(self, lines: Sequence[ChatLine], injected: bool = True) -> None:
        """Keep only these lines of the conversation, with or without what stands within it."""
        self.window, self._talk = [*lines], None
        if not injected:
            self.injected = []

    def data(self) -> tuple[PromptSection, ...]:
        """Return what the prompt tells as data: the rows of each key, and of the conversation."""
        rows: dict[str, list[Json]] = {}
        for section in self.sections:
            rows.setdefault(section.key, []).extend([row.data for row in section.rows if row.data])
        rows["stream"] = [line.data for line in self.window]
        return tuple(PromptSection(key, tuple(found)) for key, found in rows.items() if found)

    def parts(self) -> list[tuple[str, Message]]:
        """Return the parts of the prompt in order, each under its key."""
        made: list[tuple[str, Message]] = []
        talk, unanswered, _ = self._history()
        for place in get_args(Place):
            parts = [("stream", part) for part in unanswered] if place == "tail" else []
            for part in self.sections:
                if part.place == place and part.letters:
                    late = place == "tail" and part.role == "system"  # it stands where one answers
                    role = "user" if late else part.role
                    parts.append((part.key, Message(role, part.text, component=part.component)))
            made += sorted(parts, key=lambda it: it[1].component)
            made += [("stream", part) for part in talk] if place == "talk" else []
        return made

    def size(self) -> int:
        """Return how many characters all parts have, and what stands between them."""
        told = [section.letters for section in self.sections if section.letters]
        talk, unanswered, letters = self._history()
        return sum(told) + letters + len(GAP) * (len(told) + len(talk) + len(unanswered))

    def _history(self) -> tuple[list[Message], list[Message], int]:
        """Return the conversation, what of it nobody answered yet, and the letters of both."""
        if self._talk is None:
            ends = len(self.window)
            while ends and _waits(self.window[ends - 1]):
                ends -= 1
            talk = chat(self.window[:ends])
            last = chat(self.window[ends:])
            unanswered = [replace(it, content=f"## {UNANSWERED}\n{it.content}") for it in last]
            talk = inject([*talk, *unanswered], self.injected) if self.injected else talk
            talk = [part for part in talk if not any(part is it for it in unanswered)]
            self._talk = talk, unanswered, sum(map(length_of, (*talk, *unanswered)))
        return self._talk


def _waits(line: ChatLine) -> bool:
    return is_heard(line.entry) and not line.is_answered


def length_of(message: Message) -> int:
    """Return how many letters a message counts for."""
    letters = extent(message.content)
    for call in message.tool_calls:
        letters += len(call.name) + extent(dump(call.arguments))
    return letters


def inject(
    history: list[Message], injected: Iterable[tuple[PromptComponent, str]]
) -> list[Message]:
    """Return the history with components at their depths, never between call and result."""
    placed = sorted(
        ((_free_place(history, part.injection_depth), part, text) for part, text in injected),
        key=lambda item: (item[0], item[1].injection_order, item[1].id),
    )
    result = list(history)
    for offset, (place, component, text) in enumerate(placed):
        result.insert(place + offset, Message(component.role, text, component=component.id))
    return result


def _free_place(history: list[Message], depth: int) -> int:
    place = max(0, len(history) - depth)
    while place < len(history) and history[place].role == "tool":
        place -= 1
    return place


def merged(parts: Iterable[Message]) -> tuple[Message, ...]:
    """Return the parts as chat templates take them: one system message, then turn by turn."""
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
