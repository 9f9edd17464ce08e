"""Filters: exact texts, compared numbers, all of them together."""

import pytest

from ai_assistant.memory.search.filters import conditions, matches

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
        ({"game_day": "5"}, False),
        ({"location": "%"}, False),
    ],
)
def test_all_conditions_must_hold(where, fits):
    """Texts are equal or not, numbers are compared, and what is unknown never fits."""
    assert matches(FACTS, list(conditions(where))) is fits


@pytest.mark.parametrize(
    "where",
    [{"a": ("~", 3)}, {"a": (">", "x")}, {"a": None}, {"a": (">", 1, 2)}, {"a": (">", True)}],
)
def test_nonsense_is_an_error(where):
    """An operator that is none, and a comparison with no number, say so."""
    with pytest.raises(ValueError, match="'a'"):
        list(conditions(where))
