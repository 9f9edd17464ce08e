"""Configuration, context, assessment: each layer can only take away."""

from dataclasses import fields
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ai_assistant.agent.attention.layers import (
    CONTEXTS,
    HARD_CAP,
    MAX_CALLS_PER_STEP,
    MODES,
    MOST_DELEGATES,
    Assessment,
    ExecutionPattern,
    narrow,
    of_assessment,
    of_config,
    of_context,
)
from ai_assistant.agent.config import OPTIONS, Config
from ai_assistant.core.contracts import Category
from ai_assistant.testing import Stage, people
from ai_assistant.tools import BUILTIN, tool
from ai_assistant.tools.registry import KITS, Need

(ALICE,) = people("Alice")
TOOLS = [
    one
    for one in BUILTIN
    if one.name in ("say", "give", "recall", "ask", "recall_thoughts", "visit")
]
GIVE = next(one for one in TOOLS if one.name == "give")
NAMES = tuple(one.name for one in TOOLS)
names = st.frozensets(st.sampled_from(NAMES))
kits = st.frozensets(st.sampled_from(KITS))
patterns = st.builds(
    ExecutionPattern,
    mode=st.sampled_from(MODES),
    max_iterations=st.integers(1, HARD_CAP),
    categories=st.frozensets(st.sampled_from(Category)),
    kits=st.none() | kits,
    barred=names,
    stays=st.booleans(),
    confirm_dangerous=st.booleans(),
    plays=st.booleans(),
    lacks=st.frozensets(st.sampled_from(get_args(Need))),
    terminal_ends_loop=st.booleans(),
    calls_per_step=st.integers(1, MAX_CALLS_PER_STEP),
    sub_agents=st.integers(0, MOST_DELEGATES),
)
configs = st.fixed_dictionaries(
    {},
    optional={
        "execution_mode": st.sampled_from(MODES),
        "multi_action_enabled": st.booleans(),
        "max_iterations_per_tick": st.integers(1, 10),
        "disabled_tools": st.lists(st.sampled_from(NAMES)),
        "confirm_dangerous": st.booleans(),
        "sub_agents_enabled": st.booleans(),
        "sub_agent_budget": st.integers(0, 10),
    },
).map(Config)
assessments = st.none() | st.builds(
    Assessment,
    complexity_score=st.integers(1, 5),
    recommended_mode=st.sampled_from(["single_action", "react_loop", None]),
    recommended_iterations=st.integers(1, HARD_CAP),
    recommend_confirm_dangerous=st.booleans(),
)


def compose(config, context, assessment=None):
    """What remains when all three layers have had their say."""
    return narrow(narrow(of_config(config), of_context(context)), of_assessment(assessment))


def is_within(one, other):
    """Does the first pattern allow nothing that the other one forbids?"""
    return narrow(one, other) == one


def at_most(field, one, other):
    """Does the first pattern allow no more than the second, as far as this field goes?"""
    mine, theirs = getattr(one, field), getattr(other, field)
    if field == "mode":
        return MODES.index(mine) <= MODES.index(theirs)
    if field == "kits":
        return theirs is None or (mine is not None and mine <= theirs)
    if field in ("barred", "stays", "confirm_dangerous", "terminal_ends_loop", "plays", "lacks"):
        return mine >= theirs
    return mine <= theirs


@given(configs, st.sampled_from(sorted(CONTEXTS)), assessments)
def test_the_result_is_within_each_layer(config, context_type, assessment):
    """Field by field: no layer gives back what another one took."""
    context = CONTEXTS[context_type]
    found = compose(config, context, assessment)
    for layer in (of_config(config), of_context(context), of_assessment(assessment)):
        assert is_within(found, layer)
        for field in fields(ExecutionPattern):
            assert at_most(field.name, found, layer), field.name


@given(configs, st.sampled_from(sorted(CONTEXTS)), assessments)
def test_what_one_layer_forbids_no_other_allows(config, context_type, assessment):
    """A tool is allowed only where all three allow it."""
    context = CONTEXTS[context_type]
    found = compose(config, context, assessment)
    layers = (of_config(config), of_context(context), of_assessment(assessment))
    for one in TOOLS:
        assert found.allows(one) == all(layer.allows(one) for layer in layers)


@given(patterns, patterns, patterns)
def test_the_order_of_composition_does_not_matter(one, two, three):
    """Narrowing is commutative and associative, and the same layer twice is that layer."""
    assert narrow(one, two) == narrow(two, one)
    assert narrow(narrow(one, two), three) == narrow(one, narrow(two, three))
    assert narrow(one, one) == one


