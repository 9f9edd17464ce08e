"""Ticks: turns that nobody asked for, how much thought they are worth, and who pays for it."""

import pytest

from ai_assistant.agent.attention.energy import tick_energy
from ai_assistant.agent.unasked.autonomy import ITS_SHARE
from ai_assistant.agent.unasked.autonomy_state import AutonomyState
from ai_assistant.core.contracts import Change, Commit
from ai_assistant.core.model_records import ModelReply, TokenUsage, ToolCall
from ai_assistant.core.ports import Model
from ai_assistant.core.readers import OPEN
from ai_assistant.core.times import DAY
from ai_assistant.planning.goals import current_goals, new_goal
from ai_assistant.testing import Stage, people

ALICE, BOB = people("Alice", "Bob")


@pytest.fixture
def stage():
    return Stage(autonomy_interval=60)


def has_goal(stage, priority="medium", id="goal_0_0", **fields):
    """Give it a goal; returns that goal."""
    goal = new_goal(id, "Mend the net", at=0.0, priority=priority, readers=OPEN, **fields)
    step = Change("goals", "", "add_goal", {"goal": goal, "at": 0.0})
    stage.store.commit(Commit(0.0, changes=[step]))
    return goal


def goals(stage):
    return current_goals(stage.store.read("goals"))


def tick(stage, goal=None):
    return stage.turn(context_type="tick_autonomous", goal=goal)


# -- how much a tick is worth


@pytest.mark.parametrize(
    ("priority", "calls"), [("low", 1), ("medium", 2), ("high", 3), ("critical", 4)]
)
def test_a_goal_is_worth_thought_by_its_priority(stage, priority, calls):
    """From one call to four; what is looked at costs the next one."""
    goal = has_goal(stage, priority)
    for number in range(9):
        stage.model.call("recall", about=f"net {number}")
    tick(stage, goal)
    assert len(stage.model.requests) == calls


def test_a_deadline_lifts_it():
    """The most urgent is worth four, whatever lifted it; and one is always paid for."""
    assert [tick_energy(urgency, 100) for urgency in range(7)] == [1, 2, 3, 4, 4, 4, 4]
    assert tick_energy(3, 2) == 2
    assert tick_energy(3, -5) == 1


def test_without_a_goal_one_call_is_enough(stage):
    """A greeting or small talk is said or it is not."""
    stage.world.enter(ALICE)
    stage.model.call("look")
    tick(stage)
    assert len(stage.model.requests) == 1


def test_it_looks_and_then_acts(stage):
    """What it saw it acts upon in the same turn, for the goal of usual priority."""
    goal = has_goal(stage)
    stage.world.lay("net")
    stage.model.call("look").call("take", item="net")
    tick(stage, goal)
    assert [one for one in stage.world.deeds if "net" in one]


def test_a_goal_is_broken_down_by_the_model_where_energy_allows(stage):
    """The second call pays for the steps; with one alone rules make them."""
    for priority, first in (("high", "Buy twine"), ("low", "")):
        stage.store.state.clear()
        goal = has_goal(stage, priority)
        stage.model.call("decompose_goal", goal_id=goal["id"])
        stage.model.text('["Buy twine", "Find the holes", "Knot them"]').call("wait")
        tick(stage, goal)
        made = [one["description"] for one in goals(stage)[1:]]
        assert len(made) >= 3
        assert (first in made) == (priority == "high")
        stage.model.replies.clear()


def test_the_ids_of_goals_count_with_the_ticks(stage):
    """The number of the tick rises with each, and no id comes twice."""
    seen = []
    for _ in range(3):
        stage.model.calls(("add_goal", {"description": f"Goal {len(seen)}"}), ("wait", {}))
        tick(stage)
        seen.append(goals(stage)[-1]["id"])
    assert seen == ["goal_1_0", "goal_2_1", "goal_3_2"]


def test_a_step_that_is_tried_twice_was_taken(stage):
    """The repeat is refused, and the turn came to something all the same."""
    goal = has_goal(stage)
    for _ in range(2):
        stage.model.call("add_journal_entry", content="The work goes on.")
    report = tick(stage, goal)
    assert report.steps == 2
    assert not report.idle


# -- money


class Restless(Model):
    """A model that always looks once more, and never comes to an end."""

    def __init__(self):
        self.calls = 0

    async def complete(self, request):
        self.calls += 1
        call = ToolCall(f"call{self.calls}", "recall", {"about": f"net {self.calls}"})
        return ModelReply(tool_calls=(call,), usage=TokenUsage(900, 100, known=True))


