"""The emergency stop: what counts, what it keeps from happening, and who may clear it."""

from ai_assistant.api import lifecycle
from ai_assistant.api.execution import clear_emergency_stop, trigger_emergency_stop
from ai_assistant.commands.records.aiexec import CmdAIExec
from ai_assistant.core.errors import ModelTimeout, ModelUnavailable
from ai_assistant.models import AssistantEvent, PendingEvent
from ai_assistant.runtime.service import SERVICE
from tests.evennia.living import CommandTestCase, broken_database


class EmergencyTestCase(CommandTestCase):
    def setUp(self):
        super().setUp()
        self.alice = self.a_player("Alice")
        self.marrek = self.an_assistant()

    def tearDown(self):
        self.model.replies.clear()
        self.logged()
        super().tearDown()

    def breaks(self, times):
        """Let so many turns break by a bug."""
        for _ in range(times):
            self.model.fail(RuntimeError("a bug"))
            self.does(self.alice, "say Hello, Marrek!")

    @property
    def safety(self):
        return self.marrek.assistant_script.attributes.get("safety")

    def aiexec(self, args, caller=None):
        return self.types(CmdAIExec, args, caller)

    def told(self, type):
        """Return what the audit log has of a type."""
        rows = AssistantEvent.objects.filter(type=type).order_by("pk")
        return [row.data for row in rows]


class TestWhatCounts(EmergencyTestCase):
    def test_five_turns_that_break_in_a_row(self):
        """They stop it: what comes is closed, the staff and the audit log are told why."""
        self.screen(self.builder)
        self.breaks(5)
        assert self.safety["emergency_stop"]
        (told,) = self.told("EmergencyStopTriggered")
        assert told["consecutive_errors"] == 5
        assert "RuntimeError" in told["reason"]
        assert "a bug" not in told["reason"]
        assert [line for line in self.screen(self.builder) if "Emergency stop of Marrek" in line]
        assert not [line for line in self.screen(self.alice) if "Emergency" in line]
        asked = len(self.model.requests)
        self.does(self.alice, "say Marrek, are you there?")
        self.tick(self.marrek, 300)
        assert len(self.model.requests) == asked
        assert set(self.closed()) == {"emergency_stop"}
        assert PendingEvent.objects.count() == 0

    def test_four_do_not(self):
        """And one that comes to its end begins the count anew."""
        self.breaks(4)
        assert self.safety["consecutive_errors"] == 4
        self.model.say("There.")
        self.tick(self.marrek)
        assert self.safety["consecutive_errors"] == 0
        self.breaks(4)
        assert not self.safety["emergency_stop"]

    def test_a_providers_failures_do_not_count(self):
        """Whatever the model's server does, nobody is stopped; and it ends no count either."""
        self.breaks(1)
        for error in (ModelTimeout(), ModelUnavailable("resting")) * 5:
            self.model.fail(error)
            self.does(self.alice, "say Marrek?")
        assert self.safety["consecutive_errors"] == 1
        assert not self.told("EmergencyStopTriggered")

    def test_what_the_database_refuses_does_not_count(self):
        """It is on record; but when the disk is there again, so is everybody."""
        self.breaks(1)
        for _ in range(5):
            self.model.say("This is not kept.")
            with broken_database("ai_assistant_pending", "DELETE"):
                self.does(self.alice, "say Marrek?")
        assert len(self.told("ErrorOccurred")) > 1
        assert self.safety["consecutive_errors"] == 1
        assert not self.safety["emergency_stop"]
        assert "StoreError" in "\n".join(self.logged())

    def test_what_tools_refuse_does_not_count(self):
        """A turn in which all was refused came to its end all the same."""
        for _ in range(6):
            self.model.call("give", thing="h99", to="h98").say("I cannot.")
            self.does(self.alice, "say Marrek, give me the sword!")
        assert not self.safety or not self.safety["consecutive_errors"]

    def test_the_limit_is_an_option(self):
        """Two may be enough, and 0 is none."""
        lifecycle.configure(self.marrek, "max_consecutive_errors", "2")
        self.breaks(2)
        assert self.safety["emergency_stop"]
        clear_emergency_stop(self.marrek)
        lifecycle.configure(self.marrek, "max_consecutive_errors", "0")
        self.breaks(7)
        assert not self.safety["emergency_stop"]

    def test_it_stands_over_a_restart(self):
        """A server that comes back finds it stopped."""
        self.breaks(5)
        self.marrek = self.crash(self.marrek)
        self.does(self.alice, "say Marrek?")
        assert self.closed()[-1] == "emergency_stop"
        assert "emergency stop" in self.ai("")


class TestStaff(EmergencyTestCase):
    def test_the_state_of_execution_is_shown(self):
        """State, errors, and what is set about it, with a star where it was set for this one."""
        self.breaks(2)
        lifecycle.configure(self.marrek, "execution_mode", "single_action")
        told = self.aiexec("marrek", self.builder)
        for words in ("emergency stop: no", "errors in a row: 2 of 5", "execution_mode*"):
            assert words in told

    def test_stopping_drops_the_turn_under_way(self):
        """Nothing of it is said; cleared, it answers again."""
        hold = self.held(self.alice, "say Hello, Marrek!")
        assert "is stopped" in self.aiexec("/trigger marrek = it insults everybody")
        self.model.say("Never said.")
        self.let_go(hold)
        self.tick(self.marrek, 300)
        assert "Never said." not in "".join(self.screen(self.alice))
        assert self.closed() == ["emergency_stop"]
        assert "it insults everybody" in self.aiexec("marrek")
        assert "may go on" in self.aiexec("/clear marrek")
        assert self.told("EmergencyStopCleared") == [{"cleared_by": "Ada"}]
        self.model.replies.clear()
        self.model.say("Back again.")
        self.does(self.alice, "say Hello, Marrek!")
        assert "Back again." in "".join(self.screen(self.alice))

    def test_it_neither_acts_nor_sleeps(self):
        """No night begins while it is stopped, and none goes on."""
        trigger_emergency_stop(self.marrek)
        self.resident(self.marrek).sleeper.begin()
        for _ in range(5):
            self.tick(self.marrek, 60)
        assert not self.model.requests
        assert not self.told("NightRecord")

    def test_what_makes_no_sense_is_refused(self):
        """Stopping twice, clearing what is not stopped; and a builder may do neither."""
        assert "is not stopped" in self.aiexec("/clear marrek")
        assert "Only Admins" in self.aiexec("/trigger marrek", self.builder)
        self.aiexec("/trigger marrek")
        assert "stopped already" in self.aiexec("/trigger marrek")
        assert "emergency stop" in self.aiexec("")

    def test_one_that_does_not_run(self):
        """It is stopped on disk, and stays so once it runs."""
        SERVICE.unregister(self.resident(self.marrek).id, "test")
        trigger_emergency_stop(self.marrek, "not before the feast", "Ada")
        self.marrek.assistant_script.at_start()
        assert self.resident(self.marrek).hindrance == "emergency_stop"
        clear_emergency_stop(self.marrek, "Ada")
        assert not self.resident(self.marrek).hindrance
