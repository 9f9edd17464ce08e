"""Outages: when one begins and ends, and which cause is kept."""

import pytest

from ai_assistant.core.errors import BadReply, EmptyReply, ModelTimeout
from ai_assistant.llm.breaker import Breaker, CallEnding, Unavailable
from ai_assistant.llm.model_profiles import Profile
from ai_assistant.llm.outages import AGAIN, Outages
from ai_assistant.testing import ManualClock

CHAT = Profile("chat", "openai", "https://models.example/v1", "small", "OPENAI_API_KEY")
KEY = Unavailable(CallEnding.AUTH, "It refused the key (status 401).", cause="401")
BROKEN = Unavailable(CallEnding.SERVER, "It failed (status 500).", cause="500", passing=True)
RESTING = Unavailable(CallEnding.RESTING, "It is left alone.", cause="resting")


@pytest.fixture
def clock():
    return ManualClock(1_000_000.0)


@pytest.fixture
def outages(clock):
    return Outages(clock.now)


@pytest.mark.parametrize("error", [KEY, ModelTimeout(), BadReply("cut"), EmptyReply()])
def test_what_does_not_pass_begins_one_at_once(outages, clock, error):
    """It is told of once, with its time, its cause and what to do next."""
    begun = outages.failed(CHAT, error)
    assert (begun.profile, begun.since, begun.cause) == ("chat", clock.now(), str(error))
    assert begun.step
    assert outages.failed(CHAT, error) is None
    assert outages.present == {"chat": begun}


def test_what_passes_needs_two_in_a_row(outages):
    """A second try that is answered is no outage."""
    assert outages.failed(CHAT, BROKEN) is None
    assert outages.answered(CHAT) is None
    assert outages.failed(CHAT, BROKEN) is None
    assert outages.failed(CHAT, BROKEN).cause == str(BROKEN)


def test_the_first_cause_and_its_time_stay(outages, clock):
    """Whatever follows: other errors, or no call at all."""
    since = clock.now()
    outages.failed(CHAT, KEY)
    for error in (RESTING, BROKEN, BROKEN, ModelTimeout()):
        clock.advance(60)
        assert outages.failed(CHAT, error) is None
    (outage,) = outages.present.values()
    assert (outage.cause, outage.since) == (str(KEY), since)


@pytest.mark.parametrize("kind", [CallEnding.RESTING, CallEnding.CANCELLED])
def test_a_call_that_was_not_made_is_no_failure(outages, kind):
    """It says nothing new of the server."""
    assert outages.failed(CHAT, Unavailable(kind, "Not asked.")) is None
    assert outages.present == {}


def test_an_answer_ends_it_once(outages):
    """Whoever was told of the beginning is told of the end; nobody else."""
    assert outages.answered(CHAT) is None
    begun = outages.failed(CHAT, KEY)
    assert outages.answered(CHAT) is begun
    assert outages.answered(CHAT) is None
    assert outages.present == {}


def test_a_server_that_fails_now_and_then_is_told_of_seldom(outages, clock):
    """Soon after an outage it takes three failures in a row to make another."""
    told = 0
    for _ in range(100):
        told += outages.failed(CHAT, ModelTimeout()) is not None
        outages.answered(CHAT)
        clock.advance(20)
    assert told == 100 * 20 / AGAIN // 1 + 1
    assert [outages.failed(CHAT, KEY) is not None for _ in range(3)] == [False, False, True]


def test_profiles_fail_apart(outages):
    """What one does says nothing of the other."""
    other = Profile("other", "ollama", "http://127.0.0.1:11434/v1", "small")
    outages.failed(CHAT, KEY)
    assert outages.answered(other) is None
    assert [*outages.present] == ["chat"]


def test_an_hour_of_outage_is_few_calls(clock):
    """A server that hangs is asked some fifteen times, however many questions there are: what
    those cost at their worst case is no player's day."""
    breaker, made = Breaker(clock.monotonic), 0
    for _ in range(180):
        if (permit := breaker.enter()) is not None:
            made += 1
            breaker.leave(permit, CallEnding.TIMEOUT, ModelTimeout())
        clock.advance(20)
    assert made <= 16
