"""Goals as a model handles them: the answers, who may know, and what is put on record."""

import json

import pytest

from ai_assistant.core.errors import ModelTimeout
from ai_assistant.core.times import DAY
from ai_assistant.planning import goal_tree
from ai_assistant.planning.goals import MAX_OPEN, current_goals, subtasks_by_rule
from ai_assistant.testing import Stage, people
from tests.unit.tools.calling import told

ALICE, BOB = people("Alice", "Bob")
STEPS = ["Design layout", "Build structure", "Add furniture", "Create bartender", "Write menus"]
TAVERN = "Build a complete tavern"


@pytest.fixture
def stage():
    """Alice and Bob stand before the captain; it is her 42nd tick."""
    stage = Stage()
    stage.world.enter(ALICE, BOB)
    stage.store.state["counters", ""] = {"ticks": 42, "goals": 0}
    return stage


def add(description=TAVERN, **more):
    return ("add_goal", {"description": description, **more})


def update(goal_id, **more):
    return ("update_goal", {"goal_id": goal_id, **more})


def goals(stage):
    return current_goals(stage.store.read("goals"))


def goal(stage, id):
    return goal_tree.find_goal(goals(stage), id)


def decomposed(stage, answer=None):
    """Let a tavern be a goal, and broken down as this answer says."""
    told(stage, add(priority="high"))
    stage.model.call("decompose_goal", goal_id="goal_42_0")
    stage.model.text(json.dumps(STEPS) if answer is None else answer).call("wait")
    stage.ask(ALICE, "Well?")
    return json.loads(stage.model.requests[-1].messages[-1].content)


# -- flows


def test_a_goal_is_added(stage):
    """It answers with the id that is used at once, and the goal has its label and its author."""
    (result,) = told(stage, add(priority="high"))
    assert result == {
        "ok": True,
        "goal_id": "goal_42_0",
        "description": TAVERN,
        "priority": "high",
        "status": "active",
        "progress": 0,
        "parent_id": None,
    }
    (stored,) = goals(stage)
    assert (stored["readers"], stored["author"], stored["requester"]) == ("*", ALICE.id, ALICE.id)


def test_a_model_breaks_a_goal_down(stage):
    """Its array becomes children under ids of their own."""
    result = decomposed(stage)
    assert result == {
        "ok": True,
        "goal_id": "goal_42_0",
        "subtasks_created": 5,
        "subtasks": [
            {"id": f"goal_42_{number}", "description": one} for number, one in enumerate(STEPS, 1)
        ],
    }
    assert goal(stage, "goal_42_0")["subtask_ids"] == [f"goal_42_{n}" for n in range(1, 6)]
    assert goal(stage, "goal_42_3")["priority"] == "high"


def test_the_model_is_asked_for_that_goal_alone(stage):
    """The request is of the context goal_decompose, without tools, and counts in the turn."""
    decomposed(stage)
    request = stage.model.requests[-2]
    assert (request.context_type, request.tools) == ("goal_decompose", ())
    assert TAVERN in request.messages[-1].content
    turns = [one.data for one in stage.store.audit if one.type == "TurnCompleted"]
    assert len(turns[-1]["model_calls"]) == 3


@pytest.mark.parametrize("answer", ["I would rather not.", ModelTimeout()])
def test_rules_break_it_down_where_the_model_fails(stage, answer):
    """A bad answer, or none, and the turn goes on with the steps of the rules."""
    told(stage, add())
    stage.model.call("decompose_goal", goal_id="goal_42_0")
    stage.model.fail(answer) if isinstance(answer, Exception) else stage.model.text(answer)
    stage.model.call("wait")
    assert stage.ask(ALICE, "Well?").outcome == "silent"
    assert [one["description"] for one in goals(stage)[1:]] == subtasks_by_rule(TAVERN)


def test_without_energy_the_rules_break_it_down(stage):
    """A model is asked only for what the event can pay; else it costs nothing."""
    told(stage, add())
    event = stage.hear(ALICE, "Well?")
    stage.energy.mint(event.root, 1)
    while stage.energy.left(event.root) > 1:
        stage.energy.spend((event.root,))
    stage.model.call("decompose_goal", goal_id="goal_42_0")
    stage.turn(event)
    assert [one["description"] for one in goals(stage)[1:]] == subtasks_by_rule(TAVERN)
    assert "goal_decompose" not in [one.context_type for one in stage.model.requests]


def test_two_of_five_done_is_forty_percent(stage):
    """A whole state, by the tools."""
    decomposed(stage)
    results = told(
        stage,
        update("goal_42_1", status="completed", progress=100),
        update("goal_42_2", status="completed", progress=100),
    )
    assert results[0] == {"ok": True, "goal_id": "goal_42_1", "message": "Goal updated"}
    assert goal(stage, "goal_42_0")["progress"] == 40


