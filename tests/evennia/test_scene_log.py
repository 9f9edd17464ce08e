"""What was changed of a scene: what it was, what it is, when and by whom, in plain words."""

from ai_assistant.api import staging
from ai_assistant.api.stories.scene_log import scene_log
from ai_assistant.commands.players.scene_play import CmdScene
from ai_assistant.commands.staff.aiscene import CmdAIScene
from ai_assistant.game.identity import entity_id
from ai_assistant.roleplay.scene import GAME
from ai_assistant.scenes.live_scenes import SCENES
from ai_assistant.scenes.story_acts import act_in_story
from tests.evennia.pages import PagesTestCase


class TestSceneLog(PagesTestCase):
    """Dan leads a feast, at which Marrek plays along."""

    def setUp(self):
        super().setUp()
        self.dan = self.a_player("Dan")
        self.scene = staging.create_scene("The Feast", self.dan).id
        staging.join_scene(self.scene, self.marrek)
        staging.start_scene(self.scene)

    def log(self, count=20):
        """Return what is on record, newest first, without the times."""
        found = scene_log(SCENES.get(self.scene), count)
        return [(one.what, one.was, one.now, one.by) for one in found]

    def test_a_value_has_what_it_was_and_is_and_by_whom(self):
        """Of a player as of staff; what was taken back is nothing from then on."""
        self.types(CmdScene, "/set location = the hall", self.dan)
        self.types(CmdAIScene, "/set feast = location: the yard")
        self.types(CmdScene, "/unset location", self.dan)
        assert self.log(3) == [
            ("the place", "the yard", "", "Dan"),
            ("the place", "the hall", "the yard", self.char1.key),
            ("the place", "", "the hall", "Dan"),
        ]

    def test_days_words_and_switches_are_told_in_words(self):
        """The day that goes by the clock, a fact under its own name, and what is on or off."""
        self.types(CmdScene, "/day 3", self.dan)
        self.types(CmdScene, "/set weather = rain", self.dan)
        self.types(CmdAIScene, "/set feast = inherits: off")
        assert self.log(3) == [
            ("its members remember the game", "yes", "no", self.char1.key),
            ("weather", "", "rain", "Dan"),
            ("the day", "by the game's clock", "3", "Dan"),
        ]

    def test_whoever_acts_in_the_story_is_named(self):
        """A thing goes from hand to hand: by names, never by ids."""
        self.types(CmdAIScene, "/set feast = thing: sword: Dan")
        act_in_story(entity_id(self.dan), self.scene, "give", "sword", entity_id(self.marrek))
        assert self.log(1) == [("the thing sword", "Dan", "Marrek", "Dan")]

    def test_comings_and_goings_stand_there_too(self):
        """Made, joined, begun and over, in order and by whom; empty where game code did it."""
        self.types(CmdAIScene, "/remove feast = Marrek")
        self.types(CmdScene, "/stop", self.dan)
        assert [(what, by) for what, _, _, by in self.log()] == [
            ("it was over", "Dan"),
            ("Marrek left", self.char1.key),
            ("it runs from here on", ""),
            ("Marrek joined", ""),
            ("Dan joined", "Dan"),
            ("it was made", "Dan"),
        ]

    def test_page_and_command_show_the_same(self):
        """As many as are asked for; of the game itself, too."""
        self.types(CmdAIScene, "/set feast = quest: find the cook")
        self.types(CmdAIScene, "/day game = 4")
        for told in (
            self.types(CmdAIScene, "/log feast"),
            self.get("scene", query=self.of_the_feast()),
        ):
            for words in ("he quest", "find the cook", "Marrek joined", "t was made"):
                assert words in told
        few = self.get("scene", query=self.of_the_feast(count=1))
        assert "find the cook" in few
        assert "Marrek joined" not in few
        assert "joined" not in self.types(CmdAIScene, "/log feast = 1")
        assert "by the game&#x27;s clock" in self.get("scene")
        (set_first,) = scene_log(SCENES.get(GAME))
        assert (set_first.now, set_first.by) == ("4", self.char1.key)

    def of_the_feast(self, **more):
        """Return what the address of the scene's page asks for."""
        return {"scene": self.scene, **more}

    def test_without_any_change_that_is_said(self):
        """By both."""
        assert "Nothing was changed yet" in self.types(CmdAIScene, "/log game")
        assert "Nothing was changed yet" in self.get("scene")
