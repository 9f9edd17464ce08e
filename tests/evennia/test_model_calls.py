"""Model calls: written after the turn, opened as they were, let go in time, and forgotten."""

from django.test import override_settings
from twisted.internet.defer import Deferred

from ai_assistant.api import forgetting
from ai_assistant.api.turns.opened_calls import last_calls, open_call
from ai_assistant.core.errors import ModelUnavailable
from ai_assistant.game.identity import entity_id
from ai_assistant.models import CallText, ModelCall
from ai_assistant.runtime.call_log import AT_ONCE
from ai_assistant.runtime.service import SERVICE
from tests.evennia.living import EventTestCase, broken_database

DAY = 86_400


class CallsTestCase(EventTestCase):
    def said(self, who, words, answer="I see."):
        """Let somebody say something to Marrek, who answers; then time passes."""
        self.model.say(answer)
        self.does(who, f"say Marrek, {words}")
        self.tick(self.marrek)

    def whispered(self, who, words, answer="I see."):
        """The same in a whisper."""
        self.model.text(answer)
        self.does(who, f"whisper Marrek = {words}")
        self.tick(self.marrek)

    def calls(self):
        """Return all calls on disk, oldest first."""
        return list(ModelCall.objects.order_by("pk"))

    def opened(self, number=-1):
        """Return a call as the owner sees it: the last one, unless another is named."""
        return open_call(self.marrek, self.calls()[number].pk)


class TestKeeping(CallsTestCase):
    def test_a_call_is_written_after_its_turn(self):
        """Not a statement of it belongs to the turn; the next heartbeat writes it."""
        self.model.say("Good day.")
        self.does(self.alice, "say Hello, Marrek!")
        assert not self.calls()
        self.tick(self.marrek)
        [call] = self.calls()
        assert (call.job, call.assistant, call.without) == ("chat", entity_id(self.marrek), "")
        assert call.turn_id

    def test_who_looks_waits_for_what_is_packed(self):
        """Beside the reactor, under way or not: all that was noted is there, however many look."""
        self.said(self.alice, "is the ferry in?")
        calls, packing = SERVICE.shared.calls, []
        calls._beside = lambda *work: packing.append((Deferred(), work)) or packing[-1][0]
        for _ in range(AT_ONCE + 1):
            calls.note(self.model.requests[-1], None, 1.0)
        looks = [last_calls(self.marrek, 9), last_calls(self.marrek, 9)]
        assert ModelCall.objects.count() == 1
        while packing:
            assert not any(look.called for look in looks)
            done, (pack, *given) = packing.pop()
            done.callback(pack(*given))
        assert [len(look.result) for look in looks] == [AT_ONCE + 2] * 2

    def test_it_is_opened_as_it_was(self):
        """The messages, the tools and the answer, word for word, and where it comes from."""
        self.said(self.alice, "is the ferry in?", "It leaves at dawn.")
        sent = self.model.requests[-1]
        seen = self.opened()
        assert seen.request.messages == sent.messages
        assert seen.request.tools == sent.tools
        assert seen.request.sections == sent.sections
        assert "It leaves at dawn." in str(seen.reply)

    def test_the_beginning_is_kept_once(self):
        """Two calls share the instructions and the persona, and the tools where they are equal."""
        self.said(self.alice, "is the ferry in?")
        self.said(self.alice, "is it late?")
        one, other = self.calls()
        assert one.lead == other.lead != ""
        needed = {call.lead for call in (one, other)} | {call.tools for call in (one, other)}
        assert CallText.objects.count() == len(needed)

    def test_what_it_drew_on_is_found(self):
        """By whoever spoke, and by the line."""
        self.said(self.alice, "is the ferry in?")
        [refs] = (call.sources for call in self.calls())
        assert entity_id(self.alice) in refs
        assert entity_id(self.marrek) not in refs
        line = self.marrek.stream.entries[-2]["id"]
        assert line in refs

    def test_private_turns_leave_figures_alone(self):
        """Unless the owner says otherwise."""
        self.whispered(self.alice, "the lantern hangs behind the mill")
        [call] = self.calls()
        assert (call.without, call.body, call.lead) == ("private", None, "")
        with override_settings(AI_ASSISTANT_CALL_PRIVATE_BODIES=True):
            self.whispered(self.alice, "and the key as well")
        assert self.calls()[-1].body

    def test_a_failed_call_says_why(self):
        """It has no answer, and its problem in words."""
        self.model.fail(ModelUnavailable("The server is away."))
        self.does(self.alice, "say Hello, Marrek!")
        self.tick(self.marrek)
        assert "away" in self.calls()[0].problem

    def test_switched_off(self):
        """Without days there are no bodies, and without days of figures nothing at all."""
        with override_settings(AI_ASSISTANT_CALL_BODY_DAYS=0):
            self.said(self.alice, "is the ferry in?")
        assert [call.without for call in self.calls()] == ["switched off"]
        with override_settings(AI_ASSISTANT_CALL_DAYS=0):
            self.said(self.alice, "is it late?")
            self.tick(self.marrek)
            self.model.say("I see.")
            self.does(self.alice, "say Marrek, is it early?")
            last_calls(self.marrek, 1)  # somebody looks before the heartbeat
        assert not self.calls()

    @override_settings(AI_ASSISTANT_CALL_BODY_BYTES=100)
    def test_what_is_too_large(self):
        """Its figures are kept, and nothing else."""
        self.said(self.alice, "is the ferry in?")
        assert [(call.without, call.size) for call in self.calls()] == [("too large", 0)]

    def test_a_database_that_refuses_costs_no_answer(self):
        """The turn is over by then; the owner reads of it in the log, and the call waits on."""
        self.model.say("Good day.")
        self.does(self.alice, "say Hello, Marrek!")
        with broken_database("INTO", "ai_assistant_call"):
            self.tick(self.marrek)
        assert "Good day." in " ".join(self.screen(self.alice))
        assert "record of model calls" in "\n".join(self.logged())
        assert not self.calls()
        self.said(self.alice, "is it late?")
        first, second = self.calls()
        assert first.at < second.at

    def test_what_waits_at_a_stop_is_written(self):
        """A reload loses no call."""
        self.model.say("Good day.")
        self.does(self.alice, "say Hello, Marrek!")
        SERVICE.stop()
        assert len(self.calls()) == 1


