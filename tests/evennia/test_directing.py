"""The director of a scene in a running game: who speaks after a line, and who is silent."""

import json
from dataclasses import replace

from django.test import override_settings

from ai_assistant.core.errors import ModelTimeout
from ai_assistant.core.model_records import ModelReply
from ai_assistant.game.identity import entity_id
from ai_assistant.models import AssistantEvent
from ai_assistant.scenes.live_scenes import SCENES
from tests.evennia.test_live_scenes import SceneTestCase

NIGHT = "say The night is young."


class DirectingTestCase(SceneTestCase):
    """Pia and Quinn play with Alice, Bob and Charlie."""

    def setUp(self):
        super().setUp()
        self.quinn = self.a_player("Quinn")

    def plays(self, policy):
        people = (self.pia, self.quinn, self.alice, self.bob, self.charlie)
        return self.a_scene(*people, policy=policy)

    def outcomes(self):
        """Return how each turn ended, with who took it, in order."""
        names = {entity_id(one): one.key for one in (self.alice, self.bob, self.charlie)}
        turns = AssistantEvent.objects.filter(type="TurnCompleted").order_by("pk")
        return [(names[turn.assistant], turn.data["outcome"]) for turn in turns]

    def spoke(self):
        return [name for name, _ in self.outcomes()]


class TestTheOrder(DirectingTestCase):
    def test_who_is_addressed_speaks_first_and_two_more_follow(self):
        self.plays("free")
        self.model.say("A good one.").say("And cold.").say("Very cold.")
        self.does(self.pia, "say Bob, what a night!")
        assert self.spoke() == ["Bob", "Alice", "Charlie"]

    def test_a_round_goes_on_with_the_next_line(self):
        """Two of three answer, and the third is the first the next time."""
        self.plays("round robin")
        for words in ("One.", "Two.", "Three.", "Four."):
            self.model.say(words)
        self.does(self.pia, NIGHT)
        self.does(self.quinn, NIGHT)
        assert self.spoke() == ["Alice", "Bob", "Charlie", "Alice"]

    def test_eleven_answers_are_over(self):
        """Two who call each other come to an end, and no turn of theirs failed."""
        self.plays("addressed")
        self.model.say("Alice, ask Bob.").say("Bob, is it?").say("Alice, it is.")
        self.does(self.pia, "say Charlie, is it late?")
        self.model.say("Quite.")
        self.does(self.quinn, "say Alice, is it late?")
        assert self.spoke() == ["Charlie", "Alice", "Bob", "Alice"]
        assert {outcome for _, outcome in self.outcomes()} == {"answered"}

    @override_settings(AI_ASSISTANT_SCENE_UNASKED_LINES=1)
    def test_how_many_go_on_unasked_is_a_setting(self):
        """With one, the third is silent; with none, so is everybody who is not called."""
        self.plays("free")
        self.model.say("A good one.").say("And cold.")
        self.does(self.pia, "say Bob, what a night!")
        assert self.spoke() == ["Bob", "Alice"]
        with self.settings(AI_ASSISTANT_SCENE_UNASKED_LINES=0):
            self.does(self.quinn, NIGHT)
        assert self.spoke() == ["Bob", "Alice"]

    def test_an_act_without_a_name_is_for_the_only_assistant(self):
        self.a_scene(self.pia, self.quinn, self.bob)
        self.model.say("Put that away!")
        self.does(self.pia, "pose draws a sword.")
        assert self.spoke() == ["Bob"]
        self.does(self.pia, "pose winks at Quinn.")
        assert self.spoke() == ["Bob"]


class TestByAModel(DirectingTestCase):
    def setUp(self):
        super().setUp()
        for one in (self.alice, self.bob, self.charlie):
            mind = self.resident(one).mind
            mind.config.values["director_model"] = True
            mind.model.is_offline = lambda job: False

    def chooses(self, name):
        self.model.replies.append(ModelReply(text=json.dumps({"speaker": name})))

    def test_a_model_chooses_who_answers(self):
        """The one whom the rules chose passes, and nobody asks once more."""
        self.plays("director")
        self.chooses("Charlie")
        self.model.say("It is a night for wolves.")
        self.does(self.pia, NIGHT)
        assert sorted(self.outcomes()) == [("Alice", "passed"), ("Charlie", "answered")]

    def test_it_may_choose_nobody(self):
        self.plays("director")
        self.chooses("")
        self.does(self.pia, NIGHT)
        assert self.outcomes() == [("Alice", "passed")]

    def test_it_is_not_asked_where_somebody_speaks_unasked(self):
        """There is no line that could be another one's."""
        self.plays("director")
        self.speaks(self.alice, "It is a night for wolves.")
        assert self.outcomes() == [("Alice", "answered")]

    def test_it_is_not_asked_about_a_line_for_each_of_them(self):
        """All answer, each once; nobody's answer is given to another."""
        self.plays("director")
        self.model.say("Evening.").say("And to you.").say("Well met.")
        self.does(self.pia, "say Good evening, friends!")
        assert sorted(self.spoke()) == ["Alice", "Bob", "Charlie"]

    def test_where_it_fails_the_rules_stand(self):
        """Whether it says nothing, names somebody who is not there, or breaks off."""
        self.plays("director")
        failures = (ModelReply(text="Bob"), ModelReply(text='{"speaker": "Pia"}'), ModelTimeout())
        for speaker, failure in zip((self.pia, self.quinn, self.pia), failures, strict=True):
            self.model.replies.append(failure)
            self.model.say("Aye.")
            self.does(speaker, NIGHT)
        assert len(self.spoke()) == 3
        assert {outcome for _, outcome in self.outcomes()} == {"answered"}

    def test_it_is_shown_what_all_who_hear_the_answer_may_know(self):
        """A whisper to the one that asks is not among the lines, nor its role among the facts."""
        scene = SCENES.get(self.plays("director"))
        roles = {"spy": {"about": "You serve the queen in secret."}}
        SCENES.save(replace(scene, roles=roles, parts={entity_id(self.alice): "spy"}))
        self.model.call("whisper", to="Quinn", text="I shall keep it.")
        self.does(self.quinn, "whisper Alice = The vault opens at midnight.")
        self.chooses("Alice")
        self.model.say("Aye.")
        self.does(self.pia, NIGHT)
        shown = self.model.shown(-2)
        assert "vault" not in shown
        assert "queen" not in shown
        assert '"gameDay": 6' in shown
        assert '"may_speak": ["Alice", "Bob", "Charlie"]' in shown

    def test_who_is_called_asks_nobody(self):
        self.plays("director")
        self.model.say("Aye.")
        self.does(self.pia, "say Bob, is it late?")
        assert self.outcomes() == [("Bob", "answered")]
