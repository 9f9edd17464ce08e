"""A night by a worker is the night that the game would have had by itself."""

from dataclasses import replace

from asgiref.sync import async_to_sync
from twisted.internet.defer import succeed

from ai_assistant.llm.offline import OfflineModel
from ai_assistant.models import ModelQuestion
from ai_assistant.runtime.embedder import read_profiles
from ai_assistant.runtime.service import SERVICE
from ai_assistant.workers.worker import Worker
from ai_assistant.workers.worker_queue import WorkerQueue
from tests.evennia.living import LivingTestCase

TOLD = (
    *("I live in Oakvale.", "I have a dog named Rex.", "I hate spiders."),
    *("I work as a smith.", "My sister is called Mara."),
)


class WorkersNightTest(LivingTestCase):
    """Marrek reads the day in the game, and Sela by a worker that is there at once."""

    def build(self):
        return replace(super().build(), offline=OfflineModel(), workers=self.workers)

    def setUp(self):
        self.workers, self.answered = None, 0
        super().setUp()
        self.alice = self.a_player("Alice")
        self.marrek = self.an_assistant("Marrek")
        self.workers = WorkerQueue(
            self.clock,
            self.answer,
            lambda work, *args: succeed(work(*args)),
            self.steps,
            lambda profile, error: None,
        )
        SERVICE._shared = self.build()
        self.sela = self.an_assistant("Sela")

    def answer(self, key, assistant):
        """Stand in for the engine and a worker of it."""
        async_to_sync(Worker(read_profiles).answer)(key)
        self.answered += 1

    def night(self, character):
        home = self.resident(character)
        home.sleeper.begin()
        while home.mind.phase:
            self.tick(character)

    def known(self, character):
        """Return what the character holds of Alice, but for its rows' numbers and the second."""
        profiles = self.resident(character).mind.store.read_all("profile")
        traits = [trait for profile in profiles.values() for trait in profile["attributes"]]
        assert traits
        return [{**trait, "evidence": len(trait["evidence"]), "created": ""} for trait in traits]

    def test_both_know_the_same_in_the_morning(self):
        for line in TOLD:
            self.does(self.alice, f"say {line}")
        self.night(self.marrek)
        assert not self.answered
        self.night(self.sela)
        assert self.answered
        assert self.known(self.sela) == self.known(self.marrek)
        assert not ModelQuestion.objects.exists()
