"""What a running service does to the process it lives in."""

import gc

from ai_assistant.game.reactor_lateness import spare_full_rounds
from tests.evennia.living import LivingTestCase


class TestSettling(LivingTestCase):
    def test_collector_leaves_the_start_alone(self):
        """Once assistants live, what was loaded so far no longer slows down garbage collection."""
        gc.unfreeze()
        self.an_assistant("Marrek")
        self.steps.run()
        assert gc.get_freeze_count() > 0

    def test_full_rounds_are_rare(self):
        """A tenth as often as by Python's own limits; a game that wants fewer yet has its way."""
        self.addCleanup(gc.set_threshold, *gc.get_threshold())
        for own, then in ((10, 100), (500, 500)):
            gc.set_threshold(700, 10, own)
            spare_full_rounds()
            assert gc.get_threshold() == (700, 10, then)
