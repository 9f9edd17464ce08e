"""The budget: how much room a prompt has, and what gives way, in which order, until it fits.

Everything is measured in characters: the budget in tokens, divided by the tokens per character
that the provider's counts have taught. The descriptions of the tools are part of it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from ai_assistant.agent.prompt.draft import Draft, Section, cut, size_of_all
from ai_assistant.agent.prompt.window import drop_least, newest, shorten
from ai_assistant.agent.turn import Turn
from ai_assistant.contracts import Category, Message
from ai_assistant.tools import Tool

TOKEN_BUDGETS = {
    "stream": 0.45,
    "user": 0.15,
    "learned": 0.12,
    "notebook": 0.15,
    "summary": 0.10,
    "entity": 0.15,
    "memories": 0.15,
    "lore": 0.15,
    "seen": 0.15,
    "goals": 0.12,
    "social": 0.10,
    "world": 0.12,
    "blocks": 0.10,
    "project": 0.12,
}
"""The share of the whole budget that each component may take, however much room there is."""
TOOLS_SHARE = 0.5
"""The share that the descriptions of the tools may take; what does not fit is not offered."""
ALWAYS_KEPT = 20
"""Lines of the conversation that stay until other components have given way (inventory §24)."""
GIVES_WAY: tuple[tuple[str, str, int], ...] = (
    ("stream", "shorten narrative", 160),
    ("stream", "drop older", ALWAYS_KEPT),
    ("memories", "keep", 3),
    ("notebook", "keep", 12),
    ("learned", "keep", 12),
    ("entity", "keep", 4),
    ("world", "keep", 12),
    ("social", "keep", 12),
    ("blocks", "keep", 12),
    ("goals", "keep", 8),
    ("lore", "keep", 6),
    ("stream", "shorten", 240),
    ("stream", "keep", 12),
    ("seen", "keep", 12),
    ("memories", "keep", 0),
    ("lore", "keep", 0),
    ("stream", "keep", 6),
    ("summary", "keep", 0),
    ("world", "keep", 3),
    ("social", "keep", 3),
    ("blocks", "keep", 0),
    ("goals", "keep", 2),
    ("notebook", "keep", 4),
    ("learned", "keep", 4),
    ("entity", "keep", 0),
    ("user", "keep", 0),
    ("goals", "keep", 0),
    ("project", "keep", 0),
    ("world", "keep", 0),
    ("social", "keep", 0),
    ("stream", "keep", 2),
    ("notebook", "keep", 0),
    ("learned", "keep", 0),
    ("seen", "keep", 4),
    ("stream", "keep", 0),
)
"""When the prompt is too large: which component gives way, how, and to how many lines (or
characters a line). The oldest, the least important or the least fitting go first."""
LAST_RESORT = ((8, 400, 5), (3, 160, 3), (1, 60, 2))
"""When all of that was not enough: how many events are shown, and how long any text and list may
be. Beyond it the longest messages, the event among them, are cut in their middle."""


def room_of(turn: Turn) -> int:
    """Return how many characters a request of this turn may have, its tools included."""
    most = turn.mind.config["max_context_tokens"]
    if turn.context.token_budget is not None:
        most = min(most, turn.context.token_budget)
    return int(most / turn.mind.tokens_per_char)


def tools_size(turn: Turn) -> int:
    """Return how many characters the descriptions of the tools take that are offered now."""
    return size_of(turn.offered())


def size_of(tools: Sequence[Tool]) -> int:
    """Return how many characters the descriptions of these tools take in a request."""
    return sum(tool.size for tool in tools) + 2 * len(tools)


def withhold(turn: Turn, offered: Sequence[Tool], room: int) -> list[Tool]:
    """Take tools out of this turn until the rest of the offered fits into `room` characters.

    The last ones registered go first, and speech after everything else; one way to speak stays.
    No description is cut: half a tool is worse than none. Returns those that are left.
    """
    loud = [tool for tool in offered if tool.category is Category.TERMINAL]
    quiet = [tool for tool in offered if tool.category is not Category.TERMINAL]
    order = [*reversed(quiet), *reversed(loud)]
    taken = size_of(offered)
    for tool in order[:-1]:
        if taken <= room:
            break
        turn.withheld.add(tool.name)
        taken -= size_of([tool])
    return [tool for tool in offered if tool.name not in turn.withheld]


def fitted(draft: Draft, whole: int, room: int) -> tuple[Message, ...]:
    """Return the messages of a draft in at most `room` characters; `whole` is the entire budget."""
    for key, share in TOKEN_BUDGETS.items():
        _trim(draft, key, int(whole * share))
    messages = draft.messages()
    for step in (*_ways(draft, room), *_last_ways(draft)):
        if size_of_all(messages) <= room:
            break
        step()
        messages = draft.messages()
    return tuple(squeezed(messages, room))


def _trim(draft: Draft, key: str, share: int) -> None:
    if key == "stream":
        taken = sum(len(line.message().content) for line in draft.window)
        draft.window = drop_least(draft.window, taken - share, 1)
        return
    sections = draft.sections(key)
    excess = sum(len(one.text) for one in sections) - share
    for section in reversed(sections):
        while excess > 0 and len(section.rows) > section.fixed:
            before = len(section.text)
            section.keep(len(section.rows) - section.fixed - 1)
            excess -= before - len(section.text)


def _ways(draft: Draft, room: int) -> list[Callable[[], None]]:
    """Return the rows of `GIVES_WAY` as what they do to this draft."""
    made: list[Callable[[], None]] = []
    for key, how, number in GIVES_WAY:
        made.append(
            _on_stream(draft, how, number, room)
            if key == "stream"
            else _on_sections(draft, key, number)
        )
    return made


def _on_stream(draft: Draft, how: str, number: int, room: int) -> Callable[[], None]:
    def change() -> None:
        if how == "drop older":
            draft.window = drop_least(draft.window, draft.size() - room, number)
        elif how == "keep":
            draft.window = newest(draft.window, number)
        else:
            narrative = how == "shorten narrative"
            kept = ALWAYS_KEPT if narrative else 2
            shorten(draft.window, number, kept, narrative=narrative)

    return change


def _on_sections(draft: Draft, key: str, number: int) -> Callable[[], None]:
    def change() -> None:
        for section in draft.sections(key):
            section.keep(number)
        if key == "user":
            draft.injected.clear()

    return change


def _last_ways(draft: Draft) -> list[Callable[[], None]]:
    def limited(events: int, length: int, count: int) -> Callable[[], None]:
        def change() -> None:
            for section in draft.sections():
                _cap(section, events, length, count)

        return change

    return [limited(*row) for row in LAST_RESORT]


def _cap(section: Section, events: int, length: int, count: int) -> None:
    if section.key == "event":
        section.keep(events)
    if section.key != "instructions":
        section.cap(length, count)


def squeezed(messages: Sequence[Message], room: int) -> list[Message]:
    """Return the messages in at most `room` characters: the longest are cut in their middle."""
    lengths = sorted(len(message.content) for message in messages)
    if sum(lengths) <= room:
        return list(messages)
    most, left = 0, max(0, room)
    for at, length in enumerate(lengths):
        most = left // (len(lengths) - at)
        if length > most:
            break
        left -= length
    return [replace(message, content=cut(message.content, most)) for message in messages]
