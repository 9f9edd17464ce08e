"""Within a tool: what game code that it calls may tell whom, which is never more than the turn may.

A turn's own writes carry its ceiling. Game code that a tool runs may call the game's API as well,
and there nothing else would say that the turn is a whisper.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from ai_assistant.readers import OPEN, meet

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
