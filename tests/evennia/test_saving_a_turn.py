"""The end of a turn: what others wrote meanwhile stays, and what cannot be saved did not happen."""

from ai_assistant.api import lifecycle
from ai_assistant.models import AssistantEvent, Memory, PendingEvent
from ai_assistant.runtime.service import SERVICE
from tests.evennia.living import RUNG, EventTestCase, broken_database


class TestOthersWrite(EventTestCase):
    def test_game_code_writes_meanwhile(self):
        """What handlers change while the model thinks is still there afterwards."""
        hold = self.ask()
        self.marrek.profiles.update_relationship(self.alice, 0.1, "saved the village")
        self.marrek.profiles.add_entity_observation(self.alice, "Wears a green hat.")
        self.marrek.journal.add_journal_entry("The bridge fell.")
        self.model.say("Hello.")
        self.let_go(hold)
        profile = self.marrek.profiles.get_entity_profile(self.alice)
        assert profile["relationship"]["favorability"] > 0.1
        assert profile["observations"][-1]["content"] == "Wears a green hat."
        assert "The bridge fell." in self.journal()
        assert "Met Alice" in self.journal()

    def test_staff_write_attributes_meanwhile(self):
        """What staff change in Attributes by hand while it thinks is still there afterwards."""
        self.model.say("Hello.")
        self.does(self.alice, "say Hello, Marrek!")
        hold = self.ask("say Marrek?")
        self.marrek.db.journal["entries"][0]["content"] = "Met a spy."
        self.marrek.db.desc = "An old man."
        self.model.say("Yes?")
        self.let_go(hold)
        assert self.journal() == "Met a spy."
        assert self.marrek.db.desc == "An old man."
        assert len(self.marrek.stream.entries) == 4

    def test_configuration_changes_meanwhile(self):
        """A value set while it thinks is kept, and counts from the next turn on."""
        hold = self.ask()
        lifecycle.configure(self.marrek, "disabled_tools", "emote")
        lifecycle.configure(self.marrek, "tick_rate", "7")
        self.model.say("Hello.")
        self.let_go(hold)
        assert self.marrek.assistant_script.config["disabled_tools"] == ["emote"]
        self.assert_answered_once("Hello.")
        self.model.say("Yes?")
        self.does(self.alice, "say Marrek?")
        assert "emote" not in self.model.offered()


class TestRefusingDatabase(EventTestCase):
    def picture(self):
        """Return what is kept, on disk and in memory."""
        forms = self.marrek.attributes.all()
        kept = {(one.key, one.category): one.value for one in forms}
        audit = AssistantEvent.objects.exclude(type="ErrorOccurred").count()
        return Memory.objects.count(), audit, repr(kept)

    def test_nothing_is_said_nothing_half_written(self):
        """A turn that cannot be saved did not happen: neither on disk nor in the room."""
        self.model.say("Hello.")
        self.does(self.alice, "say Hello, Marrek!")
        before = self.picture()
        hold = self.ask("say Marrek?")
        self.model.say("This must not be said.")
        with broken_database("ai_assistant_pending", "DELETE"):
            self.let_go(hold)
        assert self.screen(self.alice) == []
        assert self.picture() == before
        assert self.open_events() == [(1, False)]
        self.model.say("But this.")
        self.tick(self.marrek)
        self.assert_answered_once("But this.")
        assert "StoreError" in "\n".join(self.logged())

    def test_closed_when_it_refuses_again(self):
        """Tried twice in vain it is closed with the error, as soon as that can be written."""
        hold = self.ask()
        self.model.say("One.").say("Two.")
        with broken_database("ai_assistant_pending", "DELETE"):
            self.let_go(hold)
            self.tick(self.marrek)
            assert self.open_events() == [(2, False)]
        assert self.closed() == []
        self.tick(self.marrek)
        assert self.closed() == ["error: StoreError"]
        assert PendingEvent.objects.count() == 0
        assert self.screen(self.alice) == []
        assert "StoreError" in "\n".join(self.logged())

    def test_act_is_not_repeated(self):
        """Where the act was done and only the saving failed, it is not done again."""
        self.ring()
        self.model.say("Done.")
        with broken_database("ai_assistant_pending", "DELETE"):
            RUNG[0].callback("loud and clear")
            self.steps.run()
        self.tick(self.marrek)
        self.tick(self.marrek)
        assert len(RUNG) == 1
        assert self.closed() == ["interrupted"]
        assert "loud and clear" in self.journal()
        assert "StoreError" in "\n".join(self.logged())

    def test_act_before_a_bug_is_not_repeated(self):
        """The same where a turn breaks for any other reason."""
        self.ring()
        self.model.fail(RuntimeError("a bug"))
        RUNG[0].callback("loud and clear")
        self.steps.run()
        self.tick(self.marrek)
        assert len(RUNG) == 1
        assert self.closed() == ["interrupted"]
        assert "a bug" in "\n".join(self.logged())

    def test_broken_turn_is_on_record(self):
        """The audit log says that a turn broke and by what kind of error, not with whose words."""
        self.ring()
        self.model.fail(RuntimeError("a bug with secrets"))
        RUNG[0].callback("loud and clear")
        self.steps.run()
        errors = AssistantEvent.objects.filter(type="ErrorOccurred")
        assert [entry.data for entry in errors] == [{"error": "RuntimeError"}]
        assert "RuntimeError" in "\n".join(self.logged())

    def test_puppet_amid_an_act(self):
        """Whoever takes over the body ends the turn, not the record of what it had begun."""
        self.ring()
        SERVICE.interrupt(self.resident(self.marrek).id)
        self.tick(self.marrek)
        assert len(RUNG) == 1
        assert self.closed() == ["interrupted"]

    def test_stop_amid_an_act(self):
        """Stopped for good, it still remembers what it had begun."""
        self.ring()
        lifecycle.stop(self.marrek)
        assert self.closed() == ["interrupted"]
        assert "ring_bell had begun" in self.journal()

    def test_database_is_gone_for_a_while(self):
        """While nothing can be written nothing is said; once it can, the question is answered."""
        script = self.marrek.assistant_script
        hold = self.ask()
        self.model.say("One.")
        with broken_database() as refused:
            self.let_go(hold)
            script.at_repeat()
        assert refused
        assert self.screen(self.alice) == []
        self.model.say("Two.")
        self.tick(self.marrek)
        self.tick(self.marrek)
        self.assert_answered_once("Two.")
        assert "StoreError" in "\n".join(self.logged())
