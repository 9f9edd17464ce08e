"""Address: whom a line names, whom it turns to, and what it costs to find out."""

import pytest

from ai_assistant.language.address import _calls, addresses, speaks_to

SERA = "Captain Seraphina Stormborne"


@pytest.mark.parametrize(
    "line",
    [
        "Captain Seraphina Stormborne!",
        "what does seraphina think?",
        "STORMBORNE",
        "Hello Captain.",
        "Captain, a word?",
        "Good morning captain!",
        "A word, captain?",
        "Ask @captain",
        "@seraphina look",
        "Seraphina's sword",
        "(Seraphina)",
    ],
)
def test_a_name_or_title_addresses(line):
    """A telling word of the name anywhere, the title where somebody is spoken to, a mention."""
    assert addresses(line, [SERA])


@pytest.mark.parametrize(
    "line",
    [
        "The captain of the other ship drowned.",
        "A captain goes down with the ship",
        "seraphinas",
        "unstormborne",
        "mail me at x@captainsea",
        "",
    ],
)
def test_a_title_in_passing_addresses_nobody(line):
    """Talk about captains is not talk to this one."""
    assert not addresses(line, [SERA])


@pytest.mark.parametrize(
    ("line", "turned_to"),
    [
        ("Sera, do you like Bob?", "Sera"),
        ("hello Sera have you seen Bob", "Sera"),
        ("Have you seen Bob, Captain Sera?", "Captain Sera"),
        ("hello Bob and Captain Sera!", "Bob Captain Sera"),
        ("Hello Captain and Bob", "Bob Captain Sera"),
        ("@sera where is Bob", "Sera"),
        ("I gave it to Sera and Bob knows", ""),
        ("Sera is nicer than Bob", ""),
    ],
)
def test_spoken_to_is_not_spoken_of(line, turned_to):
    """A line turns to whom it begins or ends with, and only mentions all others."""
    for name in ("Bob", "Captain Sera" if "Captain" in line else "Sera"):
        assert speaks_to(line, [name]) is (name in turned_to), name


@pytest.mark.parametrize(
    ("line", "name", "meant"),
    [
        ("Bo, come here.", "Bo Li", True),
        ("I go to Bo for bread, li", "Bo Li", True),
        ("Bo is a name of bows", "Bo Li", False),
        ("Where is Al", "Al", True),
        ("also", "Al", False),
        ("Tom of the mill", "Old Tom the Cook", True),
        ("the old mill", "Old Tom the Cook", False),
        ("Old, isn't it?", "Old Tom the Cook", False),
        ("Grüß dich, Jürgen!", "Jürgen", True),
        ("GRÜSSE AN STRAUSS", "Strauß", True),
        ("a.b", "a+b", False),
        ("O, the pain", "Miles O'Brien", False),
        ("O'Brien?", "Miles O'Brien", True),
        ("anything", "", False),
    ],
)
def test_names_of_all_kinds(line, name, meant):
    """Short names, names with particles, names in other letters, names full of signs."""
    assert addresses(line, [name]) is meant


@pytest.mark.parametrize(
    ("line", "turned_to"),
    [
        ('"Tansy, come here"', True),
        ("Old Bob, Mira & Tansy, come", True),
        ("Rolf and old Tansy, come", True),
        ("I think that what Bob said to Rolf and Tansy, long ago, was wrong", False),
        ("thank you Tansy for the bread", True),
        ("good evening Tansy is it open", True),
        ("Tansy - a word", True),
        ("Tansy-like", False),
        ("So Tansy what now", False),
        ("So Tansy, what now", True),
        ("…!", False),
    ],
)
def test_a_call_has_its_place(line, turned_to):
    """At the beginning, after a stop, a greeting or a "well", or beside others who are called."""
    assert speaks_to(line, ["Old Tansy Brewell"]) is turned_to


def test_no_more_than_eight_words_of_a_name_call_somebody():
    """A name that is a list of words gets its bearer no ear for every line."""
    name = "Ada Bea Cleo Dora Edda Fay Gwen Hilde Ines"
    assert speaks_to("Hilde, come!", [name])
    assert not addresses("Ines, come!", [name])


def test_only_what_may_call_somebody_is_taken_apart():
    """A night reads hundreds of lines, most of which name nobody, or somebody by name."""
    long = "The ferry is late, the miller owes me a cart, and my boots are wet. " * 15
    before = _calls.cache_info().misses
    assert not addresses(long, [SERA])
    assert addresses(f"{long} Seraphina knows.", [SERA])
    assert _calls.cache_info().misses == before
