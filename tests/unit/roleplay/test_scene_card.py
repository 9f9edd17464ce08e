"""A scene as a card: all of it goes in and comes out, and what is wrong in one is said."""

import json
from pathlib import Path

import pytest

from ai_assistant.core.errors import AssistantError, CardError
from ai_assistant.roleplay.permanent import role_rows
from ai_assistant.roleplay.props import cast
from ai_assistant.roleplay.scene import Member, join, leave
from ai_assistant.roleplay.scene_files.scene_card import (
    MOST_BYTES,
    scene_from_bytes,
    scene_to_bytes,
)
from ai_assistant.roleplay.scene_values import set_value

DEMO = [*Path(__file__).parents[3].glob("server/cards/the_*.yaml")]
BEGIN = "format: assistant scene\ntitle: The Feast\n"
ADA, TANSY = Member("e1", "Ada"), Member("e2", "Tansy", has_mind=True)


def read(text, file="feast.yaml"):
    return scene_from_bytes(text.encode(), file)


@pytest.mark.parametrize("path", DEMO, ids=lambda path: path.stem)
def test_cards_of_the_demo_come_out_as_they_went_in(path):
    """As YAML and as JSON; both have roles, lore, places and things."""
    scene = scene_from_bytes(path.read_bytes(), path.name)
    assert scene.roles
    assert scene.lore
    assert scene.places
    assert scene.things
    for file in ("card.yaml", "card.json"):
        assert scene_from_bytes(scene_to_bytes(scene, file), file) == scene


def test_there_are_two_in_the_demo():
    assert len(DEMO) == 2


def test_what_a_player_says_is_no_fact_of_a_card():
    """What the maker set stays; the word of one who plays along is left out."""
    scene = read(f"{BEGIN}values:\n  weather: rain\n")
    said = set_value(scene, "the reeve", "a thief", day=1, at=1.0, by=ADA).scene
    assert said.flags.keys() == {"weather", "the reeve"}
    assert scene_from_bytes(scene_to_bytes(said, "a.yaml"), "a.yaml").flags == {"weather": "rain"}


def test_texts_stay_as_they_were_typed():
    """An hour is no number of seconds, and yes is a word where a text is meant."""
    scene = read(f"{BEGIN}time: 12:30\nquest: yes\nvalues:\n  open: no\n  since: 2026-11-21\n")
    assert (scene.time_of_day, scene.quest) == ("12:30", "yes")
    assert scene.flags == {"open": "no", "since": "2026-11-21"}


def test_a_lorebook_of_another_program_is_read():
    """As its file has it; what is switched off is left out."""
    entries = [{"keys": ["bell"], "content": "It is dumb.", "comment": "bell", "enabled": True},
               {"keys": ["x"], "content": "Off.", "enabled": False}]  # fmt: skip
    card = {"format": "assistant scene", "title": "A", "lorebook": {"entries": entries}}
    assert [*read(json.dumps(card), "a.json").lore.values()] == ["It is dumb."]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("title: x", "first field is format"),
        ("format: assistant scene", "has a title"),
        (f"{BEGIN}wether: rain", "A scene has no 'wether'. There are: format, title"),
        (f"{BEGIN}policy: chaos", "'policy': 'policy' is one of"),
        (f"{BEGIN}day: soon", "'day' must be a number"),
        (f"{BEGIN}day: -1", "'day' must be a number"),
        (f"{BEGIN}values:\n  npc: x", "'npc': 'npc' is kept"),
        (f"{BEGIN}places:\n  a: b\n  b: a", "does not lie in itself"),
        (f"{BEGIN}values: [a]", "'values' must be an object"),
        (f"{BEGIN}roles:\n  a: b", "'a' must be an object"),
        (f"{BEGIN}roles:\n  a:\n    secret: b", "The role 'a' has no 'secret'"),
        (f"{BEGIN}roles:\n  a:\n    knows: b", "'knows' must be a list"),
        (f"{BEGIN}plot: {'x' * 4001}", "'plot' has 4001 characters; 4000 are allowed"),
        (f"{BEGIN}quest: {'x' * 201}", "'quest' has 201 characters; 200"),
        (f"{BEGIN}lorebook:\n" + "".join(f"  k{n}: x\n" for n in range(61)), "61 entries; 60"),
        (f"{BEGIN}roles:\n" + "".join(f"  r{n}: {{}}\n" for n in range(21)), "at most 20 play"),
        ("- a\n- b", "no YAML object"),
        ("a: [", "no YAML"),
        ("a: &a [*a]", "refers to itself"),
        ("a: 1\na: 2", "'a' is there twice"),
        ("? [a]\n: b", "A name in it is no text"),
        ("a: [[[[[[[[[[[[[[[[[[[[[[[[[b]]]]]]]]]]]]]]]]]]]]]]]]]", "nested more than"),
        ("x" * (MOST_BYTES + 1), "a scene has at most"),
        ("[" * 90_000, "nested more than|nesting depth"),  # or by libyaml itself
        ("- " * 40_000, "nested more than"),
        ("a: " + "{a: " * 20_000, "nested more than"),
    ],
)  # fmt: skip
def test_what_is_wrong_in_a_card_is_said(text, told):
    """In one line, and nothing of it is used."""
    with pytest.raises(CardError, match=told.replace("(", r"\(")):
        read(text)


class TestRoles:
    def scene(self):
        path = next(path for path in DEMO if "bell" in path.stem)
        scene = scene_from_bytes(path.read_bytes(), path.name)
        return join(join(scene, ADA), TANSY)

    def test_who_plays_one_has_what_comes_with_it(self):
        """The things of it at once, and what it alone knows as memories of its own."""
        scene = cast(self.scene(), TANSY, "Innkeeper")
        assert scene.things["the cellar key"] == "e2"
        told = [row.content for row in role_rows(scene, "e2", day=1, at=1.0)]
        assert told[0].startswith("You play the role innkeeper: You keep the inn")
        assert "wet boots" in told[1]
        assert [*role_rows(scene, "e1", day=1, at=1.0)] == []

    def test_a_role_is_played_by_one(self):
        """Another is told which are free; who leaves gives it back."""
        scene = cast(self.scene(), TANSY, "innkeeper")
        with pytest.raises(AssistantError, match="Free are: reeve, captain"):
            cast(scene, ADA, "innkeeper")
        with pytest.raises(AssistantError, match="Did you mean reeve"):
            cast(scene, ADA, "reve")
        assert cast(leave(scene, "e2"), ADA, "innkeeper").parts == {"e1": "innkeeper", "e2": ""}
