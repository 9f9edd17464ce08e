"""Feelings: earned by deeds, warmed a little by words, lost quickly, and drifting to their rest."""

import pytest

from ai_assistant.memory.people.feelings import (
    DAY,
    DEEDS_A_DAY,
    FIRST_IMPRESSION,
    HALF_LIFE,
    LASTING,
    MAX_PER_DAY,
    MAX_STEP,
    SLIGHTS_IN_ALL,
    STATES,
    TALK_A_DAY,
    TALK_IN_ALL,
    TREATED,
    TYPICAL,
    calculate_state,
    drift,
    end_promise,
    note_promise,
    take_back_feelings,
    update_relationship,
)
from ai_assistant.memory.people.profiles import PROFILE

AT = 1000 * DAY


def moved(*deltas, profile=None, **options):
    """Return a profile after these changes, all by one author on one day unless said otherwise."""
    profile = profile or PROFILE.empty()
    for delta in deltas:
        arguments = {"reason": "talk", "author": "e-alice", "at": AT, **options}
        update_relationship(profile, delta=delta, **arguments)
    return profile


def set_to(value, **options):
    """Return a profile that staff set to this."""
    return moved(value - FIRST_IMPRESSION, kind="game", limit=1.0, author="staff", **options)


def favorability(profile):
    return profile["relationship"]["favorability"]


def history(profile):
    return profile["relationship"]["history"]


@pytest.mark.parametrize(
    ("value", "state"),
    [
        (0.0, "stranger"),
        (0.2499, "stranger"),
        (0.25, "acquaintance"),
        (0.4999, "acquaintance"),
        (0.5, "friend"),
        (0.7499, "friend"),
        (0.75, "ally"),
        (1.0, "ally"),
    ],
)
def test_states_begin_at_their_thresholds(value, state):
    """A quarter, a half, three quarters; each with its stance."""
    assert calculate_state(value) == state
    assert {name for _, name in STATES} == {*TYPICAL}
    assert {name: calculate_state(value) for name, value in TYPICAL.items()} == {
        name: name for name in TYPICAL
    }


def test_everybody_begins_as_a_stranger():
    """The first impression is cautious."""
    assert PROFILE.empty()["relationship"]["state"] == calculate_state(FIRST_IMPRESSION)


def test_the_state_follows_favorability():
    """Crossing a threshold changes the state both ways, and is on record."""
    profile = set_to(0.65)
    assert profile["relationship"]["state"] == "friend"
    moved(-0.3, profile=profile, kind="game", limit=1.0)
    assert profile["relationship"]["state"] == "acquaintance"
    assert history(profile)[-1]["old_state"] == "friend"


@pytest.mark.parametrize("kind", ["talk", "deed"])
@pytest.mark.parametrize("delta", [9.0, -9.0])
def test_one_event_changes_little(kind, delta):
    """Whatever is proposed, a single event moves at most a twentieth."""
    change = favorability(moved(delta, profile=set_to(0.5), kind=kind)) - 0.5
    assert 0 < abs(change) <= MAX_STEP
    assert (change > 0) == (delta > 0)


def test_a_day_of_insults_costs_a_fifth():
    """Each author has a daily limit of its own, and a new one each day."""
    profile = set_to(0.9)
    moved(*[-0.05] * 9, profile=profile)
    assert favorability(profile) == pytest.approx(0.9 - MAX_PER_DAY)
    moved(-0.05, profile=profile, author="e-bob")
    moved(-0.05, profile=profile, at=AT + 1)
    assert favorability(profile) == pytest.approx(0.9 - MAX_PER_DAY - 0.05)


def test_small_talk_warms_little_and_less_each_time():
    """Each kind word does less than the one before it, and all of a day stay below its limit."""
    profile = moved(*[0.05] * 20)
    steps = [one["delta"] for one in history(profile)]
    assert steps == sorted(steps, reverse=True)
    assert steps[0] > 2 * steps[2]
    assert TALK_A_DAY * 0.9 < favorability(profile) - FIRST_IMPRESSION <= TALK_A_DAY


