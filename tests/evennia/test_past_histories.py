"""Random histories of all that writes: each moment of them is told by the audit log as it was.

`python -m bench.state_replay` does the same with a thousand of them and more.
"""

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from ai_assistant.runtime.assembly import build_shared
from ai_assistant.scenes.live_scenes import SCENES
from bench.state_life import StateLife
from bench.state_replay import Dreamer, led
from tests.evennia.living import LivingTestCase

HISTORIES, DEEDS = 4, 12


class TestHistories(LivingTestCase):
    """Alice and Bob live with two assistants, and what should be refused now and then is."""

    def setUp(self):
        super().setUp()
        self.parrot = Dreamer()
        self.people = (self.a_player("Alice"), self.a_player("Bob"))
        self.minds = [self.an_assistant("Marrek"), self.an_assistant("Sera")]

    def build(self):
        return replace(build_shared(), offline=self.parrot, clock=self.clock)

    def test_every_moment_is_told_as_it_was(self):
        """Whatever was written, refused, restarted or forgotten before and after it."""
        names = st.sampled_from([*self.life(0).deeds()])

        @settings(max_examples=HISTORIES, deadline=None)
        @given(st.integers(0, 999), st.lists(names, min_size=DEEDS, max_size=DEEDS))
        def tell(seed, deeds):
            assert led(self.life(seed), deeds) == []

        tell()
        self.logged()  # what was refused on purpose is in the log

    def life(self, seed):
        life = StateLife(seed, self.people, self.minds, self.parrot)
        self.steps.waiting.clear()
        life.steps, life.ties = self.steps, self.ties()
        for scene in [*SCENES.running]:
            life.ends(scene)
        return life
