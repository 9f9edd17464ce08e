"""Which lore comes to mind: each rule by itself, and several together."""

from collections import Counter

import pytest

from ai_assistant.language import forget_texts
from ai_assistant.roleplay.lorebook import Entry, Lorebook, Scan, activate, matching


def entry(key, *keys, **rules):
    """An entry that says its own key."""
    return Entry(key=key, content=f"About {key}.", keys=keys, **rules)


def minded(entries, *messages, book=None, **scan):
    """The keys of what comes to mind, in the order in which it is shown."""
    books = [Lorebook(entries=tuple(entries), **(book or {}))]
    return [one.entry.key for one in activate(books, Scan(messages=messages, **scan))]


# -- keys


@pytest.mark.parametrize(
    ("rules", "said", "comes"),
    [
        ({}, "The ALE is warm", True),
        ({}, "A pale horse", True),
        ({}, "Nothing", False),
        ({"whole_words": True}, "A pale horse", False),
        ({"whole_words": True}, "Warm (ale)!", True),
        ({"case_sensitive": True}, "The ALE", False),
        ({"case_sensitive": True}, "some ale", True),
        ({"case_sensitive": True, "whole_words": True}, "Ale or pale", False),
        ({"enabled": False}, "ale", False),
        ({"excluded": ("mead",)}, "ale and mead", False),
    ],
)
def test_how_a_key_is_found(rules, said, comes):
    """Case, whole words, the switch and excluded words."""
    assert minded([entry("a", "ale", **rules)], said) == (["a"] if comes else [])


def test_a_key_may_be_any_text():
    """Signs mean nothing but themselves, and every script has its letters."""
    entries = [
        entry("sign", "c++ (x)", whole_words=True),
        entry("script", "司書"),
        entry("fold", "STRASSE"),
        entry("empty"),
    ]
    assert minded(entries, "I know C++ (X)", "図書館の司書", "Straße") == ["fold", "script", "sign"]


@pytest.mark.parametrize(
    ("logic", "expected"),
    [
        ("and_any", [False, True, True, True]),
        ("and_all", [False, False, False, True]),
        ("not_any", [True, False, False, False]),
        ("not_all", [True, True, True, False]),
    ],
)
def test_the_four_logics(logic, expected):
    """Neither, one, the other, or both of the secondary keys beside the key."""
    said = ("ale", "ale red", "ale blue", "ale red blue")
    one = entry("a", "ale", secondary=("red", "blue"), logic=logic)
    assert [bool(minded([one], text)) for text in said] == expected
    assert not minded([one], "red blue")


def test_only_the_newest_messages_are_searched():
    """As many as the book says, or the entry for itself."""
    said = ("new", "older", "oldest ale")
    assert not minded([entry("a", "ale")], *said, book={"scan_depth": 2})
    assert minded([entry("a", "ale")], *said, book={"scan_depth": 3})
    assert minded([entry("a", "ale", scan_depth=3)], *said, book={"scan_depth": 1})
    assert not minded([entry("a", "ale", scan_depth=1)], *said, book={"scan_depth": 9})


def test_what_is_constant_needs_no_word():
    """It is there whatever is said, also when nothing is."""
    assert minded([entry("a", constant=True)]) == ["a"]


# -- order and room


def test_higher_order_stands_later():
    """Nearest to what is said now is what matters most."""
    entries = [entry("b", "x", order=20), entry("c", "x", order=30), entry("a", "x", order=10)]
    assert minded(entries, "x") == ["a", "b", "c"]


def test_where_room_is_short_the_higher_order_stays():
    """Constant ones first, then by order; a smaller one may still fit."""
    entries = [
        entry("low", "x", order=1),
        entry("high", "x", order=9),
        entry("ever", constant=True, order=0),
        Entry(key="huge", content="long " * 50, keys=("x",), order=5),
    ]
    assert minded(entries, "x", room=6.0, per_char=0.25) == ["ever", "high"]
    assert minded(entries, "x", room=11.0) == ["ever", "low", "high"]
    assert minded(entries, "x", room=0.0) == []


def test_a_book_has_a_budget_of_its_own():
    """One book cannot take the room of another beyond what it says itself."""
    first = Lorebook(entries=(entry("a", "x", order=2), entry("b", "x", order=1)), token_budget=3)
    second = Lorebook(entries=(entry("c", "x"),))
    fired = activate([first, second], Scan(messages=["x"]))
    assert [one.entry.key for one in fired] == ["a", "c"]


# -- recursion

CHAIN = [
    Entry(key="a", content="The inn serves ale.", keys=("inn",)),
    Entry(key="b", content="Ale is made of barley.", keys=("ale",)),
    Entry(key="c", content="Barley grows by the river.", keys=("barley",)),
]


