"""The command `aiworld`: staff tell what everybody knows."""

from ai_assistant.api import blocks
from ai_assistant.commands.blocks.aiworld import CmdAIWorld
from tests.evennia.living import CommandTestCase


class TestAIWorld(CommandTestCase):
    def setUp(self):
        super().setUp()
        self.marrek = self.an_assistant()

    def typed(self, line, who=None):
        return self.types(CmdAIWorld, line, who)

    def test_news_reaches_every_prompt(self):
        """What is told once stands before the eyes of each assistant, and on the screen."""
        assert "The tower = rubble" in self.typed("/event = The tower = rubble.")
        self.typed("/event It rains frogs.")
        assert "The tower = rubble." in blocks.visible(self.marrek)
        assert "It rains frogs." in self.typed("")

    def test_a_place_is_made_moved_and_removed(self):
        """By any case of its name; what is not said of it stays."""
        self.typed("/place The Mill = It burnt down.")
        assert "3, 14.5" in self.typed("/move the mill = 3, 14.5")
        (place,) = blocks.read_world()["locations"]
        assert place["description"] == "It burnt down."
        assert place["coordinates"] == [3, 14.5]
        self.typed("/remove THE MILL")
        assert blocks.read_world()["locations"] == []

    def test_what_is_meant_is_said(self):
        """A place that is not there, no numbers, no text: one clear line, and nothing changes."""
        assert "There is no place" in self.typed("/move moon = 3, 4")
        assert "There is no place" in self.typed("/remove moon")
        assert "Give its coordinates" in self.typed("/move moon = up")
        assert "aiworld/lore = <text>" in self.typed("/lore")
        assert (blocks.read_world()["lore"], blocks.read_world()["locations"]) == ("", [])

    def test_only_admins_tell(self):
        """Builders look."""
        assert "Only Admins" in self.typed("/event = Lies.", self.builder)
        assert "none" in self.typed("", self.builder)
