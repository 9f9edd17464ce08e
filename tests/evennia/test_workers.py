"""Workers answer what nobody waits for; what none of them takes the game asks by itself."""

from dataclasses import replace

from asgiref.sync import async_to_sync
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import TestCase, override_settings
from twisted.internet.defer import Deferred, succeed
from twisted.internet.task import Clock

from ai_assistant.core.errors import ModelTimeout
from ai_assistant.core.model_records import Message, ModelReply, ModelRequest
from ai_assistant.llm.breaker import CallEnding, Unavailable
from ai_assistant.llm.model_profiles import load_profiles
from ai_assistant.models import ModelQuestion
from ai_assistant.roleplay.day_summaries import RECAP
from ai_assistant.storage.calls.question_rows import drop_questions
from ai_assistant.storage.calls.question_rows import keep_answer as keep
from ai_assistant.storage.calls.question_rows import take_question as take
from ai_assistant.testing import ManualClock
from ai_assistant.workers.questions import answer_text, question_from
from ai_assistant.workers.worker import Worker
from ai_assistant.workers.worker_queue import (
    FOR_WORKERS,
    GLANCE,
    LONGEST,
    PATIENCE,
    WorkerQueue,
    build_worker_queue,
)

PROFILE = load_profiles({"night": {"provider": "local", "model": "m"}}, {}, {})["night"]
NIGHT = ModelRequest(
    messages=(Message("user", "What did you learn?"),),
    job="consolidate",
    context_type="sleep_consolidate",
    assistant="e1",
)
HERE = ModelReply("asked here")


