"""The life of an event on disk: answered once, or closed with a reason, whatever dies meanwhile."""

from django.db import connection
from django.test.utils import CaptureQueriesContext
from twisted.internet.defer import Deferred

from ai_assistant.agent.keeping.closing import flush
from ai_assistant.api import lifecycle
from ai_assistant.api.handlers import save
from ai_assistant.core.contracts import Commit, MemoryRow
from ai_assistant.game.identity import entity_id
from ai_assistant.language.words import stem
from ai_assistant.models import Memory, PendingEvent
from ai_assistant.runtime.service import SERVICE
from tests.evennia.living import RUNG, EventTestCase, broken_database


class TestOnDisk(EventTestCase):
    def test_on_disk_before_anything_else(self):
        """A question is on disk while it still waits, and its attempt before the model is asked."""
        self.alice.execute_cmd("say Hello, Marrek!")
        assert self.open_events() == [(0, False)]
        self.model.hold = Deferred()
        self.steps.run()
        assert self.open_events() == [(1, False)]
        lifecycle.stop(self.marrek)

    def test_answer_and_end_are_one(self):
        """What was said, heard and learned, and the event's end, come to disk together."""
        hold = self.ask()
        self.model.say("Hello, Alice.")
        assert Memory.objects.count() == 0
        self.let_go(hold)
        self.assert_answered_once("Hello, Alice.")
        assert sorted(Memory.objects.exclude(kind="message").values_list("content", flat=True)) == [
            "Hello, Alice.",
            "Hello, Marrek!",
        ]
        assert "Met Alice" in self.journal()

    def test_what_was_overheard_is_on_disk_soon(self):
        """A line to nobody waits for others like it, and no longer than fifteen seconds."""
        self.does(self.alice, "say Well, well.")  # it let that pass
        self.does(self.alice, "say The rain has not stopped since Tuesday.")
        rain = Memory.objects.filter(content__startswith="The rain").exclude(kind="message")
        self.tick(self.marrek, 5)
        assert not rain.exists()
        self.tick(self.marrek, 15)
        self.marrek = self.crash(self.marrek)
        assert rain.count() == 1

    def test_what_was_overheard_is_read_line_by_line(self):
        """Not forty lines in one step, each of whose words may be one that nobody ever said."""
        for line in range(9):
            self.does(self.bob, "say " + " ".join(f"bel{line}x{word}" for word in range(99)))
        before = stem.cache_info().misses
        flush(self.resident(self.marrek).mind)
        assert stem.cache_info().misses == before
        assert Memory.objects.filter(content__contains="bel8x98").exists()

    def test_a_start_reads_few_memories_at_a_step(self):
        """However many a flooder left of words that nobody ever used, the game goes on between."""
        rows = [MemoryRow(f"The {number}th bell.", kind="fact") for number in range(80)]
        save(self.marrek, Commit(at=self.clock.now(), rows=rows))
        grown = []

        def known():
            found = SERVICE.residents.get(entity_id(self.marrek))
            return len(found.mind.recall.index) if found else 0

        def run():
            while self.steps.waiting:
                before = known()
                self.steps.waiting.popleft()()
                grown.append(known() - before)

        self.steps.run = run
        self.crash(self.marrek)
        assert sum(grown) >= 80
        assert max(grown) < 40

    def test_what_was_overheard_waits_for_the_database(self):
        """While the database refuses it, it stays, and is written once when that is over."""
        self.does(self.alice, "say Well, well.")  # it let that pass
        self.does(self.alice, "say The rain has not stopped since Tuesday.")
        with broken_database("INSERT INTO ai_assistant_memory"):
            self.tick(self.marrek, 20)
            self.tick(self.marrek, 20)
        assert "put off" in "".join(self.logged())
        self.tick(self.marrek, 5)
        rain = Memory.objects.filter(content__startswith="The rain").exclude(kind="message")
        assert rain.count() == 1

    def test_act_is_claimed_before_it_happens(self):
        """While an act is under way the disk knows of it."""
        self.ring()
        assert self.open_events() == [(1, True)]
        lifecycle.stop(self.marrek)


