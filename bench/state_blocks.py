"""What staff and game code write into blocks and onto the map: each deed by its name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from bench.state_writers import BY, Deed, GameCode

TAG = 9
"""Letters of a word that are enough for a name."""


class BlockDeeds(GameCode):
    """A history in which blocks of the game's own are made, those of several, and places."""

    def name(self) -> str:
        """Return a new word that can be a name in any place."""
        return self.word(self.his)[:TAG]

    def made_blocks(self) -> Iterator[tuple[str, Deed]]:
        """Yield what is done to blocks and to the map."""
        from ai_assistant.api.blocks import game_blocks
        from ai_assistant.storage.history.block_history import undo

        mind, words = self.mind(), self.words

        def shared() -> str:
            game_blocks.get_or_create_shared_block("rota", self.minds[:2])
            game_blocks.add_line("rota", words(), npc=self.minds[0])
            return "block:rota"

        def notices() -> None:
            game_blocks.get_or_create_global_block("notices")
            game_blocks.add_line("notices", words())

        yield "block of several", shared
        yield "block of several undone", lambda: undo(shared(), "shared", by=BY, writer="game")
        yield "block of everybody", notices
        yield "block gone", lambda: game_blocks.delete_own_block(self.board(mind), mind, by=BY)
        yield from self._facts(mind)
        yield from self._world(mind)

    def _facts(self, mind: Any) -> Iterator[tuple[str, Deed]]:
        from ai_assistant.api.blocks import npc_blocks, persona_block
        from ai_assistant.commands.blocks.block_edits import edit

        words = self.words

        def fact() -> str:
            said = words()
            npc_blocks.share_fact(mind, said)
            return said

        def written() -> None:
            persona = persona_block.read_persona(mind)
            made = {**persona.value, "role": f"keeper {self.chance.random()}"}
            persona_block.write_persona(mind, made, expected_version=persona.version)

        yield (
            "fact edited",
            lambda: edit(mind, "shared_social", "fact", f"{fact()} -> {words()}", by=BY),
        )
        yield (
            "talk of several",
            lambda: edit(mind, "shared_social", "talk", f"Alice, Bob: {words()}", by=BY),
        )
        yield "persona written", written

    def _world(self, mind: Any) -> Iterator[tuple[str, Deed]]:
        from ai_assistant.api.blocks import world_knowledge

        place = f"Quay {self.chance.randint(1, 9)}"
        yield "lore of the world", lambda: world_knowledge.set_lore(self.words())
        yield "place gone", lambda: self._place_gone(place)
        yield "old layout", lambda: self._old_layout(mind)
        yield "old layout kept", lambda: self._keeps_old_layout(mind)

    def _place_gone(self, place: str) -> None:
        from ai_assistant.api.blocks import world_knowledge

        world_knowledge.set_location(place, self.words())
        world_knowledge.remove_location(place, by=BY)

    def _old_layout(self, mind: Any) -> None:
        from ai_assistant.api.blocks import importer

        importer.import_old_layout(mind, self._old(), dry_run=False, by=BY)

    def _keeps_old_layout(self, mind: Any) -> None:
        from ai_assistant.api.blocks import importer

        for name, value in self._old().items():
            mind.attributes.add(name, value)
        importer.keep_old_layout(mind)

    def _old(self) -> dict[str, Any]:
        return {"persona": {"role": self.name()}, "human": {"Alice": {"notes": [self.words()]}}}
