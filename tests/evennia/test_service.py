"""The service: from a player's line to the answer, in order, and never more than was asked for."""

import time
from itertools import count

from django.test import override_settings
from evennia.utils import create

from ai_assistant.api import lifecycle
from ai_assistant.core.errors import BlockRefused
from ai_assistant.core.model_records import ModelReply, ToolCall
from ai_assistant.core.ports import Model
from ai_assistant.models import Memory, PendingEvent
from ai_assistant.runtime.service import SERVICE
from tests.evennia.living import LivingTestCase


class TestOneTurn(LivingTestCase):
    def setUp(self):
        super().setUp()
        self.alice, self.bob = self.a_player("Alice"), self.a_player("Bob")
        self.marrek = self.an_assistant()

    def answers(self, one, line, reply="Well met."):
        """Does the assistant answer this line, so that everybody hears it?"""
        self.model.say(reply)
        self.screen(one), self.screen(self.bob)
        self.does(one, line)
        if self.model.replies:
            self.model.replies.clear()
            return False
        assert f'Marrek says, "{reply}"' in self.screen(one)
        return True

    def test_name_gets_an_answer(self):
        """Who is named answers aloud, and a bystander hears it too."""
        self.model.say("Good day, Alice.")
        self.does(self.alice, "say Hello, Marrek!")
        assert 'Marrek says, "Good day, Alice."' in self.screen(self.alice)
        assert 'Marrek says, "Good day, Alice."' in self.screen(self.bob)

    def test_speaker_finishes_first(self):
        """The answer comes after the line that asked for it, on every screen."""
        self.model.say("Good day.")
        self.does(self.alice, "say Hello, Marrek!")
        assert self.screen(self.bob) == ['Alice says, "Hello, Marrek!"', 'Marrek says, "Good day."']

    def test_talk_among_others_is_left_alone(self):
        """What is not meant for it costs no model call, but is remembered with the next turn."""
        self.does(self.alice, "say The bridge fell into the river.")
        assert not self.model.requests
        self.model.say("I heard.")
        self.does(self.alice, "say Marrek, did you hear?")
        assert "The bridge fell into the river." in self.model.shown()
        assert Memory.objects.filter(content="The bridge fell into the river.").count() == 1

    def test_alone_with_one_every_word_is_for_it(self):
        """The only player there needs no name from the first line on, in company it takes one."""
        assert not self.answers(self.alice, "say What a storm!")
        self.bob.move_to(self.street, quiet=True)
        assert self.answers(self.alice, "say Is anybody in?")
        other = self.an_assistant("Pia")
        self.resident(self.marrek).mind.engagement.who = ""
        assert not self.answers(self.alice, "say What a storm!")
        other.move_to(self.street, quiet=True)
        lifecycle.configure(self.marrek, "room_default", "ignore")
        assert not self.answers(self.alice, "say What a storm!")

    def test_a_hidden_player_is_company(self):
        """Whoever hears it is company, seen or not."""
        self.bob.locks.add("view:false();search:false()")
        assert not self.answers(self.alice, "say What a storm!")

    def test_alone_with_no_player_it_is_silent(self):
        """What a body says that nobody plays, as scripts let it, is not for it unless named."""
        for body in (self.alice, self.bob):
            body.move_to(self.street, quiet=True)
        self.does(self.a_body("Parrot"), "say Land ahoy!")
        assert not self.model.requests

    def test_engaged_needs_no_name(self):
        """Whoever was just answered may go on without the name."""
        assert self.answers(self.alice, "say Hello, Marrek!")
        assert self.answers(self.alice, "say And how are you?")

    def test_engaged_does_not_butt_in(self):
        """Once another player spoke, the talk is theirs."""
        assert self.answers(self.alice, "say Hello, Marrek!")
        self.does(self.bob, "say Alice, come here.")
        assert not self.answers(self.alice, "say In a minute.")

    def test_whom_its_words_call_is_heard(self):
        """It asks another player by name: that one's answer needs no name."""
        self.model.say("Bob, is that your brother?")
        self.does(self.alice, "say Hello, Marrek!")
        assert not self.answers(self.bob, "say Alice, what does he want?")
        self.model.say("Bob, is that your brother?")
        self.does(self.alice, "say Hello, Marrek!")
        assert self.answers(self.bob, "say That is him!")

    def test_what_is_added_while_it_thinks_is_heard(self):
        """Second thoughts need no name either, though the first line is not answered yet."""
        hold = self.held(self.alice, "say Marrek, how far is it to Oxmoor?")
        self.does(self.alice, "say No, I mean to Millbrook.")
        self.model.say("Two leagues.").say("Three, then.")
        self.let_go(hold)
        assert "No, I mean to Millbrook." in self.model.shown()

    def test_whom_it_came_to_meet_needs_no_name(self):
        """Paged to another place it goes there, and is in talk with whom it came for."""
        self.bob.move_to(self.street, quiet=True)
        self.model.call("move", to="door").text("I am on my way.")
        self.does(self.alice, "page Marrek = Meet me in the street!")
        self.model.replies.clear()
        self.alice.move_to(self.street, quiet=True)
        assert self.answers(self.alice, "say Here I am.")

    def test_engaged_hears_another_name(self):
        """A line that turns to somebody else who is here is theirs, one about them is not."""
        assert self.answers(self.alice, "say Hello, Marrek!")
        assert self.answers(self.alice, "say Does Bob have a cat?")
        assert not self.answers(self.alice, "say Bob, what do you think?")

    def test_page_and_channel_leave_the_talk_in_the_room(self):
        """Answers elsewhere do not end it, whoever got them; on the channel a talk goes on too."""
        lane = self.a_channel()
        lane.connect(self.alice.account)
        lifecycle.configure(self.marrek, "channels", "Public=mention")
        assert self.answers(self.alice, "say Hello, Marrek!")
        for body in (self.alice, self.bob):
            self.model.call("page", text="I am at the inn.")
            self.does(body, "page Marrek = Where are you?")
            assert "Marrek pages: I am at the inn." in self.screen(body)
        assert self.answers(self.alice, "say Is the stew good?")
        for line in ("Is Marrek about?", "And now?"):
            self.model.call("channel_say", text="Here!")
            lane.msg(line, senders=self.alice.account)
            self.steps.run()
            assert any(shown.endswith("Marrek: Here!") for shown in self.screen(self.alice))
        assert self.answers(self.alice, "say Is the ale good?")

    def test_an_account_that_logged_out_in_the_same_step_is_not_waited_for(self):
        """It wore no body, and is gone when its line is looked at."""
        lane, gone = self.a_channel(), create.create_account("Olga", None, "a password!")
        lifecycle.configure(self.marrek, "channels", "Public=mention")
        lane.msg("Is Marrek about?", senders=gone)
        self.steps.run()
        assert self.closed() == ["speaker_gone"]

    def test_a_channel_line_to_somebody_else_is_theirs(self):
        """Wherever that one stands: who was just answered on the channel is not meant."""
        lane = self.a_channel()
        lane.connect(self.alice.account)
        lifecycle.configure(self.marrek, "channels", "Public=mention")
        tansy = lifecycle.create_assistant("Tansy", location=self.street)
        lifecycle.configure(tansy, "channels", "Public=mention")
        for line in ("Is Marrek about?", "Tansy, are you there?"):
            self.model.call("channel_say", text="Here!")
            lane.msg(line, senders=self.alice.account)
            self.steps.run()
        shown = [line for line in self.screen(self.alice) if line.endswith("Here!")]
        assert ["Marrek" in line for line in shown] == [True, False]

    def test_engagement_passes(self):
        """After a minute the name is needed again."""
        assert self.answers(self.alice, "say Hello, Marrek!")
        self.resident(self.marrek).mind.engagement.since = time.time() - 61
        assert not self.answers(self.alice, "say And how are you?")

    def test_whisper_stays_private(self):
        """A whisper is answered by whisper, and nobody else hears either of them."""
        self.model.call("whisper", to="p1", text="I know of it.")
        self.does(self.alice, "whisper Marrek = the key is under the mat")
        assert 'Marrek whispers: "I know of it."' in self.screen(self.alice)
        assert self.screen(self.bob) == []

    def test_page_is_answered_by_page(self):
        """Somebody elsewhere is answered where they are."""
        self.alice.move_to(self.street, quiet=True)
        self.model.call("page", text="I am at the inn.")
        self.does(self.alice, "page Marrek = Where are you?")
        assert "Marrek pages: I am at the inn." in self.screen(self.alice)

    def test_channel_is_answered_there(self):
        """Who names it on a channel is answered on that channel."""
        lane = self.a_channel()
        lane.connect(self.alice.account)
        lifecycle.configure(self.marrek, "channels", "Public=mention")
        self.model.call("channel_say", text="Here!")
        lane.msg("Is Marrek about?", senders=self.alice.account)
        self.steps.run()
        assert any(line.endswith("Marrek: Here!") for line in self.screen(self.alice))

    def test_gift_is_noticed(self):
        """Whoever is given something thanks, knows what it is, and likes the giver better."""
        self.a_thing("coin", self.alice)
        self.model.say("How kind!")
        self.does(self.alice, "give coin to Marrek")
        assert "Alice gives you coin." in self.model.shown()
        (change,) = self.marrek.profiles.get_entity_profile(self.alice)["relationship"]["history"]
        assert (change["reason"], change["kind"]) == ("a gift: coin", "deed")
        assert change["delta"] > 0

    def test_pose_with_the_name_is_answered(self):
        """A gesture towards it counts as talking to it."""
        self.model.call("emote", text="nods.")
        self.does(self.alice, "pose waves at Marrek.")
        assert "Marrek nods." in self.screen(self.bob)

    def test_refused_sender_is_not_answered(self):
        """The character's `address` lock says who may ask for its attention."""
        self.marrek.locks.add("address:perm(Builder)")
        self.does(self.alice, "say Hello, Marrek!")
        assert not self.model.requests


