"""Forgetting in scenes: what somebody set in one of their own goes, and what others set stays."""

from ai_assistant.api import staging
from ai_assistant.api.forgetting import forget_person
from ai_assistant.memory.shared_text import FORGOTTEN
from ai_assistant.models import AssistantEvent, Memory
from ai_assistant.roleplay.knowledge import STATE
from ai_assistant.scenes.live_scenes import SCENES
from tests.evennia.living import LivingTestCase

SHORT = "kill Bob"
"""Too short to be found anywhere by its letters."""
LONG = "a silver bell under the mill"


class TestForgottenScenes(LivingTestCase):
    """Alice and Bob play with Marrek, in a scene that one of them made."""

    def setUp(self):
        super().setUp()
        self.alice, self.bob = self.a_player("Alice"), self.a_player("Bob")
        self.marrek = self.an_assistant("Marrek")

    def a_scene_of(self, maker, *others):
        scene = staging.create_scene("The hunt", maker)
        for other in (*others, self.marrek):
            staging.join_scene(scene.id, other)
        staging.start_scene(scene.id)
        self.set(scene, maker, quest=SHORT, plot=SHORT, weather=SHORT, relationship="Alice, Bob: X")
        self.set(scene, maker, location=f"By {LONG}", place=f"By {LONG} in Vey", thing="cup: Bob")
        staging.set_scene_day(scene.id, 3)
        return scene.id

    def set(self, scene, by, **values):
        for name, value in values.items():
            staging.set_scene(scene.id, name, value, by=by)

    def forget(self, scope):
        done = []
        forget_person(self.alice, scope=scope, by="a test").addCallback(done.append)
        self.steps.run()
        assert done

    def told(self, session):
        rows = Memory.objects.filter(session=session, kind__in=[STATE, "plot"])
        return {*rows.values_list("content", flat=True)}

    def test_all_goes_that_its_maker_set(self):
        """However short it is, and for all in it; the day and who has what are as they were."""
        session = self.a_scene_of(self.alice, self.bob)
        assert any(SHORT in words for words in self.told(session))
        self.forget("own")
        scene = SCENES.get(session)
        assert {scene.title, scene.quest, scene.plot, scene.flags["weather"]} == {FORGOTTEN}
        assert [*scene.relationships.values()] == [FORGOTTEN]
        assert scene.places == {scene.scene: "Vey"}
        assert LONG not in scene.scene
        assert (scene.day, [*scene.things], len(scene.members)) == (3, ["cup"], 3)
        assert {words for words in self.told(session) if "day 3" not in words} == set()
        kept = AssistantEvent.objects.filter(assistant=f"scene:{session}").values_list("data")
        assert not any(SHORT in str(data) for data in kept)

    def test_what_another_set_stays(self):
        """In a scene of Bob's nothing that he set is hers, though she plays in it and says it."""
        session = self.a_scene_of(self.bob, self.alice)
        before = SCENES.get(session)
        self.does(self.alice, f"say By {LONG}!")
        self.forget("own")
        assert SCENES.get(session) == before
        assert any(SHORT in words for words in self.told(session))

    def test_with_everything_goes_what_others_quote(self):
        """Of a scene of Bob's her words go then, and no others."""
        session = self.a_scene_of(self.bob, self.alice)
        staging.set_scene(session, "plot", f"Find {LONG}.", by=self.bob)
        self.does(self.alice, f"say Look: {LONG}!")
        self.forget("all")
        scene = SCENES.get(session)
        assert (scene.title, scene.quest) == ("The hunt", SHORT)
        assert FORGOTTEN in scene.plot
        assert LONG not in scene.plot
