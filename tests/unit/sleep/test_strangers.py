"""Strangers: who never came back, and of whom nothing is known, has no profile for ever."""

import pytest

from ai_assistant.core.contracts import Change, Commit
from ai_assistant.planning.goals import new_goal
from ai_assistant.sleep.report import night_report
from ai_assistant.testing import Stage, TableReader, people
from tests.unit.sleep.nights import night

ALICE, BOB = people("Alice", "Bob")
DAY = 86_400.0


@pytest.fixture
def stage():
    """The captain met Alice and Bob once, in passing."""
    stage = Stage(model=TableReader())
    for who in (ALICE, BOB):
        met(stage, who)
    return stage


def met(stage, who, times=1):
    """Let the captain meet somebody so many times."""
    at = stage.clock.now()
    identity = {"name": who.name, "entity_type": "player", "at": at}
    changes = [Change("profile", who.id, "create_entity_profile", identity)]
    changes += [Change("profile", who.id, "count_exchange", {"at": at})] * times
    stage.mind.save(Commit(at, changes=changes))


def after(stage, days):
    """Let so many days pass, and a night."""
    stage.clock.advance(days * DAY)
    return night(stage)


def known(stage):
    return sorted(stage.store.keys("profile"))


def test_after_a_season_they_are_let_go_of(stage):
    """Their profiles go, key and all, and the report counts them."""
    id = after(stage, 91)
    assert known(stage) == []
    assert night_report(stage.store.records(id))["strangers"] == 2


@pytest.mark.parametrize("days", [0, 89])
def test_before_that_they_stay(days, stage):
    """Who was here lately may come again."""
    after(stage, days)
    assert known(stage) == [ALICE.id, BOB.id]


def test_who_came_often_stays(stage):
    """Three talks are an acquaintance in the making."""
    met(stage, ALICE, times=2)
    after(stage, 91)
    assert known(stage) == [ALICE.id]


def test_of_whom_something_is_known_stays(stage):
    """An observation is worth keeping, whoever it is of."""
    noted = {
        "entity_id": ALICE.id,
        "content": "Alice has a scar.",
        "source": "direct",
        "at": 1.0,
        "author": ALICE.id,
        "readers": "*",
    }
    stage.mind.save(
        Commit(1.0, changes=[Change("profile", ALICE.id, "add_entity_observation", noted)])
    )
    after(stage, 91)
    assert known(stage) == [ALICE.id]


def test_who_waits_for_something_stays(stage):
    """The captain promised Alice to look for her ring."""
    goal = new_goal("goal_0_0", "Find the ring", at=0.0, requester=ALICE.id, readers="*")
    step = {"goal": goal, "at": 0.0}
    stage.mind.save(Commit(1.0, changes=[Change("goals", "", "add_goal", step)]))
    after(stage, 91)
    assert known(stage) == [ALICE.id]


def test_who_comes_after_all_is_met_anew(stage):
    """A stranger as at first."""
    after(stage, 91)
    met(stage, ALICE)
    profile = stage.store.read("profile", ALICE.id)
    assert (profile["name"], profile["relationship"]["interaction_count"]) == ("Alice", 1)
