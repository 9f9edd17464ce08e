"""Profiles: whom it met, and facts with their trust."""

import pytest

from ai_assistant.memory.people.profiles import (
    MAX_OBSERVATIONS,
    MAX_SECRETS,
    PROFILE,
    TRUST,
    add_entity_observation,
    create_entity_profile,
)

DAY = 86_400.0


def test_a_profile_learns_only_the_name_anew():
    """Who is met again keeps the day of the first meeting."""
    profile = PROFILE.empty()
    create_entity_profile(profile, name="Al", entity_type="player", at=0.0)
    create_entity_profile(profile, name="Alice", entity_type="player", at=DAY)
    assert (profile["name"], profile["created"]) == ("Alice", "1970-01-01T00:00:00Z")


def noted(profile, content, **origin):
    step = {"entity_id": "e-alice", "source": "direct", "at": 0.0, **origin}
    return add_entity_observation(profile, content=content, **step)


def test_the_same_word_is_noted_once():
    """A repeat by the same author is nothing new; the same from another, or in private, is."""
    profile = PROFILE.empty()
    for origin in ({}, {}, {"author": "e-bob"}, {"readers": "e-alice"}):
        noted(profile, "Alice has a cat.", **origin)
    assert len(profile["observations"]) == 3


def test_hearsay_that_spills_over_is_still_hearsay():
    """As a memory it is the word of who told it, and says so; only their own word is theirs."""
    profile = PROFILE.empty()
    create_entity_profile(profile, name="Alice", entity_type="player", at=0.0)
    noted(profile, "Alice stole a boat.", source="told", author="e-bob", told_by="Bob")
    noted(profile, "Alice has a cat.", author="e-alice")
    noted(profile, "Alice limps.", source="inferred")
    rows = [row for n in range(MAX_OBSERVATIONS) for row in noted(profile, f"Alice saw {n} ships.")]
    assert [row.author_name for row in rows] == ["Bob", "Alice", ""]
    assert [row.trust for row in rows] == [TRUST["told"], TRUST["direct"], TRUST["inferred"]]
    assert rows[0].meta == {"source": "told", "told_by": "Bob"}
    assert {row.subject for row in rows} == {"e-alice"}


def test_beyond_fifty_what_no_night_read_goes_last_and_no_secret():
    """The oldest that were read become rows first; what was confided stays."""
    profile = PROFILE.empty()
    noted(profile, "Alice hid the crown.", kind="secret")
    for n in range(MAX_OBSERVATIONS):
        assert noted(profile, f"Alice saw {n} ships.") == []
    for item in profile["observations"][5:7]:
        item["read"] = True
    rows = [row.content for n in range(3) for row in noted(profile, f"Alice has {n} cats.")]
    assert rows == ["Alice saw 4 ships.", "Alice saw 5 ships.", "Alice saw 0 ships."]
    assert profile["observations"][0]["content"] == "Alice hid the crown."
    assert len(profile["observations"]) == MAX_OBSERVATIONS + 1
    for n in range(MAX_SECRETS):
        noted(profile, f"Alice hid {n} crowns.", kind="secret")
    assert len(profile["observations"]) == MAX_OBSERVATIONS + MAX_SECRETS


@pytest.mark.parametrize("source", TRUST)
def test_hearsay_is_trusted_less(source):
    """What was seen counts more than what was guessed, and that more than what was told."""
    profile = PROFILE.empty()
    add_entity_observation(profile, entity_id="e", content="x", source=source, at=0.0)
    assert profile["observations"][0]["trust"] == TRUST[source]
    assert TRUST["direct"] > TRUST["inferred"] > TRUST["told"]
