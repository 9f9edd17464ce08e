"""A database that takes nothing for a while: the game goes on, nothing is lost or done twice."""

import re
from contextlib import contextmanager
from functools import partial

from django.db import OperationalError, connection
from django.test import override_settings

from ai_assistant.agent.keeping import waiting_writes
from ai_assistant.agent.turn.patient_writes import LONGEST_WAIT
from ai_assistant.api.lifecycle import configure
from ai_assistant.core.errors import StoreUnavailable
from ai_assistant.models import Memory, Usage
from ai_assistant.runtime.service import SERVICE
from tests.evennia.living import RUNG, CommandTestCase, EventTestCase

_WRITE = re.compile(
    r"\s*(INSERT|UPDATE|DELETE)\b.*\b(ai_assistant_\w+|typeclasses_attribute)", re.S
)


@contextmanager
def out_of_reach(clock, seconds=2.0):
    """Within, whoever asks the database for anything waits for so long, and has no answer."""

    def refuse(execute, sql, *rest):
        clock.advance(seconds)
        raise OperationalError("connection timeout expired")

    with connection.execute_wrapper(refuse):
        yield


@contextmanager
def locked(told="database is locked", table=""):
    """Within, the database refuses what is written of an assistant (to that table), as a lock does.

    Reading goes on, and so do Evennia's own characters.
    """

    def refuse(execute, sql, *rest):
        written = _WRITE.match(sql)
        if written and table in written[2]:
            raise OperationalError(told)
        return execute(sql, *rest)

    with connection.execute_wrapper(refuse):
        yield


def not_before_lena(text, speaker, hearers):
    """A moderation that keeps all words from Lena."""
    return None if "Lena" in {one.key for one in hearers} else text


class AwayTestCase(EventTestCase):
    def tearDown(self):
        self.log = "\n".join(self.logged())
        super().tearDown()

    def comes_back(self, character=None):
        """Let some seconds pass after the database takes what is written again."""
        self.tick(character or self.marrek)


