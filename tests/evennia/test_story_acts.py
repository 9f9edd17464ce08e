"""Acts in a story touch its own things and places, and whoever is there sees them."""

from ai_assistant.api import staging
from ai_assistant.commands.players.scene_play import CmdScene
from ai_assistant.commands.staff.aiscene import CmdAIScene
from ai_assistant.game.identity import CATEGORY, entity_id
from ai_assistant.scenes.live_scenes import SCENES
from ai_assistant.scenes.story_acts import STORY_PLACE, link_room
from ai_assistant.storage import WorldContainer
from tests.evennia.living import CommandTestCase
from tests.evennia.test_live_scenes import Listening, SceneTestCase


class StoryTestCase(SceneTestCase, CommandTestCase):
    def setUp(self):
        super().setUp()
        self.session = self.a_scene(
            self.pia, self.alice, self.bob, location="lair", place="cave in lair",
            thing="the Sacred Sword: lair",
        )  # fmt: skip
        self.steps.run()

    def scene(self, line):
        return self.types(CmdScene, line, self.pia)

    def state(self):
        return SCENES.get(self.session)

    def saw(self, who):
        """Return what somebody saw become of others in the story."""
        return self.words_of(who, kind="character_update")

    def words_of(self, who, **where):
        return [row.content for row in self.rows(who, self.session, **where)]

    def does_in_story(self, act, **arguments):
        """Pia speaks to Alice, who does this."""
        self.model.call(act, **arguments).say("So be it.")
        self.does(self.pia, "say Alice, go on.")


class TestActs(StoryTestCase):
    def test_a_character_takes_and_hands_over(self):
        """From the lair to Alice to Pia: the story has it, the record, and all who were there."""
        self.does_in_story("take", item="sword")
        assert self.state().things == {"the Sacred Sword": entity_id(self.alice)}
        self.does_in_story("give", item="the sword", to="Pia")
        assert self.state().things == {"the Sacred Sword": entity_id(self.pia)}
        told = ["Alice took the Sacred Sword", "Pia got the Sacred Sword from Alice"]
        for one in (self.pia, self.alice, self.bob):
            assert self.saw(one) == told
        found = WorldContainer(self.session).find(where={"kind": "character_update"}, limit=9)
        assert [row.meta["what"] for row in found[::-1]] == told
        assert any("Pia got the Sacred Sword" in line for line in self.screen(self.pia))
        assert not [thing for thing in self.alice.contents if "Sword" in thing.key]

    def test_players_act_by_command(self):
        """Take, give, put and go; what cannot be says what there is."""
        self.scene("/take sword")
        assert "To whom? With you are: Alice, Bob." in self.scene("/give sword = Quinn")
        self.scene("/give sword = bob")
        assert self.state().things == {"the Sacred Sword": entity_id(self.bob)}
        assert "Bob has the Sacred Sword" in self.scene("")
        for line, told in (
            ("/take", "What do you take"), ("/take sword", "Nothing lies here"),
            ("/give sword = Bob", "Nothing is yours"), ("/go moon", "There are: lair, cave."),
            ("/give sword", "Usage: scene/give"), ("/go lair", "there already"),
            ("/set thing = sword", "Say what is where"),
        ):  # fmt: skip
            assert told in self.scene(line)
        self.scene("/go cave")
        assert "apart: Pia (cave)" in self.scene("")
        assert "With you are" not in self.scene("/put sword")

    def test_who_is_apart_sees_nothing_of_it(self):
        """Bob is in the cave: what happens in the lair he learns when he meets them."""
        self.does_in_story("take", item="sword")
        staging.set_scene(self.session, "thing", "the torch: Bob")
        self.model.call("move", to="cave").say("I wait here.")
        self.does(self.pia, "say Bob, go to the cave.")
        self.scene("/take sword")
        self.does_in_story("give", item="sword", to="Pia")
        assert self.saw(self.bob)[:3] == [
            "Alice took the Sacred Sword", "Bob has the torch", "Bob went on: cave",
        ]  # fmt: skip
        assert "Pia got the Sacred Sword from Alice" not in self.saw(self.bob)
        self.model.call("give", item="torch", to="Pia").say("Here.")
        self.does(self.pia, "say Bob, the torch!")
        assert self.state().things["the torch"] == entity_id(self.bob)
        assert self.resident(self.bob).mind.plays(self.session).place == "cave"

    def test_what_one_leaves_stays_behind(self):
        """Whoever leaves the scene takes nothing of it along."""
        self.scene("/take sword")
        staging.leave_scene(self.session, self.alice)
        staging.leave_scene(self.session, self.pia)
        assert self.state().things == {"the Sacred Sword": "lair"}

    def test_it_can_be_recalled_at_once(self):
        """What Bob saw comes to his mind with the next question."""
        self.scene("/take sword")
        self.model.say("Pia has it.")
        self.does(self.pia, "say Bob, who took the Sacred Sword?")
        shown = "\n".join(str(message.content) for message in self.model.requests[-1].messages)
        assert "Pia took the Sacred Sword" in shown