class TestLettingGo(CallsTestCase):
    def test_bodies_go_before_figures(self):
        """After a week what was sent, after a month all of it."""
        self.said(self.alice, "is the ferry in?")
        self.tick(self.marrek, 8 * DAY)
        [call] = self.calls()
        assert (call.body, call.size, call.without) == (None, 0, "expired")
        assert not CallText.objects.exists()
        self.tick(self.marrek, 23 * DAY)
        assert not self.calls()

    @override_settings(AI_ASSISTANT_CALL_BODY_MEGABYTES=0)
    def test_the_oldest_go_where_there_is_too_much(self):
        """The figures stay."""
        self.said(self.alice, "is the ferry in?")
        self.tick(self.marrek, 700)
        assert [call.without for call in self.calls()] == ["expired"]


class TestForgettingCalls(CallsTestCase):
    def forget(self, done):
        found = []
        done.addBoth(found.append)
        self.steps.run()
        return found[0]

    def test_each_call_that_touches_what_is_forgotten_goes(self):
        """Alice's line, and Bob's while hers stood in the prompt; not what was before it."""
        self.said(self.bob, "the otters are back.", "So they are.")
        self.said(self.alice, "my cat is called Albatross.", "A fine name.")
        self.said(self.bob, "which way to the weir?", "Down the lane.")
        report = self.forget(forgetting.forget_person(self.alice, by="a test"))
        assert report.counts["model calls"] == 2
        assert len(self.calls()) == 1
        assert "otters" in str(self.opened().request.messages[-1])

    def test_what_waits_to_be_written_goes_as_well(self):
        """The heartbeat after a forgetting writes nothing of it."""
        self.model.say("A fine name.")
        self.does(self.alice, "say Marrek, my cat is called Albatross.")
        self.forget(forgetting.forget_person(self.alice, by="a test"))
        self.tick(self.marrek)
        assert not self.calls()

    def test_what_is_packed_meanwhile_goes_as_well(self):
        """Forgetting does not wait for that: whoever is done first writes it, and nobody twice."""
        self.model.say("A fine name.")
        self.does(self.alice, "say Marrek, my cat is called Albatross.")
        calls, packing, beside = SERVICE.shared.calls, [], SERVICE.shared.calls._beside
        calls._beside = lambda *work: packing.append((Deferred(), work)) or packing[-1][0]
        last_calls(self.marrek, 9)
        calls._beside = beside
        report = self.forget(forgetting.forget_person(self.alice, by="a test"))
        assert report.counts["model calls"] == 1
        [(done, (pack, *given))] = packing
        done.callback(pack(*given))
        self.tick(self.marrek)
        assert not self.calls()

    def test_a_memory_that_goes_takes_its_calls_along(self):
        """One line alone: the calls that show it go, by what they drew on or by its words."""
        self.said(self.bob, "the otters are back.", "So they are.")
        self.said(self.alice, "my cat is called Albatross.", "A fine name.")
        row = self.resident(self.marrek).mind.store.rows.newest(9)
        [cat] = [one for one in row if "Albatross" in one.content]
        self.forget(forgetting.forget_item(self.marrek, f"#{cat.id}", by="a test"))
        assert "Albatross" not in str(self.opened())
        assert len(self.calls()) == 1

    def test_a_night_of_which_nobody_knows_what_it_read_goes(self):
        """Where its assistant forgets anything, a call without sources is in doubt."""
        self.said(self.alice, "my cat is called Albatross.", "A fine name.")
        ModelCall.objects.update(body=None, turn_id="", sources=[])
        self.forget(forgetting.forget_person(self.alice, by="a test"))
        assert not self.calls()
