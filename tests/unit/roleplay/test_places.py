"""Nested places: which lies in which, and how near the place of a memory is."""

import pytest

from ai_assistant.errors import AssistantError
from ai_assistant.roleplay.places import depth_in, path_of, path_text, places_in, weights
from ai_assistant.roleplay.play import Play, play_of
from ai_assistant.roleplay.scene import Member, SceneState, scene_facts
from ai_assistant.roleplay.values import set_value

PLACES = {"cave": "lair", "lair": "mountains", "tavern": "town", "a": "b", "b": "a"}
SCENE = SceneState("s1", status="running", members=(Member("al", "Al"), Member("bo", "Bo")))


def put(scene, name, value):
    return set_value(scene, name, value, day=6, at=1.0).scene


def test_places_lie_in_places():
    """A cave in the lair is in the mountains, however they are spelt; circles end."""
    assert path_of("Cave", PLACES) == ["Cave", "lair", "mountains"]
    assert depth_in("cave", "Mountains", PLACES) == 2
    assert depth_in("mountains", "cave", PLACES) is None
    assert path_of("a", PLACES) == ["a", "b"]
    assert sorted(places_in("mountains", PLACES)) == ["cave", "lair", "mountains"]
    assert places_in("nowhere", PLACES) == ["nowhere"]


def test_members_know_where_their_scene_is():
    """What they are told is the whole way out of the place where it plays."""
    scene = put(put(SCENE, "place", "cave in lair"), "place", "lair in the mountains")
    assert path_text("cave", scene.places) == "cave, in lair, in the mountains"
    scene = put(scene, "location", "cave")
    assert scene_facts(scene, 6)["currentScene"] == "cave, in lair, in the mountains"
    with pytest.raises(AssistantError, match="in which"):
        put(SCENE, "place", "cave")


def test_nearer_places_count_more():
    """The very place most, then step by step outwards and inwards; others not at all."""
    found = weights("lair", PLACES, "What was that?")
    assert found["lair"] == pytest.approx(1.1)
    assert found["cave"] == found["mountains"] == pytest.approx(1.05)
    assert "tavern" not in found
    assert weights("", {}, "What?") == {}


def test_a_place_that_is_named_brings_back_what_lies_in_it():
    """Asked about the mountains, what happened in the cave there counts in full."""
    found = weights("tavern", PLACES, "What happened in the Mountains?")
    assert found["cave"] == found["lair"] == found["tavern"] == pytest.approx(1.1)


def test_only_scenes_have_such_places():
    """In the game itself a search is told of none."""
    assert Play().search("lair", "What?")["weights"] == {}
    play = play_of(put(put(SCENE, "place", "cave in lair"), "location", "cave"), 6)
    assert play.search("room", "What?")["weights"] == {"cave": 1.1, "lair": 1.05}


# -- relationships of a scene


def test_members_say_what_two_of_them_are():
    """Kept by the pair, told to the world, shown to the members, and changed by saying it anew."""
    changed = set_value(SCENE, "relationship", "bo, Al: old rivals", day=6, at=1.0)
    assert changed.updates[0].content == "Al and Bo: old rivals. GameDay: 6"
    assert scene_facts(changed.scene, 6)["relationships"] == "Al and Bo: old rivals"
    after = put(changed.scene, "relationship", "Al, Bo: sworn friends")
    assert scene_facts(after, 6)["relationships"] == "Al and Bo: sworn friends"


@pytest.mark.parametrize("text", ["Al: a fool", "Al, Cy: rivals", "Al, Al: odd", "Al, Bo:", "Al"])
def test_a_relationship_is_between_two_members(text):
    """Anything else is refused with an example."""
    with pytest.raises(AssistantError, match="old rivals"):
        put(SCENE, "relationship", text)