# -- ids


def test_an_id_is_never_repeated(stage):
    """Finished, dropped, taken out by hand, or minted in a turn that came to nothing."""
    told(stage, add("One"), add("Two"))
    stage.store.state["goals", ""] = {"goals": []}
    stage.store.refuse = True
    stage.model.calls(add("Three")).call("wait")
    with pytest.raises(Exception, match="refuse"):
        stage.ask(ALICE, "Well?")
    (result,) = told(stage, add("Four"))
    assert result["goal_id"] == "goal_42_3"
    stage.mind.minted = 0  # a new process
    (result,) = told(stage, add("Five"))
    assert result["goal_id"] == "goal_42_4"


# -- who may know


def test_a_whispered_goal_stays_between_the_two(stage):
    """Others neither see it, nor can they touch it by guessing its id."""
    told(stage, add("Find Alice's ring"), kind="whisper")
    assert goals(stage)[0]["readers"] == ALICE.id
    listed, refused = told(stage, ("list_goals", {}), update("goal_42_0", progress=50), who=BOB)
    assert listed["goals"] == []
    assert "There is no goal 'goal_42_0'" in refused["error"]
    (listed,) = told(stage, ("list_goals", {}), kind="whisper")
    assert [one["id"] for one in listed["goals"]] == ["goal_42_0"]


def test_a_whispered_subtask_is_private_and_counts_all_the_same(stage):
    """Its words are for two; the progress of the open goal above it is disposition."""
    told(stage, add())
    told(stage, add("Dig a hidden cellar", parent_id="goal_42_0"), kind="whisper")
    told(stage, update("goal_42_1", progress=60), kind="whisper")
    assert goal(stage, "goal_42_1")["readers"] == ALICE.id
    assert goal(stage, "goal_42_0")["progress"] == 60
    (listed,) = told(stage, ("list_goals", {}), who=BOB)
    assert [one["id"] for one in listed["goals"]] == ["goal_42_0"]


def test_words_of_an_open_goal_do_not_change_in_private(stage):
    """What is whispered cannot get into the words that all may read."""
    told(stage, add())
    results = told(
        stage,
        update("goal_42_0", description="Build a den of thieves"),
        update("goal_42_0", status="completed", outcome="The thieves paid."),
        kind="whisper",
    )
    assert "must not change in private" in results[0]["error"]
    assert goal(stage, "goal_42_0")["description"] == TAVERN
    assert goal(stage, "goal_42_0")["outcome"] == ""
    assert [one["readers"] for one in stage.store.read("session")["completed_tasks"]] == [ALICE.id]


# -- what is put on record


def test_a_completed_goal_is_remembered(stage):
    """Journal, completed tasks and audit know of it, with the project and the outcome."""
    told(stage, ("create_project", {"project_key": "tavern", "summary": "A tavern."}))
    told(stage, add())
    told(stage, update("goal_42_0", status="completed", outcome="It has three rooms."))
    entry = stage.store.read("journal")["entries"][-1]
    assert entry["content"] == f"Completed a goal: {TAVERN}. It has three rooms."
    assert (entry["source_type"], entry["related_projects"]) == ("observation", ["tavern"])
    (task,) = stage.store.read("session")["completed_tasks"]
    assert task["content"] == f"{TAVERN}. It has three rooms."
    audited = [one for one in stage.store.audit if one.type.startswith("Goal")]
    assert [one.type for one in audited] == ["GoalCreated", "GoalUpdated", "GoalCompleted"]
    assert audited[2].data == {"goal_id": "goal_42_0", "outcome": "It has three rooms."}


def test_the_last_subtask_completes_what_is_above_it(stage):
    """The whole is remembered, once, and a part only where something is told of it."""
    told(stage, add(), *(add(one, parent_id="goal_42_0") for one in ("Build walls", "Sweep")))
    told(stage, update("goal_42_2", progress=100))
    told(stage, update("goal_42_1", progress=100, outcome="Of oak."))
    tasks = [one["content"] for one in stage.store.read("session")["completed_tasks"]]
    assert tasks == ["Build walls. Of oak.", f"{TAVERN}."]
    told(stage, update("goal_42_1", outcome="Of good oak."))
    assert len(stage.store.read("session")["completed_tasks"]) == 2


