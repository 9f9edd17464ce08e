"""Faults of the game around a turn: gone, late, or too much; the table is `docs/faults.md`."""

from django.test import override_settings

from ai_assistant.agent.attention.purses import TOO_MUCH
from ai_assistant.api.overview import status_lines
from ai_assistant.game.identity import entity_id
from ai_assistant.models import Memory
from ai_assistant.runtime.resident import SHOWN_AGAIN
from ai_assistant.runtime.service import SERVICE
from tests.evennia.living import LivingTestCase


class TestFaults(LivingTestCase):
    def setUp(self):
        super().setUp()
        self.alice, self.bob = self.a_player("Alice"), self.a_player("Bob")
        self.marrek = self.an_assistant()

    def test_what_another_took_meanwhile_is_not_taken(self):
        """An act on what is gone fails, the model learns why, and says what really happened."""
        coin = self.a_thing("coin", self.inn)
        self.model.call("take", item="coin").say("It is gone.")
        hold = self.held(self.alice, "say Marrek, take the coin!")
        self.does(self.bob, "get coin")
        self.let_go(hold)
        assert coin.location == self.bob
        assert "not here" in self.model.shown()
        assert 'Marrek says, "It is gone."' in self.screen(self.alice)

    def test_what_is_locked_meanwhile_is_not_taken(self):
        """The lock counts at the moment of the act."""
        coin = self.a_thing("coin", self.inn)
        self.model.call("take", item="coin").say("I may not.")
        hold = self.held(self.alice, "say Marrek, take the coin!")
        coin.locks.add("get:false()")
        self.let_go(hold)
        assert coin.location == self.inn
        assert "cannot pick up" in self.model.shown()

    def test_heartbeats_after_a_stall_are_one(self):
        """Heartbeats that come all at once after the server stood still begin one turn at most."""
        tansy = self.an_assistant("Tansy", autonomy_interval=60, small_talk_after=120)
        self.model.call("emote", text="yawns.")
        self.tick(tansy, 1)
        self.tick(tansy, 70)
        self.clock.advance(121)
        for _ in range(20):
            tansy.assistant_script.at_repeat()
        assert len(self.steps.waiting) == 1
        for _ in range(20):
            self.steps.run()
            tansy.assistant_script.at_repeat()
        assert len(self.model.requests) == 1
        assert self.screen(self.alice).count("Tansy yawns.") == 1

    @override_settings(AI_ASSISTANT_LINES_PER_DAY=600)
    def test_a_flood_of_lines_is_kept_within_bounds(self):
        """Of a thousand lines of one player so many are remembered as one may have of its day, the
        rest is told of in `ai/why`; whoever else asks is answered, and no memory grows."""
        resident = self.resident(self.marrek)
        mind = resident.mind
        for number in range(1000):
            self.inn.msg_contents((f'Bob says, "Day {number}"', {"type": "say"}), from_obj=self.bob)
        self.steps.run()
        assert len(mind.heard) <= mind.heard.maxlen
        assert len(mind.store.read("stream")["entries"]) <= 200
        self.model.say("I hear you.")
        self.does(self.alice, "say Marrek, can you hear me?")
        assert 'Marrek says, "I hear you."' in self.screen(self.alice)
        said = Memory.objects.filter(container=mind.key, author=entity_id(self.bob))
        assert said.count() == 600
        assert "memories: 60" in "\n".join(status_lines(self.marrek))
        assert [line.addressing for line in resident.passed_over] == [TOO_MUCH] * SHOWN_AGAIN
        assert SERVICE.is_idle(mind.key)

    def test_the_clock_may_jump(self):
        """A day forward or back loses no question and answers none twice; nothing else is seen."""
        for jump in (90_000, -90_000, -90_000, 90_000):
            self.model.say("Aye.")
            hold = self.held(self.alice, f"say Marrek, how is your day {jump}?")
            self.clock.ahead += jump
            self.let_go(hold)
            self.tick(self.marrek, 1)
            assert self.screen(self.bob)[-1] == 'Marrek says, "Aye."'
            assert self.screen(self.alice).count('Marrek says, "Aye."') == 1
        assert self.open_events() == []
