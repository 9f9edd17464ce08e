"""What `ai` does to talk to one: words that only the caller reads, from anywhere in the game."""

from __future__ import annotations

from typing import Any

from ai_assistant.agent.delegation.errands import ErrandAnswer
from ai_assistant.api.ask import ask
from ai_assistant.commands.command_base import AICommand, switch
from ai_assistant.commands.help_topics import Misused
from ai_assistant.commands.tables import as_it_stands
from ai_assistant.game.identity import name_of


class InteractVerbs(AICommand):
    """
    The switch interact of the command `ai`.

    """

    @switch("interact", "Admin", named=True)
    def _interact(self, character: Any) -> None:
        if not self.rhs:
            raise Misused
        answer = ask(character, self.rhs, reader=self.caller)
        self.msg(f"{name_of(character)} thinks about it.")

        def told(found: ErrandAnswer) -> None:
            self.msg(f"|c{name_of(character)}|n: {as_it_stands(found.text)}")

        answer.addCallback(told).addErrback(self.failed)
