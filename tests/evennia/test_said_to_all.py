"""A line to all who are there has one answer, of whom its speaker talked with last."""

from ai_assistant.api.execution import silence
from ai_assistant.core.errors import ModelUnavailable
from ai_assistant.game.perception import show_login
from tests.evennia.living import EventTestCase

RIDDLE = "Friends, who knows a good riddle?"


class TestSaidToAll(EventTestCase):
    def setUp(self):
        super().setUp()
        self.tansy = self.an_assistant("Tansy")

    def answers(self, body, line):
        """Return the names of those who say something to what a body says."""
        self.screen(self.bob)
        asked = len(self.model.requests)
        self.model.say("I know one.")
        self.does(body, f"say {line}")
        seen = str(self.screen(self.bob))
        if len(self.model.requests) == asked:
            self.model.replies.clear()
        return [name for name in ("Marrek", "Tansy") if f"{name} says" in seen]

    def test_one_answers(self):
        """Without a talk before it, who was there first; asked or greeted, by any word for all."""
        assert self.answers(self.alice, RIDDLE) == ["Marrek"]
        assert self.answers(self.bob, "Does anybody here know a good riddle?") == ["Marrek"]
        assert self.answers(self.alice, "Hello everybody!") == ["Marrek"]

    def test_whoever_is_called_answers_alone(self):
        """What one asks somebody about all others is for that one; of another player for nobody."""
        assert self.answers(self.alice, "Tansy, does anybody here know a riddle?") == ["Tansy"]
        assert self.answers(self.alice, "Bob, does anybody here know a riddle?") == []

    def test_whom_a_character_calls_dear_answers_that_one(self):
        """A name with a kind word behind it calls as the name alone does."""
        self.model.say("What has a bed and never sleeps? Guess, Bob dear, and be quick.")
        self.does(self.alice, "say Tansy, a riddle for Bob, please!")
        assert self.answers(self.bob, "A river!") == ["Tansy"]

    def test_whom_one_talked_with_last_answers(self):
        """Each of two speakers has the one whom they talked with."""
        assert self.answers(self.alice, "Tansy, good evening!") == ["Tansy"]
        assert self.answers(self.bob, "Marrek, good evening!") == ["Marrek"]
        assert self.answers(self.alice, RIDDLE) == ["Tansy"]
        assert self.answers(self.bob, RIDDLE) == ["Marrek"]

    def test_who_must_be_quiet_leaves_it_to_the_next(self):
        """The silent one neither answers nor keeps others from it."""
        silence(self.marrek)
        assert self.answers(self.alice, RIDDLE) == ["Tansy"]

    def test_of_two_in_a_talk_one_goes_on(self):
        """With whom one talked last; of what is perhaps for either, that one is asked alone."""
        for who in ("Tansy", "Marrek"):
            assert self.answers(self.alice, f"{who}, good evening!") == [who]
        assert self.answers(self.alice, "It was a long way.") == ["Marrek"]
        for who in ("Tansy", "Marrek"):
            assert self.answers(self.bob, f"{who}, good evening!") == [who]
        assert self.answers(self.alice, "The roads are bad.") == []
        assert self.model.lets_pass == 1

    def test_whoever_comes_in_and_asks_is_answered(self):
        """By one, and only the first time; a remark, or what one asks another player, by nobody."""
        assert self.answers(self.alice, "Is there a bed free tonight?") == ["Marrek"]
        assert self.answers(self.bob, "A cold night.") == []
        assert self.answers(self.alice, "Where did you come from?") == []
        self.bob.move_to(self.street)
        self.bob.move_to(self.inn)
        assert self.answers(self.bob, "Alice, is it warm in here?") == []
        self.bob.move_to(self.street)
        self.bob.move_to(self.inn)
        assert self.answers(self.bob, "Is it warm in here?") == ["Marrek"]

    def test_who_says_their_own_name_calls_nobody(self):
        """A newcomer who begins with it turns to those who are there."""
        assert self.answers(self.alice, "Ho! Alice. Two barrels of cider. Who signs?") == ["Marrek"]

    def test_whoever_comes_in_and_greets_is_greeted(self):
        """By one, and the talk goes on from there; not amid the words of players."""
        self.model.meddles = True
        assert self.answers(self.alice, "Good evening!") == ["Marrek"]
        assert self.answers(self.alice, "I walked all day.") == ["Marrek"]
        assert self.answers(self.bob, "Alice, did you?") == []
        carol = self.a_player("Carol")
        assert self.answers(carol, "Hello!") == []

    def test_first_words_are_perhaps_for_one(self):
        """It is asked, and need not answer; what it lets pass it is not asked again about."""
        self.does(self.alice, "say A cold night.")
        self.does(self.alice, "say And the roads are bad.")
        assert [len(self.model.requests), self.model.lets_pass] == [0, 1]
        self.bob.move_to(self.street)
        self.bob.move_to(self.inn)
        self.does(self.bob, "say Alice, a cold night.")
        assert self.model.lets_pass == 1

    def test_who_logs_in_or_out_beside_a_character_is_seen_to_come_and_go(self):
        """As somebody who walks, which Evennia tells the room but by no kind of line."""
        hidden = self.a_body("Ilsa")
        hidden.locks.add("view:false()")
        carol = self.a_player("Carol")
        show_login(hidden, hidden.location, "arrives")
        self.log_out(carol)
        self.ask()
        assert "Carol arrives.)\n(Carol leaves.)" in self.model.shown()
        assert "Ilsa" not in self.model.shown()

    def test_whoever_orders_among_others_is_served(self):
        """And needs no name from there on, nor whoever was in the talk before."""
        self.model.meddles = True
        assert self.answers(self.alice, "I am Alice. Something hot, please.") == ["Marrek"]
        assert "Nobody was called by name" in self.model.shown()
        assert self.answers(self.alice, "It was a long way.") == ["Marrek"]
        assert self.answers(self.bob, "Marrek, for me as well!") == ["Marrek"]
        assert self.answers(self.alice, "I pay tomorrow, I promise.") == ["Marrek"]
        assert self.answers(self.bob, "Alice, and for me!") == []

    def test_what_a_partner_says_to_somebody_else_it_may_let_pass(self):
        """Amid a talk, while another player is there; it goes on, and an outage is excused."""
        assert self.answers(self.alice, "Marrek, is there stew?") == ["Marrek"]
        self.model.text("")
        self.does(self.alice, "say You there by the fire. Where are you from?")
        assert "amid your talk" in self.model.shown()
        assert "Marrek" not in "".join(self.screen(self.bob)[-1:])
        assert self.answers(self.alice, "And what does it cost?") == ["Marrek"]
        self.model.fail(ModelUnavailable("gone"))
        self.does(self.alice, "say Is it a large bowl?")
        assert "Marrek" in "".join(self.screen(self.bob)[-1:])

    def test_whoever_comes_in_is_answered_beside_a_talk(self):
        """By one of two, also while another player talks with the other; by none of a third's."""
        assert self.answers(self.alice, "Tansy, is there stew?") == ["Tansy"]
        self.a_body("Ilsa")
        assert self.answers(self.bob, "Ilsa, is it warm in here?") == []
        self.bob.move_to(self.street)
        self.bob.move_to(self.inn)
        assert self.answers(self.alice, "Tansy, with leeks?") == ["Tansy"]
        assert len(self.answers(self.bob, "Is there a bed free tonight?")) == 1

    def test_whoever_walks_in_on_players_is_not_asked(self):
        """A character that comes to where others talk answers none of their questions."""
        for mind in (self.marrek, self.tansy):
            mind.move_to(self.street)
        carol = self.a_player("Carol", location=self.street)
        assert self.answers(carol, "Is this the inn?") == []
        for mind in (self.marrek, self.tansy):
            mind.move_to(self.inn)
        assert self.answers(self.alice, "Did you find the key?") == []

    def test_two_talk_with_one_without_its_name(self):
        """What one asks after the other was answered is for it as well."""
        assert self.answers(self.alice, "Tansy, is there stew?") == ["Tansy"]
        assert self.answers(self.bob, "Tansy, a bed for two nights, please!") == ["Tansy"]
        assert self.answers(self.alice, "With barley in it?") == ["Tansy"]
        assert self.answers(self.bob, "And what does it cost?") == ["Tansy"]
        assert self.answers(self.alice, "Bob, where are you from?") == []
        assert self.answers(self.alice, "A fine inn, this.") == []

    def test_no_other_line_is_answered_for_it(self):
        """Neither what is said to nobody, nor what the game's own people say to all."""
        assert self.answers(self.alice, "Some riddles are good.") == []
        assert self.answers(self.alice, "Everybody likes a riddle.") == []
        self.a_body("Peddler").at_say(RIDDLE)
        self.steps.run()
        assert not self.model.requests
