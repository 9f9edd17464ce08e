"""Steps of the reactor: what comes together is done one by one, and the game gets in between."""

from functools import partial

import pytest

from ai_assistant.game.reactor_steps import MOST_LINES, LineQueue, StepQueue
from tests.evennia.living import EventTestCase


class StandInReactor:
    """Runs what is due, one step at a time; what that puts off is for the next."""

    def __init__(self):
        self.waiting, self.now = [], 0

    def call_later(self, seconds, call, *args):
        self.waiting.append((self.now + seconds, partial(call, *args)))

    def step(self, seconds=0):
        self.now += seconds
        due = [entry for entry in self.waiting if entry[0] <= self.now]
        self.waiting = [entry for entry in self.waiting if entry not in due]
        for _, call in due:
            call()


@pytest.fixture
def reactor():
    return StandInReactor()


@pytest.fixture
def later(reactor):
    return StepQueue(reactor.call_later)


def test_one_call_a_step_in_the_order_in_which_they_are_due(reactor, later):
    """Between any two the game gets its turn; what is due later waits for its time, then behind."""
    done = []
    later(1, done.append, "late")
    for name in ("a", "b"):
        later(0, done.append, name)
    reactor.step()
    assert done == ["a"]
    reactor.step(1)
    assert done == ["a", "b"]
    reactor.step()
    assert done == ["a", "b", "late"]


def test_what_a_call_puts_off_comes_behind_the_others(reactor, later):
    """So nobody who goes on and on keeps the others waiting."""
    done = []
    later(0, later, 0, done.append, "goes on")
    later(0, done.append, "waits")
    for _ in range(3):
        reactor.step()
    assert done == ["waits", "goes on"]


@pytest.fixture
def lines(reactor):
    return LineQueue(reactor.call_later)


def test_lines_of_all_players_are_run_in_turn(reactor, lines):
    """Who types much at once waits for others, who wait for one line of theirs, not for all."""
    done = []
    for number in range(3):
        lines.take("flooder", partial(done.append, number))
    assert done == [0]  # whoever comes first does not wait
    for name in ("a", "b"):
        lines.take(name, partial(done.append, name))
    for _ in range(5):
        reactor.step()
    assert done == [0, 1, "a", "b", 2]
    lines.take("a", partial(done.append, "at once"))
    assert done[-1] == "at once"


def test_what_a_command_types_is_done_within_it(reactor, lines):
    """As by `session.execute_cmd`: the command goes on with what came of that."""
    done = []

    def command():
        assert lines.take("a", partial(done.append, "typed"))
        done.append("gone on")

    for name in ("a", "b"):
        lines.take(name, command)
    reactor.step()
    assert done == ["typed", "gone on"] * 2


def test_lines_beyond_what_may_wait_are_dropped(reactor, lines):
    """So nobody's lines fill the memory; a line that breaks keeps none of the others waiting."""
    done = []

    def broken():
        raise ZeroDivisionError

    assert lines.take("flooder", lambda: None)
    assert lines.take("flooder", broken)
    taken = [
        lines.take("flooder", partial(done.append, number)) for number in range(2 * MOST_LINES)
    ]
    assert taken == [True] * (MOST_LINES - 1) + [False] * (MOST_LINES + 1)
    with pytest.raises(ZeroDivisionError):
        reactor.step()
    while reactor.waiting:
        reactor.step()
    assert done == [*range(MOST_LINES - 1)]


def test_one_that_fails_stops_nobody(reactor, later):
    """The error is the reactor's, which logs it; the others follow."""
    done = []
    later(0, {}.pop, "nothing")
    later(0, done.append, "next")
    with pytest.raises(KeyError):
        reactor.step()
    reactor.step()
    assert done == ["next"]


def test_results_of_threads_have_steps_of_their_own(reactor, later):
    """However many threads ended at once."""
    fired = []
    for result in (1, 2):
        later.fired(result).addCallback(fired.append)
    assert not fired
    reactor.step()
    assert fired == [1]
    reactor.step()
    assert fired == [1, 2]


class TestHeartbeats(EventTestCase):
    def test_those_due_together_have_steps_of_their_own(self):
        """And one that is late is not made up for: nobody's heart beats twice in a row."""
        made = [self.an_assistant(name) for name in ("Ann", "Ben", "Cid")]
        self.steps.run()
        for character in (*made, *made):
            character.assistant_script.at_repeat()
        assert len(self.steps.waiting) == len(made)
        self.tick(made[0])
        assert not self.steps.waiting
