"""Component 3000: what lorebooks have to say, by what is said now.

Lore is open to everybody and quoted, like all that others wrote. Constant entries stand in
the beginning that never changes, those with a depth within the conversation; no entry is there
twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ai_assistant.agent.attention import layers
from ai_assistant.agent.prompt.component import MAX_ORDER, PromptComponent
from ai_assistant.agent.prompt.draft import Row, Section
from ai_assistant.agent.prompt.macros import MacroContext, resolve_macros
from ai_assistant.agent.prompt.prompt_wording import on_one_line, quoted
from ai_assistant.agent.turn.turn import Turn
from ai_assistant.core.contracts import Change, Json
from ai_assistant.core.readers import OPEN
from ai_assistant.roleplay.lorebook import Fired, Lorebook, Scan, activate, in_mind

LORE_TOKENS, LORE_SHARE = 400, 0.15
"""Tokens that lore may take, and the share of a small prompt."""
ALWAYS = "What you know of the world"
NOW = "What you know of this"
_PLACES = {"before": "world_info_before", "after": "world_info_after"}
"""Place of an entry → the name by which `persona_order` puts it before or after others."""


@dataclass(slots=True)
class Lore:
    """What came to mind."""

    always: Section = field(default_factory=lambda: Section([], ALWAYS))
    """What never changes."""
    now: Section = field(default_factory=lambda: Section([], NOW))
    """What is spoken of."""
    injected: list[tuple[PromptComponent, str]] = field(default_factory=list)
    """What stands at a depth of the conversation."""
    keys: frozenset[str] = frozenset()
    """The keys of all its entries."""


def lore(turn: Turn, entries: Sequence[Json], context: MacroContext, room: int) -> Lore:
    """Return the lore that comes to mind by the events and the conversation's `entries`.

    It takes a share of the `room`, in characters; what sticks or rests is noted in the turn.
    """
    books = turn.mind.shelf.books()
    if not books:
        return Lore()
    heard = (OPEN, turn.ceiling)
    stands = in_mind(turn.store.view("lore"), books, lambda readers: readers in heard)
    said = [event.content for event in reversed(turn.events)]
    said += [entry["content"] for entry in reversed(entries)]
    per_char = turn.mind.tokens_per_char
    scan = Scan(
        messages=said,
        tags=turn.mind.shelf.tags(),
        seed=turn.events[-1].id if turn.events else turn.id,
        count=stands.count + len(turn.events),
        sticky=stands.sticky,
        resting=stands.resting,
        room=min(LORE_TOKENS, LORE_SHARE * room * per_char),
        per_char=per_char,
    )
    fired = activate(books, scan)
    _note(turn, books, fired)
    return _placed(turn, fired, context)


def _note(turn: Turn, books: Sequence[Lorebook], fired: Sequence[Fired]) -> None:
    """Propose to count these messages, where any entry depends on how many there were."""
    timed = {
        entry.key: bool(entry.sticky or entry.cooldown)
        for book in books
        for entry in book.entries
        if entry.sticky or entry.cooldown or entry.delay
    }
    if timed and turn.events:
        anew = [came.entry.key for came in fired if came.anew and timed.get(came.entry.key)]
        args = {"readers": turn.ceiling, "messages": len(turn.events) + 1, "entries": anew}
        turn.change(Change("lore", "", "mark", args))


def _placed(turn: Turn, fired: Sequence[Fired], context: MacroContext) -> Lore:
    order = turn.mind.config["persona_order"]
    ranks = {place: order.index(name) for place, name in _PLACES.items() if name in order}
    found = Lore(keys=frozenset(came.entry.key for came in fired))
    for came in sorted(fired, key=lambda came: ranks.get(came.entry.position, len(order))):
        entry = came.entry
        text = resolve_macros(entry.content, context, turn.mind.macros, constant=True)
        row: Json = {"lore": entry.name, "text": text} if entry.name else {"lore": text}
        words = f"{on_one_line(entry.name)}: {quoted(text)}" if entry.name else quoted(text)
        if entry.position == "depth":
            part = PromptComponent(
                layers.KNOWLEDGE,
                entry.key,
                entry.name,
                injection_depth=entry.depth,
                injection_order=min(MAX_ORDER, max(0, entry.order)),  # cards may have any number
            )
            found.injected.append((part, words))
        else:
            (found.always if entry.lasting else found.now).rows.append(Row(f"- {words}", row))
    return found
