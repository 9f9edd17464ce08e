"""TurnBackoff: what keeps failing is left alone for a while, and then tried again."""

import pytest

from ai_assistant.agent.attention.backoff import (
    FAULTS,
    FIRST_REST,
    LONGEST_REST,
    WITHIN,
    TurnBackoff,
)
from ai_assistant.testing import ManualClock


@pytest.fixture
def clock():
    """A clock that goes when it is told to."""
    return ManualClock()


def rested(rest, clock):
    """Fail until it rests, sleep through it, and return how long that was."""
    for _ in range(FAULTS):
        assert not rest.resting
        rest.fault()
    start = clock.now()
    while rest.resting:
        clock.advance(1)
    return clock.now() - start


def test_each_rest_is_twice_as_long(clock):
    """A minute, two, four, up to an hour; in between it works."""
    rest = TurnBackoff(clock)
    lengths = [rested(rest, clock) for _ in range(8)]
    assert lengths[:3] == [FIRST_REST, 2 * FIRST_REST, 4 * FIRST_REST]
    assert lengths[-2:] == [LONGEST_REST, LONGEST_REST]


def test_success_makes_the_next_rest_short(clock):
    """One turn that went well ends the doubling."""
    rest = TurnBackoff(clock)
    rested(rest, clock)
    rest.success()
    assert rested(rest, clock) == FIRST_REST


def test_rare_faults_are_forgiven(clock):
    """Faults far apart make no rest, however many they are."""
    rest = TurnBackoff(clock)
    for _ in range(5 * FAULTS):
        rest.fault()
        clock.advance(WITHIN / (FAULTS - 1) + 1)
    assert not rest.resting
