"""Breaking goals down: from any model's answer, and by rule in the goal's own words."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ai_assistant.agent.decompose import FEWEST, MOST, read_subtasks, subtasks_of
from ai_assistant.planning.templates import subtasks_by_rule

GOAL = "Build a complete tavern"
SEEDS = ["Design layout", "Build structure", "Add furniture", "Create bartender", "Write menus"]


@pytest.mark.parametrize(
    "answer",
    [
        json.dumps(SEEDS),
        f"Sure! Here is the plan:\n```json\n{json.dumps(SEEDS, indent=1)}\n```\nGood luck.",
        json.dumps([{"description": one} for one in SEEDS]),
        json.dumps([{"step": number, "task": one} for number, one in enumerate(SEEDS)]),
        json.dumps([f"{number}. {one}." for number, one in enumerate(SEEDS, 1)]),
        "\n".join(f"{number}) {one}" for number, one in enumerate(SEEDS, 1)),
        "Steps:\n" + "\n".join(f"- {one}" for one in SEEDS),
        json.dumps([*SEEDS, SEEDS[0], "", GOAL, 7, None]),
    ],
)
def test_an_answer_is_read_leniently(answer):
    """An array, with words around it, of objects, numbered, or a list with bullets."""
    assert read_subtasks(answer, GOAL) == SEEDS


@pytest.mark.parametrize(
    "answer",
    ["", "I cannot.", "[]", '["one", "two"]', "[1, 2, 3]", '{"a": 1}', "[" * 5000,
     json.dumps([f"Step {n}" for n in range(40)]), '["unfinished", "array'],
)  # fmt: skip
def test_a_bad_answer_falls_back_to_rules(answer):
    """Nothing, too little, too much or nonsense: the rules take over."""
    assert read_subtasks(answer, GOAL) == []
    assert subtasks_of(answer, GOAL) == subtasks_by_rule(GOAL)


def test_one_step_too_many_joins_the_last():
    """Seven at most, and the end of the plan is not lost."""
    steps = read_subtasks(json.dumps([f"Step {n}" for n in range(9)]), GOAL)
    assert len(steps) == MOST
    assert steps[-1] == "Step 6; Step 7; Step 8"


def test_what_a_model_wrote_is_cleaned():
    """No markup of the game gets in by a plan."""
    answer = json.dumps(["|rRed|n walls", "$you() build", "Buy {nails}"])
    assert not set("".join(read_subtasks(answer, GOAL))) & set("|{}$")


def test_the_seeds_tavern_by_rule():
    """Requirements, location, design, construction, furnishing (seed SM §4)."""
    for goal in (GOAL, "Complete player's tavern request", "Help Alice build a tavern"):
        steps = subtasks_by_rule(goal)
        wanted = ("requirements", "location", "design", "construction", "furnishing")
        assert all(word in step for word, step in zip(wanted, steps, strict=True))
        assert all("tavern" in step for step in steps)


@pytest.mark.parametrize(
    ("goal", "step"),
    [
        ("Help Alice with the harvest", "Agree with Alice on who does what"),
        ("Help Bob", "Ask Bob what is needed"),
        ("Find Bob's cat", "Search for Bob's cat"),
        ("Fetch my sword back from the river.", "Bring my sword back"),
        ("Bring Alice the silver key", "Get hold of the silver key"),
        ("Deliver a letter to Marrek", "Get hold of the letter to Marrek"),
        ("Learn how to bake bread", "Ask those who know about how to bake bread"),
        ("Find out who stole the bell", "Note what is known already of who stole the bell"),
        ("Guard the north gate", "Keep watch over the north gate"),
        ("Patrol the walls", "Report what was seen at the walls"),
        ("Organise a feast", "Invite the guests to the feast"),
        ("Write a song", "Write the song"),
        ("Buy some rope", "Agree on a price for the rope"),
        ("Sell the old boat", "Find buyers for the old boat"),
        ("Heal the sick cow", "Get the remedies for the sick cow"),
        ("Repair the roof", "Mend the roof"),
        ("Become a better captain", "Plan how to do it: become a better captain"),
        ("Keep the peace", "Plan how to do it: keep the peace"),
    ],
)
def test_each_kind_has_its_own_steps(goal, step):
    """The steps speak of the goal in its own words."""
    assert step in subtasks_by_rule(goal)


@given(st.text(max_size=300))
def test_any_goal_can_be_broken_down(goal):
    """Three to seven steps, all different, for whatever somebody wants."""
    steps = subtasks_by_rule(goal)
    assert FEWEST <= len(steps) <= MOST
    assert len(set(steps)) == len(steps)
    assert all(steps)
