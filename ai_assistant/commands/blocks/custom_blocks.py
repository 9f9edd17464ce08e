"""What staff do with blocks of the game's own: make, share and delete them."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from ai_assistant.api import blocks
from ai_assistant.commands.command_base import AICommand, switch
from ai_assistant.commands.help_topics import Misused
from ai_assistant.game.identity import name_of

WORLD = "world"
"""What staff type for everybody."""


class CustomBlocks(AICommand):
    """
    The switches of `aiblock` for blocks of the game's own.

    """

    @switch("create", "Admin")
    def _create(self) -> None:
        if not self.rhs:
            raise Misused
        if self.lhs.casefold() == WORLD:
            blocks.get_or_create_global_block(self.rhs)
            whose = "everybody"
        else:
            npcs = [self.wanted(name) for name in self.lhslist]
            whose = ", ".join(map(name_of, npcs))
            if len(npcs) > 1:
                blocks.get_or_create_shared_block(self.rhs, npcs)
            else:
                blocks.create_block_by_type("private", self.rhs, npc=npcs[0])
        self.msg(f"There is a block {self.rhs} of {whose}.")

    @switch("join", "Admin", named=True)
    def _join(self, npc: Any) -> None:
        blocks.join_block(self.rhs or "", npc)
        self.msg(f"{name_of(npc)} shares the block {self.rhs}.")

    @switch("leave", "Admin", named=True)
    def _leave(self, npc: Any) -> None:
        blocks.leave_block(self.rhs or "", npc)
        self.msg(f"{name_of(npc)} does not share the block {self.rhs} any more.")

    @switch("delete", "Admin")
    def _delete(self) -> Generator[str, str, None]:
        if not self.rhs:
            raise Misused
        npc = None if self.lhs.casefold() == WORLD else self.wanted(self.lhs)
        sharing = blocks.sharing(self.rhs, npc)
        whose = f" of {', '.join(map(name_of, sharing))}" if sharing else ""
        if (yield from self.confirmed(f"Delete the block {self.rhs}{whose}")):
            blocks.delete_own_block(self.rhs, npc, by=self.caller.key)
            self.msg(f"The block {self.rhs} is gone.")
