"""Errands in the game between running assistants, and the command `aidelegate`."""

import evennia
from twisted.internet.defer import Deferred

from ai_assistant.api import lifecycle
from ai_assistant.commands.staff.aidelegate import CmdAIDelegate
from ai_assistant.game.identity import entity_id
from ai_assistant.memory.inner.sleep_state import AWAKE
from ai_assistant.models import AssistantEvent, Memory
from ai_assistant.runtime.service import SERVICE
from tests.evennia.living import CommandTestCase, broken_database

ON = {"sub_agents_enabled": True, "max_iterations_per_tick": 3}
PERSONA = {"name": "Bram", "role": "archivist", "interests": ["old deeds", "mills"]}


class ErrandTestCase(CommandTestCase):
    """Marrek may hand tasks to Bram the archivist, who sits in the street."""

    def setUp(self):
        super().setUp()
        self.alice = self.a_player("Alice")
        self.marrek = self.an_assistant("Marrek", **ON)
        self.bram = self.an_assistant("Bram", self.street)
        lifecycle.write_persona(self.bram, PERSONA, expected_version=1)
        self.bram.tags.add("specialist")

    def cmd(self, line, caller=None):
        return self.types(CmdAIDelegate, line, caller)

    def asked(self):
        """Let Alice ask Marrek, who asks Bram; the model stops at Bram's call."""
        self.model.call("delegate_task", task="Find out who built the mill", to="Bram")
        hold = Deferred()

        def stop_next(request):
            self.model.hold = hold
            return reply

        reply = self.model.replies[0]
        self.model.replies[0] = stop_next
        self.does(self.alice, "say Marrek, who built the mill?")
        return hold

    def told(self):
        """Return what Alice heard of Marrek."""
        return [line for line in self.screen(self.alice) if line.startswith("Marrek")]

    def records(self, character):
        rows = AssistantEvent.objects.filter(assistant=entity_id(character), type="Delegated")
        return [row.data for row in rows]


