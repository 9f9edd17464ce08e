"""The breaker: when it opens, what passes while it rests, and how it closes again."""

import pytest

from ai_assistant.core.errors import BadReply, EmptyReply, ModelTimeout
from ai_assistant.llm.breaker import Breaker, CallEnding, Unavailable, kind_of


class Steady:
    """A clock that moves when told."""

    def __init__(self):
        self.time = 0.0

    def __call__(self):
        return self.time


@pytest.fixture
def clock():
    return Steady()


@pytest.fixture
def breaker(clock):
    return Breaker(clock)


def calls(breaker, kind, times=1):
    """Make calls that all end that way; they must be let through."""
    for _ in range(times):
        permit = breaker.enter()
        assert permit is not None
        breaker.leave(permit, kind)


@pytest.mark.parametrize(
    "kind", [CallEnding.SERVER, CallEnding.NETWORK, CallEnding.TIMEOUT, CallEnding.BAD]
)
def test_failures_open_it(breaker, kind):
    """The fifth failure in a row stops the calls, for half a minute."""
    calls(breaker, kind, 5)
    assert breaker.enter() is None
    assert breaker.wait == 30


@pytest.mark.parametrize("kind", [CallEnding.RATE, CallEnding.REQUEST, CallEnding.CANCELLED])
def test_what_is_no_failure_never_opens_it(breaker, kind):
    """Being told to slow down, or refused one request, says nothing against the server."""
    calls(breaker, kind, 50)


def test_some_failures_among_many_calls_pass(breaker):
    """A server that answers more often than it fails stays in use."""
    for _ in range(10):
        calls(breaker, CallEnding.ANSWERED, 2)
        calls(breaker, CallEnding.SERVER)


def test_old_failures_are_forgotten(breaker, clock):
    """Failures further apart than the window do not add up."""
    for _ in range(20):
        calls(breaker, CallEnding.SERVER)
        clock.time += 151


def test_refused_key_rests_ten_minutes(breaker, clock):
    """One refused key is enough, and asking again soon would be of no use."""
    calls(breaker, CallEnding.AUTH)
    clock.time = 599
    assert breaker.enter() is None
    clock.time = 600
    assert breaker.enter() is not None


def test_only_one_probe_passes(breaker, clock):
    """After the rest a single call goes first; its success lets all through."""
    calls(breaker, CallEnding.SERVER, 5)
    clock.time = 30
    probe = breaker.enter()
    assert breaker.enter() is None
    breaker.leave(probe, CallEnding.ANSWERED)
    calls(breaker, CallEnding.ANSWERED, 9)


def test_failed_probe_rests_again(breaker, clock):
    """A server that is still down is left alone for twice as long, up to ten minutes; once it has
    answered, as at first."""
    calls(breaker, CallEnding.SERVER, 5)
    rests = [breaker.wait]
    for _ in range(6):
        clock.time += breaker.wait
        calls(breaker, CallEnding.NETWORK)
        assert breaker.enter() is None
        rests.append(breaker.wait)
    assert rests == [30, 60, 120, 240, 480, 600, 600]
    clock.time += 600
    calls(breaker, CallEnding.ANSWERED)
    calls(breaker, CallEnding.SERVER, 5)
    assert breaker.wait == 30


def test_a_probe_that_cost_nothing_is_made_again_as_soon(breaker, clock):
    """Where nobody listens, it is known within half a minute when somebody does again."""
    nobody = Unavailable(CallEnding.NETWORK, "Nobody listens there.")
    for _ in range(5):
        breaker.leave(breaker.enter(), CallEnding.NETWORK, nobody)
    for _ in range(6):
        assert breaker.wait == 30
        clock.time += 30
        breaker.leave(breaker.enter(), CallEnding.NETWORK, nobody)


def test_the_first_cause_stays(breaker, clock):
    """Whatever fails after it, it is known why the trouble began; an answer ends it."""
    for kind, cause in (
        (CallEnding.AUTH, "no key"),
        (CallEnding.NETWORK, "gone"),
        (CallEnding.TIMEOUT, "slow"),
    ):
        breaker.leave(breaker.enter(), kind, Unavailable(kind, cause))
        assert breaker.cause == "no key"
        clock.time += 600
    breaker.leave(breaker.enter(), CallEnding.ANSWERED)
    assert breaker.cause == ""


@pytest.mark.parametrize("kind", [CallEnding.CANCELLED, CallEnding.RATE])
def test_undecided_probe_makes_way(breaker, clock, kind):
    """A probe that proved nothing, cancelled say, does not block the next one."""
    calls(breaker, CallEnding.SERVER, 5)
    clock.time = 30
    calls(breaker, kind, 3)


def test_late_result_changes_nothing(breaker, clock):
    """How a call from before the opening ended says nothing about the server of now."""
    late = [breaker.enter() for _ in range(2)]
    calls(breaker, CallEnding.SERVER, 5)
    clock.time = 29
    breaker.leave(late[0], CallEnding.ANSWERED)
    breaker.leave(late[1], CallEnding.AUTH)
    assert breaker.wait == 1


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (Unavailable(CallEnding.AUTH, "no"), CallEnding.AUTH),
        (ModelTimeout(), CallEnding.TIMEOUT),
        (BadReply(), CallEnding.BAD),
        (EmptyReply(), CallEnding.ANSWERED),
    ],
)
def test_each_error_has_its_kind(error, kind):
    """Every error of a call tells the breaker what to make of it; empty is still an answer."""
    assert kind_of(error) is kind