class TestOrder(LivingTestCase):
    def setUp(self):
        super().setUp()
        self.alice, self.bob = self.a_player("Alice"), self.a_player("Bob")

    def test_never_two_turns_at_once(self):
        """Whatever is heard and however often the heart beats, one turn runs at a time."""
        marrek = self.an_assistant(autonomy_interval=1)
        hold = self.held(self.alice, "say Hello, Marrek!")
        for number in range(20):
            self.does(self.bob, f"say Marrek, number {number}!")
            self.tick(marrek)
        assert len(self.model.requests) == 1
        self.model.say("One.").say("Two.").say("Three.").say("Four.")
        self.let_go(hold)
        assert self.resident(marrek).turn_id == ""
        self.model.replies.clear()

    def test_what_comes_meanwhile_is_answered_together(self):
        """Lines that wait while it thinks join one turn."""
        self.an_assistant()
        hold = self.held(self.alice, "say Hello, Marrek!")
        self.does(self.bob, "say Marrek, a beer!")
        self.does(self.alice, "say Marrek, me too!")
        self.model.say("Hello.").say("Two beers, then.")
        self.let_go(hold)
        assert len(self.model.requests) == 2
        assert "a beer!" in self.model.shown()
        assert "me too!" in self.model.shown()
        assert PendingEvent.objects.count() == 0

    def test_whom_it_walked_away_from_is_told(self):
        """What is whispered, or said to it, as it goes is answered there no more, and no secret."""
        marrek = self.an_assistant()
        for line in ("whisper Marrek = where is the gold?", "say Marrek, a beer!"):
            hold = self.held(self.alice, "say Marrek, wait in the street!")
            self.does(self.bob, line)
            self.screen(self.alice), self.screen(self.bob)
            self.model.call("move", to="door").text("Hm.")
            self.let_go(hold)
            assert marrek.location == self.street
            assert "Marrek has left, and did not hear you out." in self.screen(self.bob)
            assert "Marrek has left, and did not hear you out." not in self.screen(self.alice)
            marrek.move_to(self.inn)
        assert PendingEvent.objects.count() == 0

    def test_who_left_first_is_not_told_that_it_left(self):
        """Nobody is missed by whom they did not wait for themselves."""
        marrek = self.an_assistant()
        hold = self.held(self.alice, "say Marrek, come with me!")
        self.does(self.bob, "say Marrek, a beer!")
        self.bob.move_to(self.street)
        self.screen(self.bob)
        self.model.say("No, thank you.")
        self.let_go(hold)
        assert marrek.location == self.inn
        assert not [line for line in self.screen(self.bob) if "hear you out" in line]
        assert PendingEvent.objects.count() == 0

    def test_whisper_and_say_are_two_turns(self):
        """What not everybody may know is not answered along with what everybody heard."""
        self.an_assistant()
        hold = self.held(self.alice, "say Hello, Marrek!")
        self.does(self.bob, "whisper Marrek = where is the gold?")
        self.does(self.bob, "say Marrek, a beer!")
        self.model.say("Hello.").call("whisper", to="p2", text="Hush.").say("Coming.")
        self.let_go(hold)
        assert len(self.model.requests) == 3
        assert "gold" in self.model.shown(1)
        assert "gold" not in self.model.shown(2)

    def test_turns_at_once_are_limited(self):
        """No more assistants think at the same time than the setting says; the others follow."""
        with override_settings(AI_ASSISTANT_IN_FLIGHT=2):
            for name in ("Ann", "Ben", "Cid"):
                self.an_assistant(name)
        holds = []
        for name in ("Ann", "Ben", "Cid"):
            holds.append(self.held(self.alice, f"say Hello, {name}!"))
        assert len(self.model.requests) == 2
        self.model.say("Yes?").say("Yes?").say("Yes?")
        self.model.hold = None
        self.let_go(holds[0])
        assert len(self.model.requests) == 3
        self.let_go(holds[1])
        assert PendingEvent.objects.count() == 0

    def test_one_turn_starts_per_step(self):
        """A crowd that is greeted at once does not hold up the reactor for all their turns."""
        for name in ("Ann", "Ben", "Cid"):
            self.an_assistant(name)
            self.model.say("Yes?")
        self.alice.execute_cmd("say Ann, Ben, Cid!")
        for started in (0, 1):  # at first the line is taken in
            self.steps.waiting.popleft()()
            assert len(self.model.requests) == started
        self.steps.run()
        assert len(self.model.requests) == 3

    def test_two_who_talk_to_each_other_end(self):
        """One human line pays for twelve calls at most, however two assistants go on."""
        self.an_assistant("Ann"), self.an_assistant("Ben")
        self.model.complete = Chatterbox().complete
        self.does(self.alice, "say Ann and Ben, greet each other!")
        said = [line for line in self.screen(self.bob) if "Hello" in line]
        assert 2 <= len(said) <= 12
        assert PendingEvent.objects.count() == 0

    def test_same_event_is_answered_once(self):
        """An event that arrives twice is one event."""
        marrek = self.an_assistant()
        hold = self.held(self.alice, "say Hello, Marrek!")
        marrek.perceive(self.resident(marrek).events[0])
        self.model.say("Hello.")
        self.let_go(hold)
        assert len(self.model.requests) == 1


class Chatterbox(Model):
    """A model that calls everybody by name, for ever."""

    def __init__(self):
        self.calls = count()

    async def complete(self, request):
        words = {"text": f"Hello Ann, hello Ben! {next(self.calls)}", "reasoning": ""}
        return ModelReply(tool_calls=(ToolCall("c1", "say", words),))


class TestCatchingUp(LivingTestCase):
    """What the database refused is done later, in order; what can never be done is let go."""

    def test_a_task_that_can_never_be_done_stops_no_other(self):
        """It is named in the log, and those behind it are done at the same heartbeat."""
        resident, done = self.resident(self.an_assistant()), []

        def refused():
            raise BlockRefused("That block is full.")

        def later():
            done.append("done")

        resident.inbox.finish(refused)
        resident.inbox.finish(later)
        self.logged()
        assert SERVICE.watch.writes.retry()
        assert done == ["done"]
        assert any("BlockRefused" in line for line in self.logged())
