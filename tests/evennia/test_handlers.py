"""Handlers: how game code and staff read and change what a character remembers."""

import time

import pytest

from ai_assistant.core.readers import OPEN
from ai_assistant.game.identity import entity_id
from ai_assistant.models import AssistantEvent, Memory
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

    def test_whom_game_code_speaks_of_is_visible(self):
        """Somebody never met gets a profile with a name; an id that means nobody is refused."""
        self.marrek.profiles.update_relationship(self.alice, 0.3)
        assert self.marrek.profiles.get_entity_profile(self.alice)["name"] == "Alice"
        self.marrek.profiles.add_entity_observation(entity_id(self.a_player("Bob")), "Limps.")
        names = {one["name"] for one in self.marrek.profiles.all().values()}
        assert names == {"Alice", "Bob"}
        self.refused(self.marrek.profiles.update_relationship, "e" + "0" * 32, 0.1)
        assert len(self.marrek.profiles.all()) == 2

    def test_what_cannot_be_used_is_refused(self):
        """A number that is none, or a source that there is not, changes nothing."""
        profiles, memory = self.marrek.profiles, self.marrek.working_memory
        profiles.create_entity_profile(self.alice)
        before = profiles.all()
        self.refused(profiles.update_relationship, self.alice, float("nan"))
        told = self.refused(profiles.add_entity_observation, self.alice, "Limps.", source="rumour")
        assert "direct, inferred, told" in told
        self.refused(memory.add_pending_action, self.alice, "Fetch rope.", 10)
        self.refused(memory.add_conversation_message, self.alice, "Hi.", "system")
        assert profiles.all() == before
        assert memory.get_conversation_context(self.alice)["pending_actions"] == []

    def test_nobody_is_refused(self):
        """An empty id is no name for all profiles together, however many are known."""
        for who in (self.alice, self.a_player("Bob")):
            self.marrek.profiles.create_entity_profile(who)
            self.marrek.profiles.get_entity_profile(who)
        assert "no key" in self.refused(self.marrek.profiles.get_entity_profile, "")

    def test_an_exchange_may_be_private(self):
        """It is counted, and its details are a secret of the two."""
        self.marrek.profiles.record_interaction(self.alice, "Gave back the ring.")
        profile = self.marrek.profiles.get_entity_profile(self.alice)
        assert profile["relationship"]["interaction_count"] == 1
        secrets = self.marrek.profiles.secrets(self.alice)
        assert [one["content"] for one in secrets] == ["Gave back the ring."]

    def test_the_first_meeting_is_still_one(self):
        """Whom game code spoke of before is met when they first talk."""
        self.marrek.profiles.update_relationship(self.alice, 0.1)
        self.model.say("Well met.")
        self.does(self.alice, "say Hello, Marrek!")
        assert any("Met Alice" in one["content"] for one in self.marrek.journal.entries)

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

    def asks(self, who, line):
        """Let somebody say a line; returns all that the answering model got to read."""
        self.model.text("Aye.")
        self.does(who, line)
        return self.model.shown()

    def test_a_line_that_game_code_adds_is_in_the_next_prompt(self):
        """Theirs and the character's own, once each, and both are found years later."""
        memory = self.marrek.working_memory
        memory.add_conversation_message(self.alice, "I left my anchor at the {mill}.")
        memory.add_conversation_message(self.alice, "I shall fetch it on Sunday.", "assistant")
        shown = self.asks(self.alice, "say Marrek?")
        assert shown.count("I left my anchor at the (mill).") == 1
        assert shown.count("I shall fetch it on Sunday.") == 1
        assert shown.index("anchor") < shown.index("Sunday") < shown.rindex("Marrek?")
        entries = self.marrek.stream.entries
        assert [(one["who"], one["event_type"]) for one in entries[:2]] == [
            ("Alice", "external"),
            ("Marrek", "self_speech"),
        ]
        rows = Memory.objects.filter(container=entity_id(self.marrek), learned_at__gt=0)
        kept = {row.content: (row.kind, row.author) for row in rows}
        assert kept["I left my anchor at the (mill)."] == ("utterance", entity_id(self.alice))
        assert kept["I shall fetch it on Sunday."] == ("own_words", entity_id(self.marrek))

    def test_an_added_line_stays_with_its_readers(self):
        """What game code adds as whispered is shown to that one alone."""
        memory, own = self.marrek.working_memory, entity_id(self.alice)
        memory.add_conversation_message(self.alice, "The key is under the mat.", readers=own)
        memory.add_conversation_message(self.alice, "I saw no mat.", "assistant", readers=own)
        bob = self.a_player("Bob")
        for line in ("say Marrek?", "whisper Marrek = And now?"):
            shown = self.asks(bob, line)
            assert "under the mat" not in shown
            assert "no mat" not in shown
        shown = self.asks(self.alice, "whisper Marrek = And now?")
        assert "under the mat" in shown
        assert "no mat" in shown

    def test_a_line_of_nobody_is_refused(self):
        """An id that nobody has, and that the character never heard of, says nothing."""
        told = self.refused(self.marrek.working_memory.add_conversation_message, "e0", "Hi.")
        assert "nobody with the id 'e0'" in told

    def test_a_promise_too_many_is_refused(self):
        """Game code is told that there is no room; nothing that waits is dropped."""
        add = self.marrek.working_memory.add_pending_action
        for number in range(20):
            add(self.alice, f"Fetch rope {number}.")
        assert "20" in self.refused(add, self.alice, "Fetch planks.", 1)
        talk = self.marrek.working_memory.get_conversation_context(self.alice)
        assert len(talk["pending_actions"]) == 20

    def test_stale_conversations_are_closed(self):
        """What was silent for long enough becomes a summary; the others go on."""
        memory = self.marrek.working_memory
        memory.add_conversation_message(self.alice, "Mend my boat.")
        assert memory.clear_stale_conversations() == 0
        stale = {"role": "user", "content": "Ahoy.", "at": time.time() - 7200}
        bob = self.a_player("Bob")
        memory._write("working", entity_id(bob), ("add_conversation_message", stale))
        assert memory.clear_stale_conversations() == 1
        talk = memory.get_conversation_context(bob)
        assert (talk["messages"], talk["summary"]) == ([], "- user: Ahoy.")

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

    def test_nothing_is_dropped_without_a_word(self):
        """What does not fit is refused, and what was there before stays."""
        notebook, memory = self.marrek.notebook, self.marrek.session_memory
        notebook.append("\n".join(f"Row {number}" for number in range(60)))
        assert len(notebook.lines) == 60
        assert "5000" in self.refused(notebook.write, "y" * 4999)
        assert len(notebook.lines) == 60
        for number in range(40):
            memory.add_session_memory(f"Row {number} is taken.")
        memory.add_session_memory("Row 7 is taken.")
        self.refused(memory.add_session_memory, "Row 41 is taken.")
        assert len(memory.memory["key_facts"]) == 40
        assert memory.memory["needs_compaction"]
        self.refused(memory.add_session_memory, "x" * 300, "pattern")
        self.refused(memory.add_session_memory, "Dogs bark.", "rumour")

    def test_an_entry_says_what_it_is_about(self):
        """Somebody, projects and a source that there is."""
        alice, journal = self.a_player("Alice"), self.marrek.journal
        journal.add_journal_entry("A bet.", source_entity=alice, related_projects=["project_1"])
        (entry,) = journal.entries
        assert entry["source_entity"] == entity_id(alice)
        assert entry["related_projects"] == ["project_1"]
        self.refused(journal.add_journal_entry, "A bet.", source_type="rumour")
        self.refused(journal.add_journal_entry, "A bet.", importance=11)
        assert len(journal.entries) == 1

    def test_the_journal_is_searched(self):
        """An entry of game code is found at once, with its score and why."""
        self.marrek.journal.add_journal_entry("The ferry burned.", tags=["fire"], importance=9)
        found = []
        self.marrek.journal.search_episodic_memory("ferry").addCallback(found.extend)
        assert [one.row.content for one in found] == ["The ferry burned."]
        assert found[0].row.importance == 9
        assert found[0].hit.why["words"] > 0
        self.marrek.journal.search_episodic_memory("ferry", scoring="additive").addCallback(
            found.extend
        )
        assert found[-1].hit.why["relevance"] == 1.0
        self.refused(self.marrek.journal.search_episodic_memory, "ferry", scoring="best")

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
