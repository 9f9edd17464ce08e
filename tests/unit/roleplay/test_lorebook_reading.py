"""Lorebooks from files: three formats, the same entries."""

import json

import pytest

from ai_assistant.core.errors import CardError
from ai_assistant.roleplay.lorebook import Entry, Lorebook, is_book, read_book
from tests.unit.roleplay.decks import ALL, card, world_info


def entry_of(**fields):
    """The one entry of a card's book with these fields."""
    fields = {"keys": ["ale"], "content": "Ale is cheap.", **fields}
    (found,) = read_book({"entries": [fields]}, "card").entries
    return found


def test_world_info_is_read_with_all_its_rules():
    """Every rule that SillyTavern writes is there under its own name; patterns are left out."""
    (entry,) = read_book(world_info(), "isle").entries
    assert entry == Entry(
        key="isle:0",
        content="The ferry does not cross by night.",
        name="The ferry",
        keys=("ferry",),
        secondary=("night",),
        logic="and_all",
        order=50,
        position="depth",
        depth=2,
        whole_words=True,
        probability=80,
        groups=("boats", "water"),
        group_first=True,
        group_weight=30,
        sticky=3,
        cooldown=4,
        delay=5,
        exclude_recursion=True,
        prevent_recursion=True,
    )


def test_a_shared_book_of_version_3():
    """It wraps its book in a spec of its own."""
    wrapped = {"spec": "lorebook_v3", "data": {"name": "Isle", "entries": [{"content": "Sand."}]}}
    assert is_book(wrapped)
    assert read_book(wrapped, "x").name == "Isle"
    assert not is_book(card(1, 2))


@pytest.mark.parametrize(
    ("number", "logic"), [(0, "and_any"), (1, "not_all"), (2, "not_any"), (3, "and_all")]
)
def test_the_four_logics_by_their_numbers(number, logic):
    """As programs count them."""
    assert entry_of(extensions={"selectiveLogic": number}).logic == logic


def test_secondary_keys_count_only_where_selective():
    """As version 2 has it."""
    assert entry_of(secondary_keys=["mug"]).secondary == ()
    assert entry_of(secondary_keys=["mug"], selective=True).secondary == ("mug",)


@pytest.mark.parametrize(
    ("fields", "position"),
    [
        ({"position": "before_char"}, "before"),
        ({"position": "after_char"}, "after"),
        ({"position": "after_char", "extensions": {"position": 4, "depth": 9}}, "depth"),
        ({"position": "nowhere", "extensions": {"position": True}}, "before"),
        ({"content": "@@depth 7\nDeep."}, "depth"),
    ],
)
def test_the_place_of_an_entry(fields, position):
    """Before or after the character, or at a depth; the finer one of two counts."""
    assert entry_of(**fields).position == position


def test_decorators_count_and_are_never_shown():
    """What we know of them changes the entry; what we do not know goes as well."""
    lines = "@@depth 7\n@@scan_depth 2\n@@role user\n\n@@exclude_keys mead, wine\n"
    entry = entry_of(content=f"{lines}@@additional_keys mug\n@@activate\nAle is cheap.")
    assert (entry.content, entry.depth, entry.scan_depth) == ("Ale is cheap.", 7, 2)
    assert (entry.excluded, entry.secondary, entry.constant) == (("mead", "wine"), ("mug",), True)
    assert not entry_of(content="@@dont_activate\nAle.").enabled


@pytest.mark.parametrize("keys", [["/(a+)+$/"], ["/ale/i", "/x.y/gs"]])
def test_patterns_of_strangers_are_never_run(keys):
    """A key that is a pattern is left out, however the entry marks it."""
    assert entry_of(keys=keys).keys == ()
    assert entry_of(keys=["a.*b"], use_regex=True).keys == ()


def test_content_is_inert():
    """Lore is as harmless as a persona."""
    assert (
        entry_of(content="{{char}} $pad(1) |r {{time}}").content == "{{char}} ﹩pad(1) /r ((time))"
    )


def test_required_tags_are_read_from_our_extension():
    """Of an entry and of a whole book."""
    ours = {"ai_assistant": {"required_tags": ["Guild"]}}
    assert entry_of(extensions=ours).required_tags == ("guild",)
    assert read_book({"entries": [], "extensions": ours}, "x").required_tags == ("guild",)


def test_each_entry_has_a_key_of_its_own():
    """By its id, or its words; the same after each import, and never twice."""
    raw = {"entries": [{"id": 1, "content": "A."}, {"id": 1, "content": "B."}, {"content": "C."}]}
    keys = [one.key for one in read_book(raw, "x").entries]
    assert keys[:2] == ["x:1", "x:1.2"]
    assert len(set(keys)) == 3
    assert keys == [one.key for one in read_book(raw, "x").entries]


def test_a_book_survives_being_kept():
    """What is stored, and read again, is the same book."""
    for number, version in ALL:
        book = read_book(card(number, version).get("data", {}).get("character_book", {}), "card")
        assert Lorebook.from_json(json.loads(json.dumps(book.to_json()))) == book


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        ({"entries": 7}, "must be a list"),
        ({"entries": [7]}, "list of objects"),
        ({"entries": {"0": 7}}, "objects"),
        ({"entries": [{"content": 7}]}, "'content' must be a text"),
        ({"entries": [{"content": "x" * 8001}]}, "8000 are allowed"),
        ({"entries": [{"content": "x", "keys": ["k"] * 41}]}, "40 are allowed"),
        ({"entries": [{"content": "x", "insertion_order": "1"}]}, "must be a number"),
        ({"entries": [{"content": "x", "extensions": {"sticky": True}}]}, "must be a number"),
        ({"entries": [{"content": "x", "keys": ["k"] * 40}] * 126}, "5000 are allowed"),
        ({"entries": [{"content": "x"}] * 1001}, "1000 are allowed"),
    ],
)
def test_what_is_no_lorebook_is_refused(raw, words):
    """Each refusal says what is wrong."""
    with pytest.raises(CardError, match=words):
        read_book(raw, "x")
