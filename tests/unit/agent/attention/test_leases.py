"""Leases: several bodies of one character do each thing one at a time."""

import pytest

from ai_assistant.agent.attention.leases import HELD, may_do
from ai_assistant.agent.unasked.autonomy_state import GREET_AGAIN, GREET_WITHIN, AutonomyState
from ai_assistant.agent.unasked.walking import Walker
from ai_assistant.core.contracts import Change, Commit, Entity
from ai_assistant.planning.goals import current_goals, new_goal
from ai_assistant.testing import Stage, people
from ai_assistant.testing.scripted_model import run

ALICE, BOB = people("Alice", "Bob")
ONE = Entity("e-innkeeper", "Vessa", "npc")
OTHER = Entity("e-innkeeper2", "Vessa", "npc")


@pytest.fixture
def bodies():
    """Two bodies of one innkeeper, who share their goals and the time."""
    first = Stage(me=ONE)
    second = Stage(me=OTHER, store=first.store)
    second.mind.clock = second.clock = first.clock
    first.mind.siblings = lambda: [second.mind]
    second.mind.siblings = lambda: [first.mind]
    for one in (first, second):
        one.world.lay_out(inn=["square"], square=["inn", "gate"], gate=["square"])
        one.world.place = "inn"
    return first, second


def aim(stage, id, kind="", about=None, **values):
    """Give the innkeeper a goal; returns it."""
    goal = new_goal(id, f"Goal {id}", at=0.0, kind=kind, about=about, readers="*", **values)
    step = {"goal": goal, "at": 0.0}
    stage.mind.save(Commit(0.0, changes=[Change("goals", "", "add_goal", step)]))
    return goal


def rounds(stage, id, **values):
    """Tell it to make rounds from the inn to the gate."""
    stops = [{"place": "inn", "name": "Inn"}, {"place": "gate", "name": "Gate"}]
    return aim(stage, id, "patrol", {"stops": stops, "pause": 0}, **values)


def walked(*walkers, steps=4, seconds=5):
    """Let some bodies go on by turns, a heartbeat apart."""
    for _ in range(steps):
        for one in walkers:
            run(one.step())
        walkers[0].mind.clock.advance(seconds)


def test_one_body_walks_a_round(bodies):
    """A round that staff gave is walked by whoever comes first; the other stays where it is."""
    first, second = bodies
    rounds(first, "goal_0_0")
    walkers = Walker(first.mind), Walker(second.mind)
    walked(*walkers)
    assert [bool(one.goal) for one in walkers] == [True, False]
    assert first.world.deeds
    assert second.world.deeds == []


def test_two_rounds_take_two_bodies(bodies):
    """Each has one of them in hand, and neither changes."""
    first, second = bodies
    rounds(first, "goal_0_0")
    rounds(first, "goal_0_1")
    walkers = Walker(first.mind), Walker(second.mind)
    walked(*walkers)
    before = [one.goal["id"] for one in walkers]
    assert sorted(before) == ["goal_0_0", "goal_0_1"]
    walked(*walkers)
    assert [one.goal["id"] for one in walkers] == before


def test_who_stops_leaves_it_to_the_other(bodies):
    """A body that sleeps or was stopped renews nothing; after a while the other goes on."""
    first, second = bodies
    rounds(first, "goal_0_0")
    walkers = Walker(first.mind), Walker(second.mind)
    walked(*walkers)
    walked(walkers[1])
    assert walkers[1].goal is None
    first.clock.advance(10 * HELD)
    walked(walkers[1])
    assert walkers[1].goal["id"] == "goal_0_0"
    walked(*walkers)
    assert walkers[0].goal is None


def test_what_is_done_is_free_again(bodies):
    """After a walk ended, nobody has it in hand; a new one is begun at once."""
    first, second = bodies
    aim(first, "goal_0_0", "visit", {"place": "gate", "name": "Gate"})
    walkers = Walker(first.mind), Walker(second.mind)
    walked(*walkers)
    assert first.world.place == "gate"
    assert "goal_0_0" not in first.mind.leases


def test_a_more_urgent_walk_hands_the_other_one_over(bodies):
    """Whoever turns to something else leaves what it did to the other body."""
    first, second = bodies
    rounds(first, "goal_0_0", priority="low")
    walkers = Walker(first.mind), Walker(second.mind)
    walked(*walkers)
    rounds(first, "goal_0_1", priority="high")
    walked(*walkers)
    assert [one.goal["id"] for one in walkers] == ["goal_0_1", "goal_0_0"]


