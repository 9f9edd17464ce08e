"""Breaking goals down: from any model's answer, and by plain steps without one."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ai_assistant.agent.unasked.planner import FEWEST, MOST, read_subtasks, subtasks_of
from ai_assistant.planning.goals import subtasks_by_rule

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


@pytest.mark.parametrize(
    ("code", "first"),
    [
        ("en", "Make clear what is needed: Build a complete tavern"),
        ("de", "Klären, was gebraucht wird: Build a complete tavern"),
        ("es", "Aclarar qué hace falta: Build a complete tavern"),
    ],
)
def test_without_a_model_any_goal_has_plain_steps(speaking, code, first):
    """In the language of the game, which need know nothing of taverns."""
    speaking(code)
    assert subtasks_by_rule(f"{GOAL}!")[0] == first


def test_a_language_without_steps_has_the_default_ones(speaking, tmp_path):
    """What a game's own file leaves out is not missed."""
    path = tmp_path / "xx.toml"
    path.write_text('name = "X"', "utf-8")
    expected = subtasks_by_rule(GOAL)
    speaking(str(path))
    assert subtasks_by_rule(GOAL) == expected


@given(st.text(max_size=300))
def test_any_goal_can_be_broken_down(goal):
    """Three to seven steps, all different, for whatever somebody wants."""
    steps = subtasks_by_rule(goal)
    assert FEWEST <= len(steps) <= MOST
    assert len(set(steps)) == len(steps)
    assert all(steps)