class WorkerQueueTest(TestCase):
    """A queue whose clock is turned by hand."""

    def setUp(self):
        self.reactor, self.time = Clock(), ManualClock(1000.0)
        self.deferred, self.noted, self.later = [], [], self.reactor.callLater
        self.queue = WorkerQueue(
            self.time,
            lambda *job: self.defer(*job),
            lambda work, *args: self.beside(work, *args),
            lambda *call: self.later(*call),
            lambda profile, error: self.noted.append(error),
        )

    def defer(self, *job):
        """Stand in for the engine."""
        self.deferred.append(job)

    def beside(self, work, *args):
        """Stand in for the threads."""
        return succeed(work(*args))

    def ask(self, question=NIGHT):
        async def here():
            return HERE

        asked = Deferred.fromCoroutine(self.queue.answer(PROFILE, question, here))
        return asked.addErrback(lambda failure: failure.value)

    def pass_time(self, seconds):
        self.time.advance(seconds)
        self.reactor.pump([GLANCE] * 4)

    @property
    def key(self):
        return self.deferred[-1][0]

    def test_a_worker_answers(self):
        asked = self.ask()
        assert question_from(take(self.key, 1.0)) == ("night", NIGHT)
        self.pass_time(1)
        assert not asked.called
        keep(self.key, answer_text(ModelReply("from afar")))
        self.pass_time(1)
        assert asked.result.text == "from afar"
        assert self.noted == [None]
        assert not ModelQuestion.objects.exists()

    def test_answers_that_come_together_are_taken_one_by_one(self):
        """What a night makes of one takes a while, so each is put off to a step of its own."""
        steps, taken, take_later = [], [], self.later
        self.later = lambda seconds, call: (
            take_later(seconds, call) if seconds else steps.append(call)
        )
        for who in ("e1", "e2"):
            self.ask(replace(NIGHT, assistant=who)).addCallback(taken.append)
            take(self.key, 1.0)
            keep(self.key, answer_text(HERE))
        self.pass_time(1)
        assert not taken
        for number, hand_over in enumerate(steps, 1):
            hand_over()
            assert len(taken) == number
        assert len(steps) == 2

    def test_what_no_worker_takes_the_game_asks_itself(self):
        asked = self.ask()
        self.pass_time(PATIENCE + 1)
        assert asked.result == HERE
        assert not take(self.key, 1.0)
        assert self.queue.counts == {"here": 1}
        assert not self.queue.pending

    def test_a_recap_waits_for_a_worker_a_moment_only(self):
        """Players wait to be told what happened."""
        asked = self.ask(replace(NIGHT, context_type=RECAP))
        self.pass_time(FOR_WORKERS[RECAP] + 1)
        assert asked.result == HERE
        assert WorkerQueue.takes(replace(NIGHT, context_type=RECAP))

    def test_a_worker_that_took_it_has_its_time(self):
        """Then its call may be on the bill all the same, and another needs another reservation."""
        asked = self.ask()
        take(self.key, self.time.now())
        self.pass_time(PATIENCE + 1)
        assert not asked.called
        self.pass_time(LONGEST)
        assert (asked.result.charge, asked.result.passing) == ("all", True)
        assert not ModelQuestion.objects.exists()

    def test_what_a_dead_worker_took_no_other_asks_unpaid(self):
        asked = self.ask()
        take(self.key, self.time.now())
        async_to_sync(Worker(lambda: {"night": PROFILE}).answer)(self.key)
        self.pass_time(1)
        assert (asked.result.charge, asked.result.passing) == ("all", True)
        assert not ModelQuestion.objects.exists()

    def test_a_worker_s_failure_is_the_game_s(self):
        asked = self.ask()
        take(self.key, 1.0)
        keep(
            self.key, answer_text(Unavailable(CallEnding.NETWORK, "Nobody there.", cause="refused"))
        )
        self.pass_time(1)
        assert str(asked.result) == "Nobody there."
        assert self.noted[0].cause == "refused"

    def test_an_answer_that_came_while_the_game_was_down_is_not_paid_twice(self):
        self.ask().cancel()
        take(self.key, 1.0)
        keep(self.key, answer_text(ModelReply("while you were away")))
        asked = self.ask()
        self.pass_time(1)
        assert asked.result.text == "while you were away"

    def test_a_question_given_up_is_asked_of_no_worker(self):
        """Woken, a character wants no answer."""
        for taken in (False, True):
            asked = self.ask()
            if taken:
                assert take(self.key, self.time.now())
            asked.cancel()
            self.pass_time(1)
            assert not take(self.key, self.time.now())
            assert not self.queue.pending
            assert not self.queue.counts

    def test_given_up_while_it_is_written_down_it_is_taken_back(self):
        begins = Deferred()
        self.beside = lambda work, *args: begins.addCallback(lambda _: work(*args))
        self.ask().cancel()
        del self.beside
        begins.callback(None)
        assert ModelQuestion.objects.count() == 1
        self.pass_time(1)
        assert not ModelQuestion.objects.exists()

    def test_without_an_engine_the_night_goes_on(self):
        def broken(*job):
            raise ModelTimeout("No worker ever ran.")

        self.defer = broken
        assert self.ask().result == HERE

    def test_forgetting_leaves_no_question(self):
        self.ask()
        drop_questions(lambda assistant: assistant == "e2")
        assert ModelQuestion.objects.count() == 1
        drop_questions(lambda assistant: assistant == "e1")
        keep(self.key, "too late")
        assert not ModelQuestion.objects.exists()

    def test_only_what_nobody_waits_for_goes_to_workers(self):
        assert WorkerQueue.takes(NIGHT)
        assert not WorkerQueue.takes(ModelRequest(messages=()))

    def test_on_another_database_the_game_asks_by_itself(self):
        """So it says, and so does a worker; nobody asks for any where the setting is off."""
        if connection.vendor == "postgresql":
            self.skipTest("This is the database for workers.")
        told = []
        assert build_worker_queue(told.append, *[None] * 4) is None
        assert told == []
        with override_settings(AI_ASSISTANT_WORKERS=True):
            assert build_worker_queue(told.append, *[None] * 4) is None
        assert "needs PostgreSQL" in told[0]
        with self.assertRaisesMessage(CommandError, "Workers need PostgreSQL"):
            call_command("ai_worker")
