"""The command `airel`: what staff see of relationships, and how they set one."""

from ai_assistant.commands.staff.airel import CmdAIRel
from ai_assistant.models import AssistantEvent
from tests.evennia.living import CommandTestCase


class TestRelationships(CommandTestCase):
    def setUp(self):
        super().setUp()
        self.marrek = self.an_assistant()
        self.alice, self.bob = self.a_player("Alice"), self.a_player("Bob")

    def rel(self, line, caller=None):
        return self.types(CmdAIRel, line, caller)

    def meet(self, *people):
        """Let them talk with Marrek once."""
        for one in people:
            self.model.say("Aye.")
            self.does(one, "say Good day, Marrek!")

    def favorability(self, who):
        return self.marrek.profiles.get_entity_profile(who)["relationship"]["favorability"]

    def test_everybody_met_is_listed_dearest_first(self):
        """One row for each, with state and favorability."""
        assert "met nobody" in self.rel(" marrek")
        self.meet(self.alice, self.bob)
        self.rel("/set marrek = bob: 0.8")
        told = self.rel(" marrek")
        assert told.index("Bob") < told.index("Alice")
        assert "ally" in told
        assert "stranger" in told

    def test_its_help_tells_the_thresholds(self):
        """The figures are those by which states are told apart."""
        told = CmdAIRel().get_help(self.alice, None)
        assert "stranger below 0.25, acquaintance below 0.5, friend below 0.75, then ally" in told

    def test_one_person_whole(self):
        """Traits, observations and the conversation of one person are shown."""
        self.meet(self.alice)
        self.marrek.profiles.add_entity_observation(self.alice, "Alice has a cat.")
        told = self.rel(" marrek = ali")
        for words in ("Alice", "o1", "Alice has a cat.", "Good day, Marrek!", "favorability"):
            assert words in told

    def test_set_to_a_value_and_by_a_step(self):
        """A plain number is the new favorability, one with a sign is added."""
        self.meet(self.alice)
        assert "a friend to Marrek (0.60" in self.rel("/set marrek = alice: 0.6 she saved us")
        assert self.favorability(self.alice) == 0.6
        self.rel("/set marrek = alice: -0.2")
        assert self.favorability(self.alice) == 0.4

    def test_whom_it_has_yet_to_meet(self):
        """Staff may say how it stands with somebody from before the game."""
        assert "Alice is an ally to Marrek (0.80, was" in self.rel(
            "/set marrek = alice: 0.8 sister"
        )
        assert self.favorability(self.alice) == 0.8
        assert "met no person 'inn'" in self.rel("/set marrek = inn: 0.8")
        assert "met no person 'marrek'" in self.rel("/set marrek = marrek: 0.8")

    def test_history_says_why(self):
        """Each change stands there with reason and line, newest first, and where it all drifts."""
        self.model.say("Aye.")
        self.does(self.alice, "say Thank you, Marrek!")
        told = self.rel("/history marrek = alice")
        assert "Thank you, Marrek!" in told
        assert "drifts to 0.15" in told
        self.rel("/set marrek = alice: 0.6 she saved us")
        told = self.rel("/history marrek = alice")
        assert told.index("she saved us") < told.index("thanks")
        assert "It rests at 0.60." in told

    def test_what_is_set_is_on_record(self):
        """The audit log knows of the change."""
        self.meet(self.alice)
        self.rel("/set marrek = alice: 0.6")
        assert AssistantEvent.objects.filter(type="RelationshipChanged").exists()

    def test_nonsense_changes_nothing(self):
        """Values out of range, words and unknown people are refused with what would do."""
        self.meet(self.alice)
        before = self.favorability(self.alice)
        for value in ("2", "-7", "+nan", "inf", "much", ""):
            assert "from 0 to 1" in self.rel(f"/set marrek = alice: {value}")
        assert "met no person 'zoe'" in self.rel(" marrek = zoe")
        assert "Which person? There are: " in self.rel("/set marrek")
        assert self.favorability(self.alice) == before

    def test_builders_only_look(self):
        """A Builder sees the table, and may set nothing."""
        self.meet(self.alice)
        assert "Alice" in self.rel(" marrek", self.builder)
        assert "Only Admins" in self.rel("/set marrek = alice: 0.9", self.builder)
