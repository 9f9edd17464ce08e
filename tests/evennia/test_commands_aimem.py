"""The command `aimem`: staff see, search, mend and erase what an assistant remembers."""

from ai_assistant.api.handlers import save
from ai_assistant.commands.staff.aimem import CmdAIMem
from ai_assistant.core.contracts import Commit, MemoryRow
from ai_assistant.game.identity import entity_id
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
        for words in ("people: 1", "exchanges: 1", "journal: 1", "notes: 0"):
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

    def test_the_newest_are_read_back_to_the_first(self):
        """As on the page of memories: the last ones, then those before one of them."""
        self.told()
        self.told()
        first, *_, last = Memory.objects.filter(container=entity_id(self.marrek)).order_by("pk")
        told = self.mem("/newest marrek")
        assert told.index(f"#{last.pk} (") < told.index(f"#{first.pk} (")
        told = self.mem(f"/newest marrek = before #{last.pk}")
        assert f"#{first.pk} " in told
        assert f"#{last.pk} " not in told
        assert "is empty" in self.mem(f"/newest marrek = before #{first.pk}")
        assert "Usage: aimem/newest" in self.mem("/newest marrek = before noon")

    def test_a_search_shows_scores_and_why(self):
        """What was found comes with its number, its score, and on demand its channels."""
        self.told()
        told = self.mem("/search marrek = bridge")
        number = self.row("old bridge").pk
        assert f"#{number}" in told
        assert "named" not in told
        assert "age_days" in self.mem("/why marrek = bridge")
        assert "nothing of that" in self.mem("/search marrek = unicorns")
        assert "Usage: aimem/search" in self.mem("/search marrek")

    def test_a_search_is_narrowed_by_a_filter(self):
        """It stands behind the words; a wrong one says what there is."""
        self.told()
        assert "#" in self.mem("/search marrek = bridge where speaker = Alice, isSpeaker = false")
        assert "nothing of that" in self.mem("/search marrek = bridge where gameDay > 999999")
        assert "no field 'mood'" in self.mem("/search marrek = bridge where mood = sad")
        for nothing in ("bridge where", "where", "bridge where "):
            told = self.mem(f"/search marrek = {nothing}")
            assert "Where what? As in: where gameDay >= 5; there are author, " in told
        assert "write it as" in self.mem("/search marrek = bridge where mood = sad, so")
        assert "There is no character 'Nobody'" in self.mem(
            "/search marrek = bridge where speaker = Nobody"
        )

    def test_a_search_finds_whatever_is_kept(self):
        """Notes, facts and what was noted of people are found by their references."""
        self.told()
        self.marrek.profiles.add_entity_observation(self.alice, "Alice owns a raft.")
        self.marrek.session_memory.add_session_memory("A raft costs ten coins.")
        self.marrek.notebook.append("Buy a raft.")
        told = self.mem("/search marrek = raft")
        for line in ("o1@Alice", "f1", "n1"):
            assert line in told, told
        self.mem("/edit marrek = o1@alice Alice owns a barge.")
        assert "barge" in self.mem("/search marrek = barge")
        self.mem("/forget marrek = n1", answers=["yes"])
        assert "Buy a raft." not in self.mem("/search marrek = raft")

    def test_a_search_finds_a_person_by_name_alone(self):
        """What she said is found, though no word of it was searched for."""
        self.told()
        assert "old bridge" in self.mem("/search marrek = alice")
        assert "old bridge" in self.mem("/search marrek = what did Alice say")

    def test_people_are_called_by_their_names(self):
        """A conversation reads as one: no words of an interface stand in it."""
        self.told()
        told = self.mem("/working marrek")
        assert "Alice: Marrek, the ferry" in told
        assert "Marrek: Aye." in told
        assert "user" not in told

    def test_namesakes_are_told_apart(self):
        """Two of one name are offered by their ids, of which the beginning will do."""
        self.told()
        twin = self.a_player("Anna")
        twin.key = "Alice"
        self.marrek.profiles.create_entity_profile(twin)
        short = entity_id(twin)[:8]
        assert short in self.mem("/profile marrek = alice")
        assert entity_id(twin) in self.mem(f"/profile marrek = {short}")

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
        told = self.mem(f"/edit marrek = #{old.pk} The ferry sank at the new mill.")
        new = self.row("new mill")
        assert (new.parents, new.readers, new.author) == (old.parents, old.readers, old.author)
        old.refresh_from_db()
        assert old.archived_at
        assert "new mill" in self.mem("/search marrek = ferry")
        assert "old bridge" not in self.mem("/search marrek = ferry sank")
        assert AssistantEvent.objects.filter(type="Edited").exists()
        assert f"#{old.pk} of Marrek is #{new.pk} now" in told
        refused = self.mem(f"/edit marrek = #{old.pk} Again.")
        assert "archived already" in refused
        assert f"#{new.pk}" in refused

    def test_what_was_put_right_outlives_the_error(self):
        """Forgetting what a memory said before leaves what staff made of it."""
        self.told()
        old = self.row("old bridge").pk
        self.mem(f"/edit marrek = #{old} The boat burned by the new mill.")
        self.mem(f"/forget marrek = #{old}", answers=["yes"])
        assert not Memory.objects.filter(content__contains="old bridge").exists()
        assert self.row("The boat burned by the new mill.")
        assert "new mill" in self.mem("/search marrek = boat")

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
        assert "has met no person" in self.mem("/edit marrek = o1@zoe words")
        assert "With which words" in self.mem("/edit marrek = j1")
        assert "no memory o9@Alice" in self.mem("/edit marrek = o9@alice x")
        assert "Give its reference" in self.mem("/forget marrek =")


class TestForgetting(MemoryTestCase):
    def test_one_memory_is_forgotten(self):
        """It is gone from the table and from what can be found."""
        self.told()
        number = self.row("old bridge").pk
        assert "Nothing was changed" in self.mem(f"/forget marrek = #{number}", answers=["no"])
        assert self.row("old bridge")
        self.mem(f"/forget marrek = #{number}", answers=["yes"])
        assert self.row("old bridge") is None
        assert "nothing of that" in self.mem("/search marrek = ferry bridge")

    def test_a_person_is_erased_after_asking(self):
        """Nothing is done without a yes; then nobody knows her."""
        self.told()
        self.mem("/erase alice", answers=["no"])
        assert self.row("old bridge")
        self.mem("/erase alice", answers=["yes"])
        assert self.row("old bridge") is None
        assert "has met no person" in self.mem("/profile marrek = alice")

    def test_who_is_meant_must_be_clear(self):
        """Unknown people and scopes are refused before anything is asked."""
        assert "There is no person 'zoe'" in self.mem("/erase zoe")
        self.told()
        assert "Usage" in self.mem("/erase alice = some")
