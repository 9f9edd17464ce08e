"""What a turn costs the database, and that nothing it reads there is out of date."""

from django.db import connection
from django.test.utils import CaptureQueriesContext

from ai_assistant.api import blocks, staging
from ai_assistant.game.identity import entity_id
from ai_assistant.memory.blocks import rules
from ai_assistant.models import MemoryBlock
from ai_assistant.storage import lorebooks
from tests.evennia.living import LivingTestCase
from tests.evennia.test_tables import MARKS

PLAIN_TURN = 22
"""Statements from the line that is heard to the reply, but for the marks of transactions."""
OF_A_SCENE = 17
"""So many more of them where it is played: each line is kept for the players, and counted, what
is written of it passes the lease, and what became of the mind's state is told."""


class QueryTestCase(LivingTestCase):
    def setUp(self):
        super().setUp()
        self.alice, self.bob = self.a_player("Alice"), self.a_player("Bob")
        self.marrek = self.an_assistant()
        self.talk()

    def talk(self, line="say Marrek, is the ferry in?"):
        """Let Alice say something and the assistant answer; returns what its model read."""
        self.model.say("It leaves at dawn.")
        self.does(self.alice, line)
        return self.model.shown()

    def statements(self):
        """Return the statements of one more turn."""
        with CaptureQueriesContext(connection) as seen:
            self.talk()
        return [one["sql"] for one in seen if not one["sql"].startswith(MARKS)]

    def assert_few(self, most):
        """One more turn takes so many statements at most."""
        found = self.statements()
        assert len(found) <= most, "\n".join(found)


class TestStatements(QueryTestCase):
    def test_a_plain_turn(self):
        """A line and its answer cost a known number of statements, which is not to creep up."""
        self.assert_few(PLAIN_TURN)

    def test_a_long_talk(self):
        """The tenth turn asks for no more than the second: memories are read together."""
        for _ in range(8):
            self.talk()
        self.assert_few(PLAIN_TURN)

    def test_much_at_hand(self):
        """Blocks of the game's own are read together, however many there are."""
        for number in range(5):
            blocks.create_block_by_type("shared", f"guild {number}", npc=self.marrek)
            blocks.add_line(f"guild {number}", f"Rule {number}.", npc=self.marrek)
        self.assert_few(PLAIN_TURN)
        assert all(f"Rule {number}." in self.model.shown() for number in range(5))

    def test_a_crowd(self):
        """Who merely stands there costs nothing."""
        for name in ("Cara", "Dan", "Edda", "Finn"):
            self.a_player(name)
        self.talk()
        self.assert_few(PLAIN_TURN)

    def test_in_a_scene(self):
        """To play costs more, but no more with each who plays along."""
        scene = staging.create_scene("The ferry", self.alice)
        for one in (self.bob, self.a_player("Cara"), self.marrek):
            staging.join_scene(scene.id, one)
        staging.start_scene(scene.id)
        self.talk()
        self.assert_few(PLAIN_TURN + OF_A_SCENE)


class TestNothingStale(QueryTestCase):
    def test_a_block_written_by_anybody(self):
        """What another process writes, past all our code, is in the next prompt."""
        blocks.set_lore("Arenthia is an island.")
        assert "Arenthia is an island." in self.talk()
        world = MemoryBlock.objects.get(label=rules.GLOBAL)
        changed = {**world.value, "lore": "Arenthia sank."}
        MemoryBlock.objects.filter(pk=world.pk).update(value=changed)
        told = self.talk()
        assert "Arenthia sank." in told
        assert "Arenthia is an island." not in told

    def test_a_block_of_several_bodies(self):
        """What one body takes in, the other tells in its next turn."""
        twin = self.an_assistant("Tansy")
        blocks.embody(twin, self.marrek)
        self.steps.run()
        blocks.share_fact(twin, "The mill burned.")
        assert "The mill burned." in self.talk()

    def test_a_lorebook(self):
        """A book counts from the turn after it was written, and is gone with its removal."""
        owner = entity_id(self.marrek)
        entry = {"key": "ferry", "name": "Ferry", "content": "The ferry is red.", "constant": True}
        lorebooks.write_books(
            [(owner, lorebooks.BOOK, {"book": {"name": "b", "entries": [entry]}})]
        )
        assert "The ferry is red." in self.talk()
        entry["content"] = "The ferry is green."
        lorebooks.write_books(
            [(owner, lorebooks.BOOK, {"book": {"name": "b", "entries": [entry]}})]
        )
        assert "The ferry is green." in self.talk()
        lorebooks.write_books([(owner, lorebooks.BOOK, {})])
        assert "The ferry is" not in self.talk()
