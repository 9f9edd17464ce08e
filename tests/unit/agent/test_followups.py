"""Tools that go on with what another began: told of once there is any, and never withdrawn."""

import pytest

from ai_assistant.agent.followups import FOLLOW_UPS
from ai_assistant.testing import Stage, people
from ai_assistant.tools import BUILTIN

(ALICE,) = people("Alice")
TAVERN = {"description": "Build a tavern."}


@pytest.fixture
def stage():
    """An assistant with Alice before it."""
    stage = Stage()
    stage.world.enter(ALICE)
    yield stage
    assert stage.errors == []


def asked(stage, *calls):
    """Let Alice ask something; returns the tools that each step of the turn was told of."""
    before = len(stage.model.requests)
    for name, arguments in calls:
        stage.model.call(name, **arguments)
    stage.model.say("Well.")
    stage.ask(ALICE, "Marrek?")
    steps = range(before, len(stage.model.requests))
    return [set(stage.model.offered(step)) for step in steps]


def test_each_is_a_tool_of_ours():
    """No name in the table is that of a tool which is gone."""
    assert set().union(*FOLLOW_UPS.values()) <= {one.name for one in BUILTIN}


def test_nothing_begun_nothing_to_go_on_with(stage):
    """Whoever has no goal, project or fact is told of the tools that begin, and only of those."""
    (told,) = asked(stage)
    assert {"add_goal", "create_project", "list_projects", "add_session_memory"} <= told
    assert not told & set().union(*FOLLOW_UPS.values())


def test_begun_in_the_same_turn(stage):
    """What was begun a step ago can be gone on with in the next."""
    first, second = asked(stage, ("add_goal", TAVERN))
    assert "decompose_goal" not in first
    assert FOLLOW_UPS["goals"] <= second
    assert not FOLLOW_UPS["projects"] & second


def test_what_was_done_stays_on_record(stage):
    """The set does not shrink again when the last goal is reached: caches stay warm."""
    asked(stage, ("add_goal", TAVERN))
    goal = stage.store.read("goals")["goals"][0]["id"]
    asked(stage, ("update_goal", {"goal_id": goal, "status": "completed"}))
    (told,) = asked(stage)
    assert FOLLOW_UPS["goals"] <= told


def test_called_all_the_same(stage):
    """A model that was not told of it gets a reason, not a riddle."""
    asked(stage, ("update_project", {"context_update": "The roof is on."}))
    assert "create_project" in stage.model.shown()


def test_two_turns_are_told_of_the_same_tools(stage):
    """Tools stand at the beginning of what a provider caches, so talk alone changes nothing."""
    assert asked(stage) == asked(stage) == asked(stage)
