"""Handlers: how game code and staff read and change what a character remembers."""

import pytest

from ai_assistant.identity import entity_id
from ai_assistant.models import AssistantEvent
from ai_assistant.readers import OPEN
from tests.evennia.living import LivingTestCase, broken_database
from tests.evennia.stage import HOSTILE


class HandlerTestCase(LivingTestCase):
    def setUp(self):
        super().setUp()
        self.alice = self.a_player("Alice")
        self.marrek = self.an_assistant()


class TestProfiles(HandlerTestCase):
    def test_created_on_demand(self):
        """A profile may be made before they meet; making it again changes nothing."""
        assert self.marrek.profiles.all() == {}
        self.marrek.profiles.create_entity_profile(self.alice)
        made = self.marrek.profiles.get_entity_profile(self.alice)
        assert (made["name"], made["entity_type"]) == ("Alice", "player")
        self.marrek.profiles.create_entity_profile(self.alice)
        assert self.marrek.profiles.all() == {entity_id(self.alice): made}

    def test_object_or_id(self):
        """Whoever is meant may be given as the object or by its lasting id."""
        self.marrek.profiles.add_entity_observation(self.alice, "Likes chess.")
        by_id = self.marrek.profiles.get_entity_profile(entity_id(self.alice))
        assert by_id["observations"][0]["content"] == "Likes chess."

    def test_observations_have_source_and_readers(self):
        """An observation says where it is from and who may know it; open unless told."""
        self.marrek.profiles.add_entity_observation(self.alice, "Likes chess.")
        self.marrek.profiles.add_entity_observation(
            self.alice, "Hides gold.", source="told", readers=entity_id(self.alice)
        )
        kept = self.marrek.profiles.get_entity_profile(self.alice)["observations"]
        assert [(one["source"], one["readers"]) for one in kept] == [
            ("direct", OPEN),
            ("told", entity_id(self.alice)),
        ]

    def test_relationship_moves_within_bounds(self):
        """Game code moves favorability by a tenth at once, or further where it says so."""
        change = self.marrek.profiles.update_relationship
        first = change(self.alice, 0.0)["favorability"]
        second = change(self.alice, 0.5, "saved the village")
        third = change(self.alice, 0.5, "saved it again", limit=1.0)
        assert second["favorability"] == pytest.approx(first + 0.1)
        assert third["favorability"] == pytest.approx(first + 0.6)
        assert third["state_changed"]
        assert third["old_state"] == second["new_state"] != third["new_state"]

    def test_what_is_handed_out_is_a_copy(self):
        """Changing what was read changes nothing that is kept."""
        self.marrek.profiles.create_entity_profile(self.alice)
        self.marrek.profiles.get_entity_profile(self.alice)["name"] = "Mallory"
        assert self.marrek.profiles.get_entity_profile(self.alice)["name"] == "Alice"

    def test_next_turn_knows(self):
        """What game code noted is in the next prompt."""
        self.marrek.profiles.add_entity_observation(self.alice, "Likes chess.")
        self.model.say("A game?")
        self.does(self.alice, "say Hello, Marrek!")
        assert "Likes chess." in self.model.shown()


class TestWorkingMemory(HandlerTestCase):
    def test_promises_are_kept_in_order(self):
        """What is to be done for somebody waits by urgency, and the next turn knows of it."""
        self.model.say("Well met.")
        self.does(self.alice, "say Hello, Marrek!")
        self.marrek.working_memory.start_conversation(self.alice, "the bridge")
        self.marrek.working_memory.add_pending_action(self.alice, "Fetch rope.", 5)
        self.marrek.working_memory.add_pending_action(self.alice, "Fetch planks.", 1)
        talk = self.marrek.working_memory.get_conversation_context(self.alice)
        assert [one["action"] for one in talk["pending_actions"]] == [
            "Fetch planks.",
            "Fetch rope.",
        ]
        self.model.say("Planks first.")
        self.does(self.alice, "say Marrek?")
        assert "Fetch planks." in self.model.shown()
        assert "the bridge" in self.model.shown()

    def test_labels_keep_conversations_apart(self):
        """A private conversation with somebody is not the open one."""
        own = entity_id(self.alice)
        self.marrek.working_memory.start_conversation(self.alice, "gold", readers=own)
        assert self.marrek.working_memory.get_conversation_context(self.alice)["topic"] == ""
        private = self.marrek.working_memory.get_conversation_context(self.alice, readers=own)
        assert private["topic"] == "gold"


