"""Purses: nobody takes more than grows back, however they ask, and a refusal takes nothing."""

from hypothesis import given
from hypothesis import strategies as st

from ai_assistant.agent.attention.purses import EXCUSE_PAUSE, MOST_PURSES, Purses
from ai_assistant.testing import ManualClock


def purses(**sizes):
    clock = ManualClock()
    return clock, Purses(clock.monotonic, lambda name: sizes.get(name, 0))


def test_purse_empties_and_grows_back():
    """What a minute allows may be taken at once; then it comes back evenly."""
    clock, some = purses(alice=6)
    assert [some.take(["alice"]) for _ in range(6)] == [0] * 6
    assert round(some.take(["alice"])) == 10
    clock.advance(10)
    assert not some.take(["alice"])
    assert some.take(["alice"])


def test_full_purse_grows_no_more():
    """Who was silent for a day may ask no more at once than anybody."""
    clock, some = purses(alice=6)
    some.take(["alice"])
    clock.advance(86_400)
    assert [bool(some.take(["alice"])) for _ in range(7)] == [False] * 6 + [True]


def test_one_empty_purse_is_enough():
    """Who has an own purse left and an empty one of the address gets nothing, and pays nothing."""
    _, some = purses(alice=2, bob=2, house=1)
    assert not some.take(["bob", "house"])
    assert some.take(["alice", "house"])
    assert not some.take(["alice"])
    assert not some.take(["alice"])


def test_no_size_is_no_limit():
    """A purse of size 0 never is empty."""
    _, some = purses()
    assert not any(some.take(["alice"]) for _ in range(1000))


def test_line_is_paid_once():
    """All who hear a line are paid by the first."""
    _, some = purses(alice=1)
    assert not some.take(["alice"], "line1")
    assert not some.take(["alice"], "line1")
    assert some.take(["alice"], "line2")


def test_excuses_are_rare():
    """A flood of lines is met by one excuse a minute."""
    clock, some = purses(alice=1)
    assert some.may_excuse("alice")
    assert not some.may_excuse("alice")
    clock.advance(EXCUSE_PAUSE)
    assert some.may_excuse("alice")


def test_crowd_of_names_fills_no_memory():
    """However many addresses come by, only so many purses are kept."""
    clock = ManualClock()
    some = Purses(clock.monotonic, lambda name: 1)
    for number in range(MOST_PURSES + 100):
        some.take([str(number)])
    assert len(some) == MOST_PURSES


@given(
    st.integers(1, 30),
    st.lists(st.tuples(st.floats(-1000, 50), st.integers(0, 40)), max_size=40),
)
def test_nobody_takes_more_than_grows_back(size, steps):
    """Over any time: the purse, and what grew in that time. A clock that jumps gives nothing."""
    clock, some = purses(alice=size)
    passed = taken = 0.0
    for seconds, asked in steps:
        clock.advance(seconds)
        passed += max(0.0, seconds)
        taken += sum(not some.take(["alice"]) for _ in range(asked))
        assert taken <= size + passed * size / 60 + 1e-6
