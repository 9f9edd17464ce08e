"""Patience: what is said unasked is rationed, by room and by person, until somebody answers."""

import pytest

from ai_assistant.agent.unasked.patience import (
    HOUR,
    MAX_SPOKEN,
    PATIENCE,
    Patience,
    answered,
    spoke,
)

ALICE, BOB = "e-alice", "e-bob"
BOTH = frozenset({ALICE, BOB})


@pytest.fixture
def patience():
    return Patience()


def allows(patience, speaker="sera", place="inn", heard=BOTH, *, most=2, now=0.0):
    return patience.allows(speaker, place, frozenset(heard), most=most, now=now)


def test_never_twice_in_a_row(patience):
    """Who got no answer does not go on talking, not even days later."""
    assert allows(patience)
    patience.spoke("sera", "inn", BOTH, 0.0)
    assert not allows(patience)
    assert not allows(patience, now=100 * HOUR)


def test_an_answer_restores_it(patience):
    """After somebody turned to it, it may speak once more."""
    patience.spoke("sera", "inn", BOTH, 0.0)
    assert patience.answered("sera", ALICE, "inn")
    assert allows(patience)
    assert not patience.answered("sera", ALICE, "inn")


def test_so_often_an_hour_whatever_is_answered(patience):
    """Two a place and hour, and no more; later again."""
    for at in (0.0, 60.0):
        patience.spoke("sera", "inn", BOTH, at)
        patience.answered("sera", ALICE, "inn")
    assert not allows(patience, now=120.0)
    assert allows(patience, now=HOUR + 61)


def test_a_room_shares_its_patience(patience):
    """What one assistant said unanswered, no other goes on with."""
    patience.spoke("sera", "inn", BOTH, 0.0)
    assert not allows(patience, "marrek")
    patience.answered("marrek", BOB, "inn")
    assert allows(patience, "marrek")
    patience.spoke("marrek", "inn", BOTH, 60.0)
    patience.answered("marrek", BOB, "inn")
    assert not allows(patience, "sera", now=120.0)


def test_a_person_is_followed_by_no_chatter(patience):
    """In another room the same assistant may still not speak to who did not answer."""
    patience.spoke("sera", "inn", {ALICE}, 0.0)
    assert not allows(patience, place="street", heard={ALICE})
    assert allows(patience, place="street", heard={BOB})
    assert allows(patience, "marrek", place="street", heard={ALICE})


def test_a_person_hears_so_much_an_hour_anywhere(patience):
    """The hour's ration of one assistant towards one player counts over all places."""
    for place in ("inn", "street"):
        patience.spoke("sera", place, {ALICE}, 0.0)
        patience.answered("sera", ALICE, place)
    assert not allows(patience, place="yard", heard=BOTH, now=10.0)


def test_newcomers_are_not_punished(patience):
    """Those who were not there did not leave it without an answer."""
    patience.spoke("sera", "inn", {ALICE}, 0.0)
    assert allows(patience, heard={BOB}, now=10.0)


def test_none_at_all(patience):
    """With a patience of 0 it never speaks unasked."""
    assert not allows(patience, most=0)


def test_a_restart_forgets_nothing(patience):
    """What is on disk of an assistant counts as if it had never stopped, and counts once."""
    state = PATIENCE.empty()
    spoke(state, place="inn", heard=[ALICE], at=0.0)
    for _ in range(3):
        patience.restore("sera", state)
    assert not allows(patience, "marrek", heard={ALICE})
    answered(state, who=ALICE, place="inn")
    patience.restore("sera", state)
    assert allows(patience, "marrek", heard={ALICE}, most=2, now=10.0)


def test_only_the_newest_are_kept(patience):
    """A talkative life fills no memory."""
    for number in range(MAX_SPOKEN * 3):
        patience.spoke("sera", f"room{number}", {ALICE}, float(number))
    assert allows(patience, "marrek", "room0", {ALICE}, now=MAX_SPOKEN * 3)
    assert not allows(patience, "marrek", f"room{MAX_SPOKEN * 3 - 1}", {ALICE}, now=MAX_SPOKEN * 3)