class TestJournalAndStream(HandlerTestCase):
    def test_entries_are_added(self):
        """The journal takes what the game tells it."""
        self.marrek.journal.add_journal_entry("The bridge fell.", source_type="environmental")
        assert self.marrek.journal.entries[-1]["content"] == "The bridge fell."

    def test_stream_has_what_was_said(self):
        """The stream holds both sides, in order."""
        self.model.say("Hello, Alice.")
        self.does(self.alice, "say Hello, Marrek!")
        assert [one["content"] for one in self.marrek.stream.entries] == [
            "Hello, Marrek!",
            "Hello, Alice.",
        ]


class TestEveryChange(HandlerTestCase):
    def test_on_record(self):
        """Each change is in the audit log, with what was changed and no more."""
        self.marrek.journal.add_journal_entry("The bridge fell.")
        record = AssistantEvent.objects.filter(type="GameChange").get()
        assert record.data == {"part": "journal", "key": "", "steps": ["add_journal_entry"]}

    def test_cleaned(self):
        """Text from game code is data as well: no markup, no templates, no control characters."""
        for line in HOSTILE:
            self.marrek.journal.add_journal_entry(line)
            self.marrek.profiles.add_entity_observation(self.alice, line)
        kept = [one["content"] for one in self.marrek.journal.entries]
        kept += [
            one["content"]
            for one in self.marrek.profiles.get_entity_profile(self.alice)["observations"]
        ]
        assert not set("".join(kept)) & set("|{}\\\x1b\x00\x9b\u202e")

    def test_refused(self):
        """Where the database refuses, game code is told and nothing is changed."""
        with broken_database("UPDATE"):
            told = self.refused(self.marrek.journal.add_journal_entry, "The bridge fell.")
        assert "refused" in told
        assert self.marrek.journal.entries == []

    def test_without_script_and_stopped(self):
        """Memory can be read and written while nobody thinks."""
        self.marrek.assistant_script.delete()
        self.marrek.journal.add_journal_entry("The bridge fell.")
        assert len(self.marrek.journal.entries) == 1


class TestNotes(LivingTestCase):
    """Journal, session memory and notebook, as game code reaches them."""

    def setUp(self):
        super().setUp()
        self.marrek = self.an_assistant()

    def test_session_memory_and_notebook_are_kept(self):
        """What game code writes is there at once, in the seeds' shapes."""
        self.marrek.session_memory.add_session_memory("Players like riddles.", "pattern")
        self.marrek.notebook.append("Craft#1: Iron Blade")
        self.marrek.notebook.append("Craft#2: Steel Blade")
        patterns = self.marrek.session_memory.memory["learned_patterns"]
        assert [one["content"] for one in patterns] == ["Players like riddles."]
        assert len(self.marrek.notebook.lines) == 2
        self.marrek.notebook.write("Craft#3: Oak Bow")
        assert [one["content"] for one in self.marrek.notebook.lines] == ["Craft#3: Oak Bow"]
        self.marrek.notebook.clear()
        assert self.marrek.notebook.lines == []

    def test_the_journal_is_searched(self):
        """An entry of game code is found at once, with its score and why."""
        self.marrek.journal.add_journal_entry("The ferry burned.", tags=["fire"], importance=9)
        found = []
        self.marrek.journal.search_episodic_memory("ferry").addCallback(found.extend)
        assert [one.row.content for one in found] == ["The ferry burned."]
        assert found[0].row.importance == 9
        assert found[0].hit.why["words"] > 0

    def test_promises_and_lines_of_talk(self):
        """Game code adds to a conversation and strikes off what was done."""
        alice = self.a_player("Alice")
        memory = self.marrek.working_memory
        memory.add_conversation_message(alice, "Mend my boat.")
        memory.add_pending_action(alice, "mend the boat", 1)
        talk = memory.get_conversation_context(alice)
        assert [one["content"] for one in talk["messages"]] == ["Mend my boat."]
        memory.complete_pending_action(alice, "mend the boat")
        assert memory.get_conversation_context(alice)["pending_actions"] == []

    def test_traits_and_secrets(self):
        """A trait is added once; a secret is what only they may read."""
        alice = self.a_player("Alice")
        profiles = self.marrek.profiles
        for _ in range(2):
            profiles.add_attribute(alice, "preference", "Prefers tea.")
        profiles.add_entity_observation(alice, "Alice owns a vault.", readers=entity_id(alice))
        traits = profiles.get_entity_profile(alice)["attributes"]
        assert [one["value"] for one in traits] == ["Prefers tea."]
        assert [one["content"] for one in profiles.secrets(alice)] == ["Alice owns a vault."]