def test_words_alone_never_make_a_friend():
    """A year of praise, every hour of it at its most, and by several: an acquaintance."""
    profile, gains = PROFILE.empty(), []
    for day in range(365):
        before = favorability(drift(profile, AT + day * DAY))
        for author in ("e-alice", "e-bob", "e-cook"):
            moved(*[0.05] * 8, profile=profile, at=AT + day * DAY, author=author)
        gains.append(favorability(profile) - before)
    assert gains[9] < gains[3] < gains[0]
    assert favorability(profile) <= FIRST_IMPRESSION + TALK_IN_ALL
    assert profile["relationship"]["state"] == "acquaintance"


def test_a_fool_of_a_model_makes_no_ally_in_four_days():
    """Whatever is said is judged as good as can be, twenty times a day: still no friend."""
    profile = PROFILE.empty()
    for day in range(4):
        moved(*[0.05] * 20, profile=profile, at=AT + day * DAY)
    assert profile["relationship"]["state"] in ("stranger", "acquaintance")


def test_deeds_do_more_than_words_and_have_a_limit_of_their_own():
    """A day of both ends within both."""
    words, deeds = moved(0.02), moved(0.02, kind="deed")
    assert favorability(words) < favorability(deeds)
    both = moved(*[0.05] * 20, profile=moved(*[0.05] * 20, kind="deed"))
    assert favorability(both) <= FIRST_IMPRESSION + DEEDS_A_DAY + TALK_A_DAY
    assert favorability(both) > FIRST_IMPRESSION + DEEDS_A_DAY


def test_slights_tire_but_make_no_enemy():
    """A month of begging, ten times a day: less liked, and by far not hated."""
    profile = PROFILE.empty()
    for day in range(30):
        moved(*[-0.02] * 10, profile=profile, at=AT + day * DAY)
    assert FIRST_IMPRESSION - SLIGHTS_IN_ALL <= favorability(profile) < FIRST_IMPRESSION - 0.04


def test_an_insult_is_not_talked_away():
    """What was lost by two insults takes more than two kind words of the same day."""
    profile = moved(*[-0.03] * 2, profile=set_to(0.4))
    assert favorability(moved(*[0.05] * 2, profile=profile)) < 0.4


@pytest.mark.parametrize("gift", [0.5, -0.1, -0.4])
def test_staff_may_go_further_without_a_backlash(gift):
    """Game code may pass the limits, and later kindness does not turn against it."""
    profile = set_to(0.4)
    moved(gift, profile=profile, kind="game", limit=1.0)
    for delta in (0.02, -0.03):
        before = favorability(profile)
        moved(delta, profile=profile)
        least, most = before + min(0.0, delta), before + max(0.0, delta)
        assert least - 1e-9 <= favorability(profile) <= most


def test_favorability_stays_between_hate_and_love():
    """Zero and one are the ends."""
    assert favorability(moved(5.0, kind="game", limit=9.0)) == 1.0
    assert favorability(moved(-5.0, kind="game", limit=9.0)) == 0.0


# -- reason and line


def test_each_change_has_its_reason_and_its_line():
    """The history tells how much, why, when and where it was said, under its label."""
    profile = moved(-0.03, readers="e-alice", event="event1")
    assert history(profile) == [
        {"delta": -0.03, "reason": "talk", "timestamp": "1972-09-27T00:00:00Z", "kind": "talk",
         "author": "e-alice", "readers": "e-alice", "event": "event1"},
    ]  # fmt: skip
    assert len(history(moved(0.0, profile=profile))) == 1


def test_one_line_counts_once():
    """In the turn and again in the night: its words once, and once what came of them."""
    profile = moved(-0.03, -0.03, event="event1")
    moved(-0.03, profile=profile, event="event1", at=AT + DAY)
    assert [one["delta"] for one in history(profile)] == [-0.03]
    moved(-0.04, profile=profile, event="event1", kind="deed")
    moved(-0.03, profile=profile, event="event2")
    assert len(history(profile)) == 3


