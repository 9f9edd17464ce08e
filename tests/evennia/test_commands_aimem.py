"""The command `aimem`: staff see, search, mend and erase what an assistant remembers."""

from ai_assistant.commands.aimem import CmdAIMem
from ai_assistant.contracts import Commit, MemoryRow
from ai_assistant.handlers import save
from ai_assistant.identity import entity_id
from ai_assistant.models import AssistantEvent, Memory
from tests.evennia.living import CommandTestCase


class MemoryTestCase(CommandTestCase):
    def setUp(self):
        super().setUp()
        self.marrek = self.an_assistant()
        self.alice = self.a_player("Alice")

    def mem(self, line, caller=None, answers=()):
        return self.types(CmdAIMem, line, caller, answers)

    def told(self):
        """Let Alice say something that Marrek answers."""
        self.model.say("Aye.")
        self.does(self.alice, "say Marrek, the ferry sank at the old bridge.")

    def row(self, words):
        return Memory.objects.filter(content__contains=words, archived_at__isnull=True).first()


class TestLooking(MemoryTestCase):
    def test_how_much_there_is(self):
        """Every kind is counted."""
        self.told()
        told = self.mem(" marrek")
        for words in ("people: 1", "conversations: 1", "journal entries: 1 of 1 ever", "notes: 0"):
            assert words in told, told

    def test_each_kind_is_listed_with_references(self):
        """What is in the journal, the notebook, the profile and a conversation is shown."""
        self.told()
        self.marrek.profiles.add_entity_observation(self.alice, "Alice owns a boat.")
        assert "j1" in self.mem("/journal marrek")
        assert "old bridge" in self.mem("/working marrek")
        assert "old bridge" in self.mem("/working marrek = alice")
        assert "o1 Alice owns a boat." in self.mem("/profile marrek = alice")
        assert "empty" in self.mem("/notebook marrek")
        assert "empty" in self.mem("/session marrek")

    def test_a_search_shows_scores_and_why(self):
        """What was found comes with its number, its score, and on demand its channels."""
        self.told()
        told = self.mem("/search marrek = bridge")
        number = self.row("old bridge").pk
        assert f"#{number}" in told
        assert "named" not in told
        assert "age_days" in self.mem("/why marrek = bridge")
        assert "nothing of that" in self.mem("/search marrek = unicorns")
        assert "Search for what" in self.mem("/search marrek")

    def test_private_things_are_marked(self):
        """Staff read what was whispered, and see that it was."""
        row = MemoryRow("The gold is under the bridge.", readers=entity_id(self.alice))
        save(self.marrek, Commit(at=1.0, rows=[row]))
        assert "The gold is under the bridge. (private)" in self.mem("/search marrek = bridge")

    def test_builders_only_look(self):
        """A Builder searches, and changes nothing."""
        self.told()
        assert "bridge" in self.mem("/search marrek = bridge", self.builder)
        for line in ("/edit marrek = j1 x", "/forget marrek = j1", "/erase alice"):
            assert "Only Admins" in self.mem(line, self.builder)


class TestEditing(MemoryTestCase):
    def test_a_memory_gets_new_words(self):
        """The new words are found, the old row is archived, and the edit is on record."""
        self.told()
        old = self.row("old bridge")
        self.mem(f"/edit marrek = #{old.pk} The ferry sank at the new mill.")
        new = self.row("new mill")
        assert (new.parents, new.readers, new.author) == ([old.pk], old.readers, old.author)
        old.refresh_from_db()
        assert old.archived_at
        assert "new mill" in self.mem("/search marrek = ferry")
        assert "old bridge" not in self.mem("/search marrek = ferry sank")
        assert AssistantEvent.objects.filter(type="Edited").exists()
        assert "archived already" in self.mem(f"/edit marrek = #{old.pk} Again.")

    def test_entries_and_observations_get_new_words(self):
        """A journal entry and an observation are changed where they stand."""
        self.told()
        self.marrek.profiles.add_entity_observation(self.alice, "Alice owns a boat.")
        self.mem("/edit marrek = j1 Met a ferrywoman.")
        self.mem("/edit marrek = o1@alice Alice owns a raft.")
        assert self.marrek.journal.entries[0]["content"] == "Met a ferrywoman."
        assert "Alice owns a raft." in self.mem("/profile marrek = alice")
        assert "ferrywoman" in self.mem("/search marrek = ferrywoman")

    def test_nonsense_is_refused(self):
        """Unknown references and missing words say so."""
        self.told()
        for ref in ("#999", "j9", "f1", "o1@alice", "x", "#", "n-1", "j" + "9" * 30):
            assert "has no memory" in self.mem(f"/edit marrek = {ref} words")
        assert "never met" in self.mem("/edit marrek = o1@zoe words")
        assert "With which words" in self.mem("/edit marrek = j1")


class TestForgetting(MemoryTestCase):
    def test_one_memory_is_forgotten(self):
        """It is gone from the table and from what can be found."""
        self.told()
        number = self.row("old bridge").pk
        self.mem(f"/forget marrek = #{number}")
        assert self.row("old bridge") is None
        assert "nothing of that" in self.mem("/search marrek = ferry bridge")

    def test_a_person_is_erased_after_asking(self):
        """Nothing is done without a yes; then nobody knows her."""
        self.told()
        self.mem("/erase alice", answers=["no"])
        assert self.row("old bridge")
        self.mem("/erase alice", answers=["yes"])
        assert self.row("old bridge") is None
        assert "never met" in self.mem("/profile marrek = alice")

    def test_who_is_meant_must_be_clear(self):
        """Unknown people and scopes are refused before anything is asked."""
        assert "No assistant ever met" in self.mem("/erase zoe")
        self.told()
        assert "Usage" in self.mem("/erase alice = some")