class TestAway(AwayTestCase):
    def test_a_question_waits_for_the_disk(self):
        """While its trigger cannot be put on disk no turn begins; afterwards it is answered."""
        self.model.say("Hello, Alice.")
        with locked():
            self.does(self.alice, "say Hello, Marrek!")
            self.does(self.bob, "say The bridge fell.")
            self.tick(self.marrek, 60)
            assert not self.model.requests
        self.screen(self.alice)
        self.comes_back()
        self.assert_answered_once("Hello, Alice.")
        self.log = "\n".join(self.logged())
        assert "No assistant answers: The database takes nothing" in self.log
        assert "The assistants answer again." in self.log

    def test_an_answer_waits_and_is_said_once(self):
        """What the model said is not asked for again: it is saved and said when that can be."""
        hold = self.ask()
        self.model.say("Hello, Alice.")
        with locked(told="database or disk is full"):
            self.let_go(hold)
            self.tick(self.marrek, 2)
            self.tick(self.marrek, 2)
            assert self.screen(self.alice) == []
        self.comes_back()
        self.assert_answered_once("Hello, Alice.")
        assert len(self.model.requests) == 1
        assert Memory.objects.filter(kind="own_words", content="Hello, Alice.").count() == 1
        assert sum(Usage.objects.filter(owner="").values_list("calls", flat=True)) == 1

    def test_who_hears_is_decided_when_it_is_saved(self):
        """Who left meanwhile hears nothing and is no hearer on record; who came in does, and is."""
        hold = self.ask()
        self.model.say("The ferry leaves at dawn.")
        late = self.a_player("Lena", self.street)
        with locked():
            self.let_go(hold)
            self.bob.move_to(self.street, quiet=True)
            late.move_to(self.inn, quiet=True)
        self.screen(self.bob)
        self.comes_back()
        assert 'Marrek says, "The ferry leaves at dawn."' in self.screen(late)
        assert self.screen(self.bob) == []
        row = Memory.objects.get(container="world", content__contains="leaves at dawn")
        assert self.id_of(late) in row.meta["hearers"]
        assert self.id_of(self.bob) not in row.meta["hearers"]

    def test_the_moderation_reads_it_for_those_who_hear_it(self):
        """Whoever came in meanwhile is told of to the moderation, at the last piece and before."""
        late = self.a_player("Lena", self.street)
        for pieces in (["The ferry leaves at dawn."], ["The ferry leaves at dawn.", "Be early."]):
            hold = self.ask()
            self.model.calls(*(("say", {"text": piece}) for piece in pieces))
            with override_settings(AI_ASSISTANT_MODERATION=f"{__name__}.not_before_lena"):
                with locked():
                    self.let_go(hold)
                    late.move_to(self.inn, quiet=True)
                self.comes_back()
            heard = [*self.screen(late), *self.screen(self.alice)]
            assert not [line for line in heard if "Marrek says" in line]
            late.move_to(self.street, quiet=True)
        assert not Memory.objects.filter(kind="own_words").exists()

    def id_of(self, character):
        return (
            SERVICE.shared
            and character.attributes.get(
                "ai_entity_id", category="ai_assistant", strattr=True
            ).partition("@")[0]
        )

    def test_speaker_who_left_meanwhile_is_not_answered_into_the_void(self):
        """An answer that has no hearers any more is dropped, and the question has its end."""
        hold = self.ask()
        self.model.say("Hello, Alice.")
        with locked():
            self.let_go(hold)
            for body in (self.alice, self.bob):
                body.move_to(self.street, quiet=True)
        self.comes_back()
        assert not [line for line in self.screen(self.alice) if "Marrek" in line]
        assert self.open_events() == []

    def test_a_refused_claim_means_no_act(self):
        """The bell is not rung before the claim is on disk; then it is, once."""
        hold = self.ask("say Marrek, ring the bell!")
        self.model.call("ring_bell")
        with locked(table="ai_assistant_pending"):
            self.let_go(hold)
            self.tick(self.marrek, 2)
            assert RUNG == []
        self.comes_back()
        assert len(RUNG) == 1
        assert self.open_events() == [(1, True)]
        self.model.say("There.")
        RUNG[0].callback("loudly")
        self.steps.run()
        assert len(RUNG) == 1
        assert self.open_events() == []

    def test_an_act_that_needs_a_yes_by_now_is_not_done(self):
        """What allowed it is asked anew once its claim is on disk."""
        hold = self.ask("say Marrek, ring the bell!")
        self.model.call("ring_bell").say("Shall I?")
        with locked(table="ai_assistant_pending"):
            self.let_go(hold)
            configure(self.marrek, "confirm_dangerous", "yes", by="Ada")
        self.comes_back()
        assert RUNG == []
        self.assert_answered_once("Shall I?")

    def test_an_act_that_happened_is_not_repeated(self):
        """What came of it waits to be written, and the turn goes on from there."""
        self.ring()
        self.model.say("It rings well.")
        with locked():
            RUNG[0].callback("loudly")
            self.steps.run()
            self.tick(self.marrek, 2)
        self.comes_back()
        assert len(RUNG) == 1
        self.assert_answered_once("It rings well.")

    def test_away_for_long(self):
        """After some minutes a turn gives up; when the database is back, it is asked anew."""
        hold = self.ask()
        self.model.say("Too late.")
        with locked():
            self.let_go(hold)
            turn = self.resident(self.marrek).turn
            turn.cancel()
            self.tick(self.marrek, LONGEST_WAIT)
        self.model.say("Where were we?")
        self.comes_back()
        self.comes_back()
        self.assert_answered_once("Where were we?")
        assert not self.open_events()

    def test_a_reload_meanwhile(self):
        """What was on disk already is answered by the next server."""
        hold = self.ask()
        with locked():
            self.marrek.assistant_script.at_server_reload()
        assert hold.called
        self.marrek = self.come_back(self.marrek)
        self.model.say("Hello again.")
        self.tick(self.marrek)
        self.assert_answered_once("Hello again.")

    def test_what_is_overheard_is_kept(self):
        """More lines than one assistant holds in memory: all of them are on disk in the end."""
        self.does(self.bob, "say Well, well.")  # it let that pass
        with locked():
            for number in range(100):
                self.does(self.bob, f"say The bridge fell {number} times.")
        self.comes_back()
        self.marrek.assistant_script.at_server_reload()
        heard = Memory.objects.filter(kind="utterance").order_by("pk")[1:]
        assert [row.content for row in heard] == [
            f"The bridge fell {number} times." for number in range(100)
        ]

    def test_the_game_goes_on_while_what_waited_is_written(self):
        """Ten milliseconds of it a step, in order; what is asked meanwhile waits behind it."""
        written, watch = [], SERVICE.watch

        def write(number):
            SERVICE.shared.budget.within("e1", "x", 1, 1.0)  # what a database may refuse
            self.clock.advance(0.004)
            written.append(number)

        with locked():
            for number in range(10):
                watch.finish(partial(write, number))
            self.does(self.alice, "say Hello, Marrek!")
        self.screen(self.alice)
        self.clock.advance(1)
        watch.beat()
        assert written == [0, 1, 2]
        watch.finish(partial(write, 10))
        watch.beat()
        assert written == [0, 1, 2]
        self.steps.waiting.popleft()()
        assert written == [0, 1, 2, 3, 4, 5]
        assert not watch.may_begin
        assert not self.model.requests
        self.model.say("Hello, Alice.")
        self.steps.run()
        assert written == [*range(11)]
        self.assert_answered_once("Hello, Alice.")

    def test_the_game_stands_still_for_a_fifth_of_the_time_at_most(self):
        """Where the database only refuses after a while, it is asked the less often."""
        begun, played = self.clock.monotonic(), 0.0
        with out_of_reach(self.clock):
            while self.clock.monotonic() < begun + 300:
                self.clock.advance(0.25)
                played += 0.25
                SERVICE.watch.beat()
        assert played > 300 * 3 / 4
        self.comes_back()
        self.clock.advance(10)
        SERVICE.watch.beat()
        assert SERVICE.watch.may_begin
        self.logged()

    def test_a_server_that_stops_writes_all_that_waits(self):
        """In one go, however long that takes."""
        written = []

        def write(number):
            SERVICE.shared.budget.within("e1", "x", 1, 1.0)
            self.clock.advance(0.1)
            written.append(number)

        with locked():
            for number in range(10):
                SERVICE.watch.finish(partial(write, number))
        SERVICE.watch.stop()
        assert written == [*range(10)]

    def test_beyond_what_is_kept(self):
        """When the queue is full the owner is told how much was lost, and nothing more is heard."""
        full = waiting_writes.WaitingWrites(lambda *_: None, most=2)
        SERVICE.watch.writes = full
        with locked():
            for number in range(4):
                self.does(self.alice, f"say Marrek, {number}?")
            assert "2 writes wait, 3 more were lost" in SERVICE.watch.trouble
        self.model.say("I heard the first.")
        self.comes_back()
        assert len(self.model.requests) == 1
        assert SERVICE.watch.trouble == ""
        assert self.open_events() == []


class TestNobodyIsTroubled(CommandTestCase):
    def test_a_command_answers_with_one_line(self):
        """Whatever it writes, through Evennia or not: what is wrong, and no traceback."""
        self.an_assistant()
        told = str(StoreUnavailable())
        for line in (
            "/config marrek = patience 3",
            "/persona marrek = role: a smith",
            "/stop marrek",
        ):
            with locked():
                assert told in self.ai(line)
        self.logged()

    def test_status_says_what_is_wrong(self):
        """Staff read why nobody answers, and that it is over."""
        self.an_assistant()
        with locked(told="attempt to write a readonly database"):
            SERVICE.watch.finish(partial(SERVICE.shared.budget.within, "e1", "x", 1, 1.0))
            assert "The database takes nothing just now" in self.ai("")
        self.clock.advance(1)
        SERVICE.watch.beat()
        assert "takes nothing" not in self.ai("")
        self.logged()
