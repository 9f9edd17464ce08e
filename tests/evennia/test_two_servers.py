"""Two servers on one database: one answers, the other listens, says so, and takes over in time."""

import gc
from functools import partial
from itertools import pairwise

import pytest
from django.utils.timezone import localtime
from evennia.typeclasses.attributes import Attribute
from evennia.utils.dbserialize import to_pickle

from ai_assistant.api.forgetting import forget_person
from ai_assistant.core.contracts import Change, Commit
from ai_assistant.core.errors import NotInCharge
from ai_assistant.game.identity import entity_id
from ai_assistant.models import Memory, ServerLease
from ai_assistant.runtime.service import SERVICE
from ai_assistant.storage.erasure import delete_rows
from ai_assistant.storage.server_lease import Fence, LeaseRow
from tests.evennia.living import CommandTestCase, EventTestCase
from tests.evennia.test_autonomy import AutonomyTestCase
from tests.evennia.test_database_away import locked

BY_ANOTHER = "runs the assistants of this database"
LOOKED_ON = 3
"""Seconds that pass before a test of a standby begins."""


class OtherServer:
    """What another server does to the row of the lease."""

    def __init__(self, clock):
        self.clock = clock

    def beats(self):
        """Take the lease, or renew it."""
        row, _ = ServerLease.objects.get_or_create(pk=1, defaults={"epoch": 0, "until": 0})
        if row.holder != "other":
            row.holder, row.epoch = "other", row.epoch + 1
        row.until = self.clock.now() + 6
        row.save()

    def stops(self):
        """Give it back."""
        ServerLease.objects.update(until=0)


class TestStandby(EventTestCase):
    def setUp(self):
        super().setUp()
        self.other = OtherServer(self.clock)
        self.other.beats()
        self.tick(self.marrek, LOOKED_ON)
        self.told = "\n".join(self.logged())

    def build(self):
        """Set the clock back, so that it shows the machine's time when a line is said."""
        self.clock.advance(-LOOKED_ON)
        return super().build()

    def test_it_says_so_loudly(self):
        """In the log when it begins, and again every minute."""
        assert BY_ANOTHER in self.told
        for _ in range(30):
            self.other.beats()
            self.tick(self.marrek, 5)
        again = [line for line in self.logged() if BY_ANOTHER in line]
        assert len(again) == 2

    def test_it_perceives_and_answers_nothing(self):
        """It asks no model and writes nothing; what it heard is there when it is in charge."""
        self.other.beats()
        self.does(self.alice, "say Hello, Marrek!")
        self.tick(self.marrek, 1)
        assert not self.model.requests
        assert self.open_events() == []
        assert len(self.resident(self.marrek).mind.heard) == 1
        assert Memory.objects.count() == 0

    def test_no_commit_of_it_gets_through(self):
        """Whatever code asks for it, nothing of its assistants is changed from here."""
        change = Change("metrics", "", "count", {"name": "words"})
        mind = self.resident(self.marrek).mind
        told = self.refused(mind.save, Commit(at=1.0, changes=[change]))
        assert told.startswith("Another server")
        self.refused(mind.store.triggers.claim, "turn", {"id": "c1"})
        assert mind.store.read("metrics")["counts"] == {}

    def test_takes_over_when_the_other_is_gone(self):
        """Six seconds after its last beat, by itself; and answers what that one left open."""
        self.other.beats()
        self.tick(self.marrek, 1)
        store = self.resident(self.marrek).mind.store
        self.does(self.alice, "say Marrek, what of the ferry?")
        left = self.resident(self.marrek).mind.heard[0]
        store.triggers._fence.epoch = None
        store.triggers.add(left)
        store.triggers._fence.epoch = 0
        self.tick(self.marrek, 5)
        assert not self.model.requests
        self.model.say("It leaves at dawn.")
        self.tick(self.marrek, 3)
        self.tick(self.marrek, 1)
        self.screen(self.alice)
        assert len(self.model.requests) == 1
        assert self.open_events() == []
        assert "The assistants answer again." in "\n".join(self.logged())

    def test_asked_while_the_lease_of_a_dead_server_ran_out(self):
        """A killed server leaves its lease: who asks the next one before it may is answered."""
        self.does(self.alice, "say Marrek, what of the ferry?")
        assert not self.model.requests
        self.model.say("It leaves at dawn.")
        for _ in range(5):
            self.tick(self.marrek, 1)
        assert 'Marrek says, "It leaves at dawn."' in self.screen(self.alice)
        assert len(self.model.requests) == 1
        assert self.open_events() == []
        self.logged()

    def test_a_slow_takeover_loses_no_line(self):
        """However long this server takes to notice that the other one is dead."""
        self.does(self.alice, "say Marrek, what of the ferry?")
        self.model.say("It leaves at dawn.")
        self.tick(self.marrek, 30)
        self.tick(self.marrek, 1)
        assert 'Marrek says, "It leaves at dawn."' in self.screen(self.alice)
        self.logged()

    def test_a_line_of_the_very_step_of_the_takeover_is_answered(self):
        """It is taken in at the end of the step, when another mind hears already."""
        self.model.say("It leaves at dawn.")
        self.alice.execute_cmd("say Marrek, what of the ferry?")
        self.tick(self.marrek, 5)
        self.tick(self.marrek, 1)
        assert 'Marrek says, "It leaves at dawn."' in self.screen(self.alice)
        self.logged()

    def test_asked_long_ago_is_not_answered(self):
        """What was said while another server was in charge and lived is remembered, no more."""
        self.does(self.alice, "say Marrek, what of the ferry?")
        for _ in range(4):
            self.other.beats()
            self.tick(self.marrek, 5)
        self.other.stops()
        for _ in range(2):
            self.tick(self.marrek, 3)
        assert not self.model.requests
        assert Memory.objects.filter(content__contains="ferry").exists()
        self.logged()

    def test_no_full_round_of_garbage_holds_up_the_takeover(self):
        """It would look at each memory of each assistant in one step; Python makes it in time."""
        rounds, note = [], lambda phase, told: rounds.append(told["generation"])
        self.other.stops()
        gc.disable()
        gc.callbacks.append(note)
        self.addCleanup(gc.enable)
        self.addCleanup(gc.callbacks.remove, note)
        self.tick(self.marrek, 2)
        assert not SERVICE.watch.is_standby
        assert rounds == []
        self.logged()

    def test_takes_over_at_once_from_one_that_stopped(self):
        """Who stops in order gives the lease back."""
        self.other.stops()
        self.tick(self.marrek, 2)
        self.model.say("Hello.")
        self.does(self.alice, "say Hello, Marrek!")
        assert 'Marrek says, "Hello."' in self.screen(self.alice)
        self.logged()