def test_a_dropped_goal_is_no_completed_task(stage):
    """It is given up with its subtasks, and why is kept with it."""
    decomposed(stage)
    (result,) = told(stage, ("drop_goal", {"goal_id": "goal_42_0", "reason": "No gold."}))
    assert result == {"ok": True, "goal_id": "goal_42_0", "message": "Goal dropped"}
    assert {one["status"] for one in goals(stage)} == {"dropped"}
    assert goal(stage, "goal_42_0")["outcome"] == "No gold."
    assert stage.store.read("session")["completed_tasks"] == []


def test_a_goal_goes_by_its_words(stage):
    """As the prompt shows it; two of the same words are asked back by their ids."""
    told(stage, add("Find the ring"), update("find the ring.", progress=40))
    assert goal(stage, "goal_42_0")["progress"] == 40
    (result,) = told(stage, ("drop_goal", {"goal_id": '"Find the ring"'}))
    assert result["goal_id"] == "goal_42_0"
    told(stage, add("Eat"), add("Find stone"), add("Eat", parent_id="Find stone"))
    (result,) = told(stage, ("drop_goal", {"goal_id": "Eat"}))
    assert "Which of them" in result["error"]
    (result,) = told(stage, ("drop_goal", {"goal_id": "stone"}))
    assert result["goal_id"] == goals(stage)[2]["id"]


def test_a_deadline_is_in_game_time(stage):
    """So many hours of the game's own time from now."""
    told(stage, add(deadline_hours=2.0))
    assert goals(stage)[0]["deadline"] == stage.world.game_time() + 7200


def test_the_list_shows_trees(stage):
    """Each goal is followed by its subtasks; finished ones only where they are asked for."""
    decomposed(stage)
    told(stage, update("goal_42_1", progress=100), add("Feed the cat"))
    still, all_of_them = told(stage, ("list_goals", {}), ("list_goals", {"status": "all"}))
    ids = [one["id"] for one in all_of_them["goals"]]
    assert ids == [f"goal_42_{number}" for number in range(7)]
    assert [one["id"] for one in still["goals"]] == [one for one in ids if one != "goal_42_1"]
    assert all_of_them["goals"][0]["progress"] == 20


# -- refusals


REFUSED = (
    (add(""), "'description' must not be empty"),
    (add("x" * 201), "has 201 characters"),
    (add(priority="urgent"), "'priority' must be one of: low, medium, high, critical"),
    (add(parent_id="goal_9_9"), "There is no goal 'goal_9_9'"),
    (add(deadline_hours=-1.0), "'deadline_hours' must be a number from 0"),
    (add("BUILD A MILL"), "You have that goal already: goal_42_0"),
    (update("goal_42_0"), "Say what is to change"),
    (update("goal_42_0", progress=101), "'progress' must be a number from 0 to 100"),
    (update("goal_42_0", progress=50), "follows from its subtasks"),
    (update("goal_42_0", status="completed"), "complete or drop those (goal_42_1)"),
    (update("goal_42_1", progress=100, status="active"), "is completed"),
    (update("goal_42_1", outcome="x" * 281), "has 281 characters"),
    (update("goal_42_1", status="done"), "'status' must be one of"),
    (update("nonsense", progress=1), "There is no goal 'nonsense'"),
    (("drop_goal", {"goal_id": "goal_42_2"}), "is completed already"),
    (("decompose_goal", {"goal_id": "goal_42_2"}), "only an open one"),
    (("decompose_goal", {"goal_id": "goal_42_0"}), "has subtasks already"),
    (("list_goals", {"status": "mine"}), "'status' must be one of"),
)


def test_bad_arguments_are_explained(stage):
    """What cannot be done is refused in words that help, and nothing changes."""
    told(stage, add("Build a mill"), add("Find stone", parent_id="goal_42_0"), add("Eat"))
    told(stage, update("goal_42_2", progress=100))
    before = goals(stage)
    for call, why in REFUSED:
        (result,) = told(stage, call)
        assert result["ok"] is False, call
        assert why in result["error"], call
    assert goals(stage) == before


def test_a_flood_of_goals_is_refused(stage):
    """Sixty open goals are enough; the answer says what to do."""
    many = [{"id": f"g{number}", "description": "x"} for number in range(MAX_OPEN)]
    stage.store.state["goals", ""] = {"goals": many}
    (result,) = told(stage, add())
    assert "complete or drop some first" in result["error"]


def test_what_has_waited_long_is_tried_again(stage):
    """A day where it is blocked, a week where somebody is waited for."""
    told(stage, add())
    for fields, days in (({"status": "blocked"}, 1), ({"waits_for": "Bob"}, 7)):
        (id,) = [one["id"] for one in goals(stage)]
        told(stage, update(id, **fields))
        now = stage.world.game_time()
        assert goal_tree.leaves(goals(stage), now + days * DAY - 1) == []
        assert goal_tree.leaves(goals(stage), now + days * DAY)
