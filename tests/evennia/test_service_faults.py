"""What may come between a question and its answer: a stop, a puppet, a bug, a broken disk."""

from django.test import override_settings

from ai_assistant.api import lifecycle
from ai_assistant.core.errors import ModelTimeout
from ai_assistant.language import language_of
from ai_assistant.llm.breaker import CallEnding, Unavailable
from ai_assistant.models import Memory, PendingEvent
from ai_assistant.runtime.service import SERVICE, Service
from tests.evennia.living import LivingTestCase, Steps, broken_database


class TestHalted(LivingTestCase):
    def setUp(self):
        super().setUp()
        self.alice = self.a_player("Alice")
        self.marrek = self.an_assistant()
        self.hold = self.held(self.alice, "say Hello, Marrek!")
        self.screen(self.alice)

    def put_on(self, character):
        """Let a player from elsewhere wear a character; returns that player's session."""
        character.locks.add("puppet:all()")
        session = self.a_player("Staff", self.street).sessions.all()[0]
        session.account.puppet_object(session, character)
        self.steps.run()
        return session

    def test_stop_while_thinking(self):
        """A stopped assistant says nothing more, and the question is closed with the reason."""
        lifecycle.stop(self.marrek)
        self.steps.run()
        assert self.screen(self.alice) == []
        assert self.closed() == ["stopped"]
        assert PendingEvent.objects.count() == 0

    def test_delete_while_thinking(self):
        """A deleted one leaves nothing on disk that anybody waits for."""
        turn = self.resident(self.marrek).turn
        lifecycle.delete(self.marrek)
        self.steps.run()
        assert turn.called
        assert "Marrek" not in "".join(self.screen(self.alice))
        assert self.closed() == ["deleted"]
        assert PendingEvent.objects.count() == 0

    def test_puppeted_while_thinking(self):
        """While a player wears it, its own mind is silent; afterwards it answers."""
        session = self.put_on(self.marrek)
        self.tick(self.marrek)
        assert self.open_events() == [(0, False)]
        assert not [line for line in self.screen(self.alice) if "says" in line]
        session.account.unpuppet_object(session)
        self.model.say("Forgive me, I was not myself.")
        self.tick(self.marrek)
        assert 'Marrek says, "Forgive me, I was not myself."' in self.screen(self.alice)
        assert PendingEvent.objects.count() == 0

    def test_words_that_a_server_refuses_keep_it_from_answering_nobody_else(self):
        """Of what it was shown then it is shown no line again, or it would be refused again."""
        bob = self.a_player("Bob")
        self.model.fail(Unavailable(CallEnding.REQUEST, "Refused.", cause="403"))
        self.let_go(self.hold)
        for line, answer in (("good day", "Aye."), ("tell me", "No.")):
            self.clock.advance(5)
            self.model.say(answer)
            self.does(bob, f"say Marrek, {line}!")
            assert "Hello, Marrek!" not in self.model.shown()
            assert f'Marrek says, "{answer}"' in self.screen(bob)
        self.model.fail(Unavailable(CallEnding.REQUEST, "Refused.", cause="400"))
        self.does(self.alice, "say Marrek, !!!!")
        self.clock.advance(5)
        self.model.call("recall", words="hello from Alice").say("Still here.")
        self.does(bob, "say Marrek, are you there?")
        assert "!!!!" not in self.model.shown()
        assert "good day" in self.model.shown()  # as was answered before
        assert "Hello, Marrek!" not in self.model.shown()
        assert "Hello, Marrek!" in str(self.marrek.stream.entries)

    def test_puppeted_while_it_waits(self):
        """A question that waited for its turn when a player took over waits on."""
        lifecycle.stop(self.marrek)
        lifecycle.start(self.marrek)
        self.steps.run()
        self.alice.execute_cmd("say Hello again, Marrek!")
        session = self.put_on(self.marrek)
        assert len(self.model.requests) == 1
        assert self.open_events() == [(0, False)]
        session.account.unpuppet_object(session)
        self.model.say("Hello, hello.")
        self.tick(self.marrek)
        assert 'Marrek says, "Hello, hello."' in self.screen(self.alice)

    def test_puppeted_for_long(self):
        """Who waits for somebody that a player wears is not kept for ever."""
        self.put_on(self.marrek)
        self.tick(self.marrek, 200)
        assert self.closed() == ["puppeted"]

    def test_answer_that_comes_too_late(self):
        """What the model says after its turn was ended is ignored."""
        lifecycle.stop(self.marrek)
        lifecycle.start(self.marrek)
        self.model.say("Second.")
        self.does(self.alice, "say Marrek, once more!")
        self.let_go(self.hold)
        assert self.screen(self.alice)[-1] == 'Marrek says, "Second."'

    def test_speaker_leaves(self):
        """Who leaves before the answer hears nothing, nor does an empty room."""
        self.alice.move_to(self.street, quiet=True)
        self.screen(self.alice)
        self.model.say("Hello, Alice.")
        self.let_go(self.hold)
        assert self.screen(self.alice) == []
        assert PendingEvent.objects.count() == 0