class TestEyes(StoryTestCase):
    def test_who_stood_there_knows_at_once(self):
        """A real thing is got and dropped: who saw it has it at once, and but once."""
        mug = self.a_thing("Mug", self.street)
        mug.move_to(self.alice, quiet=True)
        mug.move_to(self.inn, quiet=True)
        told = ["Alice acquired Mug", "Alice put down Mug"]
        assert self.saw(self.bob) == self.saw(self.alice) == told
        self.speaks(self.alice, "Bob, look.")
        assert self.saw(self.bob) == told
        [line] = self.rows(self.bob, self.session, kind="utterance")
        assert line.meta["knowledge"][-2:] == told

    def test_a_recap_tells_once_what_one_saw(self):
        """Pia reads twice what she saw twice, where it happened; what she missed she learns."""
        self.scene("/take sword")
        self.scene("/put sword")
        self.scene("/take sword")
        self.scene("/set weather = rain")
        self.scene("/set thing = the map: cave")
        self.model.say("Aye.")
        self.does(self.pia, "say Bob, look.")
        told = self.scene("/recap")
        assert told.count("Pia took the Sacred Sword") == 2
        assert told.count("weather: rain") == 1
        assert told.count("You learn: the map is at cave") == 1
        assert "You learn: Pia took" not in told

    def test_who_is_there_sees_how_the_story_turns(self):
        """Nobody says a word: quest, flags, things, place; who is apart hears of it later."""
        for line in ("thing = the torch: Bob", "quest = the crown", "weather = rain"):
            self.scene(f"/set {line}")
        turns = ["The quest is now: the crown", "weather: rain"]
        assert self.turned(self.pia) == self.turned(self.alice) == self.turned(self.bob) == turns
        assert self.saw(self.alice) == ["Bob has the torch"]
        self.scene("/go cave")
        staging.set_scene(self.session, "weather", "snow")
        staging.set_scene(self.session, "quest", None)
        assert self.turned(self.pia) == turns
        turns += ["weather: snow", "There is no quest any more"]
        assert self.turned(self.alice) == turns
        staging.set_scene(self.session, "location", "mill")
        assert self.turned(self.pia)[-1] == "The party moved from lair to mill"
        staging.join_scene(self.session, self.charlie)
        (joined,) = self.turned(self.charlie)
        assert "mill" in joined

    def turned(self, who):
        """Return what somebody knows became of the story."""
        return self.words_of(who, kind="world_state_update")

    def test_a_gift_to_a_stranger_is_seen(self):
        """Charlie does not play; that Alice gave him her mug, Bob saw."""
        mug = self.a_thing("Mug", self.alice)
        mug.move_to(self.charlie, quiet=True)
        assert self.saw(self.bob) == ["Alice acquired Mug", "Alice gave Mug to Charlie"]

    def test_who_stays_sees_who_leaves(self):
        """Alice goes into the street: Bob, who stays in the inn, knows that she did."""
        self.alice.move_to(self.street, quiet=True)
        assert self.saw(self.bob) == ["Alice went to Street"]


class TestRooms(StoryTestCase):
    def test_walking_moves_the_story(self):
        """Into a room that stands for a place: with the leader goes the story, others go alone."""
        link_room(self.street, "the mill")
        self.bob.move_to(self.street, quiet=True)
        self.steps.run()
        assert self.state().whereabouts == {entity_id(self.bob): "the mill"}
        assert self.state().scene == "lair"
        self.pia.move_to(self.street, quiet=True)
        self.steps.run()
        assert (self.state().scene, self.state().whereabouts) == ("the mill", {})
        world = self.world(self.session)
        assert "The party moved from lair to the mill. GameDay: 6" in world

    def test_staff_say_for_which_place_a_room_stands(self):
        """With aiscene/room, where they stand; without a place it says how."""
        here = self.char1.location
        assert "Which place" in self.types(CmdAIScene, "/room")
        assert "is the mill in stories" in self.types(CmdAIScene, "/room the mill")
        assert here.attributes.get(STORY_PLACE, category=CATEGORY) == "the mill"
        assert "is no place" in self.types(CmdAIScene, "/room none")
        assert not here.attributes.has(STORY_PLACE, category=CATEGORY)

    def test_other_rooms_move_nothing(self):
        """A room that stands for none, or for none any more, leaves the story where it is."""
        link_room(self.street, "the mill")
        link_room(self.street, "")
        self.pia.swap_typeclass(Listening, run_start_hooks=None)
        self.pia.move_to(self.street, quiet=True)
        self.steps.run()
        assert (self.state().scene, self.state().whereabouts) == ("lair", {})