def test_lore_reminds_of_lore():
    """Where the book allows it, round after round."""
    assert minded(CHAIN, "inn") == ["a"]
    assert minded(CHAIN, "inn", book={"recursive": True}) == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("at", "rule", "expected"),
    [
        (1, "exclude_recursion", ["a"]),
        (1, "prevent_recursion", ["a", "b"]),
        (0, "delay_until_recursion", []),
        (1, "delay_until_recursion", ["a", "b", "c"]),
    ],
)
def test_what_takes_no_part_in_recursion(at, rule, expected):
    """Not found by others, not reminding of others, or found by others only."""
    chain = list(CHAIN)
    one = chain[at]
    chain[at] = Entry(key=one.key, content=one.content, keys=one.keys, **{rule: True})
    assert minded(chain, "inn", book={"recursive": True}) == expected


def test_what_found_no_room_reminds_of_nothing():
    """Recursion goes by what is shown."""
    assert minded(CHAIN, "inn", room=2.0, book={"recursive": True}) == []


def test_recursion_ends():
    """A long chain stops after its rounds, a ring at once."""
    ring = [entry("a", "b", constant=True), Entry(key="c", content="b", keys=("about",))]
    assert minded(ring, "x", book={"recursive": True}) == ["a", "c"]
    long = [Entry(key=f"{n:03}", content=f"word{n + 1}.", keys=(f"word{n}.",)) for n in range(99)]
    assert len(minded(long, "word0.", book={"recursive": True})) < 10


# -- chance and groups


def test_chance_is_decided_by_the_seed():
    """The same seed always decides the same; many seeds come near the percentage."""
    one = [entry("a", "x", probability=30)]
    came = [bool(minded(one, "x", seed=str(n))) for n in range(1000)]
    assert came == [bool(minded(one, "x", seed=str(n))) for n in range(1000)]
    assert 250 < sum(came) < 350
    assert not minded([entry("a", "x", probability=0)], "x")


def test_one_of_a_group_comes():
    """By weight and seed; whoever goes first wins, and the highest order of those."""
    rivals = [
        entry("a", "x", groups=("g",), group_weight=90),
        entry("b", "x", groups=("g",), group_weight=10),
    ]
    winners = Counter(minded(rivals, "x", seed=str(n))[0] for n in range(1000))
    assert 850 < winners["a"] < 950
    assert all(len(minded(rivals, "x", seed=str(n))) == 1 for n in range(20))
    first = [
        entry(key, "x", groups=("g",), group_first=True, order=n) for n, key in enumerate("cd")
    ]
    assert minded([*rivals, *first], "x") == ["d"]


def test_a_group_that_has_come_keeps_others_out():
    """Also those that only a later round would bring."""
    entries = [
        Entry(key="a", content="About ale.", keys=("x",), groups=("g",)),
        entry("b", "ale", groups=("g", "h")),
    ]
    assert minded(entries, "x", book={"recursive": True}) == ["a"]


def test_what_is_still_in_mind_wins_its_group():
    """Nothing takes the place of what sticks."""
    rivals = [entry("a", "x", groups=("g",)), entry("b", "x", groups=("g",), group_first=True)]
    assert minded(rivals, "x", sticky=frozenset("a")) == ["a"]


# -- time and tags


def test_sticky_needs_neither_word_nor_luck():
    """What is still in mind stays, whatever chance and cooldown say."""
    one = [entry("a", "x", probability=0, delay=9)]
    assert minded(one, "y", sticky=frozenset("a"), resting=frozenset("a")) == ["a"]


def test_what_rests_or_waits_does_not_come():
    """Nor where it is constant."""
    assert not minded([entry("a", "x", constant=True)], "x", resting=frozenset("a"))
    assert not minded([entry("a", "x", delay=3)], "x", count=2)
    assert minded([entry("a", "x", delay=3)], "x", count=3)


def test_the_holder_must_have_every_tag():
    """Those of the entry, and those of its book."""
    one = [entry("a", "x", required_tags=("guild", "master"))]
    assert not minded(one, "x", tags=frozenset({"guild"}))
    assert minded(one, "x", tags=frozenset({"guild", "master", "other"}))
    assert not minded([entry("a", "x")], "x", book={"required_tags": ("guild",)})


def test_each_says_why():
    """By which word, or without any."""
    entries = (entry("a", "z", "x"), entry("b", constant=True), entry("c", "q"))
    fired = activate([Lorebook(entries=entries)], Scan(messages=["x"], sticky=frozenset("c")))
    assert [one.why for one in fired] == ["the word 'x'", "constant", "still in mind"]
    assert [one.anew for one in fired] == [True, False, False]


def test_rounds_are_few():
    """Where every entry reminds of the next one, it ends all the same."""
    entries = [entry(f"{n}", f"about {n - 1}.", f"start {n % 9}") for n in range(1000)]
    fired = minded(entries, "start 0", book={"recursive": True}, room=1e9)
    assert len(fired) == 667  # a ninth of them in each of six rounds


def test_forgetting_forgets_keys():
    """What a key was made into goes when texts are forgotten: keys are names, too."""
    minded([entry("a", "Mira", whole_words=True)], "Mira sings")
    assert matching._whole.cache_info().currsize
    forget_texts()
    assert not matching._whole.cache_info().currsize
