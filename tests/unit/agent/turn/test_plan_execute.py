"""Plan and execute: a plan first, then its steps; one failure is planned anew."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ai_assistant.agent.turn.plan_mode import LONGEST_STEP, read_plan
from ai_assistant.testing import Stage, people

(ALICE,) = people("Alice")


@pytest.fixture
def stage():
    """Alice before a captain who makes plans, and carries a rose."""
    stage = Stage(execution_mode="plan_execute", max_iterations_per_tick=5)
    stage.world.enter(ALICE)
    stage.world.carry("rose")
    return stage


def planned(stage):
    """Return the plans on record."""
    return [one.data for one in stage.store.audit if one.type == "Planned"]


def test_a_plan_is_made_then_carried_out(stage):
    """One call without tools plans; each step is told in turn, with the tools of a step."""
    stage.model.text('["Give her the rose", "Wish her well"]')
    stage.model.call("give", item="o1", to="p1").say("Farewell.")
    report = stage.ask(ALICE, "The rose, please.")
    assert report.steps == 3
    assert stage.model.requests[0].tools == ()
    assert "Do this step now: Give her the rose" in stage.model.shown(1)
    assert "Do this step now: Wish her well" in stage.model.shown(2)
    assert stage.world.deeds == ["give rose to Alice"]
    assert stage.world.said == ["Farewell."]
    assert planned(stage) == [{"steps": ["Give her the rose", "Wish her well"], "again": False}]


def test_a_failed_step_is_planned_anew_once(stage):
    """What failed leads to one new plan, and the old rest is forgotten."""
    stage.model.text('["Give her the crown", "Bow", "Leave"]')
    stage.model.call("give", item="o9", to="p1")
    stage.model.text('["Tell her the truth"]').say("I have no crown.")
    report = stage.ask(ALICE, "The crown, please.")
    assert report.steps == 4
    assert "That step failed" in stage.model.shown(2)
    assert [one["again"] for one in planned(stage)] == [False, True]
    assert stage.world.said == ["I have no crown."]


def test_a_second_failure_ends_the_plan(stage):
    """After two failures there is one step more, and only words in it."""
    stage.mind.config.values["max_iterations_per_tick"] = 10
    stage.model.text('["Give her the crown"]').call("give", item="o9", to="p1")
    stage.model.text('["Give her the other crown", "Leave"]').call("give", item="o8", to="p1")
    stage.model.say("I have no crown.")
    report = stage.ask(ALICE, "The crown, please.")
    assert report.steps == 5
    assert "give" not in stage.model.offered(-1)
    assert stage.world.said == ["I have no crown."]


def test_there_is_no_third_plan(stage):
    """Also where there is room for many more: here in a context with ten steps."""
    stage.mind.config.values["max_iterations_per_tick"] = 10
    for number in (1, 2):
        stage.model.text('["Dig", "Dig deeper"]').call("dig", depth=number)
    stage.model.text("There is nothing.")
    report = stage.turn(stage.hear(ALICE, "Dig!"), context_type="sleep_consolidate")
    assert report.steps == 5
    assert len(planned(stage)) == 2


def test_a_plan_that_never_speaks_is_closed_with_words(stage):
    """Somebody waits for an answer: the plan's end leaves a step for it."""
    stage.model.text("1. Look around").call("inspect_location").say("A fine inn.")
    assert stage.ask(ALICE, "How is it here?").steps == 3
    assert stage.world.said == ["A fine inn."]


def test_without_a_plan_it_goes_step_by_step(stage):
    """A model that gives no list loses one call, not the turn."""
    stage.model.text("I would rather just talk.").call("inspect_location").say("Well met.")
    assert stage.ask(ALICE, "Hello!").steps == 3
    assert stage.world.said == ["Well met."]


def test_a_plan_stays_within_the_cap(stage):
    """Planning counts: however long the plan, the steps are those that configuration allows."""
    stage.model.text(str([f"Look {n}" for n in range(30)]).replace("'", '"'))
    for number in range(4):
        stage.model.call("recall_memories", query=f"{number}")
    report = stage.ask(ALICE, "Look for it.")
    assert report.steps == 5
    assert report.problem == "Its steps ran out before it spoke."


def test_too_few_steps_are_not_planned(stage):
    """With two steps there is nothing to plan."""
    stage.mind.config.values["max_iterations_per_tick"] = 2
    stage.model.say("Hello.")
    assert stage.ask(ALICE, "Hello!").steps == 1
    assert planned(stage) == []


def test_a_plan_stays_within_the_energy(stage):
    """A tick pays for one call, and planning alone would take it: so it just acts."""
    stage.model.call("inspect_location")
    report = stage.turn(context_type="tick_autonomous")
    assert (report.steps, planned(stage)) == (1, [])


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ('["a", "b"]', ["a", "b"]),
        ('Sure! ```json\n["a", "b"]\n``` Good luck.', ["a", "b"]),
        ('{"plan": [{"step": "a"}, {"action": "b", "why": "c"}]}', ["a", "b"]),
        ("1. a\n2) b\n- c", ["a", "b", "c"]),
        ("Here [is] no list", []),
        ("", []),
        ('["1. a", "- b"]', ["a", "b"]),
        ('[1, null, {"x": 1}, "a"]', ["a"]),
        ('["|rred|n {x}"]', ["/rred/n (x)"]),
    ],
)
def test_plans_are_read_leniently(text, steps):
    """JSON in any wrapping, objects, or lines with numbers; all of it cleaned."""
    assert read_plan(text, 5) == steps


@given(st.text(alphabet='[]{}",:ab\n1.- \\', max_size=200), st.integers(0, 5))
def test_any_answer_makes_some_plan(text, most):
    """Whatever a model writes, what comes out is a short list of short texts."""
    plan = read_plan(text, most)
    assert len(plan) <= most
    assert all(isinstance(one, str) and 0 < len(one) <= LONGEST_STEP for one in plan)


def test_a_nested_flood_is_survived():
    """Deep nesting and length cost nothing worth speaking of."""
    assert read_plan("[" * 100_000, 5) == []
