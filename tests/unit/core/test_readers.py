"""Labels: who may read what, and what happens where two labels meet."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ai_assistant.core.readers import NOBODY, OPEN, canonical, may_read, meet, members, usable

GUILD, DOCKS = "c-guild", "c-docks"
SUBSCRIBED = {GUILD: {"e-alice", "e-carol"}, DOCKS: {"e-alice"}}
PEOPLE = ("e-alice", "e-bob", "e-carol", "a-dave")
LABELS = st.one_of(
    st.just(OPEN), st.sets(st.sampled_from((*PEOPLE, GUILD, DOCKS)), max_size=4).map(canonical)
)
AUDIENCES = st.frozensets(st.sampled_from((*PEOPLE, GUILD)), max_size=3)


def belongs(principal, channel):
    return principal in SUBSCRIBED.get(channel, ())


def test_one_set_has_one_label():
    """However its members are given, a set of readers is written in one way."""
    assert canonical(["e-bob", "e-alice", "e-bob"]) == canonical({"e-alice", "e-bob"})
    assert canonical(["e-alice", OPEN]) == OPEN
    assert canonical([]) == NOBODY


@given(LABELS)
def test_a_label_survives_its_set(label):
    """From a label to its members and back nothing changes."""
    assert canonical(members(label)) == label


@pytest.mark.parametrize(
    ("readers", "audience", "expected"),
    [
        (OPEN, set(), True),
        (OPEN, {"e-alice", "e-bob"}, True),
        (NOBODY, {"e-alice"}, False),
        (NOBODY, set(), False),
        ("e-alice", {"e-alice"}, True),
        ("e-alice", {"e-alice", "e-bob"}, False),
        ("e-alice,e-bob", {"e-alice", "e-bob"}, True),
        ("e-alice", set(), False),  # where nobody is known to listen, anybody may
        (GUILD, {"e-alice", "e-carol"}, True),
        (GUILD, {"e-bob"}, False),
        (GUILD, {GUILD}, True),
        ("e-alice", {GUILD}, False),
        ("a-dave", {"a-dave"}, True),
    ],
)
def test_all_who_hear_must_be_readers(readers, audience, expected):
    """Something is usable where it is open, or where each of the audience may read it."""
    assert usable(readers, frozenset(audience), belongs) is expected


def test_channel_membership_counts_while_it_lasts():
    """Who leaves a channel no longer reads what was said there."""
    left = dict(SUBSCRIBED, **{GUILD: set()})
    assert may_read("e-carol", GUILD, belongs)
    assert not may_read("e-carol", GUILD, lambda one, channel: one in left[channel])


@given(LABELS, LABELS, st.sampled_from(PEOPLE))
def test_a_meeting_is_never_wider(one, other, person):
    """Whoever may read where two labels meet may read both of them."""
    if may_read(person, meet(one, other, belongs, frozenset(PEOPLE)), belongs):
        assert may_read(person, one, belongs)
        assert may_read(person, other, belongs)


@given(LABELS, LABELS, AUDIENCES)
def test_a_meeting_keeps_the_audience(one, other, audience):
    """What an audience may use on its own, it may use together."""
    if usable(one, audience, belongs) and usable(other, audience, belongs):
        assert usable(meet(one, other, belongs, audience), audience, belongs)


def test_somebody_in_two_channels_may_hear_of_both():
    """Neither channel belongs to the other, yet a listener of both is not forgotten."""
    assert meet(GUILD, DOCKS, belongs) == NOBODY
    assert meet(GUILD, DOCKS, belongs, frozenset({"e-alice"})) == "e-alice"


def test_a_label_meets_itself_unchanged():
    """A ceiling is not rewritten by more of the same."""
    assert meet(GUILD, GUILD, belongs, frozenset({"e-alice"})) == GUILD
    assert meet(OPEN, GUILD, belongs, frozenset({"e-alice"})) == GUILD
    assert meet(GUILD, OPEN, belongs) == GUILD
