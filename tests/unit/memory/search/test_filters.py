"""Filters: exact texts, compared numbers, all of them together."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from ai_assistant.memory.search.filters import (
    both,
    check_fields,
    conditions,
    facts_of,
    matches,
    read_filter,
)
from tests.unit.rows import a_row

FACTS = {"location": "tavern", "game_day": 5, "trust": 0.5}


@pytest.mark.parametrize(
    ("where", "fits"),
    [
        ({}, True),
        ({"location": "tavern"}, True),
        ({"location": "Tavern"}, False),
        ({"game_day": 5}, True),
        ({"game_day": ("==", 5)}, True),
        ({"game_day": (">=", 5)}, True),
        ({"game_day": (">", 5)}, False),
        ({"game_day": ["<=", 5]}, True),
        ({"game_day": ("<", 5)}, False),
        ({"trust": (">", 0.4), "location": "tavern"}, True),
        ({"trust": (">", 0.4), "location": "mill"}, False),
        ({"weather": "rain"}, False),
        ({"location": (">", 3)}, False),
        ({"location": "%"}, False),
    ],
)
def test_all_conditions_must_hold(where, fits):
    """Texts are equal or not, numbers are compared, and what is unknown never fits."""
    assert matches(FACTS, list(conditions(where))) is fits


@pytest.mark.parametrize(
    ("name", "wanted", "asks"),
    [
        ("gameDay", "five", "number"),
        ("timestamp", ("==", "yesterday"), "number"),
        ("isSpeaker", "maybe", "true or false"),
    ],
)
def test_a_value_that_no_memory_can_have_is_an_error(name, wanted, asks):
    """A filter that would match nothing for good is answered, by the name that was written."""
    with pytest.raises(ValueError, match=f"'{name}'.*{asks}"):
        list(conditions({name: wanted}))


@pytest.mark.parametrize(
    "where",
    [{"a": ("~", 3)}, {"a": (">", "x")}, {"a": None}, {"a": (">", 1, 2)}, {"a": (">", True)}],
)
def test_nonsense_is_an_error(where):
    """An operator that is none, and a comparison with no number, say so."""
    with pytest.raises(ValueError, match="'a'"):
        list(conditions(where))


LINE = a_row(
    1, "The gate is open.", speaker="Bob", at=9.0, author="e-bob", game_day=5, location="tavern",
    meta={"participants": ["e-bob", "e-al"], "is_speaker": True, "mood": "merry"},
)  # fmt: skip


@pytest.mark.parametrize(
    ("text", "fits"),
    [
        ("gameDay >= 5, gameDay < 6", True),
        ("gameDay > 5", False),
        ("isSpeaker = true, timestamp <= 9", True),
        ("isSpeaker = false", False),
        ("participants = Al", True),
        ("participants = e-cy", False),
        ("speaker = Bob", True),
        ("speaker == 'e-bob', type = utterance", True),
        ("location = tavern, mood = merry", True),
        ("location = Tavern", False),
    ],
)
def test_a_filter_can_be_written(text, fits):
    """Under the names that scenes print, with a name for who took part."""
    where = read_filter(text, lambda name: {"Al": "e-al"}.get(name, name))
    assert matches(facts_of(LINE), list(conditions(where))) is fits


@pytest.mark.parametrize(
    ("text", "fits"),
    [
        ("= 2026-11-21", True),
        ("= 2026-11-20", False),
        (">= 2026-11-21", True),
        ("> 2026-11-20", True),
        ("> 2026-11-21", False),
        ("<= 2026-11-21", True),
        ("< 2026-11-21", False),
        ("= 2026-11-21 18:04", True),
        ("< 2026-11-21 18:04", False),
        ("= 2026-11-21T18:04:05Z", True),
        ("= 2026-11-21T19:04:05+01:00", True),
        ("= 2026-11-21T18:04:06Z", False),
    ],
)
def test_a_time_can_be_written_as_a_date(text, fits):
    """As it is printed: a date is all of its day, a time its minute or its second."""
    said = datetime(2026, 11, 21, 18, 4, 5, 500_000, tzinfo=UTC).timestamp()
    where = read_filter(f"timestamp {text}", str)
    assert matches(facts_of(replace(LINE, learned_at=said)), list(conditions(where))) is fits


def test_one_of_several_texts_is_enough():
    """With "in" any of them fits; nothing fits none."""
    for names, fits in ((["mill", "tavern"], True), ([], False)):
        assert matches(facts_of(LINE), list(conditions({"location": ("in", names)}))) is fits


@pytest.mark.parametrize("text", ["on day 3", "gameDay", "gameDay ~ 3", "= 3"])
def test_what_is_no_filter_says_how_one_is_written(text):
    """Nothing of it is just dropped."""
    with pytest.raises(ValueError, match="write it as: gameDay >= 5"):
        read_filter(f"location = tavern, {text}", str)


def test_an_unknown_field_names_those_there_are():
    """What some memory has among its metadata is none."""
    check_fields(conditions({"mood": "merry", "gameDay": 3}), [facts_of(LINE)])
    with pytest.raises(ValueError, match=r"no field 'weather'.*gameDay.*isSpeaker.*timestamp"):
        check_fields(conditions({"weather": "rain"}), [facts_of(LINE)])


def test_two_filters_on_one_field_both_hold():
    """However each of them is written: neither takes the place of the other."""
    one = {"game_day": [(">=", 3)], "location": "tavern", "session": "s1"}
    asked = both(one, {"game_day": ("<=", 5), "location": ("in", ["tavern", "mill"])})
    assert sorted(conditions(asked), key=str) == sorted(
        [
            ("game_day", ">=", 3),
            ("game_day", "<=", 5),
            ("location", "==", "tavern"),
            ("location", "in", ["tavern", "mill"]),
            ("session", "==", "s1"),
        ],
        key=str,
    )
