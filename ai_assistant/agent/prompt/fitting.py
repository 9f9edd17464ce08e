"""The budget: how much room a prompt has, and what gives way, in which order, until it fits.

Everything is measured in letters (`extent`): the budget in tokens, divided by the tokens per letter
that the provider's counts have taught. The descriptions of the tools are part of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ai_assistant.agent.prompt.draft import GAP, Draft, length_of
from ai_assistant.agent.prompt.measures import PER_CHAR
from ai_assistant.agent.prompt.prompt_wording import cut
from ai_assistant.agent.prompt.window import is_heard
from ai_assistant.agent.turn.turn import Turn
from ai_assistant.core.contracts import Category, Message
from ai_assistant.language.words import extent
from ai_assistant.tools import Tool

MOST_TOKENS = {
    "memories": 350,
    "lore": 400,
    "learned": 250,
    "notebook": 300,
    "social": 150,
    "world": 250,
    "blocks": 200,
    "project": 200,
    "goals": 300,
    "summary": 1600,
    "seen": 300,
    "entity": 300,
    "user": 1000,
}
"""Tokens that each component may take, however much room there is. Where there is too little, they
give way in this order, the conversation before the summary: first to half, then to nothing."""
CONVERSATION = "stream"
_ORDER = [*MOST_TOKENS]
_ORDER.insert(_ORDER.index("summary"), CONVERSATION)
TOOLS_SHARE = 0.5
"""The share that the descriptions of the tools may take; what does not fit is not offered."""
NEWEST = 4
"""Lines of the conversation that stay until everything else has given way."""


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


def limit(draft: Draft) -> None:
    """Let each component take no more than its most."""
    for key, tokens in MOST_TOKENS.items():
        while _size_at(draft, key) > tokens / PER_CHAR and _give_way(draft, key):
            pass


def fitted(draft: Draft, room: int) -> list[tuple[str, Message]]:
    """Return the parts of a draft in at most `room` characters."""
    for share in (0.5, 0.0):
        for key in _ORDER:
            if (excess := draft.size() - room) > 0:
                _shrink(draft, key, excess, share)
    if draft.size() > room:
        draft.injected, draft.window = [], []
    keys, parts = zip(*draft.parts(), strict=True)
    return list(zip(keys, squeezed(parts, room - len(GAP) * len(parts)), strict=True))


def _size_at(draft: Draft, key: str) -> int:
    return sum(extent(one.text) for one in draft.of(key))


def _give_way(draft: Draft, key: str) -> bool:
    """Take a row out of the last section of that key that has any to give."""
    for section in reversed(draft.of(key)):
        if (rest := len(section.rows) - section.fixed) > 0:
            section.keep(rest - 1)
            return True
    return False


def _shrink(draft: Draft, key: str, excess: int, share: float) -> None:
    """Let a component give way by so many characters, down to that share of it at most."""
    if key == CONVERSATION:
        _let_lines_go(draft, excess, max(NEWEST, int(len(draft.window) * share)))
        return
    start = _size_at(draft, key)
    least = max(start * share, start - excess)
    while _size_at(draft, key) > least and _give_way(draft, key):
        pass


def _let_lines_go(draft: Draft, excess: int, kept: int) -> None:
    """Let the oldest exchanges go, until so much is free or so few lines are left."""
    window, gone = draft.window, 0
    while gone < len(window) - kept and excess > 0:
        excess -= extent(window[gone].text)
        gone += 1
        while gone < len(window) and not is_heard(window[gone].entry):
            excess -= extent(window[gone].text)
            gone += 1
    draft.window = window[gone:]


def squeezed(messages: Sequence[Message], room: int) -> list[Message]:
    """Return the messages in at most `room` characters: the longest are cut in their middle."""
    lengths = sorted(length_of(message) for message in messages)
    if sum(lengths) <= room:
        return list(messages)
    most, left = 0, max(0, room)
    for at, length in enumerate(lengths):
        most = left // (len(lengths) - at)
        if length > most:
            break
        left -= length
    return [_cut(message, most) for message in messages]


def _cut(message: Message, most: int) -> Message:
    calls = length_of(message) - extent(message.content)
    return replace(message, content=cut(message.content, max(0, most - calls)))
