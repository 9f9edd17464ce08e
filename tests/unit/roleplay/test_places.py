"""Nested places: which lies in which, and how near the place of a memory is."""

from dataclasses import replace

import pytest

from ai_assistant.core.errors import AssistantError
from ai_assistant.roleplay.places import (
    DEEPEST,
    MOST_PLACES,
    path_text,
    places_in,
    weights,
)
from ai_assistant.roleplay.play import Play, play_of
from ai_assistant.roleplay.scene import Member, SceneState, scene_facts
from ai_assistant.roleplay.scene_values import set_value

PLACES = {"cave": "lair", "lair": "mountains", "tavern": "town", "a": "b", "b": "a"}
SCENE = SceneState("s1", status="running", members=(Member("al", "Al"), Member("bo", "Bo")))


def put(scene, name, value):
    return set_value(scene, name, value, day=6, at=1.0).scene


def test_places_lie_in_places():
    """A cave in the lair is in the mountains, however they are spelt; circles end."""
    assert path_text("Cave", PLACES) == "Cave, in lair, in mountains"
    assert path_text("a", PLACES) == "a, in b"
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


def test_what_lies_elsewhere_is_seen_by_nobody():
    """Each is told what lies where it is, and what others have on them; staff are told all."""
    scene = put(put(SCENE, "location", "inn"), "thing", "the clapper: cellar")
    scene = put(put(scene, "thing", "the rope: inn"), "thing", "the key: Bo")
    scene = replace(scene, whereabouts={"bo": "cellar"})
    assert scene_facts(scene, 6, "al")["things"] == "Bo has the key; inn: the rope"
    assert scene_facts(scene, 6, "bo")["things"] == "Bo has the key; cellar: the clapper"
    assert scene_facts(scene, 6, scene.id)["things"] == "Bo has the key; inn: the rope"
    assert "cellar: the clapper; inn: the rope" in scene_facts(scene, 6)["things"]


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


# -- limits


def nested(count):
    """Return a scene of so many places, each for itself in the town."""
    scene = SCENE
    for number in range(count):
        scene = put(scene, "place", f"house {number} in town")
    return scene


def test_a_scene_keeps_a_limited_number_of_places():
    """More are refused; one that is known can still be put elsewhere."""
    scene = nested(MOST_PLACES)
    with pytest.raises(AssistantError, match="at most 40 places"):
        put(scene, "place", "one more in town")
    moved = put(scene, "place", "House 7 in village")
    assert moved.places["House 7"] == "village"
    assert len(moved.places) == MOST_PLACES


def test_places_lie_in_each_other_only_so_deep():
    """Eight names are the longest way out, whether it grows within or around."""
    scene = SCENE
    for number in range(DEEPEST - 1):
        scene = put(scene, "place", f"p{number} in p{number + 1}")
    assert len(path_text("p0", scene.places).split(", in ")) == DEEPEST
    for deeper in ("cellar in p0", "p7 in world"):
        with pytest.raises(AssistantError, match="At most 8"):
            put(scene, "place", deeper)


@pytest.mark.parametrize("circle", ["x in X", "mountains in cave", "Lair in cave"])
def test_no_place_lies_in_itself(circle):
    """Neither at once nor by a way round."""
    scene = put(put(SCENE, "place", "cave in lair"), "place", "lair in mountains")
    with pytest.raises(AssistantError, match="in itself"):
        put(scene, "place", circle)


def test_what_was_stored_before_the_limits_stops_nothing():
    """Of a chain of thousands only the next places count, and a prompt names those only."""
    chain = {f"a{number:04d}": f"a{number + 1:04d}" for number in range(3000)}
    found = weights("a0000", chain, "hello")
    assert len(found) == DEEPEST
    assert (found["a0000"], found["a0001"]) == (pytest.approx(1.1), pytest.approx(1.05))
    assert path_text("a0000", chain).count("in") == DEEPEST - 1


def test_a_thing_is_given_to_somebody_by_a_short_name():
    """A place that bears the very name comes first, and a whole name before that."""
    tansy = Member("ta", "Tansy Brewell")
    scene = replace(SCENE, members=(*SCENE.members, tansy))
    for where, holder in (("Tansy", "ta"), ("tansy brewell", "ta"), ("Al", "al"), ("mill", "mill")):
        changed = set_value(scene, "thing", f"the sword: {where}", day=1, at=1.0)
        assert changed.scene.things == {"the sword": holder}
    taken = replace(scene, things={"a lamp": "Tansy"})
    changed = set_value(taken, "thing", "the sword: Tansy", day=1, at=1.0)
    assert changed.scene.things["the sword"] == "Tansy"
