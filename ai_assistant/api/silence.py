"""Silence: one assistant, all in a room, or all of the game neither speak nor act, at once."""

from __future__ import annotations

from typing import Any

from ai_assistant.game.identity import find
from ai_assistant.game.quiet import QUIET
from ai_assistant.runtime.service import SERVICE


def silence(what: Any | None) -> int:
    """Let an assistant, all in a room, or everybody (None) be quiet; returns how many turns fell.

    They go on hearing and remembering. Calls of models are dropped, what they might have cost
    stays booked, and nothing of those turns is said or done. It stands until `end_silence`, over
    reloads and restarts, and for whoever comes into the room.
    """
    QUIET.begin(what)
    dropped = 0
    for resident in [*SERVICE.residents.values()]:
        character = find(resident.id)
        if character is not None and QUIET.reason(character):
            dropped += bool(resident.turn_id)
            SERVICE.interrupt(resident.id)
    return dropped


def end_silence(what: Any | None) -> None:
    """Let them speak again; what still holds another of the three silences stays quiet."""
    QUIET.end(what)