class TestTakingOver(EventTestCase):
    def test_memory_is_read_anew(self):
        """What the other server wrote meanwhile is not hidden by what this one remembers."""
        self.model.say("Hello.")
        self.does(self.alice, "say Hello, Marrek!")
        other = OtherServer(self.clock)
        other.beats()
        self.tick(self.marrek, 3)
        written = to_pickle({"counts": {"answered": 70}})
        Attribute.objects.filter(db_key="metrics").update(db_value=written)
        assert self.counts() == {"answered": 1}
        other.stops()
        self.tick(self.marrek, 3)
        assert self.counts() == {"answered": 70}
        self.logged()

    def test_one_mind_a_step_is_replaced(self):
        """Each once and none left out, and who is addressed meanwhile is answered once."""
        for name in ("Ann", "Ben"):
            self.an_assistant(name)
        other, looked_on = OtherServer(self.clock), dict(SERVICE.residents)
        other.beats()
        self.tick(self.marrek, 3)
        other.stops()
        self.clock.advance(2)
        SERVICE.watch.beat()
        assert SERVICE.residents == looked_on
        self.model.say("It leaves at dawn.")
        self.alice.execute_cmd("say Marrek, what of the ferry?")
        minds = [dict(SERVICE.residents)]
        while self.steps.waiting:
            self.steps.waiting.popleft()()
            minds.append(dict(SERVICE.residents))
        for before, after in pairwise(minds):
            assert sum(before[key] is not after[key] for key in looked_on) <= 1
        assert minds[-1].keys() == looked_on.keys()
        for key, old in looked_on.items():
            assert len({id(each[key]) for each in minds}) == 2
            assert not minds[-1][key].suspended
            assert minds[-1][key] is not old
        self.tick(self.marrek, 1)
        self.tick(self.marrek, 1)
        assert 'Marrek says, "It leaves at dawn."' in self.screen(self.alice)
        assert len(self.model.requests) == 1
        assert self.open_events() == []
        self.logged()

    def test_what_waited_is_written_first_and_in_slices(self):
        """Ten milliseconds of it a step, before anybody reads what is on disk."""
        written, other, looked_on = [], OtherServer(self.clock), dict(SERVICE.residents)

        def write(number):
            assert dict(SERVICE.residents) == looked_on
            SERVICE.shared.budget.within("e1", "x", 1, 1.0)  # what a database may refuse
            self.clock.advance(0.004)
            written.append(number)

        with locked():
            for number in range(10):
                SERVICE.watch.finish(partial(write, number))
        other.beats()
        self.tick(self.marrek, 3)
        other.stops()
        self.clock.advance(2)
        SERVICE.watch.beat()
        assert written == [0, 1, 2]
        assert dict(SERVICE.residents) == looked_on
        self.steps.waiting.popleft()()
        assert written == [0, 1, 2, 3, 4, 5]
        self.steps.run()
        assert written == [*range(10)]
        assert self.resident(self.marrek) is not looked_on[entity_id(self.marrek)]
        self.logged()

    def counts(self):
        return self.resident(self.marrek).mind.store.read("metrics")["counts"]


