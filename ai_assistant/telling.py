"""Telling: on its way through the game a line takes along what its speaker passes on with it.

Evennia hands a line to each hearer within the call that says it; so does this.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace

from ai_assistant.contracts import Event, Json
from ai_assistant.memory.hearsay import TOLD
from ai_assistant.roleplay.retelling import heard_by

_told: ContextVar[Sequence[Json]] = ContextVar("told", default=())


@contextmanager
def telling(told: Sequence[Json]) -> Iterator[None]:
    """Within this block, whoever perceives an assistant's words is told this with them."""
    token = _told.set(told)
    try:
        yield
    finally:
        _told.reset(token)


def received(event: Event, who: str, heard: Callable[[], Collection[str]]) -> Event:
    """Return an event with what it passes on to its hearer; see `retelling.heard_by`.

    `heard` returns the ids of lines that this one heard itself; it is asked only where it matters.
    """
    told = _told.get() if event.by_assistant else ()
    if told:
        event = replace(event, metadata={**event.metadata, TOLD: list(told)})
    return heard_by(event, who, heard() if told else ())
