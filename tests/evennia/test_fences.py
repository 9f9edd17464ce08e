"""A server that lost its lease writes nothing: neither scenes, nor blocks, nor lorebooks."""

import pytest

from ai_assistant.api import staging
from ai_assistant.api.blocks import game_blocks
from ai_assistant.core.contracts import MemoryRow
from ai_assistant.core.errors import NotInCharge
from ai_assistant.models import BlockVersion, Memory, MemoryBlock, Participation, Scene
from ai_assistant.runtime.service import SERVICE
from ai_assistant.storage import block_rows, lorebooks, refined_lines, scene_rows
from tests.evennia.living import CommandTestCase


class TestFences(CommandTestCase):
    """A scene, a block and a book are there, and then another server takes over."""

    def setUp(self):
        super().setUp()
        self.marrek = self.an_assistant()
        self.scene = staging.create_scene("A play", self.char1)
        self.book = {"book": {"name": "Lore", "entries": []}}
        lorebooks.write_books([("", lorebooks.world_label("lore"), self.book)])
        game_blocks.create_block_by_type("private", "board", npc=self.marrek)

    def on_disk(self):
        """Return every row that may be written here."""
        tables = (Scene, Participation, MemoryBlock, BlockVersion, Memory)
        return [list(table.objects.order_by("pk").values()) for table in tables]

    def test_nothing_is_written_any_more(self):
        """Each of them is refused, says why, and leaves everything as it was."""
        before, scene = self.on_disk(), scene_rows.load_scene(self.scene.id)
        SERVICE.watch.fence.epoch = 0
        label = lorebooks.world_label("lore")
        heard = MemoryRow("Aye.", session=self.scene.id)
        writes = {
            "scene": lambda: scene_rows.save_scene(scene, [], {}),
            "talk": lambda: scene_rows.write_distributions([], 0.0, [heard]),
            "world": lambda: scene_rows.WorldContainer(scene.id).record([]),
            "line": lambda: refined_lines.take_out(scene.id, "event", ["e-alice"]),
            "book": lambda: lorebooks.write_books([("", label, {})]),
            "room": lambda: lorebooks.make_room("", label, 9_000_000),
            "block": lambda: block_rows.write_block("board", "", {"a": 1}, 0),
            "new": lambda: block_rows.create_block("wall", "global"),
            "limit": lambda: block_rows.set_limit("lorebook", "", 9),
            "step": lambda: game_blocks.add_line("board", "Fish.", npc=self.marrek),
        }
        for write in writes.values():
            with pytest.raises(NotInCharge):
                write()
        assert self.on_disk() == before
        SERVICE.watch.fence.epoch = None
        game_blocks.add_line("board", "Fish.", npc=self.marrek)
        assert self.on_disk() != before