class TestErrandOffice(ErrandTestCase):
    def test_an_errand_goes_and_comes_back(self):
        """Bram thinks about it in his own mind, and Marrek tells Alice."""
        self.model.call("delegate_task", task="Find out who built the mill", to="Bram")
        self.model.text("Old Hob built it.").say("Hob did.")
        self.does(self.alice, "say Marrek, who built the mill?")
        assert self.told() == ['Marrek says, "Hob did."']
        assert self.open_events() == []
        kept = Memory.objects.filter(container=entity_id(self.bram))
        assert set(kept.values_list("content", flat=True)) == {
            "Find out who built the mill", "Old Hob built it.",
        }  # fmt: skip
        (record,) = self.records(self.marrek)
        assert (record["to"], record["outcome"]) == ("Bram", "answered")
        assert SERVICE.errands.running == {}

    def test_both_scripts_and_characters_bear_the_tag(self):
        """The tag may sit on the script as well."""
        self.bram.tags.remove("specialist")
        assert self.resident(self.marrek).mind.delegates.known() == []
        self.bram.tags.add("specialist", category="guild")  # a tag of the game's own
        assert self.resident(self.marrek).mind.delegates.known() == []
        self.bram.assistant_script.tags.add("specialist")
        (found,) = self.resident(self.marrek).mind.delegates.known()
        assert (found.name, found.about) == ("Bram", "archivist; old deeds; mills")

    def test_only_assistants_are_delegates(self):
        """A tagged barrel takes no tasks, and nobody is a delegate of its own."""
        self.a_thing("Barrel", self.inn).tags.add("specialist")
        self.marrek.tags.add("specialist")
        assert [one.name for one in self.resident(self.marrek).mind.delegates.known()] == ["Bram"]

    def test_a_delegate_takes_no_other_turn_meanwhile(self):
        """Whoever speaks to Bram while he works is answered after that."""
        hold = self.asked()
        bob = self.a_player("Bob", self.street)
        self.does(bob, "say Good day, Bram!")
        assert not [line for line in self.screen(bob) if line.startswith("Bram")]
        self.model.text("Old Hob built it.").say("Hob did.").say("Good day.")
        self.let_go(hold)
        answered = [line for line in self.screen(bob) if line.startswith("Bram says")]
        assert len(self.told()) == len(answered) == 1
        assert SERVICE._scheduler.in_flight == 0
        assert self.open_events() == []

    def test_a_busy_delegate_says_so(self):
        """Bram answers Bob just now, so Marrek is told."""
        bob = self.a_player("Bob", self.street)
        hold = self.held(bob, "say Good day, Bram!")
        self.model.hold = None
        self.model.call("delegate_task", task="Who built it?").say("He is busy.")
        self.does(self.alice, "say Marrek, who built the mill?")
        assert "Bram cannot do it now: it is busy." in self.model.shown()
        self.model.say("Good day.")
        self.let_go(hold)

    def test_asleep_or_stopped_is_said(self):
        """Each hindrance has its words."""
        office, key = SERVICE.errands, entity_id(self.bram)
        self.resident(self.bram).sleeper.begin()
        assert office.hindrance(key) == "it is asleep"
        for _ in range(2):
            SERVICE.tick(key)
            self.steps.run()
        assert office.hindrance(key) == ""
        lifecycle.stop(self.bram)
        assert office.hindrance(key) == "it does not run"

    def test_a_delegate_stopped_meanwhile_is_a_result(self):
        """Marrek hears that Bram was interrupted, and goes on."""
        self.asked()
        self.model.say("He was called away.")
        lifecycle.stop(self.bram)
        self.steps.run()
        assert "Bram was interrupted." in self.model.shown()
        assert self.told() == ['Marrek says, "He was called away."']
        assert SERVICE.errands.running == {}
        assert SERVICE._scheduler.in_flight == 0

    def test_a_requester_stopped_meanwhile_frees_the_delegate(self):
        """Nobody works for somebody who is not there any more."""
        self.asked()
        lifecycle.stop(self.marrek)
        self.steps.run()
        assert SERVICE.errands.running == {}
        assert SERVICE.errands.hindrance(entity_id(self.bram)) == ""
        assert SERVICE._scheduler.in_flight == 0
        assert self.told() == []

    def test_a_reload_ends_an_errand_as_interrupted(self):
        """It is not done again: that it had begun is on disk, and remembered."""
        self.asked()
        for one in (self.marrek, self.bram):
            one.assistant_script.at_server_reload()
        assert SERVICE.errands.running == {}
        self.marrek = self.come_back(self.marrek)
        assert self.open_events() == []
        assert self.closed() == ["interrupted"]
        journal = "\n".join(entry["content"] for entry in self.marrek.journal.entries)
        assert "delegate_task had begun" in journal

    def test_a_crash_ends_it_as_interrupted_too(self):
        """Whoever is killed in the middle does not begin again."""
        self.asked()
        self.marrek = self.crash(self.marrek)
        assert self.closed() == ["interrupted"]

    def test_a_refusing_database_delays_the_answer(self):
        """What Bram did is saved before Marrek hears of it."""
        hold = self.asked()
        self.model.text("Old Hob built it.").say("I do not know.")
        bram_only = broken_database("INSERT INTO ai_assistant_memory", passing=True)
        with bram_only:
            hold.callback(None)
            self.steps.run()
            assert SERVICE.errands.running
        self.tick(self.marrek)
        assert "Old Hob built it." in self.model.shown()
        assert SERVICE.errands.running == {}
        self.logged()

    def test_status_knows_mode_and_queue(self):
        """What `check_status` tells of the game."""
        assert self.resident(self.marrek).mind.condition() == {"mode": AWAKE, "waiting": 0}


