"""Own words: what an assistant says belongs to those who heard it, as anybody's words do."""

from ai_assistant.api import staging
from ai_assistant.core.readers import OPEN, canonical
from ai_assistant.game.identity import CATEGORY, entity_id
from ai_assistant.models import Memory, Participation
from tests.evennia.test_live_scenes import SceneTestCase

SECRET = "Bob, Pia, my secret is 42."


class TestOwnWords(SceneTestCase):
    def labels(self, words="42"):
        """Return {container: label} of all rows with these words."""
        rows = Memory.objects.filter(content__contains=words)
        return dict(rows.values_list("container", "readers"))

    def of(self, *people):
        return canonical(map(entity_id, people))

    def make_private(self):
        self.inn.tags.add("private", category=CATEGORY)

    def test_words_in_a_private_room_belong_to_those_there(self):
        """Own row, world's row, and those of players and assistants who heard it, unasked too."""
        self.make_private()
        self.a_scene(self.alice, self.pia, self.bob)
        self.speaks(self.alice, SECRET)
        present = self.of(self.alice, self.bob, self.charlie, self.pia)
        assert self.labels() == {
            entity_id(self.alice): present,
            entity_id(self.bob): present,
            entity_id(self.pia): present,
            "world": present,
        }

    def test_they_are_no_part_of_the_account(self):
        """Nothing that was said in a private room goes home as open."""
        self.make_private()
        session = self.a_scene(self.alice, self.pia, self.bob)
        self.speaks(self.alice, SECRET)
        staging.stop_scene(session)
        assert not Memory.objects.filter(kind="recap").exists()

    def test_they_leave_the_room_with_nobody(self):
        """Elsewhere a stranger is told nothing of it: neither stream nor memory brings it there."""
        self.make_private()
        self.speaks(self.alice, SECRET)
        stranger = self.a_player("Stranger", self.street)
        self.alice.move_to(self.street, quiet=True)
        self.model.say("Which secret?")
        self.does(stranger, "say Alice, what is your secret of 42?")
        shown = str([one.content for one in self.model.requests[-1].messages])
        assert "my secret is" not in shown

    def test_an_answer_there_stands_in_the_talk_with_the_asker(self):
        """Question and answer are one conversation under one label."""
        self.make_private()
        self.model.say("It is 42.")
        self.does(self.pia, "say Alice, what is your secret?")
        talks = self.resident(self.alice).mind.store.read_all("working").values()
        [talk] = [one for one in talks if one["entity_id"] == entity_id(self.pia)]
        assert talk["readers"] == self.of(self.alice, self.bob, self.charlie, self.pia)
        assert [one["role"] for one in talk["messages"]] == ["user", "assistant"]

    def test_an_open_room_stays_open(self):
        """What is said where all may hear it is nobody's secret."""
        self.a_scene(self.alice, self.pia, self.bob)
        self.speaks(self.alice, SECRET)
        assert set(self.labels().values()) == {OPEN}

    def test_an_unasked_whisper_is_for_one(self):
        """What an assistant whispers, it tells nobody but whom it whispered to."""
        for one in (self.bob, self.charlie):
            one.move_to(self.street, quiet=True)
        self.model.call("whisper", to="p1", text="The vault code is 77.")
        self.does(self.pia, "say Alice, come closer.")
        assert self.labels("77")[entity_id(self.alice)] == self.of(self.pia)
        assert self.labels("77")["world"] == self.of(self.pia)

    def test_a_bystander_has_no_container_of_the_scene(self):
        """A player who only stands by is spoken to in the game, and keeps nothing of the scene."""
        quinn = self.a_player("Quinn")
        session = self.a_scene(self.alice, self.bob)
        self.speaks(self.alice, "Quinn, Bob, the well is dry.")
        assert self.rows(quinn, session) == []
        assert self.words(self.bob, session) == ["Quinn, Bob, the well is dry."]
        [decision] = Participation.objects.filter(session=session)
        assert entity_id(quinn) not in str((decision.participants, decision.hearers))
