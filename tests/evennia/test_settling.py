"""What a running service does to the process it lives in."""

import gc

from tests.evennia.living import LivingTestCase


class TestSettling(LivingTestCase):
    def test_collector_leaves_the_start_alone(self):
        """Once assistants live, what was loaded so far no longer slows down garbage collection."""
        gc.unfreeze()
        self.an_assistant("Marrek")
        self.steps.run()
        assert gc.get_freeze_count() > 0
