"""The state of scenes: what is stored is read whatever shape it has, and nothing is half done."""

from ai_assistant import staging
from ai_assistant.identity import entity_id
from ai_assistant.models import Scene
from ai_assistant.scenes import SCENES
from tests.evennia.test_scenes import SceneTestCase


class TestStoredShapes(SceneTestCase):
    """A row of another game, an older one's, or one that somebody made by hand, harms nobody."""

    def stored(self, state, session="zz", **values):
        """Put a row of a scene on disk, as a server finds it that starts."""
        fields = {"title": "Old", "status": "running", "created": 1, "updated": 1} | values
        Scene.objects.create(session=session, state=state, **fields)
        SCENES.reset()

    def assert_alice_answers(self):
        self.model.say("I hear you.")
        self.does(self.pia, "say Alice, hello!")
        assert 'Alice says, "I hear you."' in self.screen(self.pia)

    def test_members_of_another_shape_are_read(self):
        """What is unknown of a member is passed over, and everybody is still answered."""
        ada = {"id": "e1", "name": "Ada", "role": "queen"}
        self.stored({"id": "zz", "members": [ada, {"name": "Nobody"}, "x", ada], "mood": "grim"})
        assert [one.name for one in SCENES.get("zz").members] == ["Ada"]
        self.assert_alice_answers()

    def test_values_of_another_shape_are_left_out(self):
        """What can be read stays; the columns say which scene it is and whether it runs."""
        odd = {"members": 7, "places": [1], "flags": {"a": "b"}, "relationships": {"x": "y"}}
        self.stored({"day": "late", "status": "open", "policy": "loud", **odd})
        found = SCENES.running["zz"]
        assert (found.id, found.day, found.places, found.flags) == ("zz", 0, {}, {"a": "b"})
        assert (found.members, found.policy, found.relationships) == ((), "addressed", {})

    def test_a_row_that_cannot_be_read_is_left_out_and_reported(self):
        """The log names it; all other scenes go on."""
        self.stored(["no scene"])
        session = self.a_scene(self.pia, self.alice)
        assert list(SCENES.running) == ["", session]
        self.assert_alice_answers()
        [line] = {one for one in self.logged() if "ai_assistant: " in one}
        assert "'Old' cannot be read" in line

    def test_figures_of_another_shape_are_begun_anew(self):
        """What was counted differently does not keep a line from being saved."""
        session = self.a_scene(self.pia, self.alice)
        Scene.objects.filter(session=session).update(played={"rounds": 3, "exchanges": [1]})
        self.assert_alice_answers()
        assert Scene.objects.get(session=session).played["messages"] == 2
        assert staging.stop_scene(session).has(entity_id(self.alice))
