"""Vectors are made in batches by workers as the game makes them, and a search never lacks them."""

from dataclasses import replace
from functools import partial

from asgiref.sync import async_to_sync
from django.test import override_settings
from twisted.internet.defer import succeed
from twisted.internet.task import Clock

from ai_assistant.api import forgetting
from ai_assistant.game.identity import entity_id
from ai_assistant.llm.embeddings import vectors_name
from ai_assistant.models import Memory, ModelQuestion
from ai_assistant.runtime.backfill import AT_ONCE, BATCH
from ai_assistant.runtime.embedder import OWNER, Embeddings
from ai_assistant.runtime.service import SERVICE
from ai_assistant.workers.worker import Worker
from ai_assistant.workers.worker_queue import GLANCE, PATIENCE, WorkerQueue
from tests.evennia.test_embeddings import FELINE, PARAPHRASE, EmbeddingTestCase

SHEEP = [FELINE, *(f"Sheep number {number}." for number in range(BATCH - 1))]
WOLVES = [f"Wolf number {number}." for number in range(2 * BATCH)]


@override_settings(AI_ASSISTANT_EMBEDDINGS="v")
class TestEmbeddingJobs(EmbeddingTestCase):
    """A queue for workers, once `hire` was called, and a worker that goes `to_work` by hand."""

    workers = None

    def build(self):
        shared = super().build()
        if self.workers is None:
            return shared
        profile = shared.profiles["v"]
        embedder = Embeddings(shared.bridge, profile, shared.budget, (), self.workers)
        return replace(shared, embedder=embedder, workers=self.workers)

    def hire(self, character):
        """Let workers make vectors from now on, as after a reload; returns the character."""
        self.glances, self.jobs = Clock(), []
        self.workers = WorkerQueue(
            self.clock,
            lambda key, lock: self.jobs.append(key),
            lambda work, *args: succeed(work(*args)),
            self.glances.callLater,
            lambda profile, error: None,
        )
        return self.come_back(character)

    def glance(self):
        """Let the game look for answers, and do what follows from them."""
        self.glances.pump([GLANCE] * (AT_ONCE + 1))
        self.settle()

    def to_work(self, jobs=AT_ONCE):
        """Let a worker answer so many questions of those that wait."""
        profiles = {"v": SERVICE.shared.profiles["v"]}
        for key in self.jobs[:jobs]:
            async_to_sync(Worker(lambda: profiles).answer)(key)
        del self.jobs[:jobs]
        self.glance()

    def vectors(self, character):
        own = Memory.objects.filter(container=entity_id(character)).exclude(embedding=None)
        return {row.content: bytes(row.embedding) for row in own}

    def test_a_batch_by_a_worker_is_the_batch_of_the_game(self):
        """The same vectors, booked alike; and no question is left."""
        spent = partial(SERVICE.shared.budget.spent, OWNER)
        marrek = self.knows(*SHEEP)
        self.beat(marrek)
        calls, tokens = spent()
        tansy = self.hire(self.an_assistant("Tansy"))
        self.learns(tansy, *SHEEP)
        self.beat(tansy)
        assert (len(self.asked()), self.vectors(tansy)) == (1, {})
        self.to_work()
        assert self.vectors(tansy) == self.vectors(marrek)
        assert spent() == (2 * calls, 2 * tokens)
        assert self.workers.counts == {"workers": 1}
        assert not ModelQuestion.objects.exists()

    def test_a_new_model_by_workers_leaves_no_gap(self):
        """Old vectors serve in each search until the new ones are complete, batch by batch."""
        marrek = self.knows(*WOLVES, *SHEEP)
        self.beat(marrek)
        self.model_name = "large"
        marrek = self.hire(marrek)
        self.beat(marrek)
        for done in range(3):
            large = {"large": done * BATCH} if done else {}
            assert self.models() == {"small": (3 - done) * BATCH} | large
            assert self.found(marrek, PARAPHRASE)[0] == FELINE
            self.to_work(1)
        assert self.models() == {"large": 3 * BATCH}
        assert self.found(marrek, PARAPHRASE)[0] == FELINE
        assert self.workers.counts == {"workers": 3}

    def test_several_batches_of_one_are_under_way_at_a_time(self):
        marrek = self.hire(self.an_assistant())
        self.learns(marrek, *(f"{text} {n}" for n in range(5) for text in WOLVES))
        self.beat(marrek)
        assert len(set(self.jobs)) == AT_ONCE
        self.to_work()
        self.to_work()
        assert self.embedded(marrek) == (10 * BATCH, 10 * BATCH)
        assert [line.split(": ")[-1] for line in self.logged()] == [
            "320 memories of Marrek are waiting.",
            "320 of 320 memories of Marrek are done.",
        ]
        sent = [text for texts in self.asked() for text in texts]
        assert len(sent) == len(set(sent)) == 10 * BATCH

    def test_batches_that_fail_at_a_time_are_one_failure(self):
        """Else a moment's outage of the server would keep it alone for minutes."""
        marrek = self.hire(self.an_assistant())
        self.learns(marrek, *(f"{text} {n}" for n in range(5) for text in WOLVES))
        self.beat(marrek)
        self.fake.meanings.script.add({"fault": "500", "times": AT_ONCE})
        self.to_work()
        assert self.embedded(marrek) == (0, 10 * BATCH)
        self.beat(marrek)
        assert len(self.jobs) == AT_ONCE
        self.logged()

    def test_less_than_a_batch_the_game_makes_itself(self):
        """A line just heard need not go through the database to be found."""
        marrek = self.hire(self.an_assistant())
        self.learns(marrek, *SHEEP[1:])
        self.beat(marrek)
        assert self.jobs == []
        assert self.embedded(marrek) == (BATCH - 1, BATCH - 1)

    def test_what_no_worker_takes_the_game_makes_itself(self):
        marrek = self.hire(self.an_assistant())
        self.learns(marrek, *SHEEP)
        self.beat(marrek)
        self.clock.advance(PATIENCE + 1)
        self.glance()
        assert self.embedded(marrek) == (BATCH, BATCH)
        assert self.workers.counts == {"here": 1}

    def test_a_worker_with_another_model_makes_none(self):
        """Its vectors would be kept under a name that is not theirs."""
        marrek = self.hire(self.an_assistant())
        self.learns(marrek, *SHEEP)
        self.beat(marrek)
        profile = SERVICE.shared.profiles["v"]
        assert vectors_name(profile) == "small"
        others = {"v": replace(profile, model="large")}
        async_to_sync(Worker(lambda: others).answer)(self.jobs.pop())
        self.glance()
        assert (self.asked(), self.embedded(marrek)) == ([], (0, BATCH))
        assert "makes no vectors of small" in SERVICE.shared.embedder.problem

    def test_what_is_forgotten_while_it_waits_is_sent_to_nobody(self):
        """Neither by a worker that takes the question later, nor by the game."""
        alice, marrek = self.a_player("Alice"), self.hire(self.an_assistant())
        self.learns(marrek, *SHEEP)
        self.beat(marrek)
        done = forgetting.forget_person(alice, by="a test")
        self.settle()
        assert done.called
        self.to_work()
        self.clock.advance(PATIENCE + 1)
        self.glance()
        assert self.asked() == []
        self.beat(marrek)
        assert len(self.jobs) == 1
