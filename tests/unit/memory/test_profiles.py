"""Profiles: states at their thresholds, kindness within its limits, facts with their trust."""

import pytest

from ai_assistant.memory.profiles import (
    FIRST_IMPRESSION,
    MAX_OBSERVATIONS,
    STANCES,
    STATES,
    TRUST,
    add_entity_observation,
    calculate_state,
    create_entity_profile,
    empty_profile,
    update_relationship,
)

DAY = 86_400.0


def moved(*deltas, profile=None, **options):
    """Return a profile after these changes, all by one author on one day unless said otherwise."""
    profile = profile or empty_profile()
    for delta in deltas:
        arguments = {"reason": "talk", "author": "e-alice", "at": 0.0, **options}
        update_relationship(profile, delta=delta, **arguments)
    return profile


def favorability(profile):
    return profile["relationship"]["favorability"]


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
    assert {name for _, name in STATES} == set(STANCES)


def test_everybody_begins_as_a_stranger():
    """The first impression is cautious."""
    assert empty_profile()["relationship"]["state"] == calculate_state(FIRST_IMPRESSION)


def test_the_state_follows_favorability():
    """Crossing a threshold changes the state both ways."""
    profile = moved(0.5, limit=1.0)
    assert profile["relationship"]["state"] == "friend"
    assert moved(-0.3, profile=profile, limit=1.0)["relationship"]["state"] == "acquaintance"


@pytest.mark.parametrize(
    ("delta", "change"), [(0.03, 0.03), (0.05, 0.05), (9.0, 0.05), (-0.05, -0.05), (-9.0, -0.05)]
)
def test_one_event_changes_little(delta, change):
    """Whatever is proposed, a single event moves at most a twentieth."""
    profile = moved(delta)
    assert favorability(profile) == pytest.approx(FIRST_IMPRESSION + change)
    assert profile["relationship"]["last_delta"] == pytest.approx(change)


@pytest.mark.parametrize("sign", [1, -1])
def test_one_author_changes_a_fifth_a_day(sign):
    """Each author has a daily limit of its own in both directions, and a new one each day."""
    profile = moved(0.35, limit=1.0, author="staff")
    start = favorability(profile)
    moved(*[sign * 0.05] * 9, profile=profile)
    assert favorability(profile) == pytest.approx(start + sign * 0.2)
    moved(sign * 0.05, profile=profile, author="e-bob")
    assert favorability(profile) == pytest.approx(start + sign * 0.25)
    moved(sign * 0.05, profile=profile, at=DAY)
    assert favorability(profile) == pytest.approx(start + sign * 0.3)


def test_a_slight_can_be_made_good():
    """The daily limit is on the sum: what was lost may be won back the same day."""
    profile = moved(*[-0.05] * 2, *[0.05] * 2)
    assert favorability(profile) == pytest.approx(FIRST_IMPRESSION)


@pytest.mark.parametrize("gift", [0.5, -0.1, -0.6])
def test_staff_may_go_further_without_a_backlash(gift):
    """Game code may pass the limits, and later kindness does not turn against it."""
    profile = moved(0.25, limit=1.0, author="staff")
    moved(gift, profile=profile, limit=1.0)
    for delta in (0.02, -0.02):
        before = favorability(profile)
        moved(delta, profile=profile)
        assert before + min(0.0, delta) <= favorability(profile) <= before + max(0.0, delta)


def test_favorability_stays_between_hate_and_love():
    """Zero and one are the ends."""
    assert favorability(moved(5.0, limit=9.0)) == 1.0
    assert favorability(moved(-5.0, limit=9.0)) == 0.0


def test_each_change_has_its_reason():
    """The history tells how much, why and when, under its label; no change leaves no trace."""
    profile = moved(0.02, readers="e-alice")
    assert profile["relationship"]["history"] == [
        {"delta": 0.02, "reason": "talk", "timestamp": "1970-01-01T00:00:00Z",
         "author": "e-alice", "readers": "e-alice"},
    ]  # fmt: skip
    assert len(moved(0.0, profile=profile)["relationship"]["history"]) == 1


def test_a_profile_learns_only_the_name_anew():
    """Who is met again keeps the day of the first meeting."""
    profile = empty_profile()
    create_entity_profile(profile, name="Al", entity_type="player", at=0.0)
    create_entity_profile(profile, name="Alice", entity_type="player", at=DAY)
    assert (profile["name"], profile["created"]) == ("Alice", "1970-01-01T00:00:00Z")


def noted(profile, content, **origin):
    step = {"entity_id": "e-alice", "source": "direct", "at": 0.0, **origin}
    return add_entity_observation(profile, content=content, **step)


def test_the_same_word_is_noted_once():
    """A repeat by the same author is nothing new; the same from another, or in private, is."""
    profile = empty_profile()
    for origin in ({}, {}, {"author": "e-bob"}, {"readers": "e-alice"}):
        noted(profile, "Alice has a cat.", **origin)
    assert len(profile["observations"]) == 3


def test_hearsay_that_spills_over_is_still_hearsay():
    """As a memory it is the word of who told it, and says so; only their own word is theirs."""
    profile = empty_profile()
    create_entity_profile(profile, name="Alice", entity_type="player", at=0.0)
    noted(profile, "Alice stole a boat.", source="told", author="e-bob", told_by="Bob")
    noted(profile, "Alice has a cat.", author="e-alice")
    noted(profile, "Alice limps.", source="inferred")
    rows = [row for n in range(MAX_OBSERVATIONS) for row in noted(profile, f"Alice saw {n} ships.")]
    assert [row.author_name for row in rows] == ["Bob", "Alice", ""]
    assert [row.trust for row in rows] == [TRUST["told"], TRUST["direct"], TRUST["inferred"]]
    assert rows[0].meta == {"source": "told", "told_by": "Bob"}
    assert {row.subject for row in rows} == {"e-alice"}


@pytest.mark.parametrize("source", TRUST)
def test_hearsay_is_trusted_less(source):
    """What was seen counts more than what was guessed, and that more than what was told."""
    profile = empty_profile()
    add_entity_observation(profile, entity_id="e", content="x", source=source, at=0.0)
    assert profile["observations"][0]["trust"] == TRUST[source]
    assert TRUST["direct"] > TRUST["inferred"] > TRUST["told"]
