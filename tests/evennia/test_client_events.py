"""Client events: who is told that a character thinks, speaks or sleeps, and who is not."""

from django.test import override_settings

from tests.evennia.living import LivingTestCase


class TestClientEvents(LivingTestCase):
    def setUp(self):
        super().setUp()
        self.alice, self.bob = self.a_player("Alice"), self.a_player("Bob")
        self.marrek = self.an_assistant()
        self.seen = []
        for body in (self.alice, self.bob):
            (session,) = body.sessions.all()
            session.protocol_flags["OOB"] = True
            session.data_out = self.watching(body.key, session.data_out)

    def watching(self, name, send):
        """Return what notes client events, and sends all as before."""

        def data_out(**kwargs):
            if told := kwargs.get("ai_state"):
                self.seen.append((name, told[1]))
            return send(**kwargs)

        return data_out

    def states(self, name):
        return [told["state"] for who, told in self.seen if who == name]

    def test_a_room_sees_it_think_and_speak(self):
        """Each with its name, and how it stands to that very player."""
        self.model.say("Hello, Alice.")
        self.does(self.alice, "say Hello, Marrek!")
        assert self.states("Alice") == self.states("Bob") == ["thinking", "speaking", "listening"]
        assert self.seen[0][1]["who"] == "Marrek"
        assert self.seen[0][1]["mood"] == "stranger"

    def test_a_plain_client_is_told_nothing(self):
        """It could not show it: who reads text alone costs no turn anything."""
        (session,) = self.bob.sessions.all()
        session.protocol_flags["OOB"] = False
        self.model.say("Hello, Alice.")
        self.does(self.alice, "say Hello, Marrek!")
        assert self.states("Alice") == ["thinking", "speaking", "listening"]
        assert self.states("Bob") == []

    def test_they_see_to_whom_it_speaks(self):
        """The one whom it answers, while it speaks; on its own it speaks to nobody."""
        self.model.say("Hello, Alice.")
        self.does(self.alice, "say Hello, Marrek!")
        told = [told["to"] for who, told in self.seen if who == "Bob"]
        assert told == [[], ["Alice"], []]

    def test_a_whispers_events_are_for_that_one_alone(self):
        """Nobody else is told that it is being answered."""
        self.model.call("whisper", to="p1", text="Good to know.")
        self.does(self.alice, "whisper Marrek = The key is under the stone.")
        assert self.states("Alice") == ["thinking", "speaking", "listening"]
        assert self.states("Bob") == []

    def test_a_turn_that_breaks_leaves_nobody_thinking(self):
        """Also where the turn was dropped from outside."""
        self.model.fail(RuntimeError("a bug"))
        self.does(self.alice, "say Hello, Marrek!")
        assert self.states("Bob") == ["thinking", "listening"]
        self.logged()

    def test_asleep_and_awake(self):
        """The room is told, and a piece of the night does not wake it."""
        self.resident(self.marrek).sleeper.begin()
        assert self.states("Bob") == ["asleep"]
        while self.resident(self.marrek).mind.phase:
            self.tick(self.marrek, 60)
        assert self.states("Bob") == ["asleep", "listening"]

    def test_a_game_may_switch_them_off(self):
        """Then no client is told anything beside the text."""
        self.model.say("Hello.")
        with override_settings(AI_ASSISTANT_CLIENT_EVENTS=False):
            self.does(self.alice, "say Hello, Marrek!")
        assert self.seen == []

    def test_a_client_that_fails_stops_no_turn(self):
        """What goes wrong on the way is logged, and the answer is said."""
        self.resident(self.marrek).mind.sign.__self__._mood = None
        self.model.say("Hello, Alice.")
        self.does(self.alice, "say Hello, Marrek!")
        assert 'Marrek says, "Hello, Alice."' in self.screen(self.alice)
        assert [line for line in self.logged() if "client events" in line]
