"""Writing amid a turn: where the database takes nothing, the turn waits for it and writes anew."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from ai_assistant.agent.turn.turn_state import TurnState
from ai_assistant.core.errors import StoreUnavailable

T = TypeVar("T")
LONGEST_WAIT = 180.0
"""Seconds that a turn waits for the database; then its events are tried anew when that is back."""


async def written(turn: TurnState, write: Callable[[], T]) -> T:
    """Return what `write` returns, once the database takes it.

    What a refused try proposed is taken back: the next one finds who is there by then. Raises
    `StoreUnavailable` where that takes too long, and what `TurnState.check` raises.
    """
    until = turn.clock.monotonic() + LONGEST_WAIT
    while True:
        before = turn.proposals()
        try:
            return write()
        except StoreUnavailable:
            turn.propose(before)
            left = until - turn.clock.monotonic()
            if left <= 0:
                raise
        try:
            await turn.mind.limit(turn.mind.watch.back(), left)
        except TimeoutError:
            raise StoreUnavailable from None
        turn.check()
