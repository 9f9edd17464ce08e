"""Thoughts of assistants in the game: in their own container, and before staff's eyes alone."""

from twisted.internet.defer import Deferred

from ai_assistant.agent.turn.loop import take_turn
from ai_assistant.commands.players.memories import CmdMemories
from ai_assistant.commands.staff.aimem import CmdAIMem
from ai_assistant.game.identity import entity_id
from ai_assistant.models import Memory
from tests.evennia.living import CommandTestCase

DOUBT = "Alice lies about the ledger."


class TestThoughts(CommandTestCase):
    def setUp(self):
        super().setUp()
        self.marrek, self.vessa = self.an_assistant(), self.an_assistant("Vessa")
        self.alice = self.a_player("Alice")
        self.model.call("think", thought=DOUBT).say("I see.")
        self.does(self.alice, "say Marrek, the books are in order.")

    def test_one_row_in_the_own_container(self):
        """Neither the world's record nor anybody who stood by has it."""
        [row] = Memory.objects.filter(content__contains="ledger")
        assert (row.container, row.kind, row.readers) == (entity_id(self.marrek), "thought", "")

    def test_staff_see_it(self):
        """Marked as private, in a search of all that the assistant remembers."""
        found = self.types(CmdAIMem, "/search marrek = ledger")
        assert DOUBT in found
        assert "(private)" in found

    def test_players_do_not(self):
        """Not even the one whom it is about."""
        for line in ("", " marrek", "/search marrek = ledger"):
            assert "ledger" not in self.types(CmdMemories, line, self.alice)

    def test_it_outlives_a_restart(self):
        """After it, the assistant finds its thought again, and tells nobody."""
        marrek = self.come_back(self.marrek)
        mind = self.resident(marrek).mind
        self.model.call("recall_thoughts", query="Alice ledger").call("wait")
        self.takes_a_turn(mind)
        assert DOUBT in self.model.shown()

    def takes_a_turn(self, mind):
        Deferred.fromCoroutine(take_turn(mind, [], "turn-thinking", "tick_autonomous"))
        self.steps.run()