class TestCommand(ErrandTestCase):
    def test_everybody_is_listed(self):
        """Who hands out tasks, and to whom."""
        told = self.cmd("")
        assert "Marrek" in told
        assert "3 at once" in told
        assert "Bram" in told

    def test_one_is_shown_with_its_delegates(self):
        """Names, what they know, and whether they are free."""
        told = self.cmd(" marrek")
        for words in ("up to 3 tasks", "'specialist'", "Bram", "archivist; old deeds", "free"):
            assert words in told, told
        assert "sub_agents_enabled is off" in self.cmd(" bram")

    def test_what_is_under_way_is_shown(self):
        """With the one who asked, the one who works, and for how long."""
        hold = self.asked()
        self.clock.advance(7)
        assert "Marrek → Bram, 7 s: Find out who built the mill" in self.cmd("")
        assert "Under way" in self.cmd(" bram")
        self.model.text("Hob.").say("Hob.")
        self.let_go(hold)
        assert "Under way" not in self.cmd("")

    def test_history_tells_the_end(self):
        """Task, answer, and what it took."""
        assert "no task yet" in self.cmd("/history marrek")
        self.model.call("delegate_task", task="Find out who built the mill", to="Bram")
        self.model.text("Old Hob built it.").say("Hob did.")
        self.does(self.alice, "say Marrek, who built the mill?")
        told = self.cmd("/history marrek")
        assert "→ Bram Find out who built the mill (answered" in told
        assert "Old Hob built it." in told

    def test_staff_give_a_task(self):
        """The answer comes to whoever asked, and only to them."""
        self.model.text("Old Hob built it.")
        told = self.cmd(" bram = Who built the mill?")
        assert "Bram works on it." in told
        assert "Old Hob built it." in told
        assert "for your eyes only" in told
        kept = Memory.objects.filter(container=entity_id(self.bram))
        assert set(kept.values_list("readers", flat=True)) == {entity_id(self.char1)}
        assert "Ada → Bram Who built the mill? (answered)" in self.cmd("/history bram")

    def test_a_failed_task_says_why(self):
        """No answer is an answer, too."""
        self.model.text("").text("")
        assert "Bram found no answer." in self.cmd(" bram = Who built the mill?")
        assert self.records(self.bram)[0]["outcome"] == "failed"

    def test_only_admins_give_tasks(self):
        """Builders may look."""
        assert "Only Admins" in self.cmd(" bram = Who built it?", self.builder)
        assert "Bram" in self.cmd(" marrek", self.builder)

    def test_a_hindered_one_takes_no_task(self):
        """The reason is told at once."""
        lifecycle.stop(self.bram)
        assert "Bram cannot do it now: it does not run." in self.cmd(" bram = Who built it?")

    def test_it_belongs_to_the_staff_set(self):
        """The command is in the set that a game adds."""
        assert "aidelegate" in [one.key for one in evennia.utils.utils.class_from_module(
            "ai_assistant.commands.AssistantCmdSet")().commands]  # fmt: skip


class TestGuidelines(ErrandTestCase):
    def propose(self, text="Ask before you leave.", line="say Marrek, do not just walk off!"):
        self.model.call("propose_guideline", guideline=text, reason="Alice was left behind.")
        if line.startswith("say"):
            self.model.say("I shall ask.")
        else:
            self.model.call("whisper", to="p2", text="I shall.")
        self.does(self.alice, line)

    def test_staff_read_and_accept(self):
        """A proposal with its reason; once accepted it is in the next prompt."""
        self.propose()
        listed = self.ai("/guidelines marrek")
        assert "none yet" in listed
        assert "because: Alice was left behind." in listed
        assert "is a guideline now" in self.ai("/guidelines marrek = accept 1")
        self.model.say("Hm.")
        self.does(self.alice, "say Marrek, hello!")
        assert "- Ask before you leave." in self.model.shown()
        assert "GuidelineDecided" in self.audited()

    def test_staff_reject_and_add(self):
        """A rejected one is gone; one of staff's own counts at once."""
        self.propose()
        assert "is none." in self.ai("/guidelines marrek = reject 1")
        assert "means to: Bow to guests." in self.ai("/guidelines marrek = add Bow to guests.")
        listed = self.ai("/guidelines marrek")
        assert "Bow to guests. (Ada)" in listed
        assert "Proposed" not in listed

    def test_wrong_words_are_explained(self):
        """No such number, no such verb, too long a text."""
        assert "no such guideline" in self.ai("/guidelines marrek = accept 9")
        assert "Usage" in self.ai("/guidelines marrek = praise 1")
        assert "at most 200" in self.ai(f"/guidelines marrek = add {'x' * 300}")

    def test_only_admins_decide(self):
        """Builders are refused: a proposal may hold what somebody whispered."""
        assert "Only Admins" in self.ai("/guidelines marrek", self.builder)
