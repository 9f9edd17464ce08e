"""What `aiblock` does about bodies, and about games that move over from the older layout."""

from __future__ import annotations

from ai_assistant.api import blocks, lifecycle
from ai_assistant.commands.command_base import AICommand, braced
from ai_assistant.core.errors import AssistantError
from ai_assistant.game.identity import name_of
from ai_assistant.memory.blocks.old_blocks import LAYOUT, THREE


class BlockMoves(AICommand):
    """Verbs of `aiblock`."""

    def do_share(self) -> None:
        """Let two assistants be bodies of one character."""
        body, npc = self.wanted(self.lhs), self.wanted(self.rhs or "")
        blocks.embody(body, npc)
        self.msg(f"{name_of(body)} is a body of the character that {name_of(npc)} is.")

    def do_part(self) -> None:
        """Let a body be by itself again."""
        body = self.wanted(self.lhs)
        blocks.part_ways(body)
        self.msg(f"{name_of(body)} is a character by itself again.")

    def do_import(self) -> None:
        """Split the older blocks over the six; without 'now' only say how."""
        npc = self.wanted(self.lhs)
        word = (self.rhs or "").strip().lower()
        if word not in ("", "now"):
            raise AssistantError("Usage: aiblock/import <assistant> [= now]")
        report = blocks.import_old_layout(npc, dry_run=not word, by=self.caller.key)
        hint = "" if word else f"\nTo do it: |waiblock/import {name_of(npc)} = now|n"
        self.show(braced(str(report)) + hint)

    def do_keep(self) -> None:
        """Let an assistant go on with its older blocks."""
        npc = self.wanted(self.lhs)
        old = blocks.keep_old_layout(npc)
        lifecycle.configure(npc, LAYOUT, THREE)
        self.msg(
            f"{name_of(npc)} uses its older blocks: {len(old.people)} people, {len(old.places)} "
            f"places. Back to the six: ai/config {name_of(npc)} = {LAYOUT} six"
        )