class TestLosingTheLease(EventTestCase):
    def test_a_turn_that_lost_the_lease_says_nothing(self):
        """Another server took over while the model was thinking: the answer is not given."""
        hold = self.ask()
        self.model.say("Hello, Alice.")
        OtherServer(self.clock).beats()
        self.let_go(hold)
        assert self.screen(self.alice) == []
        assert self.open_events() == [(1, False)]
        log = "\n".join(self.logged())
        assert "Another server" in log
        assert "Traceback" not in log.partition("Another server")[2]

    def test_what_waits_for_the_turn_is_not_begun(self):
        """Who asked meanwhile is left to the other server: no turn of theirs is tried here."""
        hold = self.ask()
        self.does(self.bob, "say Marrek, and me?")
        OtherServer(self.clock).beats()
        self.tick(self.marrek, 3)
        self.let_go(hold)
        self.tick(self.marrek, 1)
        assert self.open_events() == [(1, False), (0, False)]
        assert "\n".join(self.logged()).count("turn of Marrek") == 1

    def test_what_the_other_holds_is_not_forgotten_here(self):
        """That one would write it back: to forget, reset or delete fails here, as a whole."""
        self.model.say("Aye.")
        self.does(self.alice, "say Marrek, the word is heron.")
        before = [*Memory.objects.values_list("pk", "content")]
        assert any("heron" in content for _, content in before)
        OtherServer(self.clock).beats()
        self.tick(self.marrek, 3)
        for assistants in (None, [self.marrek]):
            failed = []
            forget_person(self.alice, by="x", assistants=assistants).addErrback(failed.append)
            self.steps.run()
            assert isinstance(failed[0].value, NotInCharge)
        assert [*Memory.objects.values_list("pk", "content")] == before
        with pytest.raises(NotInCharge):
            delete_rows([pk for pk, _ in before])
        store = self.resident(self.marrek).mind.store
        for clear in (store.delete_everything, partial(store.empty, ["stream"], rows=True, by="x")):
            self.refused(clear)
        assert [*Memory.objects.values_list("pk", "content")] == before
        self.logged()


class TestOfItsOwnAccord(AutonomyTestCase):
    """Another server comes to be in charge: here nobody acts unasked any more."""

    def stands_by(self, character, seconds=3):
        """Let another server be in charge for so long."""
        other = OtherServer(self.clock)
        for _ in range(0, seconds, 3):
            other.beats()
            self.tick(character, 3)

    def test_it_neither_walks_nor_falls_asleep(self):
        """Not even tried: it has somewhere to go, had no turn for long, and it is time to sleep."""
        hours = {"sleep_start_hour": float(localtime().hour), "sleep_duration_hours": 12.0}
        marrek = self.an_assistant(sleep_enabled=True, sleep_clock="real", **hours)
        self.has_goal(marrek, "visit", place=entity_id(self.yard), name="Yard")
        self.stands_by(marrek, 400)
        assert marrek.location == self.inn
        assert not marrek.is_asleep
        assert not [line for line in self.logged() if "given up" in line]

    def test_it_follows_no_more(self):
        """Where whom it followed goes, the other server sees to it."""
        marrek = self.an_assistant()
        self.has_goal(marrek, "follow", who=entity_id(self.alice), name="Alice")
        self.tick(marrek)
        self.stands_by(marrek)
        self.goes(self.alice, self.door)
        assert marrek.location == self.inn
        self.logged()


class TestLeaseRow(EventTestCase):
    def test_of_two_that_reach_for_the_lease_one_gets_it(self):
        """Both saw it run out; and who saw it before it was renewed gets nothing."""
        row, seen = LeaseRow(), LeaseRow().read()
        assert row.take(seen, "one", seen.until)
        assert not row.take(seen, "two", 1e12)
        seen = row.read()
        assert row.renew(seen.epoch, 2e12)
        assert not row.take(seen, "two", 3e12)
        assert row.read().holder == "one"

    def test_nothing_of_an_earlier_epoch_is_written(self):
        """Neither a commit, which is noted, nor what is part of none."""
        fence = Fence(LeaseRow().read().epoch)
        for commit in ("", "commit1"):
            fence.check(commit)
        assert LeaseRow().take(LeaseRow().read(), "another", 1e12)
        for commit in ("", "commit2"):
            with pytest.raises(NotInCharge):
                fence.check(commit)


class TestOrder(EventTestCase):
    def test_a_reload_takes_over_at_once(self):
        """The lease is given back by the old process, not waited for."""
        SERVICE.stop()
        assert ServerLease.objects.get().until == 0


class TestStatus(CommandTestCase):
    def test_staff_read_it(self):
        """The overview says why nobody answers."""
        marrek = self.an_assistant()
        OtherServer(self.clock).beats()
        self.tick(marrek, 3)
        assert BY_ANOTHER in self.ai("")
        assert BY_ANOTHER in self.ai("/status marrek")
        self.logged()
