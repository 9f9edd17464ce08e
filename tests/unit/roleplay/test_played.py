"""What was played of a scene: turns, messages, and who dealt with whom."""

from dataclasses import asdict

import pytest

from ai_assistant.roleplay.play import Played


def test_turns_change_with_the_speaker():
    """What one says until another speaks is one turn; every line is a message."""
    played = Played()
    for speaker in ("al", "al", "bo", "al"):
        played = played.after(speaker, ["al", "bo"])
    assert (played.turns, played.messages, played.spoke) == (3, 4, "al")


def test_exchanges_are_counted_both_ways():
    """A line counts for its speaker with each of those who took part."""
    played = Played().after("al", ["al", "bo", "cy"]).after("bo", ["bo", "al"])
    assert played.between("al", "bo") == played.between("bo", "al") == 2
    assert (played.between("al", "cy"), played.between("bo", "cy")) == (1, 0)


def test_it_is_stored_as_it_is():
    """What is written is what is read; a scene that was never played has an empty one."""
    played = Played().after("al", ["bo"])
    assert Played.from_json(asdict(played)) == played
    assert Played.from_json({}) == Played.from_json(None) == Played()


@pytest.mark.parametrize("data", [[], "x", 7, {"turns": "9", "exchanges": [1]}, {"rounds": 3}])
def test_what_another_game_left_counts_as_nothing(data):
    """Figures of another shape stop no line; the next one is counted."""
    assert Played.from_json(data) == Played()
    assert Played.from_json(data).after("al", ["bo"]).messages == 1
