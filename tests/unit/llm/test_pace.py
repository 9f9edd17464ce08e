"""The pace of a profile: a refusal halves it, good minutes bring it back, a cap is never passed."""

from hypothesis import given
from hypothesis import strategies as st

from ai_assistant.llm.pace import FEWEST, MINUTE, Pace
from ai_assistant.testing import ManualClock


def paced(**options):
    clock = ManualClock(0.0)
    return clock, Pace(clock.monotonic, **options)


def went_out(clock, pace, seconds=MINUTE):
    """How many requests, one after the other, go out in that time."""
    until, count = clock.time + seconds, 0
    while count < 500 and clock.time + pace.wait < until:
        clock.advance(pace.wait)
        pace.begin()
        pace.end()
        count += 1
    clock.time = until
    return count


def refused(clock, pace, *, after, wait=0.0):
    """Let so many requests go within one second, of which the last is refused."""
    for _ in range(after):
        begun = pace.begin()
        pace.end()
    clock.advance(1)
    pace.refuse(begun, wait)


def test_without_refusals_nothing_waits():
    """A server that takes everything gets everything."""
    _, pace = paced()
    for _ in range(500):
        assert pace.wait == 0
        pace.begin()


def test_refusal_halves_the_requests_of_a_minute():
    """Where a hundred were too many, fifty go out in the next minute."""
    clock, pace = paced()
    refused(clock, pace, after=100)
    clock.advance(MINUTE - 2)
    assert went_out(clock, pace) <= 60


def test_pace_climbs_until_it_is_free_again():
    """Each minute without a refusal allows a tenth more; in the end nothing is held back."""
    clock, pace = paced()
    refused(clock, pace, after=100)
    clock.advance(MINUTE)
    counts = []
    for _ in range(20):
        counts.append(went_out(clock, pace))
        clock.advance(MINUTE)
    assert counts == sorted(counts)
    assert 50 <= counts[0] < counts[5] < 200
    assert counts[-1] == 500


def test_refusals_of_one_burst_count_once():
    """Sixty calls under way that are all refused are one reason to slow down, not sixty."""
    clock, pace = paced()
    begun = [pace.begin() for _ in range(60)]
    clock.advance(1)
    for start in begun:
        pace.refuse(start, 0.0)
        pace.end()
    clock.advance(MINUTE)
    for _ in range(29):
        pace.begin()
    assert pace.wait == 0, "thirty at a time go on"


def test_refusal_halves_the_calls_at_a_time():
    """Where ten at a time were too many, the sixth waits for one of five to end."""
    clock, pace = paced()
    begun = [pace.begin() for _ in range(10)]
    clock.advance(1)
    pace.refuse(begun[0], 0.0)
    for _ in range(10):
        pace.end()
    clock.advance(1)
    for _ in range(5):
        assert pace.wait == 0 or pace.wait < MINUTE
        pace.begin()
    assert pace.wait == float("inf")
    pace.end()
    assert pace.wait < float("inf")


def test_server_gets_the_rest_that_it_asks_for():
    """Nothing goes out before the time that the refusal named."""
    clock, pace = paced()
    refused(clock, pace, after=1, wait=30)
    assert pace.wait == 30
    clock.advance(30)
    assert pace.wait == 0


def test_some_requests_are_always_tried():
    """Refused again and again it still asks now and then, or it would never learn more."""
    clock, pace = paced()
    for _ in range(20):
        refused(clock, pace, after=1)
    clock.advance(2 * MINUTE)
    assert went_out(clock, pace, MINUTE) >= FEWEST


@given(
    st.integers(1, 40),
    st.lists(st.tuples(st.floats(0, 50), st.sampled_from(["ask", "refuse"])), max_size=60),
)
def test_no_minute_has_more_than_the_owner_allows(most, steps):
    """Whatever is asked and refused, no sixty seconds hold more requests than that."""
    clock, pace = paced(most=most)
    begun = []
    for seconds, step in steps:
        clock.advance(seconds)
        if step == "refuse" and begun:
            pace.refuse(begun[-1], 0.0)
        for _ in range(10):
            if pace.wait == 0:
                begun.append(pace.begin())
                pace.end()
    for start in begun:
        assert sum(start <= other < start + MINUTE for other in begun) <= most