def test_who_was_asked_does_it(bodies):
    """Alice asked the second body to come along: that one follows her, and the first does not."""
    first, second = bodies
    second.world.enter(ALICE)
    second.model.calls(("follow", {"person": "p1"}), ("say", {"text": "Gladly."}))
    second.ask(ALICE, "Come with me, Vessa!")
    walkers = Walker(first.mind), Walker(second.mind)
    walked(*walkers)
    assert [bool(one.goal) for one in walkers] == [False, True]


def test_both_may_be_asked_for_the_same(bodies):
    """Alice asks one and then the other to follow her: both do, each for itself."""
    for one in bodies:
        one.world.enter(ALICE)
        one.model.calls(("follow", {"person": "p1"}), ("say", {"text": "Gladly."}))
        one.ask(ALICE, "Come with me, Vessa!")
    walkers = [Walker(one.mind) for one in bodies]
    walked(*walkers)
    goals = [one.goal["id"] for one in walkers]
    assert len(set(goals)) == 2


def test_what_one_took_on_is_anybodys_when_it_is_gone(bodies):
    """The body that was asked is deleted, and the other one goes on with it."""
    first, second = bodies
    rounds(first, "goal_0_0", body=ONE.id)
    walker = Walker(second.mind)
    walked(walker)
    assert walker.goal is None
    second.mind.siblings = tuple
    walked(walker)
    assert walker.goal["id"] == "goal_0_0"


def test_a_task_is_thought_about_by_one_body(bodies):
    """An autonomous turn on a goal keeps the other from it; that one works on the next."""
    first, _ = bodies
    for one in bodies:
        one.mind.config.values["autonomy_interval"] = 60
    aim(first, "goal_0_0", priority="high")
    aim(first, "goal_0_1", priority="low")
    minds = [AutonomyState(one.mind) for one in bodies]
    first.clock.advance(900)
    chosen = []
    for one in minds:
        assert one.consider().act
        one.begun()
        chosen.append(one.decision.goal["id"])
    assert chosen == ["goal_0_0", "goal_0_1"]


def test_subtasks_go_with_their_goal(bodies):
    """What one took on itself it does to the end, step by step."""
    first, second = bodies
    aim(first, "goal_0_0", body=ONE.id)
    below = aim(first, "goal_0_1", parent_id="goal_0_0")
    goals = current_goals(first.store.read("goals"))
    assert may_do(first.mind, goals, below)
    assert not may_do(second.mind, goals, below)


def test_the_next_task_is_one_that_is_free(bodies):
    """The tool gives each body a task of its own, and the prompt says what the other does."""
    first, second = bodies
    aim(first, "goal_0_0", priority="high")
    aim(first, "goal_0_1", priority="low")
    told = []
    for one in bodies:
        one.world.enter(BOB)
        one.model.call("get_next_task").say("I am busy.")
        one.ask(BOB, "What do you do?")
        told.append(one.model.shown().rpartition('"task"')[2])
    assert "goal_0_0" in told[0]
    assert "goal_0_1" in told[1]
    assert "(done by another body of yours)" in second.model.shown()


def test_a_guest_is_greeted_once(bodies):
    """Whoever comes in is greeted by one body, wherever the other is when they meet."""
    for one in bodies:
        one.world.enter(ALICE)
        one.mind.config.values.update({"autonomy_interval": 60, "greets": "everybody"})
    minds = [AutonomyState(one.mind) for one in bodies]
    bodies[0].clock.advance(GREET_WITHIN)
    coming = bodies[0].world.event(ALICE, "Alice arrives.", "move")
    acts = []
    for one in minds:
        one.notice(coming)
        acts.append(one.consider().occasion)
        one.begun()
    assert acts[0].kind == "nod"
    assert acts[1] is None
    bodies[0].clock.advance(GREET_AGAIN + 1)
    minds[1].notice(coming)
    assert minds[1].consider().occasion.kind == "nod"


def test_a_character_of_one_body_asks_nobody():
    """Everything is its own."""
    stage = Stage()
    goal = rounds(stage, "goal_0_0", body="e-gone")
    assert may_do(stage.mind, [goal], goal)
