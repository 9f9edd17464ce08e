"""What a turn may say, how, and to whom: by how it began, who hears it now, and its ceiling.

A turn's own writes carry its ceiling. Game code that a tool runs may call the game's API as well,
and there nothing else would say that the turn is a whisper.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar

from ai_assistant.agent.turn.turn_state import TurnState
from ai_assistant.core.contracts import Delivery, Speech, SpeechKind
from ai_assistant.core.readers import OPEN, Audience, Belongs, alone, may_read, meet, usable

MOST_PIECES = 6
"""Pieces of speech in one turn."""
ENOUGH = "You have said enough."
UNHEARD = "It reached nobody"
"""The reason for which words reached nobody begins with this."""


def kinds(turn: TurnState) -> tuple[SpeechKind, ...]:
    """Return the kinds of speech that there are in this turn, whoever would hear it."""
    if turn.occasion and turn.occasion.kind == "nod":
        return ("emote",)
    return (turn.in_kind,) if turn.in_kind else ("say", "emote", "whisper")


OF_HEARERS = frozenset({"unwelcome", "nobody", "hearers"})
"""Why something may not be said that whoever hears it decides: it may be otherwise in a moment."""


def refuses_speech(turn: TurnState, kind: SpeechKind, target: str = "") -> str:
    """Return why nothing of this kind may be said, by its hearers now and the ceiling; or empty.

    It is no `way` to speak here, the character is `unwelcome`, `nobody` would hear it, or some of
    the `hearers` must not. A whisper without a target is for anybody here who may know it.
    """
    if kind not in kinds(turn):
        return "way"
    if not (turn.events or turn.mind.is_welcome()):
        return "unwelcome"
    world, ceiling, answered = turn.world, turn.ceiling, turn.trigger
    if kind == "whisper" and not (answered or target):
        there = world.hearers("say", turn.place)
        may = any(usable(ceiling, frozenset({hearer}), world.belongs) for hearer in there)
        return "" if may else "hearers"
    hearers = world.hearers(kind, turn.place, target or (answered.source.id if answered else ""))
    if kind == "whisper" and answered:
        hearers = hearers or turn.audience
    if not hearers:
        return "nobody"
    return "" if usable(ceiling, hearers, world.belongs) else "hearers"


def unheard(end: Delivery) -> str:
    """Return why a speech that ends so reaches nobody; empty where somebody hears it."""
    return f"{UNHEARD}: {end.reason}." if end.outcome == "dropped" else ""


def route(speech: Speech, hearers: Audience, belongs: Belongs = alone) -> Delivery:
    """Return how a speech ends when `hearers` are those who would hear it now.

    Said, if all of them may know what it is made of; else privately to those of its audience
    who may; else dropped, as where its audience has left: nobody shouts into a room of
    strangers.
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


ceiling_now: ContextVar[Callable[[], str]] = ContextVar("ceiling", default=lambda: OPEN)
"""The ceiling of the turn for which code runs; it may sink meanwhile."""


def may_tell(readers: str) -> bool:
    """May something be written now that those of this label read? Outside of turns, always."""
    return meet(readers, ceiling_now.get()()) == readers
