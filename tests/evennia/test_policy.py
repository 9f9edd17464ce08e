"""Roles in a game: set by command or by the owner, and at work in the next turn."""

import time

from django.test import override_settings

from ai_assistant.game.identity import entity_id
from ai_assistant.runtime.named_by_settings import load_policy
from tests.evennia.living import CommandTestCase


def no_notebook(policy):
    """A function as a game's owner writes it."""
    policy.configure_role("SmartChat", use_memory_tool=False)


class TestRoles(CommandTestCase):
    def setUp(self):
        super().setUp()
        self.marrek = self.an_assistant()

    def asked(self):
        """Let somebody ask; return the tools that were offered, and what was shown."""
        self.model.say("Aye.")
        self.does(self.builder, "say Hello, Marrek!")
        return self.model.offered(), self.model.shown()

    def test_a_role_is_at_work_in_the_next_turn(self):
        """PlainChat has no notebook; without history earlier turns are not shown."""
        self.marrek.notebook.append("Trust no ferryman.")
        assert "Trust no ferryman." in self.asked()[1]
        self.ai("/config marrek = memory_role PlainChat")
        assert "Trust no ferryman." not in self.asked()[1]
        self.ai("/config marrek = chat_history off")
        self.model.say("Aye.")
        self.does(self.builder, "say Marrek, the password is nightjar.")
        assert "nightjar" not in self.asked()[1].partition("What you remember")[0]

    def test_one_assistant_has_an_action_and_a_budget_of_its_own(self):
        """Its notes replace one another, and less of its talk stands there word for word."""
        self.ai("/config marrek = memory_action write")
        self.ai("/config marrek = chat_history_tokens 250")
        for note in ("Trust no ferryman.", "Trust no miller."):
            self.model.call("memory", content=note).say("Noted.")
            self.does(self.builder, "say Marrek, note that!")
        assert [line["content"] for line in self.marrek.notebook.lines] == ["Trust no miller."]
        mind = self.resident(self.marrek).mind
        assert (mind.role.history_tokens, mind.role.chat_history) == (250, True)

    def test_a_role_that_is_none_is_refused(self):
        """The command names those there are."""
        told = self.ai("/config marrek = memory_role Jester")
        assert "no 'Jester'" in told
        assert "PlainChat" in told

    def test_the_owner_changes_the_policy(self):
        """A function named in the settings is called with it; one that fails is named."""
        path = f"{__name__}.no_notebook"
        with override_settings(AI_ASSISTANT_MEMORY_POLICY=path):
            assert load_policy().role("SmartChat").memory_tool is False
        for wrong in ("nowhere.at_all", f"{__name__}.missing", "x"):
            with override_settings(AI_ASSISTANT_MEMORY_POLICY=wrong):
                told = []
                role = load_policy(told.append).role("SmartChat")
                assert "AI_ASSISTANT_MEMORY_POLICY" in told[0]
                assert role.chat_history
                assert not role.persist_chat_history  # perhaps the owner wanted none of it


class TestSummaries(CommandTestCase):
    def long_talk(self, marrek, who=None):
        """Let somebody have talked until lines were folded."""
        memory, who = marrek.working_memory, who or self.builder
        for number in range(8):
            memory.add_conversation_message(who, f"Line {number}.")
        memory._write("working", entity_id(who), ("fold", {"at": time.time(), "keep": 0}))

    def test_a_model_summarises_where_the_game_allows_it(self):
        """On a heartbeat, beside the talk, once."""
        marrek = self.an_assistant()
        self.long_talk(marrek)
        self.tick(marrek)
        with override_settings(AI_ASSISTANT_LLM_COMPACTION=True):
            self.model.text("[]").text("- They: counted lines\n- I: agreed")
            self.tick(marrek, 90)
            self.tick(marrek, 90)
        talk = marrek.working_memory.get_conversation_context(self.builder)
        assert talk["summary"] == "- They: counted lines\n- I: agreed"
        assert "Compacted" in self.audited()

    def test_a_failure_is_no_matter(self):
        """The folded lines stay, and the next question is answered."""
        marrek = self.an_assistant()
        self.long_talk(marrek)
        with override_settings(AI_ASSISTANT_LLM_COMPACTION=True):
            self.model.text("").text("")
            self.tick(marrek, 90)
        talk = marrek.working_memory.get_conversation_context(self.builder)
        assert talk["summary"].startswith("- user: Line 0.")

    def test_a_talk_that_fails_waits_and_others_have_their_turn(self):
        """What a model will not summarise is tried ever less often, and starves nobody."""
        marrek, ann = self.an_assistant(), self.a_player("Ann")
        self.long_talk(marrek)
        self.long_talk(marrek, ann)
        asked = len(self.model.requests)
        with override_settings(AI_ASSISTANT_LLM_COMPACTION=True):
            self.model.text("").text("").text("").text("Ann sang.")
            self.tick(marrek, 90)
            self.tick(marrek, 90)
            assert marrek.working_memory.get_conversation_context(ann)["summary"] == "- Ann sang."
            self.tick(marrek, 90)
            assert len(self.model.requests) == asked + 4
            self.model.text("").text("They counted.")
            self.tick(marrek, 300)
        talk = marrek.working_memory.get_conversation_context(self.builder)
        assert talk["summary"] == "- They counted."

    def test_without_history_there_is_nothing_to_summarise(self):
        """A role that keeps no talk asks no model for a summary of it."""
        marrek = self.an_assistant()
        self.long_talk(marrek)
        self.ai("/config marrek = chat_history off")
        asked = len(self.model.requests)
        with override_settings(AI_ASSISTANT_LLM_COMPACTION=True):
            self.tick(marrek, 90)
        assert len(self.model.requests) == asked
