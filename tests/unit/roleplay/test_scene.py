"""Scenes: members, days, values, turn policies; each change tells the world."""

import pytest

from ai_assistant.core.errors import AssistantError
from ai_assistant.roleplay.play import Play, play_of
from ai_assistant.roleplay.scene import (
    Member,
    SceneState,
    join,
    leave,
)
from ai_assistant.roleplay.scene_values import MOST_FLAGS, set_day, set_value

AL, BO, CY = Member("al", "Al", True), Member("bo", "Bo"), Member("cy", "Cy", True)
SCENE = SceneState("s1", status="running", members=(AL, BO, CY))


def put(scene, name, value):
    return set_value(scene, name, value, day=6, at=1.0)


def test_members_come_and_go():
    """Nobody is in a scene twice, and nobody joins one that is over."""
    assert join(SCENE, BO) == SCENE
    assert leave(SCENE, "bo").participants() == ["al", "cy"]
    with pytest.raises(AssistantError, match="over"):
        join(SceneState("s2", status="stopped"), BO)


def test_moving_tells_the_world_from_where_to_where():
    """The update of a change of place, with both places in its metadata."""
    there = put(put(SCENE, "location", "tavern").scene, "location", "dragon_lair")
    (update,) = there.updates
    assert update.content == "The party moved from tavern to dragon_lair. GameDay: 6"
    assert (update.meta["location"], update.meta["previousLocation"]) == ("dragon_lair", "tavern")
    assert there.scene.scene == "dragon_lair"


def test_values_have_the_seeds_names():
    """Time of day and quest are known by name, flags are whatever else."""
    scene = put(put(put(SCENE, "time", "night").scene, "quest", "the sword").scene, "a", "1").scene
    assert (scene.time_of_day, scene.quest, scene.flags) == ("night", "the sword", {"a": "1"})
    assert play_of(scene, 6).facts == {
        "gameDay": 6, "timeOfDay": "night", "activeQuest": "the sword", "a": "1",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("name", "value"), [("policy", "loudest"), ("fiction", "maybe"), ("permanent", "x"), ("", "x")]
)
def test_nonsense_is_refused(name, value):
    """A value that does not fit is an error that says what does."""
    with pytest.raises(AssistantError):
        put(SCENE, name, value)


def test_flags_are_bounded():
    """A scene cannot be filled up."""
    scene = SCENE
    for number in range(MOST_FLAGS):
        scene = put(scene, f"flag{number}", "x").scene
    assert put(scene, "flag1", "y").scene.flags["flag1"] == "y"
    with pytest.raises(AssistantError, match="at most"):
        put(scene, "one more", "x")


def test_days_are_set_by_hand():
    """A day is told to the world; 0 goes by the clock again, silently."""
    assert set_day(SCENE, 5, 1.0).updates[0].game_day == 5
    assert set_day(SCENE, 0, 1.0).updates == ()
    with pytest.raises(AssistantError):
        set_day(SCENE, -1, 1.0)


def test_a_scene_reads_the_game_too_unless_told_otherwise():
    """What is remembered in a scene: its own, and the game's where it inherits."""
    assert Play("s1").sessions == {"s1", ""}
    assert play_of(put(SCENE, "inherits", "off").scene, 1).sessions == {"s1"}
    assert Play().sessions == {""}
