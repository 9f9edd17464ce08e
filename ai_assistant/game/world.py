"""The game as one character perceives it and acts in it, under that character's own locks."""

from __future__ import annotations

from typing import Any

from ai_assistant.game.handling import EvenniaActing
from ai_assistant.game.senses import EvenniaSurroundings
from ai_assistant.game.speech import EvenniaTalk, Missed


class EvenniaWorld(EvenniaSurroundings, EvenniaTalk, EvenniaActing):
    """The `World` of one character (an Evennia object), which it knows by its lasting id only."""

    def __init__(self, character: Any, missed: Missed = lambda *_: None) -> None:
        """`missed` learns who did not receive a line that was saved before it was said."""
        super().__init__(character)
        self.missed = missed