def test_what_the_night_reads_counts_for_the_day_it_was_said():
    """A line of yesterday neither counts again nor opens today's allowance anew."""
    profile = moved(-0.03, event="event1")
    told = {"reason": "mocked me", "author": "e-alice", "readers": "*", "delta": TREATED[-2]}
    update_relationship(profile, at=AT, event="event1", **told)
    assert len(history(profile)) == 1
    moved(*[0.05] * 9, profile=profile, at=AT + DAY)
    update_relationship(profile, at=AT, event="event0", **told)
    before = favorability(profile)
    moved(0.05, profile=profile, at=AT + DAY)
    assert favorability(profile) == pytest.approx(before, abs=1e-3)
    assert history(profile)[-1]["reason"] == "mocked me"


@pytest.mark.parametrize("days", [0, 10])
def test_what_is_taken_back_was_never_felt(days):
    """Of words that did good or harm nothing is left, but what others did stays."""
    profile = moved(0.03, event="event1")
    moved(-0.03, profile=profile, event="event2")
    take_back_feelings(profile, events=["event2", "event9"], at=AT + days * DAY)
    other = moved(0.03, event="event1")
    assert favorability(profile) == pytest.approx(after(other, days), abs=1e-3)
    assert [one["event"] for one in history(profile)] == ["event1"]
    set_to(0.5, profile=profile)
    before = favorability(profile)
    take_back_feelings(profile, events=["event1"], at=AT + days * DAY)
    assert favorability(profile) == before


# -- drift


def after(profile, days):
    return favorability(drift(profile, AT + days * DAY))


def test_words_fade():
    """A half-life later half of what was only said is gone, the good and the bad."""
    for profile in (moved(*[0.05] * 9), moved(*[-0.03] * 3)):
        gap = favorability(profile) - FIRST_IMPRESSION
        assert after(profile, HALF_LIFE) - FIRST_IMPRESSION == pytest.approx(gap / 2, abs=1e-3)
        assert after(profile, 100 * HALF_LIFE) == pytest.approx(FIRST_IMPRESSION)


def test_half_of_a_deed_stays():
    """Who gave something once is never quite a stranger again."""
    profile = moved(0.04, kind="deed")
    assert after(profile, 10_000) == pytest.approx(FIRST_IMPRESSION + LASTING * 0.04)


def test_what_staff_set_stays():
    """It rests where it was set; what moves it later fades back to there."""
    profile = set_to(0.8)
    assert after(profile, 10_000) == 0.8
    moved(-0.05, profile=profile, at=AT + 10_000 * DAY)
    assert after(profile, 20_000) == 0.8


def test_drift_is_the_same_however_often_one_looks():
    """Hourly looks, a single one at the end, and the state with it."""
    often, once = (moved(*[-0.05] * 4, profile=set_to(0.55)) for _ in range(2))
    for hour in range(24 * 40):
        drift(often, AT + hour * 3600)
    assert drift(once, AT + 39 * DAY + 23 * 3600) == often
    assert once["relationship"]["state"] == "acquaintance"
    assert drift(once, AT + 400 * DAY)["relationship"]["state"] == "friend"


def test_what_nothing_moved_does_not_drift():
    """A profile that game code filled in by hand stays as it is."""
    profile = PROFILE.empty()
    profile["relationship"] |= {"favorability": 0.6, "state": "friend"}
    assert after(profile, 1000) == 0.6


def test_profiles_from_before_rest_where_they_are():
    """One stored without a rest is whole, and does not fall."""
    profile = set_to(0.6)
    for name in ("rest", "felt", "promises"):
        del profile["relationship"][name]
    assert after(profile, 1000) == 0.6
    assert favorability(moved(-0.03, profile=profile)) == 0.57


def test_promises_are_noted_and_struck_off():
    """A few of them, by the line in which they were made."""
    profile = PROFILE.empty()
    for number in range(9):
        note_promise(profile, event=f"event{number}", author="e-alice", at=AT, readers="*")
    end_promise(profile, event="event7")
    assert [one["event"] for one in profile["relationship"]["promises"]] == [
        "event4", "event5", "event6", "event8",
    ]  # fmt: skip
