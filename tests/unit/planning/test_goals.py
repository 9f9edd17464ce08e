"""Goals: progress that rolls up, ids for good, nobody learns more, and nothing is lost unseen."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ai_assistant.core.readers import NOBODY, OPEN, meet
from ai_assistant.planning import goal_tree
from ai_assistant.planning.goals import (
    COUNTERS,
    GOALS,
    MAX_DEPTH,
    MAX_FINISHED,
    MAX_OPEN,
    MAX_SUBTASKS,
    current_goals,
    goal_id,
    new_goal,
    next_number,
    no_room_for_goal,
    usable_goals,
)

AT = 1_780_000_000.0
TAVERN = ["Design layout", "Build structure", "Add furniture", "Create bartender"]


class Plans:
    """A state of goals with the steps as methods."""

    def __init__(self, stored=()):
        self.state = {"goals": list(stored)}
        self.rows = []
        self.at = AT

    def _step(self, op, **args):
        self.at += 1
        self.state = json.loads(json.dumps(self.state))
        self.rows += GOALS.apply(self.state, op, {"at": self.at, **args})

    def add(self, id, description="", parent=None, readers=OPEN, **more):
        goal = new_goal(
            id, description or id, at=self.at, parent_id=parent, readers=readers, **more
        )
        self._step("add_goal", goal=goal)

    def update(self, id, **fields):
        self._step("update_goal", goal_id=id, **fields)

    def drop(self, id):
        self.update(id, status="dropped")

    def of(self, id):
        return goal_tree.find_goal(current_goals(self.state), id)

    def shown(self, id):
        goal = self.of(id)
        return goal["status"], goal["progress"]


@pytest.fixture
def tavern():
    """A tavern in five subtasks."""
    plans = Plans()
    plans.add("goal_42_0", "Build tavern", priority="high")
    for number, words in enumerate([*TAVERN, "Write descriptions"], 1):
        plans.add(f"goal_42_{number}", words, "goal_42_0")
    return plans


# -- open, and not to be gone on with


@pytest.mark.parametrize("pause", ["blocked", "waiting"])
def test_what_has_to_wait_is_still_open(tavern, pause):
    """It keeps its progress, holds the goal above it open, and is dropped with it."""
    tavern.update("goal_42_1", progress=60)
    tavern.update("goal_42_1", status=pause, outcome="No nails.")
    assert tavern.of("goal_42_1")["outcome"] == "No nails."
    for number in range(2, 6):
        tavern.update(f"goal_42_{number}", status="completed")
    assert tavern.shown("goal_42_0") == ("active", 92)
    tavern.update("goal_42_1", status="active")
    assert tavern.shown("goal_42_1") == ("active", 60)
    assert tavern.of("goal_42_1")["outcome"] == ""
    tavern.update("goal_42_1", status=pause)
    tavern.drop("goal_42_0")
    assert tavern.of("goal_42_1")["status"] == "dropped"


# -- data that a game wrote by hand


def test_two_of_five_make_forty_percent(tavern):
    """(100 + 100 + 0 + 0 + 0) / 5 = 40 %."""
    tavern.update("goal_42_1", status="completed", progress=100)
    tavern.update("goal_42_2", status="completed", progress=100)
    assert tavern.of("goal_42_0")["progress"] == 40
    assert tavern.of("goal_42_0")["status"] == "active"
    assert tavern.of("goal_42_0")["subtask_ids"] == [f"goal_42_{n}" for n in range(1, 6)]


def test_a_new_goal_has_the_shape_of_the_seed(tavern):
    """Its fields have the names that game code uses, beside ours."""
    goal = tavern.of("goal_42_1")
    assert {
        "id": "goal_42_1",
        "description": "Design layout",
        "priority": "medium",
        "status": "active",
        "progress": 0,
        "parent_id": "goal_42_0",
        "subtask_ids": [],
    }.items() <= goal.items()


def test_the_seeds_own_list_is_understood():
    """Written by hand, without parents and statuses, the example rolls up all the same."""
    stored = [
        {"id": "goal_42_0", "description": "Build tavern", "progress": 40,
         "subtask_ids": ["goal_42_1", "goal_42_2", "goal_42_3", "goal_42_4", "goal_42_5"]},
        {"id": "goal_42_1", "description": "Design layout", "progress": 100, "status": "completed"},
        {"id": "goal_42_2", "description": "Build structure", "progress": 100,
         "status": "completed"},
        {"id": "goal_42_3", "description": "Add furniture", "progress": 0, "status": "active"},
        {"id": "goal_42_4", "description": "Create bartender", "progress": 0, "status": "active"},
        {"id": "goal_42_5", "description": "Write descriptions", "progress": 0, "status": "active"},
    ]  # fmt: skip
    plans = Plans(stored)
    plans.update("goal_42_3", status="completed")
    assert plans.shown("goal_42_0") == ("active", 60)
    assert plans.of("goal_42_5")["parent_id"] == "goal_42_0"


# -- up the tree


def test_a_goal_is_complete_with_its_last_subtask(tavern):
    """When all children are complete, so is the goal."""
    for number in range(1, 6):
        tavern.update(f"goal_42_{number}", status="completed")
    assert tavern.shown("goal_42_0") == ("completed", 100)
    assert tavern.of("goal_42_0")["finished"]


def test_roll_up_reaches_the_top():
    """The mean of the means, level by level."""
    plans = Plans()
    for id, parent in (("a", None), ("b", "a"), ("c", "a"), ("d", "b"), ("e", "b")):
        plans.add(id, parent=parent)
    plans.update("d", progress=50)
    assert [plans.of(id)["progress"] for id in "dba"] == [50, 25, 12.5]
    for id in "dec":
        plans.update(id, progress=100)
    assert {plans.shown(id) for id in "abcde"} == {("completed", 100)}


def test_reopening_opens_all_above(tavern):
    """What is not done after all makes everything above it undone."""
    for number in range(1, 6):
        tavern.update(f"goal_42_{number}", status="completed")
    tavern.update("goal_42_5", status="active")
    assert tavern.shown("goal_42_5") == ("active", 0)
    assert tavern.shown("goal_42_0") == ("active", 80)
    assert tavern.of("goal_42_0")["finished"] == ""


def test_a_new_subtask_opens_all_above(tavern):
    """A finished goal that gets a subtask has something left to do."""
    for number in range(1, 6):
        tavern.update(f"goal_42_{number}", status="completed")
    tavern.add("goal_43_6", "Hang the sign", "goal_42_0")
    assert tavern.shown("goal_42_0") == ("active", 83.33)


def test_what_is_dropped_leaves_the_mean(tavern):
    """Progress counts what is still meant to be done; a goal dropped takes its subtasks along."""
    tavern.update("goal_42_1", progress=50)
    tavern.add("goal_42_6", "Find timber", "goal_42_2")
    tavern.drop("goal_42_2")
    assert tavern.shown("goal_42_0") == ("active", 12.5)
    assert [tavern.of(f"goal_42_{n}")["status"] for n in (2, 6)] == ["dropped", "dropped"]


def test_dropping_the_rest_completes(tavern):
    """When all that was not dropped is done, the goal is done."""
    tavern.update("goal_42_1", status="completed")
    for number in range(2, 6):
        tavern.drop(f"goal_42_{number}")
    assert tavern.shown("goal_42_0") == ("completed", 100)


def test_a_parent_is_not_complete_by_decree(tavern):
    """Progress and completion of a goal with subtasks follow from those, whatever is asked."""
    tavern.update("goal_42_0", status="completed", progress=100)
    assert tavern.shown("goal_42_0") == ("active", 0)


def test_a_leaf_at_a_hundred_is_complete(tavern):
    """All done is done, and done is all."""
    tavern.update("goal_42_1", progress=100)
    tavern.update("goal_42_2", status="completed", progress=30)
    assert tavern.shown("goal_42_1") == tavern.shown("goal_42_2") == ("completed", 100)


def test_an_outcome_ends_a_goal(tavern):
    """How it ended is kept with the goal, and goes when it is taken up again."""
    tavern.update("goal_42_1", status="completed", outcome="Three rooms and a hall.")
    assert tavern.of("goal_42_1")["outcome"] == "Three rooms and a hall."
    tavern.update("goal_42_1", status="active")
    assert tavern.of("goal_42_1")["outcome"] == ""


# -- ids


def test_an_id_is_given_once():
    """The counter never falls, what was minted counts, and ids written by hand are stepped over."""
    counters = {"ticks": 42, "goals": 3}
    assert goal_id(counters, next_number(counters, [], minted=0)) == "goal_42_3"
    assert next_number(counters, [], minted=7) == 7
    stored = [{"id": "goal_42_3"}, {"id": "goal_42_4"}]
    assert next_number(counters, stored, minted=0) == 5
    assert next_number(COUNTERS.empty(), [], minted=0) == 0


def test_a_known_id_is_not_added_again(tavern):
    """A step that is applied twice adds one goal."""
    tavern.add("goal_42_1", "Something else")
    assert tavern.of("goal_42_1")["description"] == "Design layout"
    assert len(tavern.state["goals"]) == 6


# -- readers


def test_a_subtask_has_at_most_the_readers_of_its_goal():
    """Whoever may know of a subtask may know of the goal above it."""
    plans = Plans()
    plans.add("secret", readers="e-alice")
    plans.add("part", parent="secret", readers=OPEN)
    plans.add("other", parent="secret", readers="e-bob")
    assert plans.of("part")["readers"] == "e-alice"
    assert plans.of("other")["readers"] == NOBODY


def test_only_what_may_be_read_is_used():
    """A goal made in a whisper is not among those that others hear of."""
    plans = Plans()
    plans.add("open")
    plans.add("secret", readers="e-alice")
    plans.state["goals"].append({"id": "by hand"})
    seen = usable_goals(plans.state, lambda readers, author: readers == OPEN)
    assert [one["id"] for one in seen] == ["open"]


# -- bounds


def test_open_goals_are_bounded():
    """A flood of goals is refused; the reason says what to do."""
    plans = Plans()
    for number in range(MAX_OPEN + 5):
        plans.add(f"g{number}")
    assert len(plans.state["goals"]) == MAX_OPEN
    assert "complete or drop some" in no_room_for_goal(current_goals(plans.state))


def test_subtasks_and_levels_are_bounded():
    """A goal has so many subtasks, and a tree so many levels."""
    plans = Plans()
    for number in range(MAX_DEPTH + 1):
        plans.add(f"d{number}", parent=f"d{number - 1}" if number else None)
    assert len(plans.state["goals"]) == MAX_DEPTH
    plans.add("wide")
    for number in range(MAX_SUBTASKS + 2):
        plans.add(f"w{number}", parent="wide")
    assert len(plans.of("wide")["subtask_ids"]) == MAX_SUBTASKS
    assert "12 subtasks" in no_room_for_goal(current_goals(plans.state), plans.of("wide"))


def test_older_finished_goals_become_memories():
    """The oldest finished trees leave the list whole, with outcome, author and readers."""
    plans = Plans()
    plans.add("old", "Build a mill.", author="e-bob", readers="e-bob")
    plans.add("stone", "Find the stone", "old", readers="e-bob")
    plans.update("stone", status="completed", outcome="It lay in the river.")
    for number in range(MAX_FINISHED):
        plans.add(f"g{number}")
        plans.update(f"g{number}", status="completed")
    assert plans.of("old") is None
    assert plans.of("stone") is None
    assert [row.content for row in plans.rows[:2]] == [
        "Goal completed: Build a mill.",
        "Goal completed: Find the stone. It lay in the river.",
    ]
    row = plans.rows[0]
    assert (row.kind, row.readers, row.author) == ("goal", "e-bob", "e-bob")
    assert row.meta["id"] == "old"


def test_a_finished_subtask_stays_while_its_goal_is_open():
    """What counts in a mean does not leave it."""
    plans = Plans()
    plans.add("top")
    plans.add("done", parent="top")
    plans.add("open", parent="top")
    plans.update("done", status="completed")
    for number in range(MAX_FINISHED + 5):
        plans.add(f"g{number}")
        plans.update(f"g{number}", status="completed")
    assert plans.shown("top") == ("active", 50)


# -- damage


def test_links_to_nobody_are_cut(tavern):
    """A goal taken out of the list leaves the others whole, and their mean right."""
    tavern.update("goal_42_1", status="completed")
    del tavern.state["goals"][5]
    tavern.update("goal_42_2", progress=50)
    assert tavern.of("goal_42_0")["subtask_ids"] == [f"goal_42_{n}" for n in range(1, 5)]
    assert tavern.shown("goal_42_0") == ("active", 37.5)


@pytest.mark.parametrize(
    "stored",
    [
        [{"id": "a", "parent_id": "a"}],
        [{"id": "a", "parent_id": "b"}, {"id": "b", "parent_id": "a"}],
        [{"id": "a", "subtask_ids": ["b"]}, {"id": "b", "subtask_ids": ["a"]}],
        ["nonsense", {"no": "id"}, {"id": 7}, {"id": "a", "priority": "?", "status": None}],
    ],
)
def test_nonsense_becomes_a_forest(stored):
    """However the list was written, no goal is above itself and every step still works."""
    plans = Plans(stored)
    plans.add("new", parent="a")
    plans.update("new", progress=100)
    assert_whole(plans)


# -- any history


def assert_whole(plans, readers=None):
    """Ids are unique, links agree, no cycle, the mean holds, and readers never widen."""
    goals = plans.state["goals"]
    assert len({one["id"] for one in goals}) == len(goals)
    assert goal_tree.mended_goals(json.loads(json.dumps(goals))) == goals
    for one in goals:
        live = goal_tree.live_children(goals, one)
        above = list(goal_tree.ancestors(goals, one))
        assert one["id"] not in [other["id"] for other in above]
        if live:
            mean = sum(child["progress"] for child in live) / len(live)
            assert one["progress"] == pytest.approx(mean, abs=0.01)
            if one["status"] != "dropped":
                done = all(child["status"] == "completed" for child in live)
                assert (one["status"] == "completed") == done
        assert 0 <= one["progress"] <= 100
        if above and readers is not None:
            nearest = above[0]["readers"]
            assert meet(one["readers"], nearest) == one["readers"]
        if readers and one["id"] in readers:
            assert meet(one["readers"], readers[one["id"]]) == one["readers"]


IDS = [f"g{number}" for number in range(9)]
LABELS = [OPEN, NOBODY, "e-alice", "e-bob", "e-alice,e-bob"]
STEPS = st.lists(
    st.one_of(
        st.tuples(
            st.just("add"),
            st.sampled_from(IDS),
            st.sampled_from([None, *IDS]),
            st.sampled_from(LABELS),
        ),
        st.tuples(
            st.just("update"),
            st.sampled_from(IDS),
            st.sampled_from(["", "active", "completed", "dropped"]),
            st.none() | st.integers(0, 100),
        ),
        st.tuples(st.just("drop"), st.sampled_from(IDS)),
    ),
    max_size=40,
)


@given(STEPS)
def test_any_history_keeps_the_promises(steps):
    """Whatever is added, worked on, re-opened and dropped: mean, ids, links and readers hold."""
    plans, labels = Plans(), {}
    for op, *args in steps:
        if op == "add":
            id, parent, readers = args
            labels.setdefault(id, readers)
            plans.add(id, parent=parent, readers=readers)
        elif op == "update":
            plans.update(args[0], status=args[1], progress=args[2])
        else:
            plans.drop(args[0])
        assert_whole(plans, labels)