class TestFaults(LivingTestCase):
    def setUp(self):
        super().setUp()
        self.alice = self.a_player("Alice")
        self.marrek = self.an_assistant()

    def fail(self, times=1):
        for _ in range(times):
            self.model.fail(RuntimeError("a bug"))

    def test_model_error_is_no_silence(self):
        """Where the model fails the character is visibly distracted, and the event has its end."""
        self.model.fail(ModelTimeout())
        self.does(self.alice, "say Hello, Marrek!")
        gestures = language_of("en").excuses["gestures"]
        assert self.screen(self.alice)[-1].removeprefix("Marrek ") in gestures
        assert PendingEvent.objects.count() == 0
        assert "did not answer within the time limit" in self.resident(self.marrek).last_error

    def test_failed_turn_is_tried_once_more(self):
        """An event whose turn broke is answered at the next heartbeat."""
        self.fail()
        self.does(self.alice, "say Hello, Marrek!")
        assert self.open_events() == [(1, False)]
        self.model.say("Here I am.")
        self.tick(self.marrek)
        assert 'Marrek says, "Here I am."' in self.screen(self.alice)
        assert "a bug" in "".join(self.logged())

    def test_event_that_breaks_turns_is_closed(self):
        """After the second failure the event is closed with the error as its reason."""
        self.fail(2)
        self.does(self.alice, "say Hello, Marrek!")
        self.tick(self.marrek)
        self.tick(self.marrek)
        assert self.closed() == ["error: RuntimeError"]
        assert len([line for line in self.logged() if "ai_assistant: turn of" in line]) == 2

    def test_rests_and_recovers(self):
        """Five failures within ten minutes make it rest a minute; then it is there again."""
        lifecycle.configure(self.marrek, "max_consecutive_errors", "0")
        self.fail(5)
        for _ in range(5):
            self.does(self.alice, "say Hello, Marrek!")
        self.does(self.alice, "say Are you ill, Marrek?")
        assert self.closed() == ["resting"]
        assert len(self.model.requests) == 5
        self.tick(self.marrek, 30)
        assert len(self.model.requests) == 5
        self.model.say("I am well.")
        self.tick(self.marrek, 31)
        assert 'Marrek says, "I am well."' in self.screen(self.alice)
        assert PendingEvent.objects.count() == 0
        assert len(self.logged()) >= 5
        self.model.replies.clear()

    def test_error_in_perception_is_logged(self):
        """What goes wrong while it listens never reaches the one who spoke."""
        self.resident(self.marrek).mind.config = None
        self.does(self.alice, "say Hello, Marrek!")
        assert "You say" in self.screen(self.alice)[0]
        assert [line for line in self.logged() if line.startswith("ai_assistant: perceive")]

    def test_error_at_the_listener_is_no_second_answer(self):
        """An answer that was saved and broke on its way out is not given again."""

        def break_down(*args, **kwargs):
            raise RuntimeError("the room is broken")

        self.inn.msg_contents = break_down
        self.model.say("Hello.")
        line = ('Alice says, "Hello, Marrek!"', {"type": "say"})
        self.marrek.msg(text=line, from_obj=self.alice)
        self.steps.run()
        self.tick(self.marrek)
        assert len(self.model.requests) == 1
        assert PendingEvent.objects.count() == 0
        assert "the room is broken" in "".join(self.logged())

    def test_queue_on_a_broken_disk(self):
        """What cannot be put on disk is answered as soon as it is there."""
        self.model.say("Hello.")
        with broken_database("INSERT", "ai_assistant_pending", passing=True):
            self.does(self.alice, "say Hello, Marrek!")
        assert not self.model.requests
        self.tick(self.marrek)
        assert 'Marrek says, "Hello."' in self.screen(self.alice)
        assert "takes nothing just now" in "".join(self.logged())

    @override_settings(AI_ASSISTANT_LINES_PER_MINUTE=0)
    def test_overload_is_closed_with_the_reason(self):
        """Of a flood the newest few are answered, and the others have a reason on record."""
        hold = self.held(self.alice, "say Hello, Marrek!")
        for number in range(30):
            self.does(self.alice, f"say Marrek, {number}!")
        assert self.closed() == ["overload"] * 6
        self.model.say("Slowly.").say("I").say("see.").say("Yes.")
        self.let_go(hold)
        assert PendingEvent.objects.count() == 0


