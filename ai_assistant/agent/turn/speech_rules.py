"""What a turn may say, how, and to whom: by how it began, who hears it now, and its ceiling.

A turn's own writes carry its ceiling. Game code that a tool runs may call the game's API as well,
and there nothing else would say that the turn is a whisper.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from ai_assistant.agent.turn.turn_state import TurnState
from ai_assistant.core.contracts import Delivery, Entity, Speech, SpeechKind
from ai_assistant.core.errors import ToolError
from ai_assistant.core.readers import OPEN, Audience, Belongs, alone, may_read, meet, usable
from ai_assistant.core.text import clean

MOST_PIECES = 6
"""Pieces of speech in one turn."""
ENOUGH = "You have said enough."
UNHEARD = "It reached nobody"
"""How it begins, why words were dropped."""

PRIVATE: dict[str, SpeechKind] = {"whisper": "whisper", "page": "page", "channel": "channel"}
"""What is answered in the way in which it was asked: there is no other way to be heard then."""


def kinds(turn: TurnState) -> tuple[SpeechKind, ...]:
    """Return the kinds of speech that there are in this turn, whoever would hear it."""
    if turn.occasion and turn.occasion.kind == "nod":
        return ("emote",)
    private = PRIVATE.get(turn.trigger.source_type) if turn.trigger else None
    return (private,) if private else ("say", "emote", "whisper")


def may_say(turn: TurnState, kind: SpeechKind, target: str = "") -> bool:
    """May a speech of this kind be made, seen from its hearers now and the ceiling?"""
    if kind not in kinds(turn) or not (turn.events or turn.mind.is_welcome()):
        return False
    hearers = _hearers(turn, kind, target)
    if kind == "whisper" and turn.trigger is not None:
        hearers = hearers or turn.audience
    if kind == "whisper" and turn.trigger is None and not target:  # whoever it is told to
        there = turn.world.hearers("say", turn.place)
        return any(
            usable(turn.ceiling, frozenset({hearer}), turn.world.belongs) for hearer in there
        )
    return bool(hearers) and usable(turn.ceiling, hearers, turn.world.belongs)


def proposed(turn: TurnState, kind: SpeechKind, text: str, target: Entity | None = None) -> Speech:
    """Return the turn's next piece of speech.

    Raises `ToolError` where it may not be said, or would reach nobody because the character has
    walked away; where those left instead, it is kept as unheard.
    """
    if turn.speech or len(turn.said) >= MOST_PIECES:
        raise ToolError(ENOUGH)
    if kind not in kinds(turn) or not (turn.events or turn.mind.is_welcome()):
        raise ToolError("Nobody here waits to be spoken to like that.")
    hearers = _hearers(turn, kind, target.id if target else "")
    if hearers and not usable(turn.ceiling, hearers, turn.world.belongs):
        raise ToolError("That would be heard by somebody who must not hear it.")
    words = clean(text)
    if not words:
        raise ToolError("There are no words in it.")
    is_new = turn.moved or not turn.events
    there = turn.world.hearers(kind, turn.place) if is_new else turn.audience
    speech = Speech(
        kind=kind,
        text=words,
        readers=turn.ceiling,
        audience=frozenset({target.id}) if target else there,
        place=turn.place,
        target=target,
        root=turn.roots[0],
        event=f"{turn.id}.said.{len(turn.said) + 1}",
    )
    end = turn.world.route(speech)
    if turn.moved and end.outcome == "dropped":
        raise ToolError(_unheard(end))
    return speech


def reaches_nobody(turn: TurnState) -> str:
    """Return why the piece of speech that waits would be dropped now; empty where it is heard."""
    end = turn.world.route(turn.speech) if turn.speech else None
    return _unheard(end) if end and end.outcome == "dropped" else ""


def _unheard(end: Delivery) -> str:
    return f"{UNHEARD}: {end.reason}."


def _hearers(turn: TurnState, kind: SpeechKind, target: str) -> Audience:
    answered = turn.trigger.source.id if turn.trigger else ""
    return turn.world.hearers(kind, turn.place, target or answered)


def route(speech: Speech, hearers: Audience, belongs: Belongs = alone) -> Delivery:
    """Return how a speech ends when `hearers` are those who would hear it now.

    Said, if all of them may know what it is made of; else told privately to those of its audience
    who are still there and may; else dropped. Once all whom it was meant for have left, it is
    dropped too: nobody shouts an answer into a room of strangers.
    """
    there = speech.audience & hearers
    if not hearers:
        return Delivery("dropped", reason="nobody is there to hear it")
    if not there:
        return Delivery("dropped", reason="those it was meant for have left")
    if usable(speech.readers, hearers, belongs):
        return Delivery("said", hearers)
    may = frozenset(hearer for hearer in there if may_read(hearer, speech.readers, belongs))
    if may:
        return Delivery("privately", may, "somebody is there who must not hear it")
    return Delivery("dropped", reason="nobody there may hear it")


_ceiling: ContextVar[Callable[[], str]] = ContextVar("ceiling", default=lambda: OPEN)


@contextmanager
def within(ceiling: Callable[[], str]) -> Iterator[None]:
    """Within this block, code runs for a turn with this ceiling, which may sink meanwhile."""
    token = _ceiling.set(ceiling)
    try:
        yield
    finally:
        _ceiling.reset(token)


def may_tell(readers: str) -> bool:
    """May something be written now that those of this label read? Outside of turns, always."""
    return meet(readers, _ceiling.get()()) == readers