def test_a_world_without_end_burns_no_money():
    """Days of a critical goal and a model that never has enough: each day ends at its share."""
    stage = Stage(model=Restless(), autonomy_interval=60)
    stage.caps = (97, 10_000_000)
    has_goal(stage, "critical")
    mind, spent = AutonomyState(stage.mind), []
    for _ in range(int(2 * DAY / 300)):
        stage.clock.advance(300)
        if mind.consider().act:
            mind.begun()
            mind.ended(idle=tick(stage, mind.decision.goal).idle)
        spent.append(stage.mind.budget.spent(stage.mind.key)[0])
    assert max(spent) <= ITS_SHARE * 97 + 1
    assert stage.model.calls >= 2 * 60


# -- goals that wait


def pauses(stage, **fields):
    """Let it note of its one goal that it has to wait."""
    goal = goals(stage)[0] if goals(stage) else has_goal(stage)
    stage.model.calls(("update_goal", {"goal_id": goal["id"], **fields}), ("wait", {}))
    tick(stage, goal)
    return goals(stage)[0]


def wanted(stage, mind):
    """Return the goal that it would work on after some minutes."""
    stage.clock.advance(600)
    return mind.consider().goal


def notices(stage, mind, who, kind="say"):
    mind.notice(stage.world.event(who, "Well met.", kind, at=stage.clock.now()))


def test_a_goal_waits_for_somebody(stage):
    """It is left alone until they speak; what others say wakes nothing."""
    stage.world.enter(ALICE, BOB)
    mind = AutonomyState(stage.mind)
    paused = pauses(stage, waits_for="Alice", outcome="She has the twine.")
    assert (paused["status"], paused["awaits"]["who"]) == ("waiting", ALICE.id)
    assert wanted(stage, mind) is None
    notices(stage, mind, BOB)
    assert wanted(stage, mind) is None
    notices(stage, mind, ALICE)
    assert wanted(stage, mind)["id"] == paused["id"]
    assert goals(stage)[0]["status"] == "active"


def test_who_comes_wakes_it_and_who_goes_does_not(stage):
    """Both are announced alike."""
    stage.world.enter(ALICE)
    mind = AutonomyState(stage.mind)
    pauses(stage, waits_for="Alice")
    stage.clock.advance(60)
    stage.world.leave(ALICE)
    notices(stage, mind, ALICE, "move")
    assert wanted(stage, mind) is None
    stage.world.enter(ALICE)
    notices(stage, mind, ALICE, "move")
    assert wanted(stage, mind) is not None


def test_what_they_said_before_does_not_wake_it(stage):
    """The line on which it began to wait is no news."""
    stage.world.enter(ALICE)
    mind = AutonomyState(stage.mind)
    notices(stage, mind, ALICE)
    pauses(stage, waits_for="Alice")
    assert wanted(stage, mind) is None


def test_what_is_blocked_is_tried_again_in_a_day(stage):
    """Other goals go on meanwhile."""
    paused = pauses(stage, status="blocked", outcome="The shop is shut.")
    mind = AutonomyState(stage.mind)
    assert paused["outcome"] == "The shop is shut."
    assert wanted(stage, mind) is None
    has_goal(stage, "low", "goal_0_9")
    assert wanted(stage, mind)["id"] == "goal_0_9"
    stage.world.seconds += DAY
    assert wanted(stage, mind)["id"] == paused["id"]


def test_what_waits_stands_in_the_prompt(stage):
    """With the reason why nothing is done about it."""
    stage.world.enter(ALICE)
    pauses(stage, waits_for="Alice")
    stage.model.say("Aye.")
    stage.ask(ALICE, "Well?")
    assert "waits for Alice" in stage.model.shown()


def test_to_wait_one_has_to_say_for_whom(stage):
    """Nobody knows otherwise when to go on."""
    goal = has_goal(stage)
    stage.model.calls(("update_goal", {"goal_id": goal["id"], "status": "waiting"}), ("wait", {}))
    stage.model.calls(("wait", {}))  # what it is told of the refusal
    tick(stage, goal)
    assert goals(stage)[0]["status"] == "active"
    stage.world.enter(ALICE)
    assert pauses(stage, status="waiting", waits_for="Alice")["status"] == "waiting"
