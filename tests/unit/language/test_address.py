"""Address: whom a line names, whom it turns to, and what it costs to find out."""

import time

import pytest

from ai_assistant.language.address import addresses, speaks_to
from ai_assistant.roleplay.participants import Present, Utterance, determine

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


HOSTILE = [
    ("ab " * 300 + "x", ["Ab " * 40]),
    ("hello ab " * 100 + "x", ["Ab Ba " * 20]),
    ("x, ab ab ab ab-" * 60, [f"{'Ab ' * 19}{'b' * n}" for n in range(40)]),
    ("x:" + "ab:" * 300, [" ".join(["Ab"] * n) for n in range(1, 40)]),
    ("aa" * 500, ["a" * n for n in range(20, 60)]),
    ("@ab_" * 250, ["ab_" * 20] * 40),
    ("is somebody " * 80, ["Somebody " * 6] * 40),
    ("who, all " * 100, ["All of you " * 5] * 40),
]


def cost(line, names):
    """Return the least CPU time of three for reading a line as all rules of names do."""
    hearers = [Present(f"e{at}", name) for at, name in enumerate(names)]
    spent = []
    for again in range(3):
        text = f"{line}{again}"  # no line is read twice
        began = time.process_time()
        addresses(text, names)
        determine(Utterance("1", Present("me", "Rolf"), text), hearers)
        spent.append(time.process_time() - began)
    return min(spent)


@pytest.mark.parametrize(("line", "names"), HOSTILE)
def test_no_name_makes_a_line_dear(line, names):
    """Names that repeat a word, and lines that do, cost what any names and lines cost."""
    usual = cost("The quick red fox, they say, jumps over a lazy dog. " * 20, ["Ann of Wells"] * 40)
    assert cost(line, names) < 50 * usual
