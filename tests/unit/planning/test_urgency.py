"""Urgency: what a character would work on next, from priority, deadline and age."""

import pytest

from ai_assistant.core.times import DAY
from ai_assistant.planning.goals import GOALS, new_goal
from ai_assistant.planning.urgency import by_urgency, pressure


def goals(*made):
    """Goals of (id, priority, parent, deadline), each added a second later."""
    state = GOALS.empty()
    for at, (id, priority, parent, deadline) in enumerate(made):
        goal = new_goal(
            id, id, at=at, priority=priority, parent_id=parent, deadline=deadline, readers="*"
        )
        GOALS.apply(state, "add_goal", {"goal": goal, "at": at})
    return state["goals"]


def order(found, now=0.0, **options):
    return [one["id"] for one in by_urgency(found, now_game=now, **options)]


def test_priority_comes_first():
    """Critical before high before medium before low."""
    found = goals(*((p, p, None, None) for p in ("low", "high", "critical", "medium")))
    assert order(found) == ["critical", "high", "medium", "low"]


def test_age_decides_among_equals():
    """Of equals the oldest is next."""
    assert order(goals(("a", "medium", None, None), ("b", "medium", None, None))) == ["a", "b"]


def test_only_leaves_are_worked_on():
    """A goal with subtasks is done by doing those, in their order, and as urgently as itself."""
    found = goals(
        ("small", "medium", None, None),
        ("tavern", "high", None, None),
        ("plan", "low", "tavern", None),
        ("walls", "medium", "tavern", None),
    )
    assert order(found) == ["plan", "walls", "small"]


def test_a_deadline_presses():
    """Within a game day it weighs one priority, once over two; before that only among equals."""
    found = goals(
        ("medium", "medium", None, None),
        ("due", "low", None, 5 * DAY),
        ("later", "low", None, 9 * DAY),
    )
    assert order(found, 0) == ["medium", "due", "later"]
    assert order(found, 4.5 * DAY) == ["due", "medium", "later"]
    assert [pressure(10.0, now) for now in (-2 * DAY, 0, 10, 99)] == [0, 1, 2, 2]


def test_the_deadline_of_the_whole_holds_for_its_parts():
    """A subtask of something that is due today is due today."""
    found = goals(("other", "medium", None, None), ("feast", "medium", None, 100.0),
                  ("food", "medium", "feast", None))  # fmt: skip
    assert order(found, now=50)[0] == "food"


def test_finished_and_foreign_goals_are_passed_over():
    """Only what is open and may be used here is left."""
    found = goals(("a", "critical", None, None), ("b", "low", None, None))
    found[0]["readers"] = "e-alice"
    assert order(found, allow=lambda readers, author: readers == "*") == ["b"]
    found[1]["status"] = "completed"
    assert order(found, allow=lambda readers, author: readers == "*") == []


@pytest.mark.parametrize("dropped", [True, False])
def test_a_goal_whose_parts_were_dropped_is_a_leaf_again(dropped):
    """What has nothing left below it is worked on itself."""
    found = goals(("top", "medium", None, None), ("part", "medium", "top", None))
    found[1]["status"] = "dropped" if dropped else "active"
    assert order(found) == (["top"] if dropped else ["part"])
