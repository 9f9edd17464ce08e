"""The budget: how much room a prompt has, and what gives way, in which order, until it fits.

Everything is measured in letters (`extent`): the budget in tokens, divided by the tokens per letter
that the provider's counts have taught. The descriptions of the tools are part of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import product
from typing import Any

from ai_assistant.agent.attention import layers
from ai_assistant.agent.prompt.draft import GAP, PromptDraft, length_of
from ai_assistant.agent.prompt.measures import PER_CHAR
from ai_assistant.agent.prompt.prompt_wording import cut
from ai_assistant.agent.prompt.section_table import STREAM, SectionKind, giving_way
from ai_assistant.agent.prompt.window import is_heard
from ai_assistant.agent.turn.kits import offered
from ai_assistant.agent.turn.turn import Turn
from ai_assistant.core.contracts import Category
from ai_assistant.core.model_records import Message
from ai_assistant.language.words import extent
from ai_assistant.tools import Tool

TOOLS_SHARE = 0.5
"""The share that the descriptions of the tools may take; what does not fit is not offered."""
NEWEST = 4
"""Lines of the conversation that stay until everything else has given way."""

RESULT_LENGTHS = (4000, 1600, 600, 200, 60)
"""How long a result, or a text in a call, may be: the first length with which all of it fits."""
LONGEST_LIST = 20


def room_of(turn: Turn) -> int:
    """Return how many characters a request of this turn may have, its tools included."""
    most = turn.mind.config["max_context_tokens"]
    if turn.context.token_budget is not None:
        most = min(most, turn.context.token_budget)
    return int(most / turn.mind.tokens_per_char)


def tools_size(turn: Turn) -> int:
    """Return how many characters the descriptions of the tools take that are offered now."""
    return sum(tool.size for tool in offered(turn))


def withhold(turn: Turn, tools: Sequence[Tool], room: int) -> list[Tool]:
    """Take tools out of this turn until the rest of the offered fits; returns the rest.

    The last ones registered go first, and speech after everything else; one way to speak stays.
    """
    loud = [tool for tool in tools if tool.category is Category.TERMINAL]
    quiet = [tool for tool in tools if tool.category is not Category.TERMINAL]
    order = [*reversed(quiet), *reversed(loud)]
    taken = sum(tool.size for tool in tools)
    for tool in order[:-1]:
        if taken <= room:
            break
        turn.tools_left_out.add(tool.name)
        taken -= tool.size
    return [tool for tool in tools if tool.name not in turn.tools_left_out]


def cap_components(draft: PromptDraft, kinds: Iterable[SectionKind]) -> None:
    """Let each component take no more than its most."""
    for kind in kinds:
        if kind.most is not None:
            _give_way(draft, kind.key, kind.most / PER_CHAR)


def fitted(
    draft: PromptDraft, room: int, kinds: tuple[SectionKind, ...]
) -> list[tuple[str, Message]]:
    """Return the parts of a draft in at most `room` characters.

    Kinds give way in their order: first to half, then to nothing.
    """
    excess = draft.size() - room
    for share, key in product((0.5, 0.0), giving_way(kinds)):
        if excess <= 0:
            return draft.parts()
        if key == STREAM:
            _let_lines_go(draft, excess, max(NEWEST, int(len(draft.window) * share)))
        else:
            start = sum(part.letters for part in draft.sections if part.key == key)
            _give_way(draft, key, max(start * share, start - excess))
        excess = draft.size() - room
    if excess > 0:
        draft.keep_talk([], injected=False)
    keys, parts = zip(*draft.parts(), strict=True)
    return list(zip(keys, squeezed(parts, room - len(GAP) * len(parts)), strict=True))


def _give_way(draft: PromptDraft, key: str, most: float) -> None:
    """Take rows out of the sections of that key, the last one first, down to so many letters."""
    sections = [section for section in draft.sections if section.key == key]
    for section in reversed(sections):
        rest = len(section.rows) - section.fixed
        while rest > 0 and sum(part.letters for part in sections) > most:
            rest -= 1
            section.keep(rest)


def _let_lines_go(draft: PromptDraft, excess: int, kept: int) -> None:
    window, gone = draft.window, 0
    while gone < len(window) - kept and excess > 0:
        excess -= extent(window[gone].text)
        gone += 1
        while gone < len(window) and not is_heard(window[gone].entry):
            excess -= extent(window[gone].text)
            gone += 1
    draft.keep_talk(window[gone:])


def squeezed(messages: Sequence[Message], room: int) -> list[Message]:
    """Return the messages in at most `room` characters: the longest are cut in their middle."""
    lengths = sorted(map(length_of, messages))
    if sum(lengths) <= room:
        return list(messages)
    most, left = 0, max(0, room)
    for at, length in enumerate(lengths):
        most = left // (len(lengths) - at)
        if length > most:
            break
        left -= length
    calls = [length_of(message) - extent(message.content) for message in messages]
    return [
        replace(message, content=cut(message.content, max(0, most - letters)))
        for message, letters in zip(messages, calls, strict=True)
    ]


# -- what the turn's own tool calls brought (7000), beside a prompt that may give way


def request_messages(turn: Turn, tools: int) -> tuple[Message, ...]:
    """Return the messages of the turn's next request, inside its budget beside tools of that size.

    What the tools said is cut first, then the oldest lines go, then the oldest steps.
    """
    room = room_of(turn) - tools
    whole = (*turn.prompt.messages, *turn.transcript)
    return whole if sum(map(length_of, whole)) <= room else _cut_down(turn, room)


def _cut_down(turn: Turn, room: int) -> tuple[Message, ...]:
    prompt, steps = list(turn.prompt.messages), list(turn.transcript)

    def excess() -> int:
        return sum(map(length_of, (*prompt, *steps))) - room

    for length in RESULT_LENGTHS:
        if excess() > 0:
            steps = [_shorter(message, length) for message in turn.transcript]
    while excess() > 0 and _drop_exchange(prompt):
        pass
    begins = [at for at, message in enumerate(steps) if message.role == "assistant"]
    while excess() > 0 and len(begins) > 1:
        second = begins[1]
        del steps[:second]
        begins = [at - second for at in begins[1:]]
    return tuple(squeezed((*prompt, *steps), room))


def _shorter(message: Message, length: int) -> Message:
    calls = tuple(
        replace(call, arguments=capped(call.arguments, length)) for call in message.tool_calls
    )
    return replace(message, content=cut(message.content, length), tool_calls=calls)


def capped(value: Any, length: int) -> Any:
    """Return JSON values with no text longer than `length` and no list that is endless."""
    if isinstance(value, str):
        return cut(value, length)
    if isinstance(value, list | tuple):
        return [capped(item, length) for item in value[:LONGEST_LIST]]
    if isinstance(value, dict):
        return {key: capped(item, length) for key, item in value.items()}
    return value


def _drop_exchange(prompt: list[Message]) -> bool:
    """Take out the oldest lines of the conversation with what was answered; False for none."""
    first = next((at for at, message in enumerate(prompt) if _is_line(message)), None)
    if first is None:
        return False
    end = first + 1
    while end < len(prompt) and _is_line(prompt[end]) and prompt[end].role != "user":
        end += 1
    del prompt[first:end]
    return True


def _is_line(message: Message) -> bool:
    return message.component == layers.CONVERSATION and message.role != "system"
