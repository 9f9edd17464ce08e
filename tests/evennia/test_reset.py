"""Reset: an assistant begins anew as who it is, in the game or while it is down."""

from io import StringIO

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from ai_assistant.api import blocks
from ai_assistant.api.desk import noting
from ai_assistant.api.handlers import store_of
from ai_assistant.game.identity import entity_id
from ai_assistant.models import AssistantEvent, Memory, StateChange
from ai_assistant.runtime.service import SERVICE
from ai_assistant.storage.server_lease import LeaseRow
from tests.evennia.living import CommandTestCase, broken_database, renew_lease
from tests.evennia.test_database_away import locked

CAT = "my cat is called Whiskers"


class TestReset(CommandTestCase):
    """Marrek talked with Alice about her cat, and has a goal."""

    def setUp(self):
        super().setUp()
        self.marrek, self.alice = self.an_assistant(), self.a_player("Alice")
        self.marrek.goals.add_goal("Mend the net")
        blocks.change_persona(self.marrek, {"role": "ferryman"})
        blocks.share_fact(self.marrek, "The bridge is out.")
        self.model.say("Aye.")
        self.does(self.alice, f"say Marrek, {CAT}.")

    def reset(self, scope, answer="yes"):
        return self.ai(f"/reset marrek = {scope}", answers=[answer])

    def held(self):
        store = store_of(self.marrek)
        mine = Memory.objects.filter(container=store.id)
        return len(store.keys("working")), mine.count(), len(store.read("goals")["goals"])

    def shown(self):
        self.model.say("Aye.")
        self.does(self.alice, "say Marrek, hello!")
        return self.model.shown()

    def test_talk_goes_and_memory_stays(self):
        """It goes on answering, and does not see the old lines as talk."""
        before = self.held()
        assert "begins anew" in self.reset("talk")
        assert self.held() == (0, before[1], 1)
        assert entity_id(self.marrek) in SERVICE.residents
        assert store_of(self.marrek).keys("profile")

    def test_memory_goes_and_goals_stay(self):
        """Whom it met is a stranger again; persona and settings are as they were."""
        self.reset("memory")
        assert self.held() == (0, 0, 1)
        prompt = self.shown()
        assert "Whiskers" not in prompt
        assert "The bridge is out" not in prompt
        assert "ferryman" in prompt

    def test_all_goes(self):
        """Only who it is stays, and the log tells who did it."""
        self.reset("all")
        assert self.held() == (0, 0, 0)
        told = AssistantEvent.objects.filter(type="AssistantReset").get()
        assert told.data["scope"] == "all"
        assert told.data["by"] == self.char1.key

    def test_what_it_told_anybody_is_in_no_moment_any_more(self):
        """What is on record of its states goes with it, also of its blocks; the persona's stays."""

        def told(key):
            past = StateChange.objects.filter(sequence=f"block:{entity_id(self.marrek)}", key=key)
            return str(list(past.values_list("data", flat=True)))

        assert "The bridge is out" in told("shared_social")
        self.reset("memory")
        assert "The bridge is out" not in told("shared_social")
        assert "ferryman" in told("persona")

    def test_what_waits_for_the_database_goes_too(self):
        """A question from before is not answered in the new life."""
        asked = len(self.model.requests)
        with locked():
            self.does(self.alice, f"say Marrek, how is {CAT}?")
        self.logged()
        self.reset("memory")
        self.clock.advance(5)
        SERVICE.watch.beat()
        self.steps.run()
        assert self.held() == (0, 0, 1)
        assert len(self.model.requests) == asked

    def test_much_that_waits_for_the_database_is_not_written_at_once(self):
        """The game would stand still: nothing goes, and whoever asked tries again."""

        def write():
            SERVICE.shared.budget.within("e1", "x", 1, 1.0)  # what a database may refuse
            self.clock.advance(0.02)

        with locked():
            SERVICE.watch.finish(write)
            SERVICE.watch.finish(write)
        self.logged()
        assert "try again" in self.reset("memory")
        assert self.held()[1]
        self.reset("memory")
        assert self.held() == (0, 0, 1)

    def test_what_is_reset_is_told_so_though_it_cannot_start_yet(self):
        """It goes on when the database takes that."""
        with broken_database("scripts_scriptdb", "UPDATE", passing=True) as refused:
            assert "begins anew" in self.reset("talk")
        assert refused
        self.logged()
        assert entity_id(self.marrek) not in SERVICE.residents
        self.clock.advance(5)
        SERVICE.watch.beat()
        assert entity_id(self.marrek) in SERVICE.residents

    def test_each_part_that_goes_is_told_first(self):
        """Journal, projects and guidelines are counted; what staff wrote to it stays."""
        self.marrek.journal.add_journal_entry("The tide was late.")
        self.marrek.projects.create_project("net", summary="Mend the net")
        told = " ".join(self.reset("").split())
        assert "2 lines of journal and notebook" in told
        assert "1 goal, 1 project, 0 guidelines" in told
        noting.give_note(self.marrek, "Be kind to Alice.", noting.NoteTerm(turns=5), by="#1")
        self.reset("all")
        assert store_of(self.marrek).read("staff_notes")["notes"]
        assert not store_of(self.marrek).read("projects")["slots"]

    def test_it_is_asked_first(self):
        """Without a scope it tells what each takes; any answer but yes changes nothing."""
        before = self.held()
        assert "ai/reset Marrek = memory" in self.reset("")
        assert "Nothing was changed" in self.reset("all", "no")
        assert self.held() == before

    def test_shared_minds_are_refused(self):
        """Of one character in two bodies nothing is taken through one of them."""
        blocks.embody(self.an_assistant("Other"), self.marrek)
        assert "shares this mind" in self.reset("memory")
        assert self.held()[1]

    def test_the_command_of_the_shell_says_first_what_goes(self):
        """It changes nothing without --sure, and nothing while the game runs."""
        out = StringIO()
        call_command("ai_reset", "marrek", "memory", stdout=out)
        assert "Nothing was changed" in out.getvalue()
        sure = {"sure": True, "stdout": out, "pause": renew_lease}
        with pytest.raises(CommandError, match="The game is running"):
            call_command("ai_reset", "marrek", "memory", **sure)
        assert self.held()[1]
        LeaseRow().renew(LeaseRow().read().epoch, 0.0)
        call_command("ai_reset", "marrek", "memory", **sure)
        assert not self.held()[1]