@given(patterns, patterns)
def test_narrowing_gives_the_widest_within_both(one, two):
    """In every field at most each of both; where one is within the other, it is that one."""
    found = narrow(one, two)
    for field in fields(ExecutionPattern):
        assert at_most(field.name, found, one), field.name
        assert at_most(field.name, found, two), field.name
    if is_within(one, two):
        assert found == one


@given(patterns)
def test_saying_nothing_changes_nothing(one):
    """A layer without an opinion is the widest of all."""
    assert narrow(one, ExecutionPattern()) == one
    assert is_within(one, ExecutionPattern())


def test_a_tool_disabled_once_stays_disabled():
    """What configuration forbids no context can bring back."""
    config = Config({"disabled_tools": ["give"]})
    found = compose(config, CONTEXTS["tick_event"])
    assert not found.allows(GIVE)
    assert compose(Config({}), CONTEXTS["tick_event"]).allows(GIVE)


def test_delegation_is_off_by_default():
    """Nobody hands out tasks who was not told to."""
    assert compose(Config({}), CONTEXTS["tick_event"]).sub_agents == 0
    on = compose(Config({"sub_agents_enabled": True}), CONTEXTS["tick_event"])
    assert on.sub_agents == OPTIONS["sub_agent_budget"].default
    assert compose(Config({"sub_agents_enabled": True}), CONTEXTS["reflection"]).sub_agents == 0


# -- a turn obeys


@tool(Category.SAFE_CHAIN)
def whistle(turn):
    """Whistle."""
    return {"done": "whistled"}


def a_stage(**config):
    """Alice before a captain who can whistle and carries a rose."""
    stage = Stage(**config)
    stage.mind.registry.add(whistle)
    stage.world.enter(ALICE)
    stage.world.carry("rose")
    return stage


def test_a_disabled_tool_is_not_offered():
    """Neither shown nor run."""
    stage = a_stage(disabled_tools=["whistle"])
    stage.model.call("whistle").say("I cannot.")
    stage.ask(ALICE, "Whistle!")
    assert "whistle" not in stage.model.offered(0)
    assert "There is no tool of that name here" in stage.model.shown(1)


def test_what_is_disabled_meanwhile_is_gone_at_once():
    """A game master who takes a tool away need not wait for the turn to end."""
    stage = a_stage()
    stage.model.call("recall_memories", query="rose").say("Hm.")

    def forbid(request):
        stage.mind.config = Config({"disabled_tools": ["whistle"]})
        return reply

    reply = stage.model.replies[0]
    stage.model.replies[0] = forbid
    stage.ask(ALICE, "Whistle!")
    assert "whistle" in stage.model.offered(0)
    assert "whistle" not in stage.model.offered(1)


@pytest.mark.parametrize(("several", "said"), [(True, ["Here."]), (False, [])])
def test_a_context_may_allow_one_call_a_step(several, said):
    """With `allows_multi_tool` off only the first call of a reply is run."""
    stage = a_stage()
    stage.model.calls(("whistle", {}), ("say", {"text": "Here."}))
    context = CONTEXTS["tick_event"]
    CONTEXTS["tick_event"] = type(context)(
        "tick_event", "Answer", "", allows_multi_tool=several, max_iterations=1
    )
    try:
        stage.ask(ALICE, "Whistle!")
    finally:
        CONTEXTS["tick_event"] = context
    assert [one for one in stage.world.said if one == "Here."] == said


def test_one_action_leaves_room_for_words():
    """In the mode single_action one thing is done; then only speech is offered."""
    stage = a_stage(execution_mode="single_action")
    stage.model.call("give", item="o1", to="p1").say("It is yours.")
    report = stage.ask(ALICE, "The rose?")
    assert stage.world.deeds == ["give rose to Alice"]
    assert stage.world.said == ["It is yours."]
    assert report.steps == 2
    assert set(stage.model.offered(1)) == {"emote", "whisper"}


def test_one_action_that_speaks_is_one_step():
    """Where the action was an answer, nothing more is asked of the model."""
    stage = a_stage(execution_mode="single_action")
    stage.model.say("Good day.")
    assert stage.ask(ALICE, "Hello!").steps == 1


def test_one_action_unasked_is_one_step():
    """Nobody waits for words on an autonomous turn."""
    stage = a_stage(execution_mode="single_action")
    stage.model.call("whistle")
    assert stage.turn(context_type="tick_autonomous").steps == 1
