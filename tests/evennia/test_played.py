"""What is played of a scene is counted where it is distributed, and shown to whoever plays."""

from ai_assistant.api import staging
from ai_assistant.game.identity import entity_id
from ai_assistant.scenes.live_scenes import SCENES
from ai_assistant.storage.scene_rows import load_played
from tests.evennia.test_live_scenes import SceneTestCase


class TestPlayed(SceneTestCase):
    def setUp(self):
        super().setUp()
        self.session = self.a_scene(self.alice, self.bob, self.pia)

    def between(self, one, other):
        return load_played(self.session).between(entity_id(one), entity_id(other))

    def test_turns_and_messages_are_counted(self):
        """Once for each line, however many assistants save it, over changes and restarts."""
        self.speaks(self.alice, "Bob, the well is dry.")
        self.speaks(self.alice, "Bob, hear me.")
        staging.set_scene(self.session, "quest", "find water")
        SCENES.reset()
        self.model.say("Aye, Pia.")
        self.does(self.pia, "say Bob, it is true.")
        played = load_played(self.session)
        assert (played.turns, played.messages) == (3, 4)
        assert (self.between(self.alice, self.bob), self.between(self.pia, self.bob)) == (2, 2)
        assert self.between(self.alice, self.pia) == 0

    def test_whispers_do_not_count(self):
        """The figures are for everybody's eyes: what is said in private leaves them as they are."""
        self.speaks(self.alice, "Bob, the well is dry.")
        before = load_played(self.session)
        self.model.call("wait")
        self.does(self.pia, "whisper Bob = It is a secret.")
        assert load_played(self.session) == before

    def test_the_game_itself_is_not_counted(self):
        """Nobody plays it to an end, and it would cost every turn a write."""
        staging.stop_scene(self.session)
        self.speaks(self.alice, "Bob, the well is dry.")
        assert load_played("").messages == 0