class TestCrash(EventTestCase):
    def test_before_the_turn(self):
        """What waited is answered by the next server."""
        self.alice.execute_cmd("say Hello, Marrek!")
        self.screen(self.alice)
        self.marrek = self.crash(self.marrek)
        self.model.say("Where was I?")
        self.tick(self.marrek)
        self.assert_answered_once("Where was I?")

    def test_while_thinking(self):
        """What was thought about is thought about once more."""
        self.ask()
        self.marrek = self.crash(self.marrek)
        self.model.say("Where was I?")
        self.tick(self.marrek)
        self.assert_answered_once("Where was I?")

    def test_twice_while_thinking(self):
        """An event that saw two servers die is closed: it may be what kills them."""
        self.ask()
        self.marrek = self.crash(self.marrek)
        self.model.hold = Deferred()
        self.tick(self.marrek)
        assert self.open_events() == [(2, False)]
        self.marrek = self.crash(self.marrek)
        self.tick(self.marrek)
        assert self.closed() == ["gave_up"]
        assert Memory.objects.filter(content="Hello, Marrek!").count() == 1
        assert len(self.model.requests) == 2

    def test_amid_an_act(self):
        """An act that may have happened is never repeated, and the character knows of it."""
        self.ring()
        self.marrek = self.crash(self.marrek)
        self.tick(self.marrek)
        assert len(RUNG) == 1
        assert self.closed() == ["interrupted"]
        assert "ring_bell had begun" in self.journal()
        assert PendingEvent.objects.count() == 0

    def test_after_an_act(self):
        """An act that did happen is not repeated either, and what came of it is remembered."""
        self.ring()
        self.model.hold = Deferred()
        RUNG[0].callback("loud and clear")
        self.steps.run()
        self.marrek = self.crash(self.marrek)
        self.tick(self.marrek)
        assert len(RUNG) == 1
        assert self.closed() == ["interrupted"]
        assert "loud and clear" in self.journal()

    def test_speaker_comes_back(self):
        """After a crash players are out of character: the answer waits for them."""
        self.ask()
        account = self.alice.account
        self.log_out(self.alice)
        self.marrek = self.crash(self.marrek)
        self.tick(self.marrek, 60)
        assert len(self.model.requests) == 1
        self.alice.move_to(self.inn, quiet=True)
        self.log_in(account, self.alice)
        self.model.say("There you are.")
        self.tick(self.marrek, 60)
        assert 'Marrek says, "There you are."' in self.screen(self.alice)

    def test_speaker_stays_away(self):
        """After some minutes the question of somebody who is gone is closed with that reason."""
        self.ask()
        self.log_out(self.alice)
        self.marrek = self.crash(self.marrek)
        self.tick(self.marrek, 179)
        assert self.open_events() == [(1, False)]
        self.tick(self.marrek, 2)
        assert self.closed() == ["speaker_gone"]
        assert PendingEvent.objects.count() == 0

    def test_the_clock_jumps_meanwhile(self):
        """A question waits its minutes for its speaker, whatever the time of day says."""
        self.ask()
        self.log_out(self.alice)
        self.clock.ahead = 90_000
        self.marrek = self.crash(self.marrek)
        self.clock.ahead = -90_000
        self.tick(self.marrek, 179)
        assert self.open_events() == [(1, False)]
        self.clock.ahead = 90_000
        self.tick(self.marrek, 0)
        assert self.open_events() == [(1, False)]
        self.clock.ahead = -90_000
        self.tick(self.marrek, 2)
        assert self.closed() == ["speaker_gone"]


class TestReload(EventTestCase):
    def reload(self):
        """Let the server restart as `reload` does."""
        self.marrek.assistant_script.at_server_reload()
        self.steps.run()
        self.marrek = self.come_back(self.marrek)

    def test_attempt_is_given_back(self):
        """A reload is nobody's fault: the question is as it was before."""
        for _ in range(3):
            self.model.hold = Deferred()
            self.does(self.alice, "say Hello, Marrek!") if _ == 0 else self.tick(self.marrek)
            assert self.open_events() == [(1, False)]
            self.marrek.assistant_script.at_server_reload()
            assert self.open_events() == [(0, False)]
            self.marrek = self.come_back(self.marrek)
        self.screen(self.alice)
        self.model.say("At last.")
        self.tick(self.marrek)
        self.assert_answered_once("At last.")

    def test_act_under_way_is_not_given_back(self):
        """What was begun before the reload is not begun again after it."""
        self.ring()
        self.reload()
        self.tick(self.marrek)
        assert len(RUNG) == 1
        assert self.closed() == ["interrupted"]

    def test_what_was_overheard_is_saved(self):
        """What nobody asked about survives the reload, too."""
        self.does(self.bob, "say Well, well.")  # it let that pass
        self.does(self.bob, "say The bridge fell.")
        fallen = Memory.objects.filter(kind="utterance", content="The bridge fell.")
        assert fallen.count() == 0
        self.reload()
        assert fallen.count() == 1
        assert self.marrek.stream.entries[-1]["content"] == "The bridge fell."

    def test_nothing_begins_after_it(self):
        """In the last second of the old server a question is only put on disk."""
        self.ask()
        self.marrek.assistant_script.at_server_reload()
        self.does(self.bob, "say Marrek, what about me?")
        self.tick(self.marrek)
        assert len(self.model.requests) == 1
        assert self.open_events() == [(0, False), (0, False)]
        self.marrek = self.come_back(self.marrek)
        self.model.say("Both of you, welcome.")
        self.tick(self.marrek)
        assert "what about me?" in self.model.shown()
        assert PendingEvent.objects.count() == 0

    def test_reload_that_does_not_come(self):
        """Started again in the same server, it lives on."""
        self.ask()
        self.marrek.assistant_script.at_server_reload()
        self.marrek.assistant_script.at_start()
        self.model.say("As I was saying.")
        self.tick(self.marrek)
        self.assert_answered_once("As I was saying.")

    def test_hook_never_raises(self):
        """Even where nothing works the reload goes on: an exception would stop it for good."""
        self.ask()
        self.does(self.bob, "say The bridge fell.")
        script = self.marrek.assistant_script
        with broken_database(passing=True) as refused:
            script.at_server_reload()
            script.at_server_shutdown()
        assert refused
        SERVICE.residents = None
        script.at_server_reload()
        log = "\n".join(self.logged())
        assert "ai_assistant: put off: The database takes nothing" in log
        assert "ai_assistant: suspending ai_assistant: AttributeError" in log

    def test_one_that_breaks_keeps_no_other_from_its_rest(self):
        """Of several the shutdown puts each to rest, and gives the lease back."""
        tansy = self.an_assistant("Tansy")
        first, other = self.resident(self.marrek), self.resident(tansy)
        first.mind.heard = 5  # where lines should be
        SERVICE.stop()
        assert other.suspended
        assert SERVICE.watch.is_standby
        assert "suspend" in "\n".join(self.logged())

    def test_hook_is_quick(self):
        """It writes what was overheard, a row each, and little else."""
        self.ask()
        script = self.marrek.assistant_script
        for number in range(60):
            self.bob.execute_cmd(f"say The bridge fell {number} times.")
        with CaptureQueriesContext(connection) as seen:
            script.at_server_reload()
        assert len(seen) < 40 + 20
