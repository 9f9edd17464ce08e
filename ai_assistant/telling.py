"""Telling: on its way through the game a line takes along what its speaker passes on with it.

Evennia hands a line to each hearer within the call that says it; so does this.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace

from ai_assistant.contracts import Event, Speech
from ai_assistant.memory.hearsay import TOLD
from ai_assistant.roleplay.fiction import mark
from ai_assistant.roleplay.retelling import heard_by

_said: ContextVar[Speech | None] = ContextVar("said", default=None)


@contextmanager
def telling(speech: Speech) -> Iterator[None]:
    """Within this block, whoever perceives an assistant's words is told what this passes on."""
    token = _said.set(speech)
    try:
        yield
    finally:
        _said.reset(token)


def received(event: Event, who: str, heard: Callable[[], Collection[str]]) -> Event:
    """Return an event with what it passes on to its hearer; see `retelling.heard_by`.

    `heard` returns the ids of lines that this one heard itself; it is asked only where it matters.
    """
    said = _said.get() if event.by_assistant else None
    told = said.told if said else ()
    more = ({TOLD: list(told)} if told else {}) | mark(said and said.played)
    if more:
        event = replace(event, metadata={**event.metadata, **more})
    return heard_by(event, who, heard() if told else ())
