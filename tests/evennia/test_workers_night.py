"""A night by a worker is the night that the game would have had by itself."""

from dataclasses import replace

from asgiref.sync import async_to_sync
from django.core.management.color import no_style
from django.db import connection, transaction
from twisted.internet.defer import succeed

from ai_assistant.agent.state_parts import PARTS
from ai_assistant.llm.offline import OfflineModel
from ai_assistant.models import Memory, ModelQuestion
from ai_assistant.runtime.embedder import read_profiles
from ai_assistant.workers.worker import Worker
from ai_assistant.workers.worker_queue import WorkerQueue
from tests.evennia.living import LivingTestCase

TOLD = (
    *("I live in Oakvale.", "I have a dog named Rex.", "I hate spiders."),
    *("I work as a smith.", "My sister is called Mara."),
)


class WorkersNightTest(LivingTestCase):
    """Marrek reads a day in the game, and the same by a worker that is there at once."""

    def build(self):
        return replace(super().build(), offline=OfflineModel(), workers=self.workers)

    def setUp(self):
        self.workers, self.answered = None, 0
        super().setUp()
        self.alice = self.a_player("Alice")
        self.marrek = self.an_assistant()
        self.queue = WorkerQueue(
            self.clock,
            self.answer,
            lambda work, *args: succeed(work(*args)),
            self.steps,
            lambda profile, error: None,
        )

    def answer(self, key, assistant):
        """Stand in for the engine and a worker of it."""
        async_to_sync(Worker(read_profiles).answer)(key)
        self.answered += 1

    def night(self, character):
        home = self.resident(character)
        home.sleeper.begin()
        while home.mind.phase:
            self.tick(character)

    def held(self, character):
        """Return all that the character holds: each part of its state, and its rows."""
        store = self.resident(character).mind.store
        parts = {
            name: store.read_all(name) if part.keyed else store.read(name)
            for name, part in PARTS.items()
        }
        return parts | {"rows": [*Memory.objects.filter(container=store.id).values()]}

    def night_of(self, workers):
        """Let the server start anew, sleep a night, and return what is held then; take it back."""
        began, before = self.clock.now(), transaction.savepoint()
        self.workers = workers
        character = self.come_back(self.marrek)
        self.night(character)
        held = self.held(character)
        transaction.savepoint_rollback(before)
        self.clock.advance(began - self.clock.now())
        with connection.cursor() as cursor:  # PostgreSQL's numbers do not go back by themselves
            for statement in connection.ops.sequence_reset_sql(no_style(), [Memory]):
                cursor.execute(statement)
        return held

    def test_both_hold_the_same_in_the_morning(self):
        """One day is read twice, by the game and by a worker: the states are compared whole."""
        for line in TOLD:
            self.does(self.alice, f"say {line}")
        evening = self.held(self.marrek)
        ours = self.night_of(None)
        assert not self.answered
        theirs = self.night_of(self.queue)
        assert self.answered
        assert [part for part in ours if theirs[part] != ours[part]] == []
        assert {"profile", "sleep", "rows"} <= {
            part for part in ours if evening[part] != ours[part]
        }
        assert not ModelQuestion.objects.exists()
