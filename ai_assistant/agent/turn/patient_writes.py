"""Writing amid a turn: where the database takes nothing, the turn waits for it and writes anew."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from dataclasses import fields
from typing import TypeVar

from ai_assistant.agent.turn.turn_state import TurnState, check_epoch
from ai_assistant.core.contracts import Commit, Json, Speech
from ai_assistant.core.errors import StoreUnavailable

T = TypeVar("T")
_Proposals = tuple[Commit, tuple[list[Json], list[Speech], set[str]], int, Speech | None]
LONGEST_WAIT = 180.0
"""Seconds that a turn waits for the database; then its events are tried anew when that is back."""


async def written(turn: TurnState, write: Callable[[], T]) -> T:
    """Return what `write` returns, once the database takes it.

    What a refused try proposed is taken back: the next one finds who is there by then. Raises
    `StoreUnavailable` where that takes too long, and `TurnSuperseded` where the turn may not go on.
    """
    until = turn.clock.monotonic() + LONGEST_WAIT
    while True:
        held = {part.name: copy(getattr(turn.commit, part.name)) for part in fields(Commit)}
        kept = [*turn.deeds], [*turn.speeches], {*turn.saved_events}
        before = Commit(**held), kept, turn.deeds_done, turn.speech
        try:
            return write()
        except StoreUnavailable:
            _take_back(turn, before)
            left = until - turn.clock.monotonic()
            if left <= 0:
                raise
        try:
            await turn.mind.limit(turn.mind.watch.back(), left)
        except TimeoutError:
            raise StoreUnavailable from None
        check_epoch(turn)


def _take_back(turn: TurnState, before: _Proposals) -> None:
    """Let a turn propose what it did before, and nothing else: who takes part is decided anew."""
    if turn.speech:
        turn.mind.world_agent.take_back(turn.speech.event)
    turn.commit, (turn.deeds, turn.speeches, turn.saved_events), turn.deeds_done, turn.speech = (
        before
    )