class TestOwnAccord(LivingTestCase):
    def test_acts_unasked_before_company(self):
        """With an interval set and a player there, it breaks a long silence, once."""
        alice = self.a_player("Alice")
        marrek = self.an_assistant(autonomy_interval=60, small_talk_after=120)
        self.model.call("emote", text="wipes the counter.")
        self.tick(marrek, 1)
        self.tick(marrek, 70)
        assert not self.model.requests
        self.tick(marrek, 121)
        assert "Marrek wipes the counter." in self.screen(alice)
        self.tick(marrek, 1000)
        assert len(self.model.requests) == 1

    def test_not_for_itself(self):
        """Nobody there, or only assistants, running or not: nothing is spent."""
        marrek = self.an_assistant(autonomy_interval=60)
        lifecycle.stop(self.an_assistant("Tansy"))
        self.an_assistant("Sera")
        self.tick(marrek, 61)
        assert not self.model.requests

    def test_not_unless_wanted(self):
        """Without an interval it only answers."""
        self.a_player("Alice")
        self.tick(self.an_assistant(), 100_000)
        assert not self.model.requests

    def test_not_while_it_thinks(self):
        """A heartbeat amid a turn does not make it act as soon as that turn is over."""
        alice, marrek = self.a_player("Alice"), self.an_assistant(autonomy_interval=60)
        hold = self.held(alice, "say Hello, Marrek!")
        self.tick(marrek, 61)
        self.model.say("Hello.")
        self.let_go(hold)
        assert len(self.model.requests) == 1

    def test_players_go_first(self):
        """Who asks in the same moment is answered instead."""
        alice = self.a_player("Alice")
        marrek = self.an_assistant(autonomy_interval=60)
        self.model.say("Hello.")
        alice.execute_cmd("say Hello, Marrek!")
        self.tick(marrek, 61)
        assert len(self.model.requests) == 1
        assert "Hello, Marrek!" in self.model.shown()


class TestProcess(LivingTestCase):
    def test_stop_lets_go_of_everybody(self):
        """After the service stopped nobody lives, and stopping again does no harm."""
        marrek = self.an_assistant()
        alice = self.a_player("Alice")
        hold = self.held(alice, "say Hello, Marrek!")
        SERVICE.stop()
        SERVICE.stop()
        assert not SERVICE.residents
        assert self.open_events() == [(0, False)]
        assert hold.called
        assert marrek.assistant_script.db.enabled

    def test_not_beside_the_server(self):
        """In a shell or a management command nothing starts to think."""
        SERVICE.__init__(**{**self.ties(), "in_server": lambda: False})
        marrek = self.an_assistant()
        marrek.assistant_script.at_start()
        lifecycle.stop(marrek)
        lifecycle.start(marrek)
        assert not SERVICE.residents
        assert marrek.assistant_script.db.enabled

    def test_real_service_knows_where_it_is(self):
        """The reactor of a test does not run, so the service takes this for no server."""
        assert not Service().in_server()

    def test_index_is_filled_in_slices(self):
        """A long memory is read in many steps; only then are questions answered."""
        alice = self.a_player("Alice")
        marrek = self.an_assistant()
        store = self.resident(marrek).mind.store
        old = {"container": store.id, "kind": "utterance", "content": "Rain.", "learned_at": 1}
        Memory.objects.bulk_create(Memory(**old) for _ in range(450))
        lifecycle.stop(marrek)
        lifecycle.start(marrek)
        alice.execute_cmd("say Hello, Marrek!")
        steps = 0
        while self.steps.waiting and not self.model.requests:
            steps += 1
            self.model.replies.clear()
            self.model.say("Hello.")
            self.steps.waiting.popleft()()
        assert steps > 2
        self.steps.run()
        assert len(self.resident(marrek).mind.recall) >= 450


def test_steps_of_a_test_run_in_order():
    """The hand-cranked reactor runs what is put off, first things first."""
    steps, done = Steps(), []
    steps(0, lambda: done.append(1))
    steps(0, lambda: steps(0, lambda: done.append(3)))
    steps(0, lambda: done.append(2))
    steps.run()
    assert done == [1, 2, 3]
