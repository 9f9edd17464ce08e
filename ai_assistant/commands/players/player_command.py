"""What the commands for everybody share: each is about whoever types it, and costs a little."""

from __future__ import annotations

from typing import Any

from ai_assistant.commands.command_base import AICommand
from ai_assistant.game.identity import entity_id
from ai_assistant.runtime.means import LOOK, pay, purses_of
from ai_assistant.runtime.service import SERVICE


class PlayerCommand(AICommand):
    """
    A command for everybody, about themselves.

    """

    help_category = "General"
    locks = "cmd:all()"

    @property
    def own_id(self) -> str:
        """The lasting id of whoever asks."""
        return entity_id(self.caller)

    def _verb(self) -> Any:
        pay(SERVICE.shared.purses, purses_of(self.caller), LOOK)
        return super()._verb()
